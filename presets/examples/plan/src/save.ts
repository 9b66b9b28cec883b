/** The game that was put aside, in a file of the host; the guest keeps nothing. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { begin, type Game, type Move, take } from './rules.ts';
import { presetCalled } from './table.ts';

/** The name of the preset and the moves; neither the heaps nor the figures that they began with. */
export interface Saved {
  readonly preset: string;
  readonly moves: readonly Move[];
}

const FILE = process.env.PEBBLES_SAVE ?? join(homedir(), '.pebbles.json');

/** After every move of either player. */
export function keep(saved: Saved): void {
  writeFileSync(FILE, JSON.stringify(saved));
}

export function kept(): Saved | undefined {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined;
}

/** When somebody has won. */
export function forget(): void {
  rmSync(FILE, { force: true });
}

/** A game as it stands: played again from its beginning, by the table as it is today. */
export function replay({ preset, moves }: Saved): Game {
  return moves.reduce(take, begin(presetCalled(preset)));
}
