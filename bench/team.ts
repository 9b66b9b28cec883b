/**
 * Measures what a team adds to the time of its work: twenty tasks in ten workstreams, with real git and
 * commands, and answers of known time. A run's duration is compared with its own critical path: answers,
 * checks and git, each as long as it took in that run, as far as they must wait for each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest, ModelResult } from '../src/kernel/model.ts';
import type { Workshop } from '../src/kernel/tools/workshop.ts';
import type { AnyFact } from '../src/kernel/vocabulary.ts';
import { type FactOf, TEAM } from '../src/protocols/team/facts.ts';
import type { Task, TeamPlan } from '../src/protocols/team/forms/plan.ts';
import { ScriptedModels } from '../test/kernel/scripted-models.ts';
import { GOAL, makeScriptedModels, type RecordingModels } from '../test/team/harness.ts';
import { makeNotesPlan, makeNoteTask, makeSoundScript } from '../test/team/notes.ts';
import { computeMedian, makeRow, type Row } from './measure.ts';
import { repositoryOf, withTeam } from './team/runner.ts';

const RUNS = 3;
const STREAMS = 10;
/** Milliseconds of an answer, those of a fast model; with slower models the added share is smaller. */
const ANSWER_MS = 4_000;

/**
 * Measures how much longer a team's run takes than the answers, checks and git commands that must wait for each
 * other in it. Returns rows for the table of `npm run bench`.
 */
export async function benchTeam(): Promise<Row[]> {
  const runs: Shares[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureShares());
  const getMedian = (which: keyof Shares): number => computeMedian(runs.map((run) => run[which]));
  return [
    makeRow('team, 20 tasks: wall over critical path', getMedian('path'), 1.05, '', 3),
    {
      what: 'team, 20 tasks: wall over answers and checks alone',
      measured: getMedian('answers').toFixed(3),
      target: '',
      met: undefined,
    },
  ];
}

interface Shares {
  readonly path: number;
  readonly answers: number;
}

/** A call of the workshop: when it began, by the clock of the facts, and how long it took. */
interface Used {
  readonly at: number;
  readonly ms: number;
}

/**
 * Records every call of a workshop; for a check only the time of its tree, because the check records its own
 * duration.
 */
function watchWorkshop(workshop: Workshop, used: Used[]): Workshop {
  const recordCalls = <A extends readonly unknown[], T>(work: (...given: A) => Promise<T>) => {
    return async (...given: A): Promise<T> => {
      const at = Date.now();
      const began = performance.now();
      try {
        return await work(...given);
      } finally {
        used.push({ at, ms: performance.now() - began });
      }
    };
  };
  const { tools } = workshop;
  return {
    ...workshop,
    survey: recordCalls(workshop.survey),
    prepare: recordCalls(workshop.prepare),
    tools: { ...tools, use: recordCalls(tools.use) },
    treeOf: recordCalls(workshop.treeOf),
    commit: recordCalls(workshop.commit),
    check: async (...given) => {
      const at = Date.now();
      const began = performance.now();
      const ran = await workshop.check(...given);
      used.push({ at, ms: performance.now() - began - ran.ms });
      return ran;
    },
    join: recordCalls(workshop.join),
    changes: recordCalls(workshop.changes),
    diff: recordCalls(workshop.diff),
    text: recordCalls(workshop.text),
    put: recordCalls(workshop.put),
    look: recordCalls(workshop.look),
    deliver: recordCalls(workshop.deliver),
  };
}

function measureShares(): Promise<Shares> {
  const { tasks, plan } = makeWork();
  const used: Used[] = [];
  return withTeam(
    {
      goal: GOAL,
      models: makeSlowMinds(plan, tasks),
      config: { parallel: STREAMS },
      make: (root) =>
        repositoryOf(root, 'notes', { 'check.sh': 'if grep -rn BAD src; then exit 1; fi\n' }),
      around: (workshop) => watchWorkshop(workshop, used),
    },
    ({ ending, facts, wallMs }) => {
      if (ending.status !== 'done') throw new Error(`the team ended ${JSON.stringify(ending)}`);
      const answers = criticalPath(facts, tasks);
      return { path: wallMs / (answers + gitOn(facts, used)), answers: wallMs / answers };
    },
  );
}

/** Makes two tasks in each workstream, the second after the first. */
function makeWork(): { readonly tasks: readonly Task[]; readonly plan: TeamPlan } {
  const numbers = Array.from({ length: STREAMS }, (_, index) => index + 1);
  const tasks = numbers.flatMap((number) => {
    const of = { workstream: `stream-${number}`, covers: [`R${number}`] };
    return [
      makeNoteTask(`first-${number}`, of),
      makeNoteTask(`second-${number}`, { ...of, depends_on: [`first-${number}`] }),
    ];
  });
  const workstreams = numbers.map((number) => ({
    id: `stream-${number}`,
    goal: 'Notes',
    path: 'T3-T5' as const,
    depends_on: [],
    covers: [`R${number}`],
    retry_multiplier: 1 as const,
    task: null,
  }));
  return { tasks, plan: makeNotesPlan('T3-T5', tasks, { workstreams }) };
}

/**
 * Returns the milliseconds of an answer; each task's answers take a little longer, so that tasks end one
 * after the other.
 */
function answerMs({ task, about }: ModelRequest): number {
  const number = Number(/-(\d+)$/.exec(about?.items?.[0] ?? '')?.[1] ?? 0);
  return task === 'team/work' ? ANSWER_MS + number * 100 : ANSWER_MS;
}

function makeSlowMinds(plan: TeamPlan, tasks: readonly Task[]): RecordingModels {
  const quick = makeScriptedModels(makeSoundScript(plan, tasks));
  return new ScriptedModels(async (asked, context): Promise<ModelResult> => {
    await sleep(answerMs(asked));
    return quick.call(asked, context);
  });
}

/**
 * Returns the time of git calls: in sequence, except while workstreams or their verifiers run at the same
 * time, when a lane's share counts.
 */
function gitOn(facts: readonly AnyFact[], used: readonly Used[]): number {
  const timesOf = (...types: readonly string[]): number[] =>
    facts.filter(({ type }) => types.includes(type)).map(({ at: when }) => Date.parse(when));
  const spans = [timesOf('team.graphed', 'task.ended'), timesOf('verdict.given', 'verdict.joined')];
  const [tasks, verdicts] = spans.map((times) => [Math.min(...times), Math.max(...times)]);
  const joined = Math.max(...timesOf('team.joined'));
  const isBeside = (when: number): boolean =>
    (when >= (tasks?.[0] ?? 0) && when <= (tasks?.[1] ?? 0)) ||
    // From the last join to the last verdict, git runs at the same time for the verifiers of all workstreams.
    (when >= joined && when <= (verdicts?.[1] ?? 0));
  return used.reduce((sum, { at: when, ms }) => sum + (isBeside(when) ? ms / STREAMS : ms), 0);
}

/**
 * Returns the time of answers and checks that must wait for each other: plan, base, tasks of a workstream,
 * joins, verdict.
 */
function criticalPath(facts: readonly AnyFact[], tasks: readonly Task[]): number {
  const checks = facts.flatMap((fact) => {
    const own = TEAM.own(fact);
    return own?.type === 'check.ran' ? [own] : [];
  });
  const sumMs = (all: readonly FactOf<'check.ran'>[]): number =>
    all.reduce((ms, check) => ms + check.ms, 0);
  const lanes = new Map<string, number>();
  for (const { id, workstream } of tasks) {
    const [, number] = id.split('-');
    // A task takes two answers: one that writes files, and one that reports.
    const answers = 2 * (ANSWER_MS + Number(number) * 100);
    const own = checks.filter(({ task, kind }) => task === id && kind === 'commit');
    lanes.set(workstream, (lanes.get(workstream) ?? 0) + answers + sumMs(own));
  }
  const shared = checks.filter(({ kind }) => kind === 'base' || kind === 'joined');
  const answersInSequence = ['plan', 'critique', 'tasks', 'verdicts', 'acceptance'].length;
  return answersInSequence * ANSWER_MS + sumMs(shared) + Math.max(...lanes.values());
}
