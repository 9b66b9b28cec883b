/** Which method is proposed, by the question's words or by the judge, and what it costs to take it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { METHODS } from '../../src/protocols/debate/catalog.ts';
import { proposeByRule } from '../../src/protocols/debate/choose.ts';
import { debate } from '../../src/protocols/debate/debate.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, makeSeat, ScriptedModels } from '../kernel/scripted-models.ts';
import { answerAsStandIn } from './held.ts';

/** The names of all built-in methods. */
const NAMES = [...METHODS.keys()];

describe('choosing a method by rule', () => {
  it.each([
    ['How many weeks would the migration take?', 'delphi'],
    ['What is the probability that we ship in May?', 'delphi'],
    ['This house would split the monolith', 'oxford'],
    ['Postgres or SQLite?', 'tradeoff'],
    ['Which of these three should we buy?', 'tradeoff'],
    ['What could we do about slow builds?', 'brainstorm'],
    ['Should we split the monolith?', undefined],
    ['Explain our orders', undefined],
  ])('proposes for the question "%s" the method %s', (question, method) => {
    expect(proposeByRule(question)?.method).toBe(method);
  });
});

async function holdDebate(
  question: string,
  seats: number,
  judge: () => ReturnType<typeof makeAnswer>,
  answer?: string,
) {
  const journal = temporaryStore().create('debate');
  const asked: string[] = [];
  const prompts: string[] = [];
  const speakers = new Set<string>();
  const models = new ScriptedModels((request) => {
    asked.push(request.task);
    if (request.task !== 'debate/method') speakers.add(request.seat.id);
    return request.task === 'debate/method' ? judge() : answerAsStandIn(request);
  });
  const session = new Session({
    journal,
    models,
    protocol: debate as Protocol,
    answer: async (step, gate) => {
      if (step !== 'method/gate') return { answer: gate.default, by: 'default' };
      prompts.push(gate.prompt, ...gate.options.map(({ label }) => label));
      return answer === undefined
        ? { answer: gate.default, by: 'default' }
        : { answer, by: 'person' };
    },
  });
  const ended = await session.begin({
    question,
    seats: [
      ...Array.from({ length: seats }, (_, at) => makeSeat(`seat-${at + 1}`, { role: 'seat' })),
      makeSeat('judge'),
    ],
    config: { method: 'auto', settings: {}, seed: 7 },
  });
  return { ended, asked, prompts, speakers, chosen: sdkViewOf(journal.facts()).chosen };
}

const failIfAsked = () => {
  throw new Error('the judge was asked');
};

describe('debating with the method auto', () => {
  it('chooses the method by a rule, without asking a model, if a rule fits the question', async () => {
    const { ended, asked, prompts, chosen } = await holdDebate('How many weeks?', 5, failIfAsked);
    expect(ended).toEqual({ status: 'done' });
    expect(chosen).toEqual({ method: 'delphi', reason: 'it asks for a number', by: 'rule' });
    expect(asked[0]).toBe('delphi/measure');
    expect(prompts.filter((prompt) => /^\w+ \(\d.* calls.*\): ./.test(prompt))).toHaveLength(
      METHODS.size,
    );
  });

  it('asks the judge for a method if no rule fits the question', async () => {
    const value = { method: 'brainstorm', reason: 'it wants ideas.' };
    const judge = () => makeAnswer(JSON.stringify(value), { value });
    const taken = await holdDebate('Help us with our builds', 5, judge);
    expect(taken.chosen).toEqual({ ...value, by: 'model' });
    expect(taken.prompts[0]).toBe('Which method? Proposed: brainstorm, since it wants ideas.');
    const other = await holdDebate('Help us with our builds', 5, judge, 'socratic');
    expect(other.chosen).toMatchObject({ method: 'socratic', by: 'person' });
  });

  it('offers only methods for which there are enough seats', async () => {
    const { chosen, prompts } = await holdDebate('This house would split it', 2, () =>
      makeFailure('server', 'gone'),
    );
    // The judge's call failed, so code chose the method by a rule.
    expect(chosen).toMatchObject({ method: 'standard', by: 'rule' });
    expect(prompts.join('\n')).not.toMatch(/^(oxford|delphi|advocate) \(/m);
  });
});

describe('the judge of a debate', () => {
  it.each([
    ['oxford', 'This house would split it'],
    ['socratic', 'Help us with our builds'],
  ])(
    'is not asked by the method %s, which needs no judge, and not counted in the price of the method oxford',
    async (method, question) => {
      const judge = () => makeFailure('server', 'gone');
      const { ended, speakers, prompts } = await holdDebate(question, 5, judge, method);
      expect(ended).toEqual({ status: 'done' });
      expect(speakers.size).toBeGreaterThan(1);
      expect([...speakers]).not.toContain('judge');
      // In the method oxford, the debaters make twelve calls, and three jurors vote three times each.
      expect(prompts.find((prompt) => prompt.startsWith('oxford ('))).toMatch(/^oxford \(21 calls/);
    },
  );
});

describe('the file of a built-in method', () => {
  it.each(NAMES)('of %s has at most 130 lines and imports only deliberate/protocol', (method) => {
    const file = new URL(`../../src/protocols/debate/methods/${method}.ts`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n').length).toBeLessThanOrEqual(131);
    // A built-in method may import only what a person's own protocol can import.
    expect(text.match(/from '[^']+'/g)).toEqual(["from 'deliberate/protocol'"]);
  });
});
