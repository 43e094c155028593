// For paper everything that is folded is unfolded, and the day is told: on the page a time of day is enough.

const day = document.getElementById("day");
let folded = [];

addEventListener("beforeprint", () => {
  day.textContent = new Date().toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long", year: "numeric" });
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const each of folded) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of folded) each.open = false;
});
