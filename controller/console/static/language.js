// The link to the other language leads back to where one is: what stands after "#" goes along, and the browser keeps it.

const link = document.querySelector("a[hreflang]");

link.addEventListener("click", () => (link.hash = location.hash));
