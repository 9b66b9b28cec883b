/**
 * Golden journals: whole runs kept in git. `NAME.jsonl` is the journal as `deliberate show --json` prints it,
 * `NAME.steps.jsonl` the finished steps with the hashes of their inputs, and `NAME.view.txt` a summary of the
 * folded facts. golden.test.ts checks that old journals can be replayed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { computeDigest } from '../../src/kernel/digest.ts';
import type { Request } from '../../src/kernel/facts.ts';
import type { Journal, StepRecord } from '../../src/kernel/journal.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { agentsOf } from '../../src/protocols/agents/fold.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { ARCHIVE_VERSION } from '../../src/store/archive.ts';
import type { Store } from '../../src/store/store.ts';
import { type Fact, type FactBody, parseFact } from '../every-fact.ts';

/** The names of the golden journals that `make.ts` records with the present program and the stand-in. */
export const MADE_NAMES = ['board', 'attempts', 'rounds', 'agents'] as const;
/**
 * Journals of runs with the prompts of earlier versions. They are never made anew, so that their recorded
 * answers stay usable.
 */
const EARLIER = [
  'board-1',
  'attempts-1',
  'rounds-1',
  'rounds-2',
  'rounds-3',
  'rounds-4',
  'rounds-5',
  'rounds-6',
  'plan-1',
  'plan-2',
  'plan-3',
  'plan-4',
  'plan-5',
  'plan-6',
  'plan-7',
] as const;
/**
 * The names of all golden journals but `PLAYED_NAMES`: those of the present program, and those with the prompts
 * of earlier versions. The stand-in, a script or a person answered in place of models.
 */
export const GOLDEN_NAMES = [...MADE_NAMES, ...EARLIER] as const;
/** One of `GOLDEN_NAMES`. */
export type GoldenName = (typeof GOLDEN_NAMES)[number];
/**
 * The names of golden journals of runs in which answers that a person or a script wrote took the place of
 * models. `played*.test.ts` read these journals. They cannot be recorded anew.
 */
export const PLAYED_NAMES = [
  'played',
  'played-badly',
  'played-meters',
  'played-board',
  'played-board-badly',
  'played-agent',
  'played-delphi',
  'played-tradeoff',
  'played-brainstorm',
  'played-team',
  'played-team-domains',
  'played-team-trap',
  'played-team-badly',
  'played-team-split',
  'played-team-split-badly',
  'played-team-locked-3',
  'played-team-locked',
  'played-standard',
  'played-advocate',
  'played-socratic',
  'played-oxford',
  'played-stress',
  'played-decision',
  'played-decision-1',
  'played-decision-badly',
] as const;
/** One of `PLAYED_NAMES`. */
export type PlayedName = (typeof PLAYED_NAMES)[number];

/** Returns whether the golden journal with this name is of a team's run. */
export function isTeamName(name: string): boolean {
  return name.startsWith('played-team');
}

/** A finished step and the numbers of the first and the last fact recorded with it. */
export interface GoldenStep extends StepRecord {
  readonly first: number;
  readonly last: number;
}

/** The facts and the finished steps of a golden journal, in their order. */
export interface Golden {
  readonly facts: readonly Fact[];
  readonly steps: readonly GoldenStep[];
}

/**
 * Returns the path of a file of a golden journal. `ending` follows the journal's name, such as `jsonl` or
 * `steps.jsonl`.
 */
export function fileOf(name: GoldenName | PlayedName, ending: string): string {
  return fileURLToPath(new URL(`./${name}.${ending}`, import.meta.url));
}

const read = new Map<string, Golden>();

/** Returns a golden journal. Each journal is read once in a process; nobody may change its facts. */
export function readGolden(name: GoldenName | PlayedName): Golden {
  const known = read.get(name) ?? readAnew(name);
  read.set(name, known);
  return known;
}

function readAnew(name: GoldenName | PlayedName): Golden {
  const readLines = (ending: string): unknown[] =>
    readFileSync(fileOf(name, ending), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  return {
    facts: readLines('jsonl').map(parseFact),
    steps: readLines('steps.jsonl') as GoldenStep[],
  };
}

/** Returns the requests of all attempts of a run, in their order. */
export function requestsIn(facts: readonly Fact[]): Request[] {
  return facts.flatMap((fact) =>
    fact.type === 'run.started' || fact.type === 'run.resumed' ? fact.request : [],
  );
}

/** Returns the content of a fact, without the run, number and time that a journal adds. */
export function bodyOf({ run: _run, seq: _seq, at: _at, ...body }: Fact): FactBody {
  return body;
}

/** Writes a golden journal into a store as a run with a new id, and returns the run's journal. */
export function importGolden(store: Store, { facts, steps }: Golden): Journal {
  const [opening] = facts;
  if (opening?.type !== 'run.started') throw new Error('a journal begins with run.started');
  const journal = store.create(opening.protocol);
  const finished = new Map(steps.map((step) => [step.first, step]));
  for (let seq = 1; seq <= facts.length; ) {
    const found = finished.get(seq);
    const last = found?.last ?? seq;
    const bodies = facts.slice(seq - 1, last).map(bodyOf);
    if (found === undefined) journal.note(bodies);
    else journal.commit({ step: found.step, hash: found.hash, result: found.result }, bodies);
    seq = last + 1;
  }
  return journal;
}

/**
 * Writes a golden journal into a store under the id that its run had when it was recorded, and returns the
 * run's journal. The inputs of a team's steps contain this id.
 */
export function restoreGolden(store: Store, { facts, steps }: Golden): Journal {
  const [opening] = facts;
  if (opening?.type !== 'run.started') throw new Error('a journal begins with run.started');
  store.restore({
    format: 'deliberate-run',
    v: ARCHIVE_VERSION,
    program: '',
    status: 'interrupted',
    run: opening.run,
    protocol: opening.protocol,
    createdAt: opening.at,
    parent: null,
    rehearsal: false,
    facts: facts.map((fact) => ({ ...fact })),
    steps: steps.map(({ step, hash, result, first, last }) => ({
      key: step,
      hash,
      result,
      firstSeq: first,
      lastSeq: last,
    })),
  });
  return store.own(opening.run);
}

/**
 * Returns a summary of a journal's folded facts, with a line for each call, claim, verdict and so on. Long texts
 * are replaced by their digests.
 */
export function summarizeLog(facts: readonly Fact[]): string {
  const view = viewOf(facts);
  const { rounds, claims } = roundsOf(facts);
  const agents = Object.values(agentsOf(facts).agents);
  const records = view.protocol === 'rounds' ? [...getRecordsFolder(facts)] : [];
  return `${[
    `run ${view.protocol} ${view.status} seed ${view.config.seed}: ${view.question}`,
    `usage ${JSON.stringify(view.usage)} $${view.costUsd}`,
    ...view.seats.map(({ id, model, brief }) => `seat ${id} ${model} ${computeDigest(brief)}`),
    ...Object.values(view.calls)
      .map(
        ({ step, seat, state, usage, text }) =>
          `call ${step} ${seat} ${state} ${usage.input}+${usage.output} ${computeDigest(text)}`,
      )
      .sort(),
    ...agents.map(
      ({ path, agent, pattern, why, state }) => `agent ${path} ${agent} ${pattern} ${why} ${state}`,
    ),
    ...view.syntheses.map(
      ({ version, included, excluded, labels, missing, text }) =>
        `synthesis ${version} of ${included} without ${excluded.length} ${JSON.stringify(labels)} missing ${missing} ${computeDigest(text)}`,
    ),
    ...rounds.flatMap((round) => [
      `round ${round.round} lead ${round.lead} absent ${round.absent ?? 'nobody'} drift ${round.drift?.verdict ?? 'unchecked'} decorative ${round.compared?.decorative ?? 'unknown'}`,
      ...round.artifacts.map(({ path, markdown }) => `artifact ${path} ${computeDigest(markdown)}`),
      ...round.verifications.map(
        ({ id, check, result, evidence_refs }) =>
          `verdict ${id} ${check} ${result} ${evidence_refs}`,
      ),
      ...round.moves.map(
        ({ claim, from, to, verification }) => `move ${claim} ${from} ${to} by ${verification}`,
      ),
      ...round.decisions.map(
        ({ id, cites }) => `decision ${id} cites ${cites.map((cite) => cite.id)}`,
      ),
      `signals ${round.signals?.satisfied} ${round.signals?.recommendation}: ${round.signals?.signals.map(({ state }) => state)}`,
      ...round.suspicions.map(({ id }) => `suspicion ${id}`),
    ]),
    ...deriveStandings(planOf(facts)).map(
      ({ conflict, state, why, accepts }) =>
        `question ${conflict} ${state}, ${why}: ${JSON.stringify(accepts)}`,
    ),
    ...Object.values(claims).map(
      ({ id, raised_by, status, text }) =>
        `claim ${id} ${raised_by} ${status} ${computeDigest(text)}`,
    ),
    ...records.map(([path, text]) => `record ${path} ${computeDigest(text)}`),
  ].join('\n')}\n`;
}
