/** Words that say nothing: what a seat may hand in is what the run's own validator takes. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { createModels } from '../../src/models/gateway.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { ARTIFACTS, renderArtifact } from '../../src/protocols/rounds/prompts/artifacts.ts';
import {
  CLAIM_FIELD_SCHEMAS,
  recordedClaimSchema,
} from '../../src/protocols/rounds/prompts/claims.ts';
import {
  assessmentSchema,
  driftSchema,
  predictionSchema,
  recordedDriftSchema,
  recordedPredictionSchema,
} from '../../src/protocols/rounds/prompts/phases.ts';
import { aloneSchema, peersSchema } from '../../src/protocols/rounds/prompts/stance.ts';
import { CLAIMS_FILE } from '../../src/protocols/rounds/records/layout.ts';
import { hasVisibleText } from '../../src/protocols/rounds/records/said.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { answerRequest, promptOf } from '../e2e/deliberators.ts';
import { listFactsOfType, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, textOf } from '../kernel/scripted-models.ts';
import { startOllama } from '../servers/index.ts';
import { CONFIG, makeHealthyAnswer, makePanel, runRounds, SEATS } from './panel.ts';

const BLANK = {
  'a space': ' ',
  'white space': ' \t\r\n\u00a0\u3000\u2028',
  'a zero-width space': '\u200b',
  'joiners, marks of direction, a byte order mark': '\u200d\u200c\u202e\u2066\ufeff',
  'selectors and tags': '\ufe0f\u180b\u{e0041}',
  'Hangul fillers': '\u115f\u1160\u3164\uffa0',
  'an empty Braille pattern': '\u2800',
  'a control': '\u0000\u0007',
  'a lone combining mark': '\u0301',
} as const;
const SAID = ['x', '0', '…', '否', 'לא', '🙂', '≥ 3', ' a ', '\u200bx'];

describe('hasVisibleText', () => {
  it.each(Object.entries(BLANK))(
    'returns false for a text without visible characters: %s',
    (_what, text) => {
      expect(hasVisibleText(text)).toBe(false);
    },
  );
  it.each(SAID)('returns true for a text with visible characters: %j', (text) => {
    expect(hasVisibleText(text)).toBe(true);
  });
});

const held = z.object(CLAIM_FIELD_SCHEMAS);
const HOLDING = {
  claims: [
    {
      text: 'WORDS',
      testable_as: 'WORDS',
      decided_by: 'running',
      says: 'holds',
      about: 'plan',
      if_false: 'WORDS',
      replaces: '',
    },
  ],
  concedes: [],
  disputes: [],
};

/** A value that fits, with every text in it that has to be there. */
const FITTING: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['claims', held, HOLDING],
  [
    'decisions',
    assessmentSchema(['C-1-1'], []),
    {
      decisions: [
        {
          text: 'WORDS',
          cites: [{ id: 'C-1-1', relation: 'based-on', takes_as: 'true' }],
          conditions: [],
          made_by: 'consensus',
        },
      ],
      tensions: [],
      architecture_impact: '',
      answer: '',
    },
  ],
  ['a drift check', driftSchema, { verdict: 'PASS', deviation_score: 1, notes: 'WORDS' }],
  ['a prediction', predictionSchema, { signature: ['WORDS'] }],
  ['a stance', aloneSchema, { position: 'WORDS', option: 'WORDS', confidence: 1 }],
  ['a vote', peersSchema, { position: 'WORDS', option: 'WORDS', confidence: 1, cites: [] }],
  [
    'an invariant check',
    ARTIFACTS.guardian.schema,
    {
      title: 'WORDS',
      invariant: 'WORDS',
      measured_by: 'WORDS',
      tolerance: 'WORDS',
      verdict: 'PASS',
      confidence: 3,
      evidence: [{ quote: 'WORDS', source: 'WORDS', bears: 'WORDS' }],
      ...HOLDING,
    },
  ],
  [
    'an attack',
    ARTIFACTS.critic.schema,
    {
      title: 'WORDS',
      target: 'WORDS',
      hypothesis: 'WORDS',
      preconditions: ['WORDS'],
      attack_steps: Array.from({ length: 3 }, () => ({ step: 'WORDS', expected: 'WORDS' })),
      load_bearing_assumption: 'WORDS',
      verdict: 'BROKEN',
      confidence: 1,
      ...HOLDING,
    },
  ],
];

describe.each(FITTING)('the schema of an answer with %s', (_what, schema, value) => {
  const text = JSON.stringify(value);
  const places = text.split('"WORDS"').length - 1;

  /** Replaces the "WORDS" at index `place` by `blank`, and each remaining "WORDS" by ordinary words. */
  const spoilPlace = (place: number, blank: string): unknown => {
    let at = -1;
    return JSON.parse(
      text.replace(/"WORDS"/g, () => {
        at += 1;
        return JSON.stringify(at === place ? blank : 'It holds.');
      }),
    );
  };

  it('refuses the answer if one of its required texts is blank', () => {
    expect(schema.safeParse(spoilPlace(-1, '')).success).toBe(true);
    for (const blank of [...Object.values(BLANK), '\u001b[31m\u001b[0m'])
      for (let place = 0; place < places; place++)
        expect(schema.safeParse(spoilPlace(place, blank)).success, JSON.stringify(blank)).toBe(
          false,
        );
  });
});

describe('an answer that was recorded under older rules', () => {
  it('may contain blank texts', () => {
    const [claim] = HOLDING.claims;
    expect(recordedClaimSchema.safeParse({ ...claim, text: ' ', testable_as: ' ' }).success).toBe(
      true,
    );
    const blank = FITTING.find(([what]) => what === 'an invariant check')?.[2];
    const artifact = JSON.parse(JSON.stringify(blank).replaceAll('WORDS', ' ')) as unknown;
    expect(renderArtifact('guardian', artifact)).toContain('## Invariant');
    for (const [asked, recorded] of [
      [driftSchema, recordedDriftSchema],
      [predictionSchema, recordedPredictionSchema],
    ] as const)
      expect(z.toJSONSchema(asked)).toEqual(z.toJSONSchema(recorded));
  });
});

describe('a run whose models leave texts empty', () => {
  it('raises no claim without a test, so its records have no errors', async () => {
    const answerWithBlanks = (request: Parameters<typeof answerRequest>[0]): string => {
      const answer = answerRequest(request);
      if (!/^Hand in your /m.test(promptOf(request))) return answer;
      const { claims, ...artifact } = JSON.parse(answer) as { claims: object[] };
      // Model `c` gives a test for each claim, model `b` only when it is asked again, and model `a` never.
      const { messages = [] } = (request.body ?? {}) as { messages?: unknown[] };
      const late = messages.length > 1;
      if (request.model === 'c' || (request.model === 'b' && late)) return answer;
      return JSON.stringify({
        ...artifact,
        claims: claims.map((claim) => ({ ...claim, testable_as: ' ' })),
      });
    };
    const server = await startOllama({ models: ['a', 'b', 'c'], answer: answerWithBlanks });
    try {
      const store = temporaryStore();
      const session = new Session({
        journal: store.create('rounds'),
        models: createModels({ env: { OLLAMA_HOST: server.url }, retry: { attempts: 1 } }),
        protocol: rounds as Protocol,
        answer: stopAtGate,
      });
      const models = ['a', 'b', 'c', 'a'];
      const { status } = await session.begin({
        question: 'Should we split the monolith?',
        seats: SEATS.map((seat, at) => ({ ...seat, model: `ollama/${models[at]}` })),
        config: { ...CONFIG, rounds: 1, verifier: 'ollama/b' },
      });
      expect(status).toBe('done');
      const facts = store.facts(session.run);
      await session.close();
      const raised = listFactsOfType(facts, 'claim.raised');
      expect(new Set(raised.map(({ raised_by }) => raised_by))).toEqual(
        new Set(['guardian', 'observer']),
      );
      expect(validateFolder(getRecordsFolder(facts)).errors).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('has records that "deliberate validate" calls invalid if a claim’s test in them is blank', async () => {
    const { store, run } = await runRounds(makePanel(), { rounds: 1 });
    const folder = new Map(getRecordsFolder(store.facts(run)));
    const lines = folder.get(CLAIMS_FILE) ?? '';
    folder.set(CLAIMS_FILE, lines.replace(/"testable_as":"[^"]*"/, '"testable_as":"\u3164\u200b"'));
    expect(validateFolder(folder).errors.map(({ rule }) => rule)).toEqual(['not-testable']);
  });
});

describe('the citations of a verdict', () => {
  const makeVerdict = (evidence_refs: string[]) =>
    makeAnswer('{}', {
      value: { reasoning: 'r', result: 'BROKEN', evidence_refs, notes: 'It breaks.' },
    });

  it('count as one if they name the same place in two spellings', async () => {
    const place = 'artifacts/round_1/critic.md#attack-1';
    const { store, run, view } = await runRounds(
      makePanel((_asked, kind) =>
        kind === 'check 1' ? makeVerdict([place, ` ./${place} `]) : undefined,
      ),
      { rounds: 1 },
    );
    expect(view.rounds[0]?.verifications[0]).toMatchObject({
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      degraded: 'fewer than two different places are cited; no place of the action is cited',
    });
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });

  it('turn the verdict into NOT_APPLICABLE if none of them names a place that exists', async () => {
    const { store, run, view } = await runRounds(
      makePanel((asked, kind) => {
        if (!textOf(asked).includes('Round 1, led by')) return undefined;
        if (kind.startsWith('check')) return makeVerdict(['x', 'y']);
        if (kind !== 'artifact') return undefined;
        if (asked.seat.id !== 'guardian') return makeFailure('server', 'HTTP 500');
        // Hand in an artifact without any place that a verdict could cite: the unclosed code fence hides all
        // headings except the title, and the title `…` gives no anchor.
        const { value } = makeHealthyAnswer(asked) as { value: object };
        return makeAnswer('{}', { value: { ...value, title: '…', invariant: '```' } });
      }),
      { rounds: 2 },
    );
    expect(view.rounds[1]?.verifications.at(-1)).toMatchObject({
      id: 'V-2-4',
      result: 'NOT_APPLICABLE',
      evidence_refs: [],
      degraded: expect.stringContaining('does not exist'),
    });
    expect(validateFolder(getRecordsFolder(store.facts(run))).errors).toEqual([]);
  });
});
