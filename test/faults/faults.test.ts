/** Every fault, by every provider, through a whole run: what a person sees, and what is kept. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ANSWER } from '../servers/index.ts';
import { IDLE_MS, type Outcome, outcomeOf } from './cell.ts';
import { calledOf, expectedOf, FAULTS, PROVIDERS, type ProviderName } from './faults.ts';
import { wordsOf } from './table.ts';

/** Three tries with the waits between them, on a machine that does other things too. */
const PATIENCE_MS = 20_000;
const seen = new Map<string, Outcome>();

describe.each(PROVIDERS)('%s', (provider: ProviderName) => {
  test.concurrent.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    '%s',
    async (_name, fault) => {
      const outcome = await outcomeOf(fault, provider);
      seen.set(`${provider}/${fault.name}`, outcome);
      const { end, requests, partial = false } = expectedOf(fault, provider);
      expect(outcome).toMatchObject({ end, requests });
      expect(outcome.ms).toBeLessThan(PATIENCE_MS);
      expect(outcome.run).toBe('done');
      expect(outcome.facts[0]).toBe('step.started');
      if (end === 'done') {
        expect(outcome.facts.slice(1)).toEqual(['call.completed', 'step.completed']);
        expect(outcome.inSynthesis).toBe(true);
        expect(outcome.excluded).toEqual([]);
        return;
      }
      // What a person is told, and that half an answer is kept and never taken for a whole one.
      const ended = end === 'stopped' ? ['call.stopped'] : ['call.failed', 'step.completed'];
      expect(outcome.facts.slice(1)).toEqual(ended);
      expect(outcome.heading).not.toBe('');
      expect(outcome.inSynthesis).toBe(false);
      expect(outcome.excluded.map(({ seat }) => seat)).toEqual(['critic']);
      if (end !== 'stopped') {
        expect(outcome.sentence).toMatch(new RegExp(`^${calledOf(provider)}: `));
        if (partial) expect(outcome.partial.startsWith(ANSWER.slice(0, 40))).toBe(true);
        else expect(outcome.partial).toBe('');
      }
      if (end === 'timeout' && requests === 1) expect(outcome.ms).toBeGreaterThanOrEqual(IDLE_MS);
    },
    60_000,
  );

  test('the table in the docs says what happens', () => {
    const page = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
    for (const fault of FAULTS) {
      const outcome = seen.get(`${provider}/${fault.name}`);
      const row = page.split('\n').find((line) => line.startsWith(`| ${fault.name} |`));
      const cell = row?.split(' | ')[PROVIDERS.indexOf(provider) + 1]?.replace(/ \|$/, '');
      expect({ fault: fault.name, cell }).toEqual({
        fault: fault.name,
        cell: outcome === undefined ? '(not tried)' : wordsOf(outcome),
      });
    }
  });
});
