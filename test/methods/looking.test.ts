/** Debates whose seats may look things up: who does, and that it changes nothing else. */
import { expect, it } from 'vitest';
import { sourcesOf } from '../../src/kernel/tools/sources.ts';
import { stepOf, type Tools } from '../../src/kernel/tools/tools.ts';
import { makeAnswer } from '../kernel/scripted-models.ts';
import { answerAsStandIn, runMethod } from './held.ts';

const tools: Tools = {
  offered: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
  use: () => Promise.resolve({ about: 'notes.md', text: 'forty orders', from: 1 }),
};

it.each(['standard', 'socratic', 'tradeoff'])(
  'the debate method %s lets its seats use tools before they speak, but not its judge',
  async (name) => {
    const held = await runMethod(
      name,
      (asked) => {
        if (asked.tools === undefined || asked.toolsClosed) return answerAsStandIn(asked);
        const hasLooked = asked.messages.some(({ results }) => results !== undefined);
        const call = { id: 'c', name: 'read', arguments: { path: 'notes.md' } };
        return hasLooked ? makeAnswer('Seen.') : makeAnswer('', { calls: [call] });
      },
      { tools },
    );
    expect(held.ended.status).toBe('done');
    const offered = held.models.requests.filter((asked) => asked.tools !== undefined);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter(({ seat }) => seat.role === 'judge')).toEqual([]);
    const sources = sourcesOf(held.facts);
    expect(sources.length).toBeGreaterThan(0);
    expect(new Set(sources.map(({ text }) => text))).toEqual(new Set(['forty orders']));
    // Resuming from the log asks no model.
    const before = held.models.requests.length;
    await held.again();
    expect(held.models.requests.slice(before).map(({ task }) => stepOf(task))).toEqual([]);
  },
);
