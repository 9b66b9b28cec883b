/** Implements `deliberate team`: starts a team on a goal, or shows a recorded task. */
import type { Invocation } from '../../../app/invocation.ts';
import { convene } from './convene.ts';
import { findRepositoryGoal } from './place.ts';
import { showTask } from './show.ts';

/**
 * Runs `deliberate team`: shows recorded tasks if the words are `show` or `show TASK`, and otherwise
 * starts a team on a goal. Resolves to the exit code.
 */
export async function team(call: Invocation): Promise<number> {
  const [first, , ...more] = call.words;
  if (first === 'show' && more.length === 0) return showTask(call);
  return convene(call, await findRepositoryGoal(call));
}
