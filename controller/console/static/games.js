// Which game each board shows: what an arbiter was asked about one is never done to the next.

const games = new Map();

/** The board shows that game from now on; null: none yet. */
export function shows(number, game) {
  games.set(number, game);
}

/** `rule` for the game that a board shows now, whatever it shows when the arbiter answers. */
export function ofThisGame(number, rule) {
  const game = games.get(number);
  return (board, ruling, done) => rule(board, { ...ruling, game }, done);
}
