/**
 * Runs from which HTML pages are made: one each of several protocols, one of a user's own protocol, and
 * deliberations of any length.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makePlanRun } from '../plan/facts.ts';
import { makeCompletedCall, makeSynthesisFact } from '../store/bodies.ts';

const makeSynthesis = (text: string, more: object = {}): FactBody =>
  ({ ...makeSynthesisFact(1, text), ...more }) as FactBody;
/** Returns the two facts of a call. */
const makeCall = (step: string, seatId: string, text: string): FactBody[] => [
  fact('step.started', { step, attempt: step, kind: 'call', seat: seatId, model: 'm' }),
  makeCompletedCall({ step, attempt: step, seat: seatId, role: seatId, text }),
];

/**
 * Returns the facts of a journal's file. The path begins at the project's folder; a file that ends with `.gz`
 * is unpacked.
 */
export function readLog(file: string): AnyFact[] {
  const bytes = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((row) => FACTS.read(JSON.parse(row)));
}

/** Returns facts with a run id, numbers from 1 on and times one second apart. */
export function makeLog(...bodies: FactBody[]): AnyFact[] {
  return bodies.map((body, index) => ({
    ...body,
    run: '01900000-0000-7000-8000-000000000000',
    seq: index + 1,
    at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  }));
}

/** Returns the facts of a run of a user's own protocol, whose file is not available. */
export function makeOwnRun(): AnyFact[] {
  return makeLog(
    fact('run.started', {
      protocol: 'red-team',
      question: 'Ship it?',
      seats: ['attacker', 'defender'].map((id) => ({ ...makeSeat(id), title: id })),
      config: { settings: { rounds: 1 } },
      request: { kind: 'convene' },
    }),
    ...makeCall('draft', 'defender', 'Ship it on Monday.'),
    ...makeCall('attack/1', 'attacker', 'Nobody is there on Monday.'),
    ...makeCall('amend/1', 'defender', 'Ship it on Tuesday, when all are there. Then look.'),
    makeSynthesis('Ship it on Tuesday, when all are there. Then look.', { conclusion: true }),
    fact('run.ended', { status: 'done' }),
  );
}

/**
 * Runs by the name of their protocol. `facts` returns the facts of a run, `says` is a part of the recommendation
 * that its page shows, and `of` is what the page says about how many seats were heard.
 */
export const RUNS: Readonly<
  Record<
    string,
    { readonly facts: () => readonly AnyFact[]; readonly says: string; readonly of: string }
  >
> = {
  board: {
    facts: () => readLog('presets/examples/board.jsonl.gz'),
    says: 'Refuse February 28, and set March 14',
    of: '3 of 3 advisors',
  },
  rounds: {
    facts: () => readLog('presets/examples/rounds.jsonl.gz'),
    says: 'Not yet: the document promises what its own figures deny',
    of: '4 of 4 roles',
  },
  agent: {
    facts: () => readLog('presets/examples/agent.jsonl.gz'),
    says: 'Go ahead with changes',
    of: '4 of 4 agents',
  },
  plan: {
    facts: () => makePlanRun('done').facts,
    says: '',
    of: '3 of 4 specialists',
  },
  'red-team': { facts: makeOwnRun, says: 'Ship it on Tuesday', of: '2 of 2 seats' },
};

const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;
const SENTENCE =
  'The queue keeps every answered order for at least a day when one of its three places is down';

/**
 * Returns the facts of a deliberation with so many claims in so many rounds. Each claim is decided, and every
 * third claim of a round has a decision.
 */
export function makeDeliberation(claims: number, rounds: number): AnyFact[] {
  const each = Math.ceil(claims / rounds);
  const bodies: FactBody[] = [
    fact('run.started', {
      protocol: 'rounds',
      question: 'Should the queue be split?',
      seats: ROLES.map((id) => ({ ...makeSeat(id), title: id })),
      config: {
        verifier: 'v',
        rounds,
        stress: {},
        driftEvery: 2,
        stopAt: 'never',
        seed: 1,
        respond: 'report',
        rules: 2,
        attachments: [],
      },
      request: { kind: 'convene' },
    }),
  ];
  let made = 0;
  for (let round = 1; round <= rounds; round += 1) {
    bodies.push(fact('round.started', { round, lead: ROLES[round % 4] ?? 'action' }));
    for (const role of ROLES)
      bodies.push(
        fact('artifact.produced', {
          round,
          role,
          path: `artifacts/round_${round}/${role}.md`,
          markdown: '# T',
          step: 's',
        }),
      );
    const own = Math.min(each, claims - made);
    for (let at = 1; at <= own; at += 1)
      bodies.push(
        fact('claim.raised', {
          id: `C-${round}-${at}`,
          round,
          raised_by: ROLES[at % 4] ?? 'action',
          text: `${SENTENCE}, case ${made + at}.`,
          testable_as: `Take case ${at} down.`,
          step: 's',
        }),
      );
    made += own;
    for (let at = 1; at <= 5; at += 1)
      bodies.push(
        fact('verification.recorded', {
          id: `V-${round}-${at}`,
          round,
          check: 'critic_attack_on_action_trace',
          result: at % 2 === 0 ? 'BROKEN' : 'ROBUST',
          notes: `${SENTENCE}. More.`,
          evidence_refs: [`artifacts/round_${round}/critic.md#attack-${at}`],
        }),
      );
    for (let at = 1; at <= own; at += 1)
      bodies.push(
        fact('claim.moved', {
          claim: `C-${round}-${at}`,
          round,
          from: 'pending',
          to: at % 2 === 0 ? 'tested_refuted' : 'tested_confirmed',
          stance: 'attacks',
          verification: `V-${round}-${(at % 5) + 1}`,
          bearing: 'whole',
          basis: 'read',
          refs: [],
          quotes: [{ text: SENTENCE, ref: 'attachments/plan.md#L2' }],
          why: 'read',
        }),
      );
    for (let at = 3; at <= own; at += 3)
      bodies.push(
        fact('decision.made', {
          id: `D-${round}-${at / 3}`,
          round,
          text: `${SENTENCE}.`,
          made_by: 'consensus',
          cites: [{ type: 'claim', id: `C-${round}-${at}`, relation: 'based-on' }],
          round_artifact_refs: [],
          step: 's',
        }),
      );
  }
  bodies.push(
    makeSynthesis('## Answer\n\nSplit it. C-1-1 carries it.', { included: [...ROLES] }),
    fact('run.ended', { status: 'done' }),
  );
  return makeLog(...bodies);
}
