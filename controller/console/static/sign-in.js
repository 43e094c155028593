// What stands in a link: the code, as in the square of `jadoube pair`, and the name of who has changed the language.
// After "#", so that it is sent nowhere by itself. What is no code is said to be none in the language of the page.

const code = document.getElementById("code");

function fill() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const field of ["name", "code"]) if (given.get(field)) document.getElementById(field).value = given.get(field);
  code.setCustomValidity("");
  if (!given.get("code")) return;
  document.querySelector("#name").focus();
  history.replaceState(null, "", location.pathname);
}

code.addEventListener("invalid", () => code.setCustomValidity(code.title));
code.addEventListener("input", () => code.setCustomValidity(""));

/** Another language begins with what is typed already. */
for (const other of document.querySelectorAll("a[hreflang]")) {
  other.addEventListener("click", () => {
    other.hash = new URLSearchParams(["name", "code"].map((field) => [field, document.getElementById(field).value]));
  });
}

addEventListener("hashchange", fill);
fill();
