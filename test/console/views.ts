/** The console's views of all protocols that come with the program. */

import type { ProtocolView } from '../../src/console/run/protocol-view.ts';
import { KERNEL } from '../../src/kernel/facts.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { view as agents } from '../../src/protocols/agents/view/console.ts';
import { view as board } from '../../src/protocols/board/view/console.ts';
import { view as debate } from '../../src/protocols/debate/view/console.ts';
import { view as plan } from '../../src/protocols/plan/view/console.ts';
import { view as rounds } from '../../src/protocols/rounds/view/console.ts';
import { view as team } from '../../src/protocols/team/view/console.ts';

export { agents, board, debate, plan, rounds, team };

/**
 * Returns the console's view of the protocol that a run was started with. Returns the board's view if the facts
 * contain no start of a run, or name a protocol that does not come with the program.
 */
export function viewOfRun(facts: readonly AnyFact[]): ProtocolView {
  const opening = facts.find(KERNEL.is('run.started'));
  if (opening?.protocol === 'rounds') return rounds;
  if (opening?.protocol === 'debate') return debate;
  if (opening?.protocol === 'plan') return plan;
  if (opening?.protocol === 'team') return team;
  return opening?.protocol === 'agent' ? agents : board;
}
