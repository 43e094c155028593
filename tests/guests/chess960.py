#!/usr/bin/env python3
"""Honest hands of chess960: a random legal game from a start position drawn by lot, as lifts, places and presses.

Nobody breaks a rule. Moves are UCI with castling as the king's move to his rook's square.
"""

import random

import chess

PLIES = 40
OWN = {"occupancy": lambda _: None, "colour": lambda p: "w" if p.isupper() else "b", "identity": lambda p: p}


class Hands:
    def __init__(self, seed, senses, clock):
        self.r = random.Random(f"{seed}/{senses}/{clock}")
        self.senses, self.clock = senses, clock
        self.start = self.r.randint(0, 959)
        self.b = chess.Board.from_chess960_pos(self.start)
        self.ms = 0
        self.log = [
            {
                "type": "session",
                "version": 1,
                "laws": self.r.choice(["fide-2009", "fide-2014", "fide-2018", "fide-2023"]),
                "variant": "chess960",
                "fen": self.b.shredder_fen() if self.r.random() < 0.5 else self.b.fen(),
                "senses": senses,
                "clock": "5400+30" if clock else None,
            }
        ]
        self.moves, self.castlings, self.stands = [], [], []
        self.pace = self.r.choice([0.5, 1, 1, 1.6])

    # time
    def wait(self, low, high):
        self.ms += int(self.r.uniform(low, high))

    def step(self):  # between two acts of one hand
        x = self.r.random()
        self.wait(200, 400) if x < 0.4 else self.wait(400, 1200) if x < 0.85 else self.wait(1200, 2800)

    def hand(self, low, high):  # a bounded gap, never scaled
        self.wait(low, high)

    # acts
    def lift(self, sq):
        self.log.append({"ms": self.ms, "type": "lift", "square": chess.square_name(sq)})

    def place(self, sq, letter):
        e = {"ms": self.ms, "type": "place", "square": chess.square_name(sq)}
        p = OWN[self.senses](letter)
        if p:
            e["piece"] = p
        self.log.append(e)

    def brush(self, sq):
        p = self.b.piece_at(sq).symbol()
        self.lift(sq)
        self.hand(30, 105)
        self.place(sq, p)
        self.wait(500, 1500)

    def slide(self, a, c, letter):
        """the piece is in hand: it touches the free squares between a and c in passing"""
        for s in chess.SquareSet(chess.between(a, c)) if a < c else reversed(chess.SquareSet(chess.between(a, c))):
            if self.b.piece_at(s) is None and self.r.random() < 0.6:
                self.hand(60, 150)
                self.place(s, letter)
                self.hand(40, 110)
                self.lift(s)
        self.hand(80, 250)

    # one move
    def choose_move(self):
        b, r = self.b, self.r
        legal = list(b.legal_moves)
        castles = [m for m in legal if b.is_castling(m)]
        if castles and r.random() < 0.65:
            return r.choice(castles)
        weights = []
        for m in legal:
            k = b.piece_type_at(m.from_square)
            w = 1.0
            if m.promotion:
                w = 4 if m.promotion == chess.QUEEN else 1
            elif b.has_castling_rights(b.turn):
                if (k == chess.KING and not b.is_castling(m)) or k == chess.ROOK:
                    w = 0.1
                elif chess.square_rank(m.from_square) in (0, 7):
                    w = 4
                elif k == chess.PAWN:
                    w = 1.5
            if b.is_capture(m):
                w *= 1.6
            if b.is_castling(m):
                w = 0.5
            weights.append(w)
        return r.choices(legal, weights)[0]

    def castle(self, m):
        b, r = self.b, self.r
        ks = chess.square_file(m.to_square) > chess.square_file(m.from_square)
        rank = chess.square_rank(m.from_square)
        k, rk = m.from_square, m.to_square
        kd, rd = chess.square(6 if ks else 2, rank), chess.square(5 if ks else 3, rank)
        king, rook = b.piece_at(k).symbol(), b.piece_at(rk).symbol()
        ways = ["aside", "hand"]
        if r.random() < 0.12:
            ways = ["swoop"]
        if kd == k:
            ways += ["rook", "rook", "rook", "stand"]
        elif rd == rk:
            ways += ["king", "king", "king"]
        elif kd != rk:
            ways += ["double", "double", "double"]
        way = r.choice(ways)
        one = kd != k and chess.square_distance(k, kd) == 1
        if r.random() < 0.06:
            self.brush(k)
        if r.random() < 0.06:
            self.brush(rk)
        if r.random() < 0.08 and way != "rook":  # a hesitation: the king touched, put back
            self.lift(k)
            self.wait(400, 1500)
            self.place(k, king)
            self.wait(600, 2000)
        if way == "rook":
            self.lift(rk)
            self.step()
            self.place(rd, rook)
        elif way == "king":
            self.lift(k)
            if r.random() < 0.1:
                self.slide(k, kd, king)
            else:
                self.step()
            self.place(kd, king)
        elif way == "stand":  # king touched and left there, then the rook
            self.lift(k)
            self.wait(200, 900)
            self.place(k, king)
            self.wait(250, 2000)
            self.lift(rk)
            self.step()
            self.place(rd, rook)
        elif way == "double":
            self.lift(k)
            if r.random() < 0.1:
                self.slide(k, kd, king)
            else:
                self.step()
            self.place(kd, king)
            # one step away the king's move is a move of its own: without a clock only a quick hand is unmistakable
            if one and not self.clock:
                self.hand(150, 320)
            else:
                self.wait(200, 2200)
            self.lift(rk)
            self.step()
            self.place(rd, rook)
        else:
            first, second = (k, rk)
            if way == "swoop" and r.random() < 0.5:
                first, second = rk, k
            self.lift(first)
            if way == "swoop":
                self.hand(30, 130)
            else:
                self.wait(200, 2000)
            self.lift(second)
            self.step()
            acts = [(kd, king), (rd, rook)]
            if way == "aside" or (way == "swoop" and r.random() < 0.5):
                acts.reverse()
            for i, (s, p) in enumerate(acts):
                if i:
                    self.step()
                self.place(s, p)
        self.castlings.append({"ply": len(self.moves) + 1, "uci": b.uci(m, chess960=True), "way": way, "one_step": one})

    def ordinary(self, m):
        b, r = self.b, self.r
        a, c = m.from_square, m.to_square
        p = b.piece_at(a).symbol()
        land = p
        named = False
        if m.promotion:
            land = chess.Piece(m.promotion, b.turn).symbol()
            if self.senses != "identity" and r.random() < 0.6:
                self.choose(m)
                named = True
        elif r.random() < 0.05:
            self.brush(a)
        capture, ep = b.is_capture(m), b.is_en_passant(m)
        if not capture and r.random() < 0.07:  # a hesitation
            self.lift(a)
            self.wait(400, 1500)
            self.place(a, p)
            self.wait(500, 1800)
        victim = chess.square(chess.square_file(c), chess.square_rank(a)) if ep else c if capture else None
        order = None
        if capture:
            order = r.choice(
                ["own", "own", "enemy"]
                + (["after"] * 2 if ep else ["swap"] if self.senses != "occupancy" and not m.promotion else [])
            )
            if order == "swap" and self.senses == "colour" and not b.piece_at(c):
                order = "own"
        if order == "enemy":
            self.lift(victim)
            self.step()
            self.lift(a)
            self.step()
        elif order == "own":
            self.lift(a)
            self.step()
            self.lift(victim)
            self.step()
        else:
            self.lift(a)
            if not capture and r.random() < 0.05 and p.upper() in "QRB":
                self.slide(a, c, p)
            else:
                self.step()
        if m.promotion and self.senses != "identity" and not named:
            self.choose(m)
            self.hand(100, 400)
        if m.promotion and self.senses == "identity" and r.random() < 0.4:
            self.place(c, p)
            self.wait(250, 900)
            self.lift(c)
            self.wait(400, 1500)
        self.place(c, land)
        if order == "after":
            self.step()
            self.lift(victim)

    def choose(self, m):
        self.log.append(
            {
                "ms": self.ms,
                "type": "choose",
                "side": "white" if self.b.turn else "black",
                "piece": chess.piece_symbol(m.promotion),
            }
        )
        self.hand(150, 500)

    def play(self):
        b = self.b
        while len(self.moves) < PLIES or self.unseen:
            if b.is_game_over(claim_draw=False):
                break
            if len(self.moves) >= PLIES + 4:
                break
            m = self.choose_move()
            if len(self.moves) >= PLIES - 1:  # no game ends in a castling that nobody can see
                m = next((x for x in [m, *b.legal_moves] if not b.is_castling(x)), m)
            self.wait(700 * self.pace, 4500 * self.pace)
            self.castle(m) if b.is_castling(m) else self.ordinary(m)
            side = "white" if b.turn else "black"
            self.moves.append(b.uci(m, chess960=True))
            b.push(m)
            self.stands.append((len(self.log), b.copy(stack=False)))
            if self.clock and not b.is_game_over():
                self.wait(120, 1500)
                self.log.append({"ms": self.ms, "type": "press", "side": side})
            else:
                self.ms += 500
        return self

    @property
    def unseen(self):
        return bool(self.castlings) and self.castlings[-1]["ply"] == len(self.moves)

    def truth(self, seed):
        return {
            "seed": seed,
            "start": self.start,
            "senses": self.senses,
            "clock": bool(self.clock),
            "moves": self.moves,
            "fen": self.b.fen(),
            "shredder": self.b.shredder_fen(),
            "castlings": self.castlings,
        }
