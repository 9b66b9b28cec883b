/**
 * The expectations about the outcome of a fault: its message to the person, the text that is kept, and the
 * page about it.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { ANSWER } from '../servers/index.ts';
import { IDLE_MS, type Outcome } from './cell.ts';
import {
  expectedOf,
  type Fault,
  PROVIDERS,
  type ProviderName,
  providerPrefixOf,
} from './faults.ts';
import { formatCell } from './table.ts';

/**
 * Expects that a call ended as the fault's `expected` says, after as many requests. If the call failed, also
 * expects a message to the person, the partial text, and a synthesis without this text.
 */
export function expectOutcome(fault: Fault, provider: ProviderName, outcome: Outcome): void {
  const { end, requests, partial = false } = expectedOf(fault, provider);
  expect(outcome).toMatchObject({ end, requests });
  expect(outcome.run).toBe('done');
  expect(outcome.facts[0]).toBe('step.started');
  if (end === 'done') {
    expect(outcome.facts.slice(1)).toEqual(['call.completed', 'step.completed']);
    expect(outcome.inSynthesis).toBe(true);
    expect(outcome.excluded).toEqual([]);
    return;
  }
  // After a failed or stopped call, the person must be told why there is no answer, and the synthesis must not use
  // the part of the answer that arrived. A failed call still records this part.
  const ended = end === 'stopped' ? ['call.stopped'] : ['call.failed', 'step.completed'];
  expect(outcome.facts.slice(1)).toEqual(ended);
  expect(outcome.heading).not.toBe('');
  expect(outcome.inSynthesis).toBe(false);
  expect(outcome.excluded.map(({ seat }) => seat)).toEqual(['critic']);
  if (end !== 'stopped') {
    expect(outcome.sentence).toMatch(new RegExp(`^${providerPrefixOf(provider)}: `));
    if (partial) expect(outcome.partial.startsWith(ANSWER.slice(0, 40))).toBe(true);
    else expect(outcome.partial).toBe('');
  }
  if (end === 'timeout' && requests === 1)
    expect(outcome.sentence).toContain(`no bytes for ${IDLE_MS / 1_000} s`);
}

/**
 * Replaces the messages of resolvers with and without a network by the same words, for a name that
 * does not exist.
 */
function anyResolver(words: string): string {
  return words.replace('the name could not be looked up', 'no such host');
}

/**
 * Expects that docs/faults.md says what a test saw: in the row of the fault and the column of the provider, the
 * cell describes `outcome`. If `outcome` is undefined, the cell must be `(not tried)`.
 */
export function expectDocumented(
  fault: Fault,
  provider: ProviderName,
  outcome: Outcome | undefined,
): void {
  const page = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${fault.name} |`));
  const cell = row?.split(' | ')[PROVIDERS.indexOf(provider) + 1]?.replace(/ \|$/, '');
  expect({ fault: fault.name, cell: cell && anyResolver(cell) }).toEqual({
    fault: fault.name,
    cell: outcome === undefined ? '(not tried)' : anyResolver(formatCell(outcome)),
  });
}
