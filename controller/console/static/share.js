// The address of what is seen, to be passed on: by what the device offers for that; else it stands there to be copied.

import { h, say, text } from "./dom.js";

const TOLD_MS = 3_000;

/** A button; `address` says what is passed on. A browser may neither share nor copy, as without TLS: then it is shown. */
export function share(address) {
  const field = h("input.address", { readonly: true, hidden: true, "aria-label": say("address") });
  const button = h("button.plain", { type: "button", "data-share": "", onclick: () => pass() }, say("share"));

  async function pass() {
    if (navigator.share) return navigator.share({ title: document.title, url: address() }).catch(() => {});
    if (await copied(address())) {
      text(button, say("copied"));
      return setTimeout(() => text(button, say("share")), TOLD_MS);
    }
    field.value = address();
    field.hidden = false;
    return field.select();
  }

  return h("span.share", {}, button, field);
}

/** Whether the browser has copied it. */
async function copied(address) {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // it has no clipboard, or who uses it does not allow that
  }
}
