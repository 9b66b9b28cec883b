/**
 * Rule 9: old journals replay. Whole runs, kept in git, read and taken up by today's program. Runs of earlier
 * versions are replayed as well; their forks are made in the long form only.
 */

import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { Protocol, RecordedRun } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { agents } from '../../src/protocols/agents/agents.ts';
import { board } from '../../src/protocols/board/board.ts';
import { planOf as foldedPlan } from '../../src/protocols/plan/fold.ts';
import { plan } from '../../src/protocols/plan/plan.ts';
import { renderSpec } from '../../src/protocols/plan/spec-lines.ts';
import { deriveSpecBasis } from '../../src/protocols/plan/standings.ts';
import { configSchema } from '../../src/protocols/rounds/config.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { convertToRecords } from '../../src/protocols/rounds/records/of-run.ts';
import { readSignals } from '../../src/protocols/rounds/records/signals.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { getRecordsPlan, rounds } from '../../src/protocols/rounds/rounds.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { openTools } from '../../src/tools/tools.ts';
import type { Fact, FactOf } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType, stopAtGate, temporaryStore, typesOf } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, ScriptedModels, textOf } from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import { temporaryFolder } from '../store/folder.ts';
import {
  bodyOf,
  fileOf,
  GOLDEN_NAMES,
  type Golden,
  type GoldenName,
  importGolden,
  MADE_NAMES,
  readGolden,
  requestsIn,
  summarizeLog,
} from './journal.ts';

const PROTOCOLS: Readonly<Record<GoldenName, Protocol>> = {
  board: board as Protocol,
  'board-1': board as Protocol,
  attempts: board as Protocol,
  'attempts-1': board as Protocol,
  rounds: rounds as Protocol,
  'rounds-1': rounds as Protocol,
  'rounds-2': rounds as Protocol,
  'rounds-3': rounds as Protocol,
  'rounds-4': rounds as Protocol,
  'rounds-5': rounds as Protocol,
  'rounds-6': rounds as Protocol,
  agents: agents as Protocol,
  'plan-1': plan as Protocol,
  'plan-2': plan as Protocol,
  'plan-3': plan as Protocol,
  'plan-4': plan as Protocol,
  'plan-5': plan as Protocol,
  'plan-6': plan as Protocol,
  'plan-7': plan as Protocol,
};

/** Answers the calls of one step as in the recorded run. */
function asRecorded({ facts }: Golden, step: string): ScriptedModels {
  const call = listFactsOfType(facts, 'call.completed').find((call) => call.step === step);
  if (call === undefined) throw new Error(`${step} was not recorded`);
  const { text, value, usage, latencyMs, firstTokenMs, notes } = call;
  return new ScriptedModels(
    ({ seat }: ModelRequest) =>
      seat.id === call.seat
        ? makeAnswer(text, { value, usage, latencyMs, firstTokenMs, notes })
        : makeFailure('internal', `${seat.id} must not be asked`),
    () => 0,
  );
}

/** Returns the tools that plans need from the second edition on, over an empty folder. */
function toolsOf(name: GoldenName): { readonly tools?: Tools } {
  if (!name.startsWith('plan-') || name === 'plan-1') return {};
  return { tools: openTools([{ name: 'repo', path: temporaryFolder() }], { env: {} }) };
}

const NOBODY = (): ScriptedModels =>
  new ScriptedModels(({ seat }) => makeFailure('internal', `${seat.id} must not be asked`));

interface Replay {
  readonly ending: Ending;
  /** What was recorded beyond the golden journal. */
  readonly more: readonly Fact[];
}

/** Makes all requests of the recorded run again, attempt by attempt. */
async function replayRun(
  name: GoldenName,
  golden: Golden,
  models: ScriptedModels,
): Promise<Replay> {
  const journal = importGolden(temporaryStore(), golden);
  const protocol = PROTOCOLS[name];
  const parts = { journal, models, protocol, answer: stopAtGate, ...toolsOf(name) };
  const session = new Session(parts);
  let ending: Ending = { status: 'failed' };
  for (const request of requestsIn(golden.facts)) ending = await session.resume(request);
  return { ending, more: filterKnownFacts(journal.facts(golden.facts.length)) };
}

/**
 * Returns facts as a sorted list, without what a replay records differently: attempts, starts, marks
 * of a fork.
 */
function toComparable(facts: readonly Fact[]): string[] {
  return facts
    .filter(({ type }) => type !== 'step.started' && type !== 'run.started')
    .map((fact) => {
      const body: Record<string, unknown> = { ...bodyOf(fact) };
      delete body.inherited;
      delete body.attempt;
      return JSON.stringify(body, Object.keys(body).sort().concat(nestedKeys(body)));
    })
    .sort();
}

function nestedKeys(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return [
    ...(Array.isArray(value) ? [] : Object.keys(value)),
    ...Object.values(value).flatMap(nestedKeys),
  ];
}

describe.each(GOLDEN_NAMES)('the golden journal of %s', (name) => {
  it('contains a run from its start to its end, in files of less than 400 kB', () => {
    for (const ending of ['jsonl', 'steps.jsonl', 'view.txt'])
      expect(statSync(fileOf(name, ending)).size).toBeLessThan(400_000);
    const { facts } = readGolden(name);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_one, index) => index + 1));
    expect(facts[0]?.type).toBe('run.started');
    expect(facts.at(-1)).toMatchObject({ type: 'run.ended', status: 'done' });
  });

  it('gives the same summary of the run as when it was recorded', () => {
    const { facts } = readGolden(name);
    expect(summarizeLog(facts)).toBe(readFileSync(fileOf(name, 'view.txt'), 'utf8'));
  });

  it('is unchanged after it was imported into a store', () => {
    const golden = readGolden(name);
    const journal = importGolden(temporaryStore(), golden);
    expect(filterKnownFacts(journal.facts()).map(bodyOf)).toEqual(golden.facts.map(bodyOf));
    for (const { step, hash, result, first, last } of golden.steps) {
      const known = journal.recall(step, hash);
      if (known.kind !== 'recorded') expect.fail(`${step} is ${known.kind}`);
      expect(known.result).toEqual(result);
      expect(known.facts().map(({ seq }) => seq)).toEqual(
        Array.from({ length: last - first + 1 }, (_one, index) => first + index),
      );
    }
  });

  // The protocol `rounds` refuses to continue runs of edition 1 of its rules.
  const goesOn = name !== 'rounds-1';

  it.runIf(goesOn)('replays without asking a model and without repeating a step', async () => {
    const models = NOBODY();
    const { ending, more } = await replayRun(name, readGolden(name), models);
    // If a step is done again, its prompt or schema has changed since the recording. If the change is on purpose,
    // record the journals anew with make.ts.
    expect(listFactsOfType(more, 'step.started').map(({ step }) => step)).toEqual([]);
    expect(models.asked).toEqual([]);
    const attempts = requestsIn(readGolden(name).facts);
    expect(typesOf(more)).toEqual(attempts.flatMap(() => ['run.resumed', 'run.ended']));
    expect(ending).toEqual({ status: 'done' });
  });

  /**
   * Whether this journal is also forked. A fork finds recorded steps in the same way as a replay, so `npm test`
   * does not fork every journal that it replays.
   */
  const forks =
    goesOn &&
    (LONG || name.startsWith('plan') || MADE_NAMES.some((candidate) => candidate === name));

  // Forks copy only the first attempt, so journals with later attempts are skipped.
  it.runIf(forks && !name.startsWith('attempts'))(
    'is copied fact by fact into a fork that changes nothing',
    async () => {
      const golden = readGolden(name);
      const store = temporaryStore();
      const parent = importGolden(store, golden);
      const [opening] = listFactsOfType(golden.facts, 'run.started');
      if (opening === undefined) expect.fail('it has no beginning');
      // A fork of a board asks the synthesizer again instead of copying the synthesis. The scripted synthesizer
      // gives the recorded answer, so that the facts of run and fork can be equal.
      const models = name.startsWith('board') ? asRecorded(golden, 'synthesis/1') : NOBODY();
      const fork = store.create(name, parent.run);
      const session = new Session({
        journal: fork,
        models,
        protocol: PROTOCOLS[name],
        answer: stopAtGate,
        ...toolsOf(name),
      });
      await session.begin({ ...opening, parent: parent.run });
      expect(models.asked).toEqual(name.startsWith('board') ? ['synthesizer'] : []);
      expect(toComparable(filterKnownFacts(fork.facts()))).toEqual(toComparable(golden.facts));
    },
  );

  it.runIf(forks)(
    'has steps marked as stale and models asked again if it is replayed with another question',
    async () => {
      const golden = readGolden(name);
      const facts = golden.facts.map((fact) =>
        fact.type === 'run.started' ? { ...fact, question: `${fact.question} Today?` } : fact,
      );
      const models = NOBODY();
      const { more } = await replayRun(name, { ...golden, facts }, models);
      expect(models.asked.length).toBeGreaterThan(0);
      const restarted = listFactsOfType(more, 'step.started').filter(({ kind }) => kind === 'call');
      expect(restarted[0]).toMatchObject({ stale: true });
    },
  );
});

it.each(['plan-1', 'plan-2', 'plan-3', 'plan-4', 'plan-5', 'plan-6', 'plan-7'] as const)(
  'the plan in the golden journal %s is formatted as when it was recorded',
  (name) => {
    const { facts } = readGolden(name);
    const view = foldedPlan(facts);
    const { spec, title } = view.written ?? expect.fail('it has no spec');
    const [{ text } = expect.fail('it was not written')] = listFactsOfType(
      facts,
      'synthesis.completed',
    );
    expect(renderSpec(spec, deriveSpecBasis(view), title).join('\n\n')).toBe(text);
  },
);

describe('replaying a step whose hash has changed', () => {
  const alterStep = (step: string): Golden => {
    const golden = readGolden('rounds');
    const steps = golden.steps.map((goldenStep) =>
      goldenStep.step === step ? { ...goldenStep, hash: 'f00d' } : goldenStep,
    );
    expect(steps).not.toEqual(golden.steps);
    return { ...golden, steps };
  };

  it('repeats only this step', async () => {
    const golden = alterStep('round-2/D/critic');
    const models = asRecorded(golden, 'round-2/D/critic');
    const { more, ending } = await replayRun('rounds', golden, models);
    expect(models.asked).toEqual(['critic']);
    expect(listFactsOfType(more, 'step.started')).toMatchObject([
      { step: 'round-2/D/critic', stale: true },
    ]);
    expect(ending).toEqual({ status: 'done' });
    expect(summarizeLog([...golden.facts, ...more]).match(/^claim .*$/gm)).toEqual(
      summarizeLog(golden.facts).match(/^claim .*$/gm),
    );
  });

  it('asks no model if the step only runs code', async () => {
    const models = NOBODY();
    const { more } = await replayRun('rounds', alterStep('round-1/F/claims'), models);
    expect(models.asked).toEqual([]);
    expect(listFactsOfType(more, 'step.started')).toMatchObject([
      { step: 'round-1/F/claims', kind: 'work', stale: true },
    ]);
  });
});

describe.each([
  'rounds',
  'rounds-1',
  'rounds-2',
  'rounds-3',
  'rounds-4',
  'rounds-5',
  'rounds-6',
] as const)('the records of the golden journal %s', (name) => {
  it('are valid, although one role was left out of a round on purpose', () => {
    const folder = getRecordsFolder(readGolden(name).facts);
    expect(validateFolder(folder)).toMatchObject({ ok: true, errors: [] });
    expect(folder.get('state/lead_history.jsonl')).toContain('"absent_agent":"observer"');
    expect([...folder.keys()]).not.toContain('artifacts/round_2/observer.md');
  });

  it('lead to the six stopping signals that the run itself recorded, except for signal 2 of rounds-1', () => {
    const { facts } = readGolden(name);
    const [opening] = listFactsOfType(facts, 'run.started');
    const config = configSchema.parse(opening?.config);
    const records = convertToRecords(
      roundsOf(facts),
      getRecordsPlan(config, opening?.question ?? ''),
    );
    const { satisfied, recommendation, why, signals } = readSignals(records);
    const {
      v: _v,
      type: _type,
      round: _round,
      alarm: _alarm,
      ...recorded
    } = bodyOf(
      listFactsOfType(facts, 'signals.read').at(-1) ?? expect.fail('no signals were read'),
    ) as FactOf<'signals.read'>;
    const read = { satisfied, recommendation, why, signals };
    if (name !== 'rounds-1') expect(read).toEqual(recorded);
    // In the oldest recording, disagreement was counted by round. Since then it is counted by check, so one
    // signal differs.
    else {
      const [, slope, ...others] = [...signals];
      expect(slope).toMatchObject({ id: 2, state: 'unsatisfied' });
      expect([signals[0], ...others]).toEqual(recorded.signals.filter(({ id }) => id !== 2));
      expect(satisfied).toBe(recorded.satisfied - 1);
    }
  });
});

describe('the golden journal of rounds', () => {
  it('contains facts of a reading test, of findings about claims, and of controls', () => {
    const { facts } = readGolden('rounds');
    expect(listFactsOfType(facts, 'reader.examined')).toMatchObject([
      { model: 'rehearsal/panel', items: 28 },
    ]);
    expect(listFactsOfType(readGolden('rounds-2').facts, 'reader.examined')).toMatchObject([
      { items: 24 },
    ]);
    expect(listFactsOfType(facts, 'claim.read').length).toBeGreaterThan(5);
    expect(listFactsOfType(facts, 'reader.controlled').length).toBeGreaterThan(2);
    expect(listFactsOfType(facts, 'records.checked').map(({ errors }) => errors)).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('a run under edition 1 of the rules', () => {
  const toRecordedRun = (facts: readonly Fact[]): RecordedRun => ({ view: viewOf(facts), facts });
  const golden = readGolden('rounds-1');
  /** The journal up to a moment of round 2, as if the program had died there. */
  const cut = (() => {
    const at = golden.facts.findIndex(
      (fact) => fact.type === 'call.completed' && fact.step === 'round-2/E/2',
    );
    const facts = golden.facts.slice(0, at);
    return { facts, steps: golden.steps.filter(({ last }) => last <= at) };
  })();
  const refused = {
    code: 'earlier-rules',
    message: expect.stringMatching(
      /earlier rules of rounds: it can be read, exported and summed up/,
    ),
    next: expect.stringContaining('deliberate rounds'),
  };

  it('has no edition number in its settings', () => {
    expect(listFactsOfType(golden.facts, 'run.started')[0]?.config).not.toHaveProperty('rules');
    expect(roundsOf(golden.facts).exams).toEqual([]);
  });

  it('cannot be resumed or forked', async () => {
    expect(() => rounds.request?.(toRecordedRun(cut.facts), { kind: 'resume' })).toThrow(
      expect.objectContaining(refused),
    );
    expect(() => rounds.request?.(toRecordedRun(golden.facts), { kind: 'resume' })).toThrow(
      /is done/,
    );
    const model = { kind: 'seat', seat: 'critic', value: 'rehearsal/x' } as const;
    expect(() => rounds.fork?.(toRecordedRun(golden.facts), 'round-2/D', [model])).toThrow(
      expect.objectContaining(refused),
    );
    const models = NOBODY();
    const journal = importGolden(temporaryStore(), cut);
    const session = new Session({
      journal,
      models,
      protocol: PROTOCOLS.rounds,
      answer: stopAtGate,
    });
    expect(await session.resume({ kind: 'convene' })).toMatchObject({ status: 'failed' });
    expect(models.asked).toEqual([]);
    expect(typesOf(filterKnownFacts(journal.facts(cut.facts.length)))).toEqual([
      'run.resumed',
      'run.ended',
    ]);
  });

  it('can get a new synthesis', async () => {
    const journal = importGolden(temporaryStore(), golden);
    const models = new ScriptedModels(() => makeAnswer('## Answer\n\nYes.'));
    const session = new Session({
      journal,
      models,
      protocol: PROTOCOLS.rounds,
      answer: stopAtGate,
    });
    const request = rounds.request?.(toRecordedRun(golden.facts), {
      kind: 'resynthesize',
      note: 'Be brief.',
      without: [],
    });
    expect(await session.resume(request ?? expect.fail('it cannot be'))).toEqual({
      status: 'done',
    });
    expect(models.asked).toEqual(['synthesizer']);
    expect(textOf(models.requests[0] ?? expect.fail('nobody was asked'))).toContain('Be brief.');
    const facts = filterKnownFacts(journal.facts());
    expect(viewOf(facts).syntheses).toMatchObject([{ version: 1 }, { version: 2 }]);
    // The recorded rounds must not change.
    expect(roundsOf(facts)).toEqual(roundsOf(golden.facts));
    // If version 2 of the synthesis was interrupted, the resumed run asks for version 2 again.
    const begun = facts.slice(0, golden.facts.length + 2);
    expect(rounds.request?.(toRecordedRun(begun), { kind: 'resume' })).toMatchObject({
      kind: 'resynthesize',
      version: 2,
    });
  });

  it('has a report with the beginning of every decision and the id of every claim', async () => {
    const out = formatReport(golden.facts, await loadProtocolReport('rounds'));
    for (const { text } of listFactsOfType(golden.facts, 'decision.made'))
      expect(out).toContain(text.slice(0, 40));
    for (const { id } of listFactsOfType(golden.facts, 'claim.raised')) expect(out).toContain(id);
  });
});
