// What wants the arbiter: each case with its sentence, clause, evidence, and the rulings open to him as buttons.

import { arrange, h, moment, say, text, whole } from "./dom.js";
import { shown } from "./clock.js";
import { dialogue } from "./dialogue.js";
import { sayOf } from "./may.js";
import { remarks } from "./remarks.js";
import { timeline } from "./timeline.js";

const SIGNS = { open: "⚖", board: "⟲", times: "◔", told: "!", held: "…", closed: "✓" };
const BASIS = ["measured", "told", "inferred"]; // what it rests on, each apart

export class Docket {
  /** `tools`: null where the board is only seen, and somebody else rules. */
  constructor(number, rule, tools) {
    this.number = number;
    this.rule = rule;
    this.tools = tools;
    this.cards = new Map(); // by the case's name: what it said, and its card
    this.open = h("div.open-cases");
    this.count = h("summary");
    this.done = h("ol.done");
    this.closed = h("details.closed", { hidden: true }, this.count, this.done);
    this.quiet = h("p.quiet", {}, say("nothing-open"));
    this.element = h("section.docket", { "aria-label": say("cases") }, this.quiet, this.open, this.closed);
  }

  show(cases) {
    const focus = document.activeElement?.dataset?.key;
    const waiting = cases.filter((each) => each.state !== "closed");
    const order = ["open", "board", "times", "told", "held"];
    waiting.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.seq - b.seq);
    const names = new Set(cases.map((each) => each.seq));
    for (const seq of this.cards.keys()) if (!names.has(seq)) this.cards.delete(seq);
    arrange(this.open, waiting.map((each) => this.card(each, () => this.full(each))));
    const closed = cases.filter((each) => each.state === "closed").reverse();
    arrange(this.done, closed.map((each) => this.card(each, () => this.short(each))));
    this.closed.hidden = !closed.length;
    this.quiet.hidden = waiting.length > 0;
    text(this.count, say("closed-cases", { number: closed.length }));
    if (focus && !document.activeElement?.dataset?.key) this.element.querySelector(`[data-key="${focus}"]`)?.focus();
  }

  card(each, make) {
    const now = JSON.stringify(each);
    const known = this.cards.get(each.seq);
    if (known?.said === now) return known.card;
    const card = make();
    this.cards.set(each.seq, { said: now, card });
    return card;
  }

  full(each) {
    const [first, ...more] = each.what;
    const clauses = each.clauses.filter((clause) => !each.what.some((what) => what.includes(clause)));
    return h(
      "article.case",
      { "data-seq": each.seq, "data-state": each.state, "aria-label": first },
      h(
        "p.state",
        {},
        h("span.sign", { "aria-hidden": "true" }, SIGNS[each.state]),
        h("span", {}, say("of-board", { number: this.number, what: sayOf(this.number, `state-${each.state}`) })),
        h("small", {}, moment(each.wall, each.at)),
      ),
      h("h3", {}, whole(first)),
      more.map((what) => h("p.more", {}, whole(what))),
      clauses.length > 0 && h("p.clauses", {}, clauses.map((clause) => h("span", {}, clause))),
      each.restore && this.restore(each),
      each.restore ? this.folded(each) : [this.basis(each), drawn(each)],
      this.tools && this.buttons(each),
    );
  }

  /** The evidence, out of the way. */
  folded(each) {
    return h("details", {}, h("summary", {}, say("evidence")), this.basis(each), drawn(each));
  }

  basis(each) {
    if (!rests(each)) return null;
    const part = (key) => each[key]?.length > 0 && h(`div.${key}`, {}, h("h4", {}, say(key)), h("ul", {}, each[key].map((item) => h("li", {}, whole(item)))));
    return h("div.basis", {}, BASIS.map(part));
  }

  /** Where the pieces must go, until they are there; and the times proposed for the clocks, until that is answered. */
  restore(each) {
    const { fen, squares, white, black, played_on } = each.restore; // an earlier version does not tell the last
    const picture = `/arbiter/restored.svg?${new URLSearchParams({ fen, squares: squares.join(" ") })}`;
    const astray = each.state === "board";
    const clocks = white != null && black != null;
    const set = () => this.rule(this.number, { do: "set-clock", white_ms: white, black_ms: black });
    const ask = () => this.confirm(say("set-these-clocks"), [say("restore-clocks", { white: shown(white), black: shown(black) }), say("clocks-since")], set);
    return h(
      "div.restore",
      {},
      astray && h("img", { src: picture, width: 240, height: 240, alt: say("restore-alt", { squares: squares.join(", ") }) }),
      h(
        "div",
        {},
        astray && h("p", {}, say("restore", { squares: squares.join(", ") })),
        clocks && h("p", {}, say("restore-clocks", { white: shown(white), black: shown(black) })),
        clocks && this.tools && this.button(each, "these-clocks", say("set-these-clocks"), "", played_on ? ask : set, astray ? "" : "primary"),
        clocks && this.tools && this.button(each, "own-clocks", say("keep-the-clocks"), "", () => this.rule(this.number, { do: "seen", case: each.seq })),
      ),
    );
  }

  buttons(each) {
    const rulings = [];
    const advice = [];
    const spoken = remarks(`case-${each.seq}-`);
    for (const { key, do: act, text: said } of each.offers) {
      const [, name, detail] = /^(.*?)(?: \((.*)\))?$/s.exec(said);
      if (act === "uphold" || act === "dismiss") {
        if (!each.answers) continue;
        const ruling = () => ({ do: act, case: each.seq, answers: each.answers, ...spoken.read() });
        const answer = async () => {
          const fallen = act === "dismiss" && this.tools.fallen;
          if ((await this.rule(this.number, ruling())) && fallen) this.tools.ask("set-clock");
        };
        const warned = act === "uphold" ? [each.later.length && say("later-moves", { moves: each.later.join(" ") }), each.ends && say("ends-sure")].filter(Boolean) : [];
        const ask = () => this.confirm(capital(name), [...each.what, detail && capital(detail), ...warned], answer);
        const button = this.button(each, key, capital(name), detail, warned.length ? ask : answer, act === "uphold" ? "primary" : "");
        act === "uphold" ? rulings.unshift(button) : rulings.push(button);
      } else if (act === "warn" || act.startsWith("postpone")) {
        const [verb, extra] = act.split(" ");
        const ruling = { do: verb, case: each.seq, answers: each.answers, side: verb === "warn" ? each.side : null, extra: extra ? true : null };
        rulings.push(this.button(each, key, capital(name), detail, () => this.rule(this.number, { ...ruling, ...spoken.read() })));
      } else if (act === "set-clock" && (each.restore?.white != null || each.state === "times")) {
        continue; // the picture has a button with the times
      } else if (["set-clock", "result", "undo"].includes(act) || (act === "correct" && !this.tools.correct.hidden)) {
        rulings.push(this.button(each, key, capital(name), detail, () => this.tools.ask(act)));
      } else if (key !== "restore the board" && act !== "resume") advice.push(name);
    }
    if (each.claim) {
      const { of, side, text: name } = each.claim;
      rulings.unshift(this.button(each, "claim", name, "", () => this.rule(this.number, { do: "claim", of, side }), "primary"));
    }
    for (const { text: name, ...named } of [...(each.names ?? [])].reverse()) { // an earlier version tells none
      rulings.unshift(this.button(each, `name-${named.piece}`, name, "", () => this.rule(this.number, { do: "choose", ...named })));
    }
    if (each.state === "told") {
      rulings.unshift(this.button(each, "seen", say("seen"), "", () => this.rule(this.number, { do: "seen", case: each.seq }), "primary"));
    }
    return h(
      "div.rulings",
      {},
      rulings.length > 0 && h("div.buttons", {}, rulings),
      each.answers && spoken.element,
      advice.length > 0 && h("p.advice", {}, say("by-word", { options: advice.join(" · ") })),
    );
  }

  /** One tap ends no game, and takes back no move made since: what it is about is said once more. */
  confirm(name, about, answer) {
    const said = about.filter(Boolean).map((each) => h("p", {}, whole(each)));
    dialogue(this.number, name, said, [[name, "primary", () => answer]], (_, give) => give());
  }

  button(each, key, name, detail, onclick, kind = "") {
    return h(
      `button${kind ? `.${kind}` : ""}`,
      { type: "button", "data-key": `${each.seq} ${key}`, onclick },
      h("span.what", {}, name),
      detail && h("small", {}, detail),
    );
  }

  short(each) {
    const outcome = say(`outcome-${each.outcome}`, { move: each.taken }) + (each.by ? ` · ${each.by}` : "") + (each.ruled ? ` · ${moment(each.ruled_wall, each.ruled)}` : "");
    return h(
      "li.case",
      { "data-seq": each.seq, "data-state": each.state },
      h("p", {}, h("small", {}, moment(each.wall, each.at)), " ", whole(each.what.join(". "))),
      h("p.outcome", {}, h("span.sign", { "aria-hidden": "true" }, SIGNS.closed), outcome),
      each.after.map((what) => h("p.more", {}, whole(what))),
      (rests(each) || each.line?.lanes.length > 0) && this.folded(each),
    );
  }
}

function rests(each) {
  return BASIS.some((key) => each[key]?.length);
}

function drawn(each) {
  return each.line?.lanes.length ? timeline(each.line) : null;
}

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
