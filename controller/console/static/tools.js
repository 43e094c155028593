// What an arbiter can do at any time: stop and start the clocks, set them, report what he saw, set the record right, give
// a result, take back.

import { left } from "./clock.js";
import { correct } from "./correct.js";
import { dialogue, ofGame } from "./dialogue.js";
import { h, moment, say, text, whole } from "./dom.js";
import { remarks } from "./remarks.js";
import { report } from "./report.js";

const RESULTS = ["1-0", "0-1", "1/2-1/2"];
const OTHER_RESULTS = ["+-", "-+", "--", "0-0", "1/2-0", "0-1/2"];
const UNITS = ["h", "min", "s"]; // of the fields of a time

export class Tools {
  constructor(number, rule, know) {
    this.number = number;
    this.rule = rule;
    this.know = know;
    this.parts = null;
    this.late = 0;
    const tool = (name, act) => h("button", { type: "button", "data-tool": name, onclick: act }, say(name));
    this.pause = tool("pause", () => rule(number, { do: "pause" }));
    this.clock = tool("set-clock", () => this.ask("set-clock"));
    this.result = tool("result", () => this.ask("result"));
    this.undo = tool("undo", () => this.ask("undo"));
    this.report = tool("report", () => report(number, this.parts, this.know, rule));
    this.correct = tool("correct", () => this.ask("correct"));
    this.match = tool("neutralise", () => this.ask("neutralise"));
    this.begin = tool("new-game", () => this.ask("new-game")); // stands below the board, where it is said how the game begins
    this.before = h("p.quiet", {}, say("before-the-game"));
    this.element = h("section.tools", { "aria-label": say("tools") }, this.before, this.pause, this.clock, this.report, this.correct, this.result, this.undo, this.match);
  }

  show(parts) {
    this.parts = parts;
    const { board, clock } = parts;
    text(this.begin, say(board ? "begin-next" : "new-game"));
    this.begin.hidden = !parts.begins;
    this.before.hidden = Boolean(board);
    this.clock.hidden = !clock || Boolean(board?.over);
    this.pause.hidden = this.clock.hidden || Boolean(board?.stopped); // where the clocks stand, Resume is beside what says so
    this.result.disabled = !board || (board.over && Boolean(parts.head.match)); // a match hangs on it
    this.undo.disabled = !board;
    this.report.disabled = !board || board.over || !parts.reports;
    this.correct.hidden = Boolean(parts.head.match); // what was taken there is in stock on the other board
    this.correct.disabled = !board;
    this.match.hidden = !parts.head.match || Boolean(board?.closed);
    this.match.disabled = !board;
  }

  /** Whose clock shows nothing: where the game goes on, no flag can fall on it before it is set. */
  get fallen() {
    const { board, clock } = this.parts;
    return clock && !board?.over ? ["white", "black"].filter((side) => left(clock, side, this.late) <= 0)[0] : undefined;
  }

  /** Opens the dialogue for one of the tools. */
  ask(what) {
    if (what === "set-clock") this.askClock();
    else if (what === "result") this.askResult();
    else if (what === "correct") correct(this.number, this.parts, this.know, this.rule);
    else if (what === "undo") this.askUndo();
    else if (what === "new-game") this.confirm([this.parts.begins, say("begin-sure")], this.begin.textContent, { do: what });
    else this.confirm([say("neutralise-sure")], say(what), { do: what });
  }

  /** Names what would be taken back; where something else has come last by then, nothing is. */
  async askUndo() {
    const told = await this.know(this.number, "undo");
    if (!told) return;
    const when = told.at && [moment(told.wall, told.at), told.by].filter(Boolean).join(" · ");
    if (told.what) this.confirm([told.what, when], say("undo"), { do: "undo", of: told.of });
    else this.dialogue(say("undo"), [h("p", {}, say(this.parts.board?.over && !this.parts.head.match ? "undo-over" : "undo-nothing"))], []);
  }

  askClock() {
    const { head, clock } = this.parts;
    const fields = {};
    const counters = {};
    const added = { white: 0, black: 0 }; // seconds, to what the clock shows when that is ruled
    const began = {}; // what the fields showed first, in seconds
    const replaced = h("input", { type: "checkbox", id: "replaced" });
    const side = (name) => {
      const seconds = (began[name] = Math.floor((left(clock, name, this.late) ?? 0) / 1000));
      const input = (value, max, label) =>
        h("input", { type: "number", min: 0, max, value, required: true, inputmode: "numeric", "aria-label": `${say(name)}: ${label}` });
      const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
      fields[name] = [input(hours, 99, say("hours")), input(minutes, 59, say("minutes")), input(seconds % 60, 59, say("seconds"))];
      counters[name] = h("input", { type: "number", min: 0, max: 1000, inputmode: "numeric", "aria-label": `${say(name)}: ${say("counter")}` });
      const add = (more) => h("button.small", { type: "button", onclick: () => change(more) }, `${more > 0 ? "+" : "−"}${Math.abs(more) / 60} min`);
      const change = (more) => {
        const before = value(fields[name]) / 1000;
        const now = Math.max(0, before + more);
        added[name] += now - before;
        fields[name][0].value = Math.floor(now / 3600);
        fields[name][1].value = Math.floor(now / 60) % 60;
        fields[name][2].value = Math.floor(now % 60);
      };
      return h(
        "fieldset",
        {},
        h("legend", {}, head[name] ? `${say(name)} · ${head[name]}` : say(name)),
        h("span.time-fields", {}, fields[name].flatMap((field, i) => [field, h("span", { "aria-hidden": "true" }, UNITS[i])])),
        h("span.quick", {}, add(-60), add(60), add(120)),
        h("label.counter", {}, say("counter"), counters[name]),
      );
    };
    // The clocks may run meanwhile: of what was not touched nothing is said.
    const set = (name) => {
      const typed = value(fields[name]) !== (began[name] + added[name]) * 1000;
      return typed ? { [`${name}_ms`]: value(fields[name]) } : { [`${name}_add_ms`]: added[name] * 1000 || null };
    };
    const fallen = this.fallen && h("p", {}, say("clock-at-zero", { side: say(this.fallen) }));
    const reason = h("input", { maxlength: 200, id: "reason", autocomplete: "off" });
    this.dialogue(
      say("set-clock"),
      [fallen, side("white"), side("black"), h("label.option", { for: "replaced" }, replaced, h("span", {}, say("replaced"))), h("label", { for: "reason" }, say("reason")), reason],
      [
        [say("apply"), "primary", () => ({
            do: "set-clock",
            ...set("white"),
            ...set("black"),
            white_moves: counted(counters.white),
            black_moves: counted(counters.black),
            replaced: replaced.checked || null,
            reason: reason.value.trim() || null,
          })],
      ],
    );
  }

  askResult() {
    const said = remarks();
    const rule = ofGame(this.parts.head.game, this.rule);
    const insist = this.parts.board?.over ? true : null; // else the game may end before that is given
    const give = (result) => () => ({ do: "result", result, insist, ...said.read() });
    const others = OTHER_RESULTS.map((result) =>
      h("button", { type: "button", "data-result": result, onclick: () => [rule(this.number, give(result)()), dialog.close()] }, whole(say(`score-${result}`))),
    );
    const content = [h("p", {}, say(this.parts.board?.over ? "result-instead" : "result-sure")), said.element];
    const rarer = h("details", {}, h("summary", {}, say("other-results")), h("div.choices", {}, others));
    const dialog = this.dialogue(say("result"), content, RESULTS.map((result) => [say(`score-${result}`), "", give(result)]), rarer);
  }

  confirm(about, name, ruling) {
    this.dialogue(name, about.filter(Boolean).map((each) => h("p", {}, whole(each))), [[name, "primary", () => ruling]]);
  }

  dialogue(heading, content, answers, rarer) {
    return dialogue(this.number, heading, content, answers, ofGame(this.parts.head.game, this.rule), rarer);
  }
}

/** What a counter of moves is to show; nothing where it stays as it is. */
function counted(field) {
  return field.value === "" ? null : Number(field.value);
}

function value([hours, minutes, seconds]) {
  return (Number(hours.value) * 3600 + Number(minutes.value) * 60 + Number(seconds.value)) * 1000;
}
