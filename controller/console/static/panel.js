// One board of the arbiter's page in full: clocks, board, hands, touches, what is owed, cases, tools.

import { Board, stock } from "./board.js";
import { Docket } from "./cases.js";
import { Face } from "./clock.js";
import { h, moment, say, text, whole } from "./dom.js";
import { rules, sayOf } from "./may.js";
import { notice } from "./notice.js";
import { about, occasion, player, position, Score, seenByBlack, title } from "./score.js";
import { Tools } from "./tools.js";

export class Panel {
  constructor(number, rule, know) {
    this.number = number;
    this.heading = h("h2", { tabindex: "-1" });
    this.occasion = h("p.occasion");
    this.record = h("p.on-paper"); // by what name the journal and the PGN know the game, and under which rules it is played
    this.faces = { black: new Face("black"), white: new Face("white") };
    this.stock = { black: h("p.stock", { hidden: true }), white: h("p.stock", { hidden: true }) };
    this.board = new Board();
    this.turn = h("p.turn", {}, say("set-up"));
    this.result = h("p.score-line"); // of a match
    this.note = h("p.note"); // before a game its time control; of a match of which one game is over that it goes on
    this.next = h("p", { hidden: true });
    this.hand = h("dd");
    this.touched = h("dd");
    this.owed = h("dd");
    this.offers = h("dd");
    this.offered = h("div", { hidden: true }, h("dt", {}, say("draw-offer")), this.offers);
    this.hands = h(
      "dl.hands",
      { hidden: true },
      h("div", {}, h("dt", {}, say("in-hand")), this.hand),
      h("div", {}, h("dt", {}, say("touched")), this.touched),
      h("div", {}, h("dt", {}, say("owed")), this.owed),
      this.offered,
    );
    this.tools = rules(number) ? new Tools(number, rule, know) : null;
    this.docket = new Docket(number, rule, this.tools);
    this.score = new Score();
    this.trouble = h("div.trouble");
    this.standing = h("div.standing", { hidden: true });
    const desk = this.tools?.element ?? h("p.quiet.only-seen", {}, say("only-seen"));
    this.element = h(
      `section.panel${this.tools ? "" : ".theirs"}`,
      { "aria-label": say("board", { number }) },
      h(
        "div.at-board",
        {},
        h("header", {}, this.heading, this.result, this.occasion, this.record),
        h("div.side", { "data-side": "black" }, this.faces.black.element, this.stock.black),
        this.board.element,
        h("div.side", { "data-side": "white" }, this.faces.white.element, this.stock.white),
        this.turn,
        this.note,
        this.next,
        this.tools?.begin,
        this.hands,
      ),
      h("div.at-desk", {}, this.trouble, this.standing, this.docket.element, desk, this.score.element),
    );
    this.resume = h("button.primary", { type: "button", onclick: () => rule(number, { do: "resume" }) }, say("resume"));
    this.standing.append(h("p", {}, say("clocks-stand")), this.tools ? this.resume : "");
  }

  /** Shows what changed; `changed` holds the names of the parts. */
  show(parts, changed) {
    const { head, board, clock, moves, cases, notices } = parts;
    if (changed.has("head")) {
      text(this.heading, title(head));
      text(this.occasion, occasion(head));
      text(this.record, [head.game, head.laws, head.play].filter(Boolean).join(" · "));
      this.element.classList.toggle("seen-by-black", seenByBlack(head));
    }
    for (const side of ["white", "black"]) {
      const warned = board?.warned[side] ? ` · ${say("warnings", { number: board.warned[side] })}` : "";
      this.faces[side].show(player(head, side) + warned, clock ?? parts.control, about(head, side));
    }
    text(this.result, board?.match_result ?? "");
    text(this.note, whole(parts.control?.text ?? board?.match_goes_on ?? ""));
    text(this.next, parts.begins ?? "");
    this.next.hidden = !board || !parts.begins;
    if (!board) this.await(parts);
    else if (changed.has("board") || changed.has("moves")) this.showBoard(parts);
    if (changed.has("moves")) this.score.show(moves);
    if (changed.has("cases")) {
      this.docket.show(cases ?? []);
      this.resume.classList.toggle("primary", !cases?.some((each) => ["open", "board", "times"].includes(each.state)));
    }
    if (changed.has("notices") || changed.has("away")) this.showTrouble(notices ?? [], parts.away);
    this.tools?.show(parts);
  }

  /** Before a game: how it will begin. */
  await(parts) {
    this.board.show({ fen: parts.head.array ?? "" }, position(parts));
    text(this.turn, [say(parts.head.idle ? "idle" : "set-up"), parts.begins].filter(Boolean).join(" "));
    this.hands.hidden = this.standing.hidden = true;
    for (const side of ["white", "black"]) this.stock[side].hidden = true;
  }

  showBoard(parts) {
    const { board } = parts;
    this.hands.hidden = board.over; // then pieces are set up, and nobody owes anything
    this.board.show(board, position(parts));
    text(this.turn, whole(board.over ? board.result : say(`${board.turn}-to-move`)));
    this.hand.replaceChildren(...list(board.hand, say(board.seen ? "nothing" : "not-seen")));
    this.touched.replaceChildren(
      ...list(
        board.touched.map((touch) => [h("b.order", {}, String(touch.order)), ` ${touch.text} `, h("small", {}, whole(touch.at))]),
        say("nothing"),
      ),
    );
    this.owed.replaceChildren(board.owed ? whole(board.owed) : h("span.none", {}, say("nothing")));
    this.owed.classList.toggle("due", Boolean(board.owed));
    const offers = board.offers ?? []; // an earlier version tells none
    this.offers.replaceChildren(...offers.map((offer) => h("p", {}, h(offer.stands ? "strong" : "span", {}, offer.text), " ", h("small", {}, moment(offer.wall, offer.at)))));
    this.offered.hidden = !offers.length;
    const calls = board.called ? sayOf(this.number, "called", { side: say(board.called) }) : say("clocks-stand");
    text(this.standing.firstChild, calls);
    this.standing.hidden = !board.stopped;
    for (const side of ["white", "black"]) {
      this.stock[side].hidden = !board.stock;
      if (board.stock) this.stock[side].replaceChildren(...stock(board.stock[side]));
    }
  }

  showTrouble(notices, away) {
    this.trouble.replaceChildren(...(away ? [h("p.notice", {}, say("away"))] : []), ...notices.map(notice));
  }

  /** `late`: how far our clock is ahead of the server's, in ms. */
  tick(late) {
    if (this.tools) this.tools.late = late;
    this.faces.white.tick(late);
    this.faces.black.tick(late);
  }
}

function list(items, none) {
  return items.length ? items.map((item) => h("span.item", {}, item)) : [h("span.none", {}, none)];
}
