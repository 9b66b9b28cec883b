/**
 * The views that people query say what the records say: of runs that were held, stopped, resumed, forked
 * and tested, and of logs that went any way that a log can go. In the long form more rounds are held.
 */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { askWithTools } from '../../src/protocols/common/asking/asking.ts';
import { EMPTY_ROUNDS } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { fact, type FactBody as RoundsBody } from '../../src/protocols/rounds/facts.ts';
import { foldRounds, roundsOf } from '../../src/protocols/rounds/fold.ts';
import { prepareRoundsFork } from '../../src/protocols/rounds/past.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { Fact } from '../every-fact.ts';
import { GOLDEN_NAMES, importGolden, readGolden } from '../golden/journal.ts';
import { openAttempt, stopAtGate, temporaryStore } from '../kernel/desk.ts';
import {
  makeAnswer,
  makeModelRequest,
  makeSeat,
  ScriptedModels,
} from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import { makeCompletedCall, makeRunStarted } from '../store/bodies.ts';
import { makeRepository, toolsOver } from '../tools/repository.ts';
import { expectSameInSql } from './in-sql.ts';
import { makeRehearsalModels, rehearseRun } from './rehearse.ts';

const PROTOCOL = rounds as Protocol;

describe('the SQL views agree with the program’s records', () => {
  it('for runs that older versions recorded', () => {
    const store = temporaryStore();
    for (const name of GOLDEN_NAMES)
      try {
        expectSameInSql(store, importGolden(store, readGolden(name)).run);
      } catch (error) {
        throw new Error(`of ${name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
  });

  it.each(['healthy', 'drifting', 'polite'])(
    'for rehearsed rounds whose panel is %s',
    async (temper) => {
      const store = temporaryStore();
      const { facts } = await rehearseRun(store, `rehearsal/${temper}`, LONG ? 4 : 2, 3, {
        control: true,
        driftEvery: 2,
      });
      expect(facts.some(({ type }) => type === 'stance.compared')).toBe(true);
      expectSameInSql(store, facts[0]?.run ?? '');
    },
  );

  it('for a fork with a reworded claim', async () => {
    const store = temporaryStore();
    const { facts } = await rehearseRun(store, 'rehearsal/healthy', 2, 5);
    const first = await runFork(
      store,
      facts[0]?.run ?? '',
      'round-2',
      'C-1-2',
      'It holds under load.',
    );
    const second = await runFork(store, first, 'round-2/E', 'C-1-2', 'It holds at noon.');
    for (const run of [facts[0]?.run ?? '', first, second]) expectSameInSql(store, run);
    expect(roundsOf(store.facts(first)).claims['C-1-2']?.text).toBe('It holds under load.');
    expect(roundsOf(store.facts(second)).claims['C-1-2']?.text).toBe('It holds at noon.');
    await expect(runFork(store, first, 'round-2/E', 'C-1-2', '\u200b ')).rejects.toThrow(
      'the text is empty',
    );
  });

  it('for lookups with tools, including refused ones', async () => {
    const store = temporaryStore();
    const journal = store.create('test');
    journal.note([makeRunStarted('Why?')]);
    const calls = [
      { id: '1', name: 'read', arguments: { path: 'src/clock.ts', from: 2 } },
      { id: '2', name: 'read', arguments: '{"path": "src/clo' },
      { id: '3', name: 'delete_everything', arguments: {} },
    ];
    const models = new ScriptedModels(({ messages }) =>
      messages.length === 1 ? makeAnswer('', { calls }) : makeAnswer('Seen.'),
    );
    const { run } = openAttempt(journal, models, { tools: toolsOver(makeRepository()) });
    await askWithTools(run, 'seat/critic', makeModelRequest(makeSeat('critic')));
    journal.release();
    expectSameInSql(store, journal.run);
    const db = new Database(store.file, { readonly: true });
    const rows = db.prepare('SELECT id, tool, refused, first_line, arguments FROM lookups').all();
    db.close();
    expect(rows).toEqual([
      {
        id: 'S-1',
        tool: 'read',
        refused: 0,
        first_line: 2,
        arguments: '{"path":"src/clock.ts","from":2}',
      },
      { id: null, tool: 'read', refused: 1, first_line: 1, arguments: '"{\\"path\\": \\"src/clo"' },
      { id: null, tool: 'delete_everything', refused: 1, first_line: 1, arguments: '{}' },
    ]);
  });

  it('for random logs such as a deliberation can write', () => {
    const store = temporaryStore();
    fc.assert(
      fc.property(fc.array(move, { minLength: 10, maxLength: 60, size: 'max' }), (moves) => {
        const journal = store.create('test');
        journal.note([makeRunStarted('Why?'), ...logOf(moves)]);
        journal.release();
        expectSameInSql(store, journal.run);
      }),
      { seed: 7, numRuns: LONG ? 20_000 : 80 },
    );
  }, 600_000);
});

/** Makes the fork that `fork RUN --at AT --set claim.CLAIM.text=TEXT` makes, and runs it. */
async function runFork(store: Store, parent: string, at: string, claim: string, value: string) {
  const facts = store.facts(parent);
  const view = viewOf(facts);
  const { seats, config } = prepareRoundsFork({ view, facts }, at, [
    { kind: 'claim', claim, value },
  ]);
  const journal = store.create('rounds', parent);
  const models = makeRehearsalModels();
  const session = new Session({ journal, models, protocol: PROTOCOL, answer: stopAtGate });
  const { question } = view;
  expect(await session.begin({ question, seats, config, parent })).toEqual({ status: 'done' });
  await session.close();
  return journal.run;
}

const KINDS = [
  'begin',
  'begin',
  'phase',
  'end',
  'claims',
  'claims',
  'supersede',
  'move',
  'move',
  'edit',
  'verdict',
  'test',
  'decisions',
  'artifact',
  'stance',
  'close',
  'drift',
  'signals',
  'suspect',
  'read',
  'read',
  'control',
  'refuse',
  'refuse',
  'answer',
] as const;
const move = fc.tuple(fc.constantFrom(...KINDS), fc.nat(11), fc.nat(11), fc.nat(3));
type Move = readonly [(typeof KINDS)[number], number, number, number];

const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;
const REFUSED = ['call', 'verdict', 'claim', 'quotation'] as const;
const STATES = ['tested_confirmed', 'tested_refuted', 'tested_unclear'] as const;

/**
 * Returns facts of rounds in an order to which steps, stops and resumed attempts may lead. Facts about a
 * round come while there is one, and claims and decisions are numbered from 1.
 */
function logOf(moves: readonly Move[]): RoundsBody[] {
  let view = EMPTY_ROUNDS;
  const log: RoundsBody[] = [];
  const addFacts = (...bodies: RoundsBody[]): void => {
    log.push(...bodies);
    for (const body of bodies) view = foldRounds(view, body as Fact);
  };
  const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
  for (const [kind, a, b, c] of moves) {
    if (kind === 'begin') {
      const round = 1 + (a % 4);
      const lead = ROLES[c] ?? 'critic';
      addFacts(
        fact('round.started', { round, lead, ...(b === 0 ? { absent: 'action' as const } : {}) }),
      );
      continue;
    }
    const round = pick(view.rounds, a)?.round;
    if (round === undefined) continue;
    const step = `round-${round}/${kind}`;
    const ids = Object.keys(view.claims);
    const claim = pick(ids, b) ?? 'C-1-1';
    const to = STATES[c] ?? 'partially_refuted';
    const from = 'pending';
    const role = ROLES[c] ?? 'critic';
    switch (kind) {
      case 'phase':
        addFacts(fact('phase.entered', { round, phase: pick(['B', 'F', 'G'] as const, b) ?? 'B' }));
        break;
      case 'end':
        addFacts(fact('phase.entered', { round, phase: 'synthesis' }));
        break;
      case 'claims':
      case 'supersede': {
        const old = kind === 'supersede' ? pick(ids, b) : undefined;
        for (let number = 1; number <= c + 1; number++) {
          const id = `C-${round}-${number}`;
          addFacts(
            fact('claim.raised', {
              id,
              round,
              raised_by: role,
              text: `${id} ${b}`,
              testable_as: 'a test',
              step,
              ...withoutUndefined({ supersedes: old }),
            }),
          );
          if (old !== undefined)
            addFacts(
              fact('claim.moved', {
                claim: old,
                round,
                from,
                to: 'superseded',
                superseded_by: id,
                why: '',
              }),
            );
        }
        break;
      }
      case 'move':
        addFacts(
          fact('claim.moved', {
            claim,
            round,
            from,
            to,
            verification: `V-${round}-${1 + (b % 3)}`,
            why: '',
            ...(c === 0 ? { stance: 'upholds' as const, bearing: 'part' as const } : {}),
          }),
        );
        break;
      case 'edit':
        addFacts(fact('claim.edited', { claim, round, text: c === 0 ? '' : `read ${c}`, was: '' }));
        break;
      case 'verdict':
        addFacts(
          fact('verification.recorded', {
            id: `V-${round}-${1 + (b % 3)}`,
            round,
            check: 'all_vs_prior_decisions',
            result: c === 0 ? 'BROKEN' : 'UNCLEAR',
            evidence_refs: [`a${c}`],
            notes: `${b}`,
          }),
        );
        break;
      case 'test':
        addFacts(
          fact('evidence.recorded', {
            id: `E-${round}-${1 + (c % 2)}`,
            round,
            claim,
            command: 'true',
            cwd: '/',
            verification: `V-${round}-${1 + (b % 3)}`,
            timeoutMs: 1,
            confirmsOn: 'success',
            exit: 0,
            signal: null,
            timedOut: false,
            durationMs: 1,
            sha256: '',
            bytes: 0,
            output: '',
            cutBytes: 0,
            approvedBy: '--yes',
            path: 'evidence/E.md',
          }),
        );
        break;
      case 'decisions':
        for (let number = 1; number <= c + 1; number++)
          addFacts(
            fact('decision.made', {
              id: `D-${round}-${number}`,
              round,
              text: `${b}`,
              cites: [],
              step,
              made_by: 'consensus',
              round_artifact_refs: [`${b}`],
            }),
          );
        break;
      case 'artifact': {
        const path = `artifacts/round_${round}/${role}.md`;
        addFacts(fact('artifact.produced', { round, role, path, markdown: `# ${b}`, step }));
        break;
      }
      case 'stance':
        addFacts(
          fact('stance.taken', {
            round,
            seat: role,
            model: 'm',
            position: `${b}`,
            option: '',
            confidence: 0.5,
            cites: [],
            peers: c === 0,
            again: false,
            step: `${step}/${role}`,
          }),
        );
        break;
      case 'close':
        addFacts(fact('round.closed', { round, tensions: [`${b}`], impact: `${c}` }));
        break;
      case 'drift':
        addFacts(
          fact('drift.checked', { round, verdict: 'PASS', deviation_score: 1 + c, notes: '' }),
        );
        break;
      case 'signals': {
        const signal = { id: 1, name: 'a', state: 'satisfied', value: b, threshold: null, why: '' };
        addFacts(
          fact('signals.read', {
            round,
            satisfied: c,
            recommendation: 'continue',
            why: `${b}`,
            signals: [signal, { ...signal, id: 2, state: 'uninformative', value: null }] as never,
          }),
        );
        break;
      }
      case 'suspect':
        addFacts(fact('failure-mode.suspected', { round, id: `m${b}`, name: 'n', why: '' }));
        break;
      case 'read':
        addFacts(
          fact('claim.read', {
            round,
            claim: a === 0 ? claim : `C-${round}-${1 + c}`,
            model: 'm',
            step,
            finding: 'partly',
            quotes: [],
            sought: [],
            counts: b === 0,
            why: `${b}`,
          }),
        );
        break;
      case 'control':
        addFacts(
          fact('reader.controlled', {
            round,
            model: 'm',
            text: `t${c}`,
            key: 'absent',
            right: b === 0,
          }),
        );
        break;
      case 'refuse':
        addFacts(
          fact('refusal.recorded', {
            round,
            kind: REFUSED[c] ?? 'claim',
            by: role,
            why: `${b}`,
            text: REFUSED[c] === 'call' ? `round-${round}/answer` : `t${a % 2}`,
            ...(c === 1 ? { id: `V-${round}-${1 + (b % 3)}` } : {}),
            ...(c === 2 ? { id: `C-${round}-${1 + (b % 4)}` } : {}),
          }),
        );
        break;
      case 'answer':
        addFacts(makeCompletedCall({ step, seat: 'critic', text: 'yes' }) as RoundsBody);
    }
  }
  return log;
}
