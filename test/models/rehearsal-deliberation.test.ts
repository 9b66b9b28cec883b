/** The stand-in at a structured deliberation: fits every form that the protocol asks for, and stays a stand-in. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signatureSchema } from '../../src/kernel/round-facts.ts';
import { MOODS, temperOf, verdictOf } from '../../src/models/rehearsal/temper.ts';
import { ARTIFACTS } from '../../src/protocols/rounds/artifacts.ts';
import {
  CHECKS,
  checkSchema,
  checkTask,
  looseCheckSchema,
} from '../../src/protocols/rounds/checks.ts';
import {
  bearingsSchema,
  bearingsTask,
  raisedSchema,
  raiseTask,
} from '../../src/protocols/rounds/claims.ts';
import {
  assessmentSchema,
  assessmentTask,
  driftSchema,
  driftTask,
  predictionSchema,
  predictionTask,
  proposalTask,
  signatureTask,
  supplementTask,
} from '../../src/protocols/rounds/phases.ts';
import { ROLES } from '../../src/records/types.ts';
import { ask, modelsFor, say } from './ask.ts';

const fast = modelsFor({}, { rehearsal: { speed: 1_000 } });
const QUESTION = 'A structured deliberation on this question:\n\nShould we split the monolith?';
const REFS = ['critic', 'action'].flatMap((role) =>
  ['title', 'attack-1', 'trace-1', 'verdict'].map(
    (anchor) => `artifacts/round_2/${role}.md#${anchor}`,
  ),
);
const IDS = ['C-1-1', 'C-2-1', 'C-2-2', 'V-2-1', 'V-2-2', 'D-1-1'];

async function asked(
  task: string,
  { model = 'panel', role = 'critic', seed = 1, schema = undefined as z.ZodType | undefined } = {},
) {
  const { result } = await ask(fast, `rehearsal/${model}`, {
    seat: { id: role, role },
    messages: [
      say(QUESTION),
      say(
        '<piece-1a2b3c4d from="the lead, Action">\nThe monolith is changed by 4 people. C-2-1 stays.\n</piece-1a2b3c4d>',
      ),
      say(task),
    ],
    seed,
    ...(schema === undefined ? {} : { schema }),
  });
  return result;
}

const TASKS: readonly (readonly [string, string, z.ZodType])[] = [
  ...ROLES.map(
    (role) => [`artifact of ${role}`, ARTIFACTS[role].task, ARTIFACTS[role].schema] as const,
  ),
  ...CHECKS.map((check) => [check.name, checkTask(check, REFS), checkSchema(REFS)] as const),
  [
    'check without a list in the schema',
    checkTask(CHECKS[0] as (typeof CHECKS)[number], REFS),
    looseCheckSchema,
  ],
  ['claims', raiseTask(1, 2), raisedSchema],
  ['bearings', bearingsTask(), bearingsSchema(['V-2-1', 'V-2-2'], ['C-1-1', 'C-2-1', 'C-2-2'])],
  ['assessment', assessmentTask(), assessmentSchema(IDS)],
  ['drift', driftTask('Should we split the monolith?'), driftSchema],
  ['prediction', predictionTask('critic'), predictionSchema],
  ['signature', signatureTask('critic'), signatureSchema],
];

describe('every form', () => {
  test.each(TASKS)('%s: filled in at once, by a panel of any kind', async (what, task, schema) => {
    for (const model of MOODS) {
      for (const seed of [1, 2, 3]) {
        const result = await asked(task, { model, schema, seed });
        expect(result).toMatchObject({ status: 'done', attempts: 1 });
        const empty = /"(?:bearings|claims)": \[\]/.test(result.text);
        if (!empty) expect(result.text).toContain('Rehearsal');
        // The filler of forms that it does not know names the fields that it fills.
        expect(result.text, what).not.toMatch(
          /to be replaced by what a model finds|a stand-in for the/,
        );
        expect(result.text).not.toMatch(/undefined|NaN|\[object|[%#](?![\w-])/);
      }
    }
  });

  test('that only looks like one of them is filled in all the same', async () => {
    const schema = raisedSchema.extend({ score: z.number() });
    const result = await asked(raiseTask(1, 2), { schema });
    expect(result).toMatchObject({ status: 'done', attempts: 1 });
  });

  test('cites places that exist, also where only the task lists them', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [check] = CHECKS;
      if (check === undefined) throw new Error('there are no checks');
      const result = await asked(checkTask(check, REFS), { schema: looseCheckSchema, seed });
      const { evidence_refs } = looseCheckSchema.parse(JSON.parse(result.text));
      expect(new Set(evidence_refs).size).toBeGreaterThanOrEqual(2);
      for (const ref of evidence_refs) expect(REFS).toContain(ref);
      expect(new Set(evidence_refs.map((ref) => ref.split('#')[0])).size).toBe(2);
    }
  });

  test('keeps to the number of claims that it was asked for', async () => {
    const result = await asked(raiseTask(1, 1), { schema: raisedSchema });
    expect(raisedSchema.parse(JSON.parse(result.text)).claims).toHaveLength(1);
  });
});

describe('words', () => {
  test.each(ROLES)('%s: as many as were asked for, signed', async (role) => {
    for (const seed of [1, 2, 3]) {
      const proposal = await asked(proposalTask(2, role), { role, seed });
      const count = proposal.text.split(/\s+/).length;
      expect(count).toBeGreaterThanOrEqual(550);
      expect(count).toBeLessThanOrEqual(850);
      expect(proposal.text).toContain('C-2-1');
      const supplement = await asked(supplementTask(), { role, seed });
      const fewer = supplement.text.split(/\s+/).length;
      expect(fewer).toBeGreaterThanOrEqual(200);
      expect(fewer).toBeLessThanOrEqual(400);
      for (const { text } of [proposal, supplement]) {
        expect(text.endsWith('_Rehearsal: no model wrote this._')).toBe(true);
        expect(text).not.toMatch(/undefined|%/);
      }
    }
  });
});

describe('verdicts', () => {
  const share = (model: string, from: number, to: number) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 50; seed++)
      for (let round = from; round <= to; round++)
        for (const check of [1, 2, 3, 4])
          found.push(verdictOf(temperOf(model, seed), seed, round, check));
    return (result: string) => found.filter((one) => one === result).length / found.length;
  };

  test('disagree in 35 to 55 % of a healthy panel’s checks, early and late', () => {
    for (const [from, to] of [
      [1, 4],
      [5, 8],
      [9, 13],
    ] as const) {
      const robust = share('panel', from, to)('ROBUST');
      expect(robust).toBeGreaterThan(0.45);
      expect(robust).toBeLessThan(0.65);
    }
    expect(share('panel', 9, 13)('ROBUST')).toBeLessThan(share('panel', 1, 4)('ROBUST'));
  });

  test('are all alike where the panel agrees, or performs', () => {
    expect(share('sycophantic', 6, 13)('ROBUST')).toBeGreaterThan(0.97);
    expect(share('performative', 1, 13)('BROKEN')).toBeGreaterThan(0.88);
  });
});
