// A field in which to look for a board among many, by its number or by who plays there.

import { h, say } from "./dom.js";

export class Find {
  /** `sift` is called whenever something else is looked for. */
  constructor(sift) {
    this.element = h("input.find", { type: "search", autocomplete: "off", placeholder: say("find"), "aria-label": say("find"), oninput: sift });
  }

  /** Whether a board is looked for; all are where the field is empty, or not there. */
  wants(head) {
    const said = this.element.hidden ? "" : this.element.value.trim().toLowerCase();
    return head.number.toLowerCase().startsWith(said) || [head.white, head.black].some((name) => name?.toLowerCase().includes(said));
  }
}
