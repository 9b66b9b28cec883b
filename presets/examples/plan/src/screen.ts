/** What a player is shown and types: docs/screen.md. Plain text, so that it works everywhere. */
import { type Game, type Move, movesLeft } from './rules.ts';

/** A row has room for so many pebbles; a larger heap is shown as a figure. */
const WIDEST = 20;

export function draw(game: Game, me: 0 | 1): string {
  const rows = game.heaps.map((there, at) => {
    const pebbles = there > WIDEST ? `${'o'.repeat(WIDEST)} ${there}` : 'o'.repeat(there);
    return `${at + 1}  ${pebbles}`;
  });
  const left = movesLeft(game);
  const whose = game.turn === me ? `Your turn: HEAP COUNT, at most ${game.most}` : 'Their turn';
  return `\n${rows.join('\n')}\n${whose}. At most ${left} move${left === 1 ? '' : 's'} left.\n`;
}

/** `2 3`: three of the second heap. Undefined for anything else. */
export function readMove(typed: string): Move | undefined {
  const [, heap, count] = /^\s*(\d{1,2})\s+(\d{1,2})\s*$/.exec(typed) ?? [];
  return count === undefined ? undefined : { heap: Number(heap) - 1, count: Number(count) };
}
