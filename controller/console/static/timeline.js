// A time line: which square opened and closed when, and who pressed the clock. Evidence, as it was measured.

import { h, s, say } from "./dom.js";

const WIDTHS = { wide: 600, medium: 440, narrow: 300 }; // a wide one in little room would have letters too small to read
const MOST = { wide: 6, medium: 5, narrow: 5 }; // times below it
const LABEL = 44;
const LANE = 26;
const TOP = 8;
const EDGE = 24; // half of a time, which stands below its end
const STEPS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]; // between the times that stand below it; it is 90 s long at the most

/** Seconds with one decimal, since the session began. */
function at(ms) {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const rest = `${Math.floor(tenths / 10) % 60}`.padStart(minutes ? 2 : 1, "0");
  return `${minutes ? `${minutes}:` : ""}${rest}${say("point")}${tenths % 10}${minutes ? "" : " s"}`;
}

/** Drawn for each width: a device may be turned, or the page be printed, and the style sheet shows the one that has the room. */
export function timeline(line) {
  const told = line.lanes.map((lane) => say("lane", { square: lane.square, times: lane.open.map(([from, to]) => span(from, to)).join(", ") || say("stood") }));
  told.push(...line.presses.map(([ms, side]) => say("pressed-at", { side: say(side), at: at(ms) })));
  const drawings = Object.keys(WIDTHS).map((name) => drawing(line, name));
  return h("figure.evidence", {}, h("figcaption", {}, say("time-line")), drawings, h("ul.unseen", {}, told.map((each) => h("li", {}, each))));
}

function drawing(line, name) {
  const width = WIDTHS[name];
  const length = Math.max(1, line.end - line.begin);
  const x = (ms) => LABEL + ((ms - line.begin) / length) * (width - LABEL - EDGE);
  const height = TOP + line.lanes.length * LANE + 34;
  const lanes = line.lanes.map((lane, i) => {
    const y = TOP + i * LANE + LANE / 2;
    return s(
      "g",
      {},
      s("text", { x: 0, y: y + 5, class: "lane" }, lane.square),
      s("line", { x1: LABEL, x2: x(line.end), y1: y, y2: y, class: "stands" }),
      lane.open.map(([from, to]) =>
        s(
          "g",
          {},
          s("rect", { x: x(from ?? line.begin), y: y - 8, width: Math.max(3, x(to ?? line.end) - x(from ?? line.begin)), height: 16, rx: 3, class: "open" }),
          s("title", {}, span(from, to)),
        ),
      ),
    );
  });
  const foot = TOP + line.lanes.length * LANE;
  const presses = line.presses.map(([ms, side]) =>
    s(
      "g",
      { class: "press" },
      s("line", { x1: x(ms), x2: x(ms), y1: TOP - 4, y2: foot + 6 }),
      s("path", { d: `M${x(ms) - 5},${foot + 13} l5,-8 l5,8 z`, class: side }),
      s("title", {}, say("pressed-at", { side: say(side), at: at(ms) })),
    ),
  );
  const ticks = axis(line.begin, line.end, MOST[name]).map((ms) =>
    s("g", { class: "tick" }, s("line", { x1: x(ms), x2: x(ms), y1: foot, y2: foot + 4 }), s("text", { x: x(ms), y: foot + 28 }, at(ms))),
  );
  return s("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: `time-line ${name}` }, ticks, presses, lanes);
}

function span(from, to) {
  if (from === null) return to === null ? say("open-throughout") : say("open-until", { to: at(to) });
  return to === null ? say("open-since", { from: at(from) }) : say("open-from-to", { from: at(from), to: at(to) });
}

/** So many times at the most, and two at least: the one step is at most two and a half times the other. */
function axis(begin, end, most) {
  const step = STEPS.find((each) => (end - begin) / each <= most);
  const ticks = [];
  for (let ms = Math.ceil(begin / step) * step; ms <= end; ms += step) ticks.push(ms);
  return ticks;
}
