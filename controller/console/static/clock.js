// Both clocks of a board. The server says what they showed at a moment that is in the journal; here they run on from it.

import { h, say, text } from "./dom.js";

const TENTHS_BELOW_MS = 20_000;

/** What is left to a side now, in ms; null without a clock. `late` is how far our clock is ahead of the server's. */
export function left(clock, side, late) {
  if (clock?.[side] == null) return null;
  if (!clock.running) return Math.max(0, clock[side]);
  const gone = Math.max(0, (Date.now() - late - clock.at) * clock.speed - clock.free);
  if (clock.running === side) return Math.max(0, clock[side] - gone);
  return Math.max(0, clock[side] + (clock.hourglass ? gone : 0));
}

/** 1:29:58, 4:05, and 9.8 at the end: whole seconds rounded down, as clocks show them. */
export function shown(ms, tenths = true) {
  if (tenths && ms < TENTHS_BELOW_MS) return `0:${String(Math.floor(ms / 1000)).padStart(2, "0")}${say("point")}${Math.floor(ms / 100) % 10}`;
  const seconds = Math.floor(ms / 1000);
  const pad = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** One side's clock with the player's name. */
export class Face {
  constructor(side) {
    this.side = side;
    this.time = h("span.time", { role: "timer", "aria-live": "off" });
    this.title = h("b.title");
    this.name = h("span.name");
    this.about = h("span.about");
    this.sign = h("span.runs", { "aria-hidden": "true" });
    this.element = h("div.face", { "data-side": side }, h("span.player", {}, this.title, this.name, this.about), this.sign, this.time);
  }

  /** `known`: what else is told of the player: a title before the name, more behind it. */
  show(name, clock, known = {}) {
    this.clock = clock;
    text(this.name, name);
    text(this.title, known.title ?? "");
    text(this.about, known.more ?? "");
    const runs = clock?.running === this.side;
    this.element.classList.toggle("running", runs);
    text(this.sign, runs ? "▶" : "");
    this.time.hidden = clock?.[this.side] == null;
    this.time.setAttribute("aria-label", say(runs ? `clock-${this.side}-running` : `clock-${this.side}`));
  }

  tick(late) {
    const ms = left(this.clock, this.side, late);
    if (ms !== null) {
      text(this.time, shown(ms));
      this.element.classList.toggle("fallen", ms === 0);
    }
  }
}

/** Calls `tick` as often as anybody could see a difference; never while the page is hidden. */
export function run(tick) {
  setInterval(() => document.hidden || tick(), 200);
}

/** Whether the tenths of a running clock can be seen, so that it must be drawn more than once a second. */
export function hurried(clock, late) {
  return Boolean(clock?.running) && left(clock, clock.running, late) < TENTHS_BELOW_MS + 1_000;
}
