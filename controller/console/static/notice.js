// A notice of the equipment: what happened; unfolded the cause, and what to do.

import { h } from "./dom.js";

export function notice({ what, cause, next_step }) {
  return h("details.notice", {}, h("summary", {}, what), h("p", {}, cause), h("p", {}, next_step));
}
