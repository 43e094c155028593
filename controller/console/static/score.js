// What is said of a game everywhere: which board, who plays and for whom, the position in words, the score.

import { h, say } from "./dom.js";

/** Which board that is; in a match with the letter by which its result is told. */
export function title(head) {
  return say("board", { number: head.number }) + (head.match ? ` · ${head.match.seat}` : "") + (head.variant ? ` · ${head.variant}` : "");
}

/** Who has that side; in a match also for which team: White on A and Black on B are the first. */
export function player(head, side) {
  const name = head[side] || say(side);
  return head.match ? say("of-team", { name, number: (head.match.seat === "A") === (side === "white") ? 1 : 2 }) : name;
}

/** What is played here: the event, and the round. */
export function occasion(head) {
  return [head.event, head.round && say("round", { number: head.round })].filter(Boolean).join(" · ");
}

export function players(head) {
  return head.white || head.black ? `${head.white ?? "?"} – ${head.black ?? "?"}` : "";
}

/** The position in words: after which move, and who is to move. */
export function position(parts) {
  const { head, board, moves } = parts;
  if (!board) return say("set-up");
  const after = moves?.length ? say("after-move", { move: numbered(moves, moves.length - 1) }) : say("no-moves");
  return say("of-board", { number: head.number, what: `${after}. ${board.over ? board.result : say(`${board.turn}-to-move`)}` });
}

export function numbered(moves, i) {
  return `${Math.floor(i / 2) + 1}${i % 2 ? "…" : "."} ${moves[i]}`;
}

/** In a match the partners sit side by side: board B is seen from Black's side. */
export function seenByBlack(head) {
  return head.match?.seat === "B";
}

/** The score as a list that scrolls to its end. */
export class Score {
  constructor() {
    this.list = h("ol.score", { tabindex: "0", "aria-label": say("moves") });
    this.element = h("section.moves", { "aria-label": say("moves") }, this.list);
    this.told = "";
  }

  show(moves = []) {
    const now = moves.join(" ");
    if (now === this.told && now) return;
    this.told = now;
    const turns = [];
    for (let i = 0; i < moves.length; i += 2) {
      turns.push(h("li", {}, h("span", {}, moves[i]), moves[i + 1] ? h("span", {}, moves[i + 1]) : null));
    }
    this.list.replaceChildren(...(turns.length ? turns : [h("li.none", {}, say("no-moves"))]));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** Board numbers in the order of people: 2 before 10. */
export function natural(a, b) {
  return a.localeCompare(b, undefined, { numeric: true });
}
