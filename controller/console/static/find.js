// A field in which to look for a board among many, by its number or by who plays there.

import { h, say } from "./dom.js";

const KEY = "jadoube-find";

export class Find {
  /** `sift` is called whenever something else is looked for; it is remembered as long as the page is open. */
  constructor(sift) {
    const keep = () => [sessionStorage.setItem(KEY, this.element.value), sift()];
    this.element = h("input.find", { type: "search", autocomplete: "off", placeholder: say("find"), "aria-label": say("find"), oninput: keep, value: sessionStorage.getItem(KEY) });
  }

  /** Whether a board is looked for; all are where the field is empty. */
  wants(head) {
    const said = this.element.value.trim().toLowerCase();
    return head.number.toLowerCase().startsWith(said) || [head.white, head.black].some((name) => name?.toLowerCase().includes(said));
  }
}
