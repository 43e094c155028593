// What stands above many boards: the round, how many there are of what, a field to find one, and how they are shown.

import { h, say, text } from "./dom.js";
import { Find } from "./find.js";
import { natural, occasion } from "./score.js";

/** How many boards there are of each sort, by the label of it; `besides`: what stands behind the number of all. */
export function counted(parts, besides = {}) {
  const number = (of) => parts.filter(of).length;
  return {
    "count-boards": parts.length,
    ...besides,
    "count-idle": number(({ head }) => head.idle),
    "count-expected": number(({ head, board }) => !board && !head.idle),
    "count-playing": number(({ board }) => board && !board.over),
    "count-over": number(({ board }) => board?.over),
  };
}

/** The sentence that most of several boards say alike, if it is said twice: in a list it stands above them, once. */
export function alike(said) {
  const times = new Map();
  for (const each of said.filter(Boolean)) times.set(each, (times.get(each) ?? 0) + 1);
  const [[most, number] = ["", 0]] = [...times].sort((a, b) => b[1] - a[1]);
  return number > 1 ? most : "";
}

/** A button that stays pressed; `store` remembers whether it is. */
class Toggle {
  constructor(name, store, changed) {
    this.key = `jadoube-${name}`;
    this.store = store;
    const turn = () => [store.setItem(this.key, this.on ? "" : "on"), this.show(), changed()];
    this.element = h("button.toggle", { type: "button", "data-toggle": name, onclick: turn }, say(name));
    this.show();
  }

  get on() {
    return this.store.getItem(this.key) === "on";
  }

  show() {
    this.element.setAttribute("aria-pressed", String(this.on));
  }
}

export class Overview {
  /**
   * `sift` is called whenever other boards are wanted, or in another form. `sieves`: which boards are wanted, by the label of the button.
   * `offer`: what else stands above them.
   */
  constructor(sift, sieves = {}, offer = null) {
    this.round = h("p.occasion");
    this.counts = h("p.counts");
    this.find = new Find(sift);
    this.list = new Toggle("as-list", localStorage, sift);
    this.sieves = Object.entries(sieves).map(([name, wants]) => ({ name, wants, toggle: new Toggle(name, sessionStorage, sift) }));
    this.none = h("p.quiet", {}, say("none-found"));
    this.common = h("p.common");
    const sieve = h("div.sieve", {}, this.find.element, this.sieves.map(({ toggle }) => toggle.element), this.list.element);
    this.element = h("section.overview", { "aria-label": say("overview") }, this.round, this.counts, offer, sieve, this.common, this.none);
  }

  /** `heads`: of all boards; `counts`: how many there are of each sort, by the label of it; `none`: no board is shown; `common`: what they say alike. */
  show(heads, counts, none, common = "") {
    const each = (part) => [...new Set(heads.map((head) => head[part]))].filter(Boolean).sort(natural).join(" / ");
    text(this.round, occasion({ event: each("event"), round: each("round") }));
    const said = Object.entries(counts).filter(([, number]) => number);
    text(this.counts, said.map(([sort, number]) => say(sort, { number })).join(" · "));
    text(this.none, say(this.pressed.some(({ name }) => name === "only-waiting") ? "none-waits" : "none-found"));
    this.none.hidden = !none;
    text(this.common, common);
    this.common.hidden = !common;
  }

  /** Whether boards are lines of a list, not pictures. */
  get compact() {
    return this.list.on;
  }

  /** Whether a board is wanted, though it does not wait for anybody. */
  wants(head) {
    return this.pressed.every((each) => each.wants(head)) && this.find.wants(head);
  }

  get pressed() {
    return this.sieves.filter(({ toggle }) => toggle.on);
  }
}
