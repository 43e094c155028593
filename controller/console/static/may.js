// On which boards the arbiter who is signed in rules. The server refuses the rest; here it is not offered.

import { say } from "./dom.js";

const may = JSON.parse(document.getElementById("may").textContent); // true: on all of them

export const all = may === true;
export const some = !all && may.length > 0;

export function rules(number) {
  return all || may.includes(number);
}

const SPOKEN_TO = new Set(["state-open", "state-told", "called"]);

/** The label of that id, for who rules on the board or for who only sees it: the arbiter of which it speaks is another. */
export function sayOf(number, key, fields = {}) {
  return say(SPOKEN_TO.has(key) && !rules(number) ? `${key}-elsewhere` : key, fields);
}
