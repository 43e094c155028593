// A game to be stepped through: the position after each of its moves, the clocks then, and what had been taken.
// The server tells which squares a move changed, so nothing here has to know the rules, or what was illegal and stood.

import { pieces } from "./board.js";

export class Replay {
  /** `parts`: of a board, with its beginning and, in parts of twenty moves, its line. */
  constructor(parts) {
    const line = [];
    for (let i = 0; parts[`line ${i}`]; i++) line.push(...parts[`line ${i}`]);
    this.line = line.slice(0, parts.moves?.length ?? 0);
    this.start = parts.start ?? "";
    this.whole = Boolean(parts.start) && this.line.length > 0 && this.line.length === parts.moves?.length;
  }

  /** What stood where after so many moves: square to letter. */
  position(ply) {
    const position = pieces(this.start);
    for (const [changes] of this.line.slice(0, ply)) {
      for (const change of changes.split(" ")) {
        if (change.length > 2) position.set(change.slice(0, 2), change[2]);
        else position.delete(change);
      }
    }
    return position;
  }

  /** The squares of a move, counted from 1; null before the first. */
  squares(ply) {
    return ply ? this.line[ply - 1][1] : null;
  }

  /** What the clocks showed after so many moves, in ms; null as long as nobody knows. */
  clocks(ply, first) {
    const left = (side) => this.line.slice(0, ply).findLast(([, , seconds], i) => seconds !== null && (i % 2 === 0) === (first === side))?.[2];
    const [white, black] = [left("white"), left("black")];
    if (white == null && black == null) return null;
    return { white: white == null ? null : 1000 * white, black: black == null ? null : 1000 * black, running: null };
  }

  /** How many seconds a move took; null where that is not known. */
  spent(ply) {
    return this.line[ply - 1]?.[3] ?? null;
  }

  /** Which pieces, as letters, each side has taken of the other's where this stands; those promoted count as pawns. */
  taken(position) {
    const there = count(position.values());
    const lost = [];
    const first = count(pieces(this.start).values());
    for (const side of ["QRBNP", "qrbnp"]) {
      const missing = [...side].map((letter) => (first.get(letter) ?? 0) - (there.get(letter) ?? 0));
      const promoted = missing.slice(0, 4).reduce((sum, number) => sum + Math.max(0, -number), 0);
      missing[4] -= promoted;
      lost.push([...side].map((letter, i) => letter.repeat(Math.max(0, missing[i]))).join(""));
    }
    return { white: lost[1], black: lost[0] };
  }
}

function count(letters) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}
