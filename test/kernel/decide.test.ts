/** Tests that a gate says whose answer it has, also when the answer is read from the record. */
import { expect, it } from 'vitest';
import { openAttempt, stopAtGate, temporaryStore } from './desk.ts';

const QUESTION = { prompt: 'Go?', options: [{ value: 'yes', label: 'Go' }], default: 'yes' };

it.each(['person', 'default'] as const)(
  'Run.decide returns an answer with its source, at first and also when it is read from the record: %s',
  async (by) => {
    const journal = temporaryStore().create('test');
    const given = { answer: 'yes', by };
    const { run } = openAttempt(journal, undefined, { answer: async () => given });
    expect(await run.decide('gate', QUESTION)).toEqual(given);
    const again = openAttempt(journal, undefined, { answer: stopAtGate }).run;
    expect(await again.decide('gate', QUESTION)).toEqual(given);
    expect(await again.gate('gate', QUESTION)).toBe('yes');
  },
);
