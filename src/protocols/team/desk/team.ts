/** `deliberate team`: a goal for a repository, or a task of a team on record. */
import type { Invocation } from '../../../app/invocation.ts';
import { convene } from './convene.ts';
import { findPlace } from './place.ts';
import { showTask } from './show.ts';

export async function team(call: Invocation): Promise<number> {
  const [first, , ...more] = call.words;
  if (first === 'show' && more.length === 0) return showTask(call);
  return convene(call, await findPlace(call));
}
