// What stands in a link: the code, as in the square of `jadoube pair`, and the name of who has changed the language.
// After "#", so that it is sent nowhere by itself.

const other = document.querySelector("a[hreflang]");

function fill() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const field of ["name", "code"]) if (given.get(field)) document.getElementById(field).value = given.get(field);
  if (!given.get("code")) return;
  document.querySelector("#name").focus();
  history.replaceState(null, "", location.pathname);
}

/** The other language begins with what is typed already. */
function keep() {
  other.hash = new URLSearchParams(["name", "code"].map((field) => [field, document.getElementById(field).value]));
}

other.addEventListener("click", keep);

addEventListener("hashchange", fill);
fill();
