// What is said of a game everywhere: which board, who plays and for whom, the position in words, the score.

import { h, say } from "./dom.js";
import { flag } from "./flags.js";

/** Which board that is; in a match with the letter by which its result is told. */
export function title(head) {
  return say("board", { number: head.number }) + (head.match ? ` · ${head.match.board}` : "") + (head.variant ? ` · ${head.variant}` : "");
}

/** Who has that side; in a match also for which team: White on A and Black on B are the first. */
export function player(head, side) {
  if (head.idle) return "";
  const name = head[side] || say(side);
  return head.match ? say("of-team", { name, number: (head.match.board === "A") === (side === "white") ? 1 : 2 }) : name;
}

/** What is known of a player: the title; and the rating, the federation with its flag, the team. */
export function about(head, side) {
  const { title, elo, federation, team } = head.about?.[side] ?? {};
  return { title, more: [elo, federation && `${flag(federation)} ${federation}`.trim(), team].filter(Boolean).join(" · ") };
}

/** What is played here: the event, and the round. */
export function occasion(head) {
  return [head.event, head.round && say("round", { number: head.round })].filter(Boolean).join(" · ");
}

/** What is to be said of a board that waits for its game; and of one that has none. */
export function expected(head) {
  if (head.idle) return say("idle");
  return [head.round && say("round", { number: head.round }), say("set-up")].filter(Boolean).join(" · ");
}

/** The position in words: after which move, and who is to move. */
export function position(parts) {
  const { head, board, moves } = parts;
  if (!board) return expected(head);
  const after = moves?.length ? say("after-move", { move: numbered(moves, moves.length - 1) }) : say("no-moves");
  return say("of-board", { number: head.number, what: `${after}. ${board.over ? board.result : say(`${board.turn}-to-move`)}` });
}

export function numbered(moves, i) {
  return `${Math.floor(i / 2) + 1}${i % 2 ? "…" : "."} ${moves[i]}`;
}

/** In a match the partners sit side by side: board B is seen from Black's side. */
export function seenByBlack(head) {
  return head.match?.board === "B";
}

/** The score as a list that scrolls to its end. */
export class Score {
  /** `pick`: moves can be chosen; it is told after how many of them one wants to look at the game. */
  constructor(pick = null) {
    this.pick = pick;
    this.list = h("ol.score", { tabindex: "0", "aria-label": say("moves") });
    this.element = h("section.moves", { "aria-label": say("moves") }, this.list);
    this.told = null;
    this.where = null; // where it is scrolled to
  }

  /** `ready`: they can be chosen by now. */
  show(moves = [], ready = false) {
    const now = `${ready} ${moves.join(" ")}`;
    if (now === this.told) return;
    this.told = now;
    const focus = document.activeElement?.dataset?.ply;
    const here = this.list.contains(document.activeElement);
    const turns = [];
    for (let i = 0; i < moves.length; i += 2) {
      turns.push(h("li", {}, moves.slice(i, i + 2).map((move, k) => this.move(move, i + k + 1, ready))));
    }
    this.list.replaceChildren(...(turns.length ? turns : [h("li.none", {}, say("no-moves"))]));
    this.scroll(() => this.list.scrollHeight);
    if (here && focus) this.list.querySelector(`[data-ply="${focus}"]`)?.focus();
  }

  move(move, ply, ready) {
    if (!this.pick || !ready) return h("span", {}, move);
    return h("button.ply", { type: "button", "data-ply": ply, onclick: () => this.pick(ply) }, move);
  }

  /** The move that led to what is looked at stands out, and in sight. */
  mark(ply) {
    for (const each of this.list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
    const move = this.list.querySelector(`[data-ply="${ply}"]`);
    move?.setAttribute("aria-current", "true");
    this.scroll(() => {
      if (!move) return ply ? this.list.scrollHeight : 0;
      const below = move.getBoundingClientRect().top - this.list.getBoundingClientRect().top;
      return this.list.scrollTop + below - this.list.clientHeight / 2;
    });
  }

  /** Scrolls to there: now, and once more when the page is laid out, as it may not be yet. */
  scroll(where) {
    const go = () => where === this.where && (this.list.scrollTop = where());
    this.where = where;
    go();
    requestAnimationFrame(go);
  }
}

/** Board numbers in the order of people: 2 before 10. */
export const natural = new Intl.Collator(undefined, { numeric: true }).compare;
