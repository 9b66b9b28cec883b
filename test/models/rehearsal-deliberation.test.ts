/**
 * Tests the stand-in in a deliberation in rounds: it fits every form that the protocol asks for, and stays a
 * stand-in.
 */

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PromptContents } from '../../src/kernel/model.ts';
import { makeExam, markExam } from '../../src/protocols/entrance/entrance.ts';
import { answersSchema } from '../../src/protocols/entrance/task.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import { chooseTemper, drawVerdict, MOODS } from '../../src/protocols/rehearsal/temper.ts';
import { absenceReportSchema } from '../../src/protocols/rounds/facts.ts';
import { ARTIFACTS } from '../../src/protocols/rounds/prompts/artifacts.ts';
import {
  CHECKS,
  checkSchema,
  looseCheckSchema,
} from '../../src/protocols/rounds/prompts/checks.ts';
import { bearingsSchema } from '../../src/protocols/rounds/prompts/claims.ts';
import {
  assessmentSchema,
  driftSchema,
  PROPOSAL_WORDS,
  predictionSchema,
  SUPPLEMENT_WORDS,
} from '../../src/protocols/rounds/prompts/phases.ts';
import { lookSchema, readingSchema } from '../../src/protocols/rounds/prompts/reading.ts';
import { aloneSchema, peersSchema } from '../../src/protocols/rounds/prompts/stance.ts';
import { ROLES } from '../../src/protocols/rounds/records/types.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { callModel, makeUserMessage, modelsFor } from './ask.ts';

const fast = modelsFor({}, { more: [createRehearsalProvider({ speed: 1_000 })] });
const QUESTION = 'Should we split the monolith?';
const REFS = ['critic', 'action'].flatMap((role) =>
  ['title', 'attack-1', 'trace-1', 'verdict'].map(
    (anchor) => `artifacts/round_2/${role}.md#${anchor}`,
  ),
);
const IDS = ['C-1-1', 'C-2-1', 'C-2-2', 'V-2-1', 'V-2-2', 'D-1-1'];
const LEAD = { from: 'the lead, Action', text: 'The monolith is changed by 4 people. It stays.' };

interface Request {
  readonly model?: string;
  readonly role?: string;
  readonly seed?: number;
  readonly schema?: z.ZodType;
  readonly about?: PromptContents;
}

/** Calls the stand-in with a prompt that says nothing, so that it can only use `about`. */
async function askRehearsal(
  task: string,
  { model = 'panel', role = 'critic', seed = 1, schema, about }: Request = {},
) {
  const { result } = await callModel(fast, `rehearsal/${model}`, {
    task,
    about: { question: QUESTION, heard: [LEAD], items: IDS, round: 2, ...about },
    seat: { id: role, role },
    messages: [makeUserMessage('Do what you are asked.')],
    seed,
    ...withoutUndefined({ schema }),
  });
  return result;
}

const CHECK = CHECKS.map((check) => [
  'rounds/check',
  checkSchema(REFS),
  { items: REFS, turn: check.number },
]);
const TASKS = [
  ...ROLES.map((role) => [
    `rounds/artifact/${role}`,
    ARTIFACTS[role].schema,
    { count: { least: 1, most: 2 } },
  ]),
  ...CHECK,
  ['rounds/check', looseCheckSchema, { items: REFS, turn: 1 }],
  [
    'rounds/bearings',
    bearingsSchema(['V-2-1', 'V-2-2'], ['C-1-1', 'C-2-1', 'C-2-2']),
    { heard: IDS.slice(0, 5).map((id) => ({ from: id, text: `${id} holds.` })) },
  ],
  ['rounds/reading', readingSchema, { items: ['The monolith stays.', 'It is changed.'] }],
  ['rounds/second-look', lookSchema, { items: ['The monolith stays.'] }],
  ['rounds/assessment', assessmentSchema(IDS, ['C-2-1']), {}],
  ['rounds/drift', driftSchema, {}],
  ['rounds/prediction', predictionSchema, { absent: 'critic' }],
  ['rounds/signature', absenceReportSchema, { items: ['Fewer checks apply.'], absent: 'critic' }],
  ['rounds/stance-alone', aloneSchema, {}],
  ['rounds/stance', peersSchema, {}],
] as unknown as readonly (readonly [string, z.ZodType, PromptContents])[];

/** Words that the rehearsal writes only for a task that it does not know, from the task's schema alone. */
const WORDS_FOR_UNKNOWN_TASKS = /to be replaced by what a model finds|a stand-in for the/;

describe('Structured answers of the rehearsal', () => {
  test.each(TASKS)(
    'fit the schema of the task %s at the first try, in every kind of deliberation that can be rehearsed',
    async (task, schema, about) => {
      for (const model of MOODS) {
        for (const seed of [1, 2, 3]) {
          const result = await askRehearsal(task, { model, schema, seed, about });
          expect(result).toMatchObject({ status: 'done', attempts: 1 });
          const empty = /"(?:bearings|claims)": \[\]/.test(result.text);
          if (!empty) expect(result.text).toContain('Rehearsal');
          expect(result.text, task).not.toMatch(WORDS_FOR_UNKNOWN_TASKS);
          expect(result.text).not.toMatch(/undefined|NaN|\[object|[%#](?![\w-])/);
        }
      }
    },
  );

  test('fit the schema even for a task that the rehearsal does not know', async () => {
    const schema = z.object({ claims: z.array(z.string()), score: z.number() });
    const result = await askRehearsal('strangers/claims', { schema });
    expect(result).toMatchObject({ status: 'done', attempts: 1 });
  });

  test('cite as evidence only places that the request lists, from two files', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const about = { items: REFS, turn: 1 };
      const result = await askRehearsal('rounds/check', { schema: looseCheckSchema, seed, about });
      const { evidence_refs } = looseCheckSchema.parse(JSON.parse(result.text));
      expect(new Set(evidence_refs).size).toBeGreaterThanOrEqual(2);
      for (const ref of evidence_refs) expect(REFS).toContain(ref);
      expect(new Set(evidence_refs.map((ref) => ref.split('#')[0])).size).toBe(2);
    }
  });

  test('contain the requested number of claims', async () => {
    const about = { count: { least: 1, most: 1 } };
    for (const role of ROLES) {
      const { schema } = ARTIFACTS[role];
      const result = await askRehearsal(`rounds/artifact/${role}`, { schema, role, about });
      expect(schema.parse(JSON.parse(result.text)).claims).toHaveLength(1);
    }
  });

  test('pass the entrance test of readers made from the same seed, and fail one made from another seed', async () => {
    for (const seed of [1, 2, 3]) {
      const about = { items: makeExam(seed).items.map(({ text }) => text) };
      const result = await askRehearsal('rounds/exam', { schema: answersSchema, seed, about });
      const { answers } = answersSchema.parse(JSON.parse(result.text));
      expect(markExam(makeExam(seed), answers)).toMatchObject({ passed: true, errors: 0 });
      expect(markExam(makeExam(seed + 10), answers).passed).toBe(false);
    }
  });

  test('say for each verdict which claims it confirms and which it refutes', async () => {
    const heard = [
      { from: 'V-2-1', text: 'critic_attack_on_action_trace: ROBUST. It holds.' },
      { from: 'V-2-2', text: 'guardian_vs_observer_walkthrough: BROKEN. It breaks.' },
      { from: 'C-2-1', text: 'The queue fails at noon.\n(says that it fails; about: plan)' },
      { from: 'C-2-2', text: 'The queue keeps up.\n(says that it holds; about: plan)' },
    ];
    const schema = bearingsSchema(['V-2-1', 'V-2-2'], ['C-2-1', 'C-2-2']);
    const seen = new Set<string>();
    for (let seed = 1; seed <= 30; seed++) {
      const result = await askRehearsal('rounds/bearings', { schema, seed, about: { heard } });
      for (const { verification, claim, makes } of schema.parse(JSON.parse(result.text)).bearings)
        seen.add(`${verification} ${makes} ${claim}`);
    }
    expect([...seen].toSorted()).toEqual([
      'V-2-1 makes_false C-2-1',
      'V-2-1 makes_true C-2-2',
      'V-2-2 makes_false C-2-2',
      'V-2-2 makes_true C-2-1',
    ]);
  });
});

describe('Texts of the rehearsal', () => {
  test.each(ROLES)(
    'have the requested length and end by saying that they are a rehearsal: %s',
    async (role) => {
      for (const seed of [1, 2, 3]) {
        const proposal = await askRehearsal('rounds/proposal', {
          role,
          seed,
          about: { words: PROPOSAL_WORDS },
        });
        const count = proposal.text.split(/\s+/).length;
        expect(count).toBeGreaterThanOrEqual(550);
        expect(count).toBeLessThanOrEqual(850);
        expect(IDS.filter((id) => proposal.text.includes(id)).length).toBeGreaterThan(0);
        const supplement = await askRehearsal('rounds/supplement', {
          role,
          seed,
          about: { words: SUPPLEMENT_WORDS },
        });
        const fewer = supplement.text.split(/\s+/).length;
        expect(fewer).toBeGreaterThanOrEqual(200);
        expect(fewer).toBeLessThanOrEqual(400);
        for (const { text } of [proposal, supplement]) {
          expect(text.endsWith('_Rehearsal: no model wrote this._')).toBe(true);
          expect(text).not.toMatch(/undefined|%/);
        }
      }
    },
  );
});

describe('Verdicts of the rehearsal', () => {
  const drawVerdicts = (model: string, from: number, to: number) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 50; seed++)
      for (let round = from; round <= to; round++)
        for (const check of [1, 2, 3, 4])
          found.push(drawVerdict(chooseTemper(model, seed), seed, round, check));
    return (result: string) => found.filter((verdict) => verdict === result).length / found.length;
  };

  test('are BROKEN or UNCLEAR in 35 to 55 % of the checks of an ordinary panel, in early and late rounds', () => {
    for (const [from, to] of [
      [1, 4],
      [5, 8],
      [9, 13],
    ] as const) {
      const robust = drawVerdicts('panel', from, to)('ROBUST');
      expect(robust).toBeGreaterThan(0.45);
      expect(robust).toBeLessThan(0.65);
    }
    expect(drawVerdicts('panel', 9, 13)('ROBUST')).toBeLessThan(
      drawVerdicts('panel', 1, 4)('ROBUST'),
    );
  });

  test('are nearly always ROBUST from round 6 on for a rehearsed panel that is sycophantic, and mostly BROKEN for a performative one', () => {
    expect(drawVerdicts('sycophantic', 6, 13)('ROBUST')).toBeGreaterThan(0.97);
    expect(drawVerdicts('performative', 1, 13)('BROKEN')).toBeGreaterThan(0.88);
  });
});
