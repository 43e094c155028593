// A question to the arbiter over the page: what it is about, fields, and a button for each answer. Escape leaves it.

import { h, say, whole } from "./dom.js";

/** `rule` for that game, whichever the board has when the arbiter answers: what he was asked about one is never done to the next. */
export function ofGame(game, rule) {
  return (number, ruling, done) => rule(number, { ...ruling, game }, done);
}

/** Asks. Each answer is [name, kind of button, what it rules]; `rule` gets the ruling of the one that is chosen. `rarer`: what
 * stands below them. */
export function dialogue(number, heading, content, answers, rule, rarer = null) {
  const buttons = answers.map(([name, kind]) => h(`button${kind ? `.${kind}` : ""}`, { value: name, "data-answer": name }, h("span.what", {}, whole(name))));
  const form = h(
    "form",
    {
      method: "dialog",
      onsubmit: (event) => {
        const chosen = answers[buttons.indexOf(event.submitter)];
        if (chosen) rule(number, chosen[2]());
      },
    },
    h("h2", {}, heading),
    h("p.quiet", {}, say("board", { number })),
    content,
    h("div.buttons", {}, buttons, rarer, h("button", { type: "button", onclick: () => dialog.close() }, say("cancel"))),
  );
  const dialog = h("dialog", { "aria-label": heading, onclose: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
