/** The rules: docs/rules.md and docs/turns.md. Nothing here knows of machines, files or screens. */
import type { Preset } from './table.ts';

export interface Game {
  readonly heaps: readonly number[];
  readonly most: number;
  /** Whose turn it is: 0 the host, who begins, or 1 the guest. */
  readonly turn: 0 | 1;
}

export interface Move {
  /** From 0. */
  readonly heap: number;
  readonly count: number;
}

export function begin({ heaps, most }: Preset): Game {
  return { heaps, most, turn: 0 };
}

/** Why a move is not allowed; undefined if it is. */
export function whyNot({ heaps, most }: Game, { heap, count }: Move): string | undefined {
  const there = heaps[heap];
  if (there === undefined) return 'there is no such heap';
  if (!Number.isInteger(count) || count < 1) return 'a move takes at least one pebble';
  if (count > most) return `a move takes at most ${most}`;
  return count > there ? `there are only ${there}` : undefined;
}

export function take(game: Game, move: Move): Game {
  const why = whyNot(game, move);
  if (why !== undefined) throw new Error(why);
  const heaps = game.heaps.map((there, at) => (at === move.heap ? there - move.count : there));
  return { ...game, heaps, turn: game.turn === 0 ? 1 : 0 };
}

/** Nothing puts a pebble back, so a game is over after at most so many moves. */
export function movesLeft({ heaps }: Game): number {
  return heaps.reduce((sum, there) => sum + there, 0);
}

/** Whoever took the last pebble: not the one whose turn it would be. */
export function winner(game: Game): 0 | 1 | undefined {
  if (movesLeft(game) > 0) return undefined;
  return game.turn === 0 ? 1 : 0;
}
