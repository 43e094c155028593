// Of very many boards those in sight are drawn, and the others once they come into sight: a list of a thousand is there
// at once. What is lazy has an `element`, and `draw()` shows it as it stands.

const MANY = 100; // up to so many boards all are drawn at once
const AHEAD = "400px"; // what is so near is drawn before it is in sight

const owners = new WeakMap();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const owner = owners.get(target);
      owner.asleep = owner.lazy && !isIntersecting;
      if (isIntersecting) owner.draw();
    }
  },
  { rootMargin: AHEAD },
);

/** What is in a list; `full`: what is shown by itself instead. */
export function among(all, full = []) {
  for (const owner of all) {
    const lazy = all.length > MANY && !full.includes(owner);
    if (lazy === Boolean(owner.lazy)) continue;
    owner.lazy = owner.asleep = lazy;
    owner.element.classList.toggle("lazy", lazy);
    owners.set(owner.element, owner);
    if (lazy) observer.observe(owner.element);
    else observer.unobserve(owner.element);
  }
}
