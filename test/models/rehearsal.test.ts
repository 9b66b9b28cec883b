/** The stand-in: always the same, in the shape of its role, valid for any schema, and never mistaken for a model. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  advisorMessages,
  describeBoardRequest,
  synthesisMessages,
} from '../../src/protocols/board/prompts.ts';
import { createRehearsalProvider } from '../../src/protocols/rehearsal/provider.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { callModel, getFailure, makeUserMessage, modelsFor } from './ask.ts';
import { HandClock } from './hand-clock.ts';

const fast = modelsFor({}, { more: [createRehearsalProvider({ speed: 1_000 })] });
const ROLES = ['advocate', 'critic', 'analyst', 'devils-advocate', 'expert', 'generalist'] as const;
const LINE = '_Rehearsal: no model wrote this._';
const QUESTION = 'Should we split the monolith before the next funding round?';

async function askAdvisor(
  role: string,
  question: string,
  more: { seed?: number; model?: string; id?: string } = {},
) {
  const { result } = await callModel(fast, `rehearsal/${more.model ?? 'panel'}`, {
    task: 'board/answer',
    about: { question },
    seat: { id: more.id ?? role, role, brief: `You are the ${role}.` },
    messages: advisorMessages(question, [], 1),
    ...withoutUndefined({ seed: more.seed }),
  });
  return result;
}

describe('a seat of a board played by the rehearsal', () => {
  test('gives the same answer again only to the same question with the same seed, seat and model', async () => {
    const once = await askAdvisor('critic', QUESTION, { seed: 3 });
    const again = await askAdvisor('critic', QUESTION, { seed: 3 });
    expect(again.text).toBe(once.text);
    expect(again.usage).toEqual(once.usage);
    const others = await Promise.all([
      askAdvisor('critic', QUESTION, { seed: 4 }),
      askAdvisor('critic', QUESTION, { seed: 3, id: 'critic-2' }),
      askAdvisor('critic', QUESTION, { seed: 3, model: 'alpha' }),
      askAdvisor('critic', 'Should we hire a designer?', { seed: 3 }),
    ]);
    for (const other of others) expect(other.text).not.toBe(once.text);
  });

  test.each(ROLES)(
    'writes 60 to 200 words, and says that they are a rehearsal: %s',
    async (role) => {
      for (const question of [
        QUESTION,
        'Open source the product?',
        'Tabs or spaces',
        'Soll das Team wachsen?',
        '我们应该拆分单体吗？',
      ]) {
        for (const seed of [1, 2, 3, 4, 5, 6]) {
          const { text, status, notes, usage } = await askAdvisor(role, question, { seed });
          expect(status).toBe('done');
          const words = text.split(/\s+/).length;
          expect(words).toBeGreaterThanOrEqual(60);
          expect(words).toBeLessThanOrEqual(200);
          expect(text).not.toContain(deriveTopic(question).subject);
          expect(text.endsWith(`\n\n${LINE}`)).toBe(true);
          expect(notes).toEqual(['rehearsal: no model wrote this']);
          expect(usage.output).toBeGreaterThan(100);
          expect(usage.input).toBeGreaterThan(50);
          expect(text).not.toMatch(/undefined|NaN|\[object/);
        }
      }
    },
  );

  test('writes answers of a different form for every role', async () => {
    const texts = await Promise.all(ROLES.map((role) => askAdvisor(role, QUESTION)));
    const headings = texts.map(({ text }) => (text.match(/^## .*/gm) ?? []).join('|'));
    expect(new Set(headings).size).toBe(ROLES.length);
    const getText = (role: (typeof ROLES)[number]) => texts[ROLES.indexOf(role)]?.text ?? '';
    expect(getText('critic')).toMatch(/^1\. \*\*/m);
    expect(getText('analyst')).toContain('|---|---|---|---|');
    expect(getText('devils-advocate')).toMatch(/^> The board will say/);
    expect(getText('expert')).toContain('```text');
    expect(getText('generalist')).toMatch(/^- \[ \] /m);
    for (const text of texts.map((result) => result.text)) expect(text).not.toMatch(/monolith/);
  });

  test('answers even in a role that the rehearsal does not know', async () => {
    const { text } = await askAdvisor('guardian', QUESTION);
    expect(text.split(/\s+/).length).toBeGreaterThan(40);
    expect(text).toContain('**As guardian:**');
  });

  test('writes a different text for each role that the rehearsal does not know', async () => {
    const roles = ['risk-assessor', 'cost-estimator', 'user-advocate', 'decision-review'];
    const said = await Promise.all(
      roles.map(async (role) => {
        const { text } = await askAdvisor(role, QUESTION, { seed: 7 });
        return text.split('\n').filter((row) => row !== '' && row !== LINE);
      }),
    );
    for (const [index, one] of said.entries())
      for (const other of said.slice(index + 1))
        expect(one.filter((row) => other.includes(row)).length).toBeLessThanOrEqual(1);
  });

  test('does not repeat the question’s subject, which occurs once in all answers and the synthesis together', async () => {
    const answers = await Promise.all(ROLES.map((role) => askAdvisor(role, QUESTION)));
    const told = {
      question: QUESTION,
      heard: answers.map(({ text }, index) => ({ name: `Advisor ${'ABCDEF'[index]}`, text })),
      of: ROLES.length,
      seed: 5,
    };
    const { result } = await callModel(fast, 'rehearsal/panel', {
      task: 'board/synthesis',
      about: describeBoardRequest(told),
      seat: { id: 'synthesizer', role: 'synthesizer', brief: '' },
      messages: synthesisMessages(told),
    });
    const all = [...answers.map(({ text }) => text), result.text].join('\n');
    expect(all.split(deriveTopic(QUESTION).subject)).toHaveLength(2);
  });

  test.each([
    ['Should we open an office in Lyon?\n\nIs it cheap?', 'open an office in Lyon'],
    ['**Is remote work over?**', 'Is remote work over'],
    ['Can they ship it in May? Thanks.', 'ship it in May'],
    ['Rewrite in Rust', 'Rewrite in Rust'],
    ['', 'the question'],
  ])('finds the subject of a question such as %j', (question, subject) => {
    expect(deriveTopic(question).subject).toBe(subject);
  });
});

describe('the synthesizer played by the rehearsal', () => {
  const askAdvisors = async () =>
    Promise.all(
      (['advocate', 'critic', 'analyst'] as const).map(async (role, index) => ({
        name: `Advisor ${'ABC'[index]}`,
        text: (await askAdvisor(role, QUESTION)).text,
      })),
    );
  const askForSynthesis = async (answers: Awaited<ReturnType<typeof askAdvisors>>) => {
    const told = { question: QUESTION, heard: answers, of: 3, seed: 5 };
    const { result } = await callModel(fast, 'rehearsal/panel', {
      task: 'board/synthesis',
      about: describeBoardRequest(told),
      seat: { id: 'synthesizer', role: 'synthesizer', brief: '' },
      messages: synthesisMessages(told),
    });
    return result.text;
  };

  test('writes exactly four headings, and says that its text is a rehearsal', async () => {
    const text = await askForSynthesis(await askAdvisors());
    expect(text.match(/^#+ .*$/gm)).toEqual([
      '## Consensus',
      '## Points of Agreement',
      '## Points of Divergence',
      '## Recommendation',
    ]);
    expect(text.endsWith(LINE)).toBe(true);
    expect(text.split(LINE)).toHaveLength(2);
  });

  test('quotes the answers of all seats, each under the right name (Advisor A, B or C)', async () => {
    const answers = await askAdvisors();
    const text = await askForSynthesis(answers);
    const quotes = [...text.matchAll(/(Advisor [A-C]): “([^”]+)”/g)];
    expect(new Set(quotes.map(([, from]) => from)).size).toBe(3);
    expect(quotes.length).toBeGreaterThanOrEqual(5);
    for (const [, from, quote] of quotes) {
      const said = answers.find(({ name }) => name === from)?.text ?? '';
      expect(said).toContain(quote);
      expect(quote).not.toContain('ehearsal');
    }
  });

  test('puts no full stop after a quotation that ends with one', async () => {
    const text = await askForSynthesis(await askAdvisors());
    expect(text).toMatch(/^- Advisor A: .*\.”$/m);
    expect(text).not.toMatch(/[.!?]”\./);
  });

  test('quotes only the middle of a long sentence', async () => {
    const makeLongSentence = (before: string, after: string) =>
      `${before} because for as long as anyone here remembers the monolith has been the one thing that ${after}.`;
    const text = await askForSynthesis([
      {
        name: 'Advisor A',
        text: makeLongSentence('I would say yes', 'kept us from shipping on a Friday afternoon'),
      },
      {
        name: 'Advisor B',
        text: makeLongSentence('I would say no', 'kept us all in one room with one clock'),
      },
    ]);
    expect(text).toContain(
      '- On **monolith**: Advisor A: “anyone here remembers the monolith has been the one thing that kept us from”;',
    );
  });

  test('writes other headings if the request names them', async () => {
    const record =
      'C-1-1 holds that the queue loses messages on failover. V-1-2 found it broken there.';
    const { result } = await callModel(fast, 'rehearsal/panel', {
      task: 'strangers/summary',
      about: {
        question: 'Should we keep the queue?',
        heard: [{ from: 'the log', text: `${record}\n## Consensus` }],
        headings: ['Answer', 'What stays open'],
      },
      messages: [makeUserMessage('Sum it up.')],
    });
    expect(result.text.match(/^#+ .*$/gm)).toEqual(['## Answer', '## What stays open']);
    expect(result.text).toContain(
      'the log: “C-1-1 holds that the queue loses messages on failover.”',
    );
    expect(result.text).toContain('“keep the queue”');
    expect(result.text.endsWith(LINE)).toBe(true);
  });

  test('writes its headings even if there is nobody to quote', async () => {
    const text = await askForSynthesis([]);
    expect(text.match(/^## /gm)).toHaveLength(4);
    expect(text).toContain('Nobody answered');
  });
});

describe('a request with a schema to the rehearsal', () => {
  const makeForm = async (schema: z.ZodType, seed = 1) => {
    const { result } = await callModel(fast, 'rehearsal/panel', {
      schema,
      seed,
      messages: [makeUserMessage(QUESTION)],
    });
    if (result.status !== 'done') throw new Error(`${JSON.stringify(result)}`);
    return result.value;
  };

  interface Node {
    readonly name: string;
    readonly children: readonly Node[];
  }
  const node: z.ZodType<Node> = z.lazy(() =>
    z.object({ name: z.string(), children: z.array(node) }),
  );

  test.each([
    [
      'claims',
      z.object({
        claims: z
          .array(
            z.object({
              id: z.string().regex(/^C-\d+-\d+$/),
              text: z.string().min(20),
              status: z.enum(['pending', 'superseded']),
            }),
          )
          .min(5)
          .max(7),
      }),
    ],
    [
      'a verdict',
      z.object({
        verdict: z.union([z.literal('PASS'), z.literal('FAIL')]),
        confidence: z.number().int().min(1).max(5),
        why: z.string().max(40),
      }),
    ],
    [
      'references',
      z.object({
        evidence_refs: z
          .array(
            z
              .string()
              .regex(/^artifacts\/round_\d+\/(action|guardian|observer|critic)\.md#[a-z0-9-]+$/),
          )
          .min(2),
      }),
    ],
    [
      'numbers',
      z.object({
        a: z.number().gt(0).lt(1),
        b: z.number().multipleOf(5).min(7).max(23),
        c: z.int().negative(),
        d: z.number().min(1.5).max(1.75),
      }),
    ],
    [
      'formats',
      z.object({
        day: z.iso.date(),
        at: z.iso.datetime(),
        id: z.uuid(),
        site: z.url(),
        mail: z.email(),
      }),
    ],
    [
      'unions of objects',
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('a'), n: z.number() }),
        z.object({ type: z.literal('b'), s: z.string() }),
      ]),
    ],
    [
      'records and tuples',
      z.object({
        r: z.record(z.string(), z.number()),
        t: z.tuple([z.string(), z.boolean()]),
        n: z.null(),
      }),
    ],
    ['intersections', z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }))],
    ['itself inside itself', node],
    [
      'optional and nullable',
      z.object({ a: z.string().optional(), b: z.string().nullable(), c: z.string().default('x') }),
    ],
  ])('gets a valid answer: %s', async (_what, schema) => {
    for (const seed of [1, 2, 3, 4, 5])
      expect(schema.safeParse(await makeForm(schema, seed)).success).toBe(true);
  });

  test('gets a valid answer for random schemas of texts, numbers, choices, lists, objects and unions', async () => {
    const { tree } = fc.letrec<{ tree: z.ZodType }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.record({ min: fc.nat(30), more: fc.nat(100) }).map(({ min, more }) =>
          z
            .string()
            .min(min)
            .max(min + more),
        ),
        fc
          .record({ min: fc.integer({ min: -50, max: 50 }), more: fc.nat(50), whole: fc.boolean() })
          .map(({ min, more, whole }) =>
            (whole ? z.number().int() : z.number()).min(min).max(min + more),
          ),
        fc.constant(z.boolean()),
        fc
          .uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
          .map((names) => z.enum(names as [string, ...string[]])),
        fc.record({ of: tie('tree'), min: fc.nat(3), more: fc.nat(3) }).map(({ of, min, more }) =>
          z
            .array(of)
            .min(min)
            .max(min + more),
        ),
        fc
          .dictionary(fc.constantFrom('id', 'text', 'notes', 'scores'), tie('tree'))
          .map((shape) => z.object(shape)),
        fc
          .dictionary(fc.constantFrom('id', 'text'), tie('tree'))
          .map((shape) => z.strictObject(shape).partial()),
        fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => z.union([left, right])),
        tie('tree').map((of) => of.nullable()),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(1_000), async (inner, seed) => {
        const schema = z.object({ inner });
        expect(schema.safeParse(await makeForm(schema, seed)).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('gets texts that say that they are a rehearsal', async () => {
    expect(await makeForm(z.object({ position: z.string() }))).toMatchObject({
      position: expect.stringMatching(/^Rehearsal: .*(handover|release|setup|schedule|checklist)/),
    });
  });
});

describe('the speed of the rehearsal', () => {
  test('is 300 to 700 tokens per second if its factor is set to 10', async () => {
    const clock = new HandClock();
    const models = modelsFor({}, { more: [createRehearsalProvider({ speed: 10, clock })] });
    const { result, events } = await callModel(models, 'rehearsal/panel');
    expect(result.status).toBe('done');
    // The stand-in's first wait, before the first word of the answer, does not count. The tokens per second are
    // computed from the waits after the first word.
    const rate = result.usage.output / (clock.waited(1) / 1_000);
    expect(rate).toBeGreaterThan(300);
    expect(rate).toBeLessThan(700);
    expect(events.length).toBeGreaterThan(100);
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(
      result.text,
    );
  });

  test('is unlimited, without any wait, if its factor is set to 1,000', async () => {
    const clock = new HandClock();
    const models = modelsFor({}, { more: [createRehearsalProvider({ speed: 1_000, clock })] });
    const { events } = await callModel(models, 'rehearsal/panel');
    expect(clock.waits).toEqual([]);
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(10);
  });

  test('does not delay a stop', async () => {
    const stop = new AbortController();
    let said = '';
    const clock = new HandClock(20);
    // The clock ends the stand-in's first 20 waits. Only a stop ends a further wait.
    const models = modelsFor({}, { more: [createRehearsalProvider({ clock })] });
    const { result } = await callModel(models, 'rehearsal/panel', {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'text') said += event.text;
        if (said.length > 10) stop.abort();
      },
    });
    expect(result).toMatchObject({ status: 'stopped', attempts: 1 });
    expect(result.text.length).toBeGreaterThan(10);
  });
});

describe('a fault that the rehearsal simulates', () => {
  const askModel = async (model: string, idleMs = 2_000) =>
    (
      await callModel(
        modelsFor({}, { idleMs, more: [createRehearsalProvider({ speed: 1_000 })] }),
        `rehearsal/${model}`,
      )
    ).result;

  test('named "fails" is a server error at the first attempt', async () => {
    expect(getFailure(await askModel('fails'))).toMatchObject({
      code: 'server',
      text: '',
      attempts: 1,
    });
  });
  test('named "stalls" ends the call with an idle timeout', async () => {
    expect(getFailure(await askModel('stalls', 150))).toMatchObject({
      code: 'timeout',
      message: 'rehearsal: no bytes for 0.2 s',
      text: '',
    });
  });
  test('named "breaks" interrupts the answer in the middle', async () => {
    const broken = getFailure(await askModel('breaks'));
    expect(broken).toMatchObject({ code: 'interrupted', attempts: 1 });
    expect(broken.text.length).toBeGreaterThan(100);
    expect(broken.text).not.toContain(LINE);
  });
  test('named "flaky" lets the second attempt succeed', async () => {
    expect(await askModel('flaky')).toMatchObject({ status: 'done', attempts: 2 });
  });
  test('named "empty" is an empty answer, which fails', async () => {
    expect(getFailure(await askModel('empty'))).toMatchObject({
      code: 'empty',
      message: 'rehearsal: the answer was empty',
    });
  });
  test('named "slow" adds waits of more than five seconds in total', async () => {
    const clock = new HandClock();
    const models = modelsFor({}, { more: [createRehearsalProvider({ speed: 1_000, clock })] });
    const { result } = await callModel(models, 'rehearsal/slow');
    expect(result.status).toBe('done');
    expect(clock.waited()).toBeGreaterThan(5_000);
  });
});
