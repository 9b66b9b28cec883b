/**
 * Implements `deliberate plan`: plans a topic or the topics of a branch, or writes the files of a recorded
 * plan.
 */
import type { Invocation } from '../../../app/invocation.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { convene } from './convene.ts';
import { writeLater } from './files.ts';
import { applyFromFile } from './fix.ts';
import { findPlace } from './place.ts';
import { watch } from './watch.ts';

/** Runs `deliberate plan` with its flags. Resolves to the exit code. */
export async function plan(call: Invocation): Promise<number> {
  const { apply, write, watch: watches, branch, push } = call.flags;
  if (apply !== undefined) return applyFromFile(call, apply);
  if (write) return writeLater(call);
  if (watches) return watch(call);
  if (branch !== undefined || push)
    throw new UsageError(`--${push ? 'push' : 'branch'} requires --watch`);
  return convene(call, await findPlace(call));
}
