/** What stands in the window's title and in the terminal's list of tabs: how the run is, and what it is about. */
import type { Desk } from '../model/desk.ts';
import { cleanLine } from '../terminal/door.ts';

/** `● 2/3 · question` while it is live, `✓ question` when it is done, `? question` while it waits. */
export function windowTitle(desk: Desk): string {
  const question = cleanLine(desk.view.question);
  return [stateOf(desk), question || 'deliberate'].join('');
}

function stateOf(desk: Desk): string {
  const { id, status, gate } = desk.view;
  if (id === '') return '';
  if (gate !== undefined) return '? ';
  switch (status) {
    case 'done':
      return '✓ ';
    case 'failed':
      return '✗ ';
    case 'stopped':
      return '■ ';
    case 'running': {
      const round = desk.rounds.rounds.at(-1);
      if (round !== undefined) return `● round ${round.round} · `;
      return `● ${desk.answers}/${desk.columns.length} · `;
    }
  }
}
