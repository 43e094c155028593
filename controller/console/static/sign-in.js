// The code that stands in a link, as in the square of `jadoube pair`: after "#", so that it is sent nowhere by itself.

function fill() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  document.querySelector("#code").value = code;
  document.querySelector("#name").focus();
  history.replaceState(null, "", location.pathname);
}

addEventListener("hashchange", fill);
fill();
