// What an arbiter adds to a ruling or a report for the record: his own words, and who saw it.

import { h, say } from "./dom.js";

/** The two fields, their ids beginning with `of`, and what stands in them as fields of a ruling; nothing where they are empty. */
export function remarks(of = "") {
  const words = h("input", { id: `${of}remark`, maxlength: 1000, autocomplete: "off" });
  const witnesses = h("input", { id: `${of}witnesses`, maxlength: 200, autocomplete: "off" });
  const element = h("details.remarks", {}, h("summary", {}, say("remarks")), h("label", { for: `${of}remark` }, say("reason")), words, h("label", { for: `${of}witnesses` }, say("witnesses")), witnesses);
  const names = () => witnesses.value.split(",").map((name) => name.trim()).filter(Boolean);
  return {
    element,
    ask: () => [(element.open = true), words.focus()],
    read: () => ({ text: words.value.trim() || null, witnesses: names().length ? names() : null }),
  };
}
