/** The protocols there are, by the name that stands in `run.started`. Only the one that is needed is loaded. */

import { entryOf } from '../kernel/entry.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Protocol } from '../kernel/session.ts';

const PROTOCOLS: Readonly<Record<string, () => Promise<Protocol>>> = {
  board: async () => (await import('./board/board.ts')).board as Protocol,
  agent: async () => (await import('./agents/agents.ts')).agents as Protocol,
  rounds: async () => (await import('./rounds/rounds.ts')).rounds as Protocol,
};

/** @throws DeliberateError where this version does not know it. */
export async function protocolNamed(name: string): Promise<Protocol> {
  const load = entryOf(PROTOCOLS, name);
  if (load === undefined)
    throw new DeliberateError('unknown-protocol', `this version knows no protocol "${name}"`);
  return load();
}
