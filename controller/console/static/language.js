// The link to another language leads back to where one is: what stands after "#" goes along, and the browser keeps it.

for (const link of document.querySelectorAll("a[hreflang]")) link.addEventListener("click", () => (link.hash = location.hash));
