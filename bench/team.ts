/**
 * What a team adds to its answers and its checks: twenty tasks in ten workstreams, real git and commands, and
 * answers that take a known time. A run's wall is held against its own critical path, whatever the machine.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest, ModelResult } from '../src/kernel/model.ts';
import type { AnyFact } from '../src/kernel/vocabulary.ts';
import { SEATS } from '../src/protocols/team/config.ts';
import { type FactOf, TEAM } from '../src/protocols/team/facts.ts';
import type { Task, TeamPlan } from '../src/protocols/team/forms/plan.ts';
import { ScriptedModels, seat } from '../test/kernel/scripted-models.ts';
import { GOAL, House, type Minds, playing } from '../test/team/harness.ts';
import { note, notesPlan, soundly } from '../test/team/notes.ts';
import { at } from '../test/workshop/place.ts';
import { median, type Row, row } from './measure.ts';

const RUNS = 3;
const STREAMS = 10;
/** A quick model's; most take longer, and then what is added is less of the whole. */
const ANSWER_MS = 4_000;

export async function benchTeam(): Promise<Row[]> {
  const shares: number[] = [];
  for (let run = 0; run < RUNS; run += 1) shares.push(await share());
  return [row('team, 20 tasks: wall over critical path', median(shares), 1.05, '', 3)];
}

async function share(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  try {
    const person = at(root, join(root, 'notes'), {
      PATH: process.env.PATH,
      HOME: root,
      XDG_STATE_HOME: join(root, 'state'),
    });
    mkdirSync(person.folder);
    person.git('init', '--quiet', '--initial-branch=main');
    person.write('check.sh', 'if grep -rn BAD src; then exit 1; fi\n');
    person.git('add', '.');
    person.git('commit', '--quiet', '-m', 'Begin');
    const house = new House(person, join(root, 'runs.db'));
    const store = house.open();
    const { tasks, plan } = work();
    const { session } = house.session(store, undefined, { models: slow(plan, tasks) });
    const began = performance.now();
    const ending = await session.begin({
      question: GOAL,
      seats: SEATS.map((id) => seat(id)),
      config: { ...house.config({ parallel: STREAMS }) },
    });
    const wall = performance.now() - began;
    await session.close();
    const facts = store.facts(session.run);
    store.close();
    if (ending.status !== 'done') throw new Error(`the team ended ${JSON.stringify(ending)}`);
    return wall / criticalPath(facts, tasks);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Two tasks in each workstream, the second after the first. */
function work(): { readonly tasks: readonly Task[]; readonly plan: TeamPlan } {
  const numbers = Array.from({ length: STREAMS }, (_, index) => index + 1);
  const tasks = numbers.flatMap((number) => {
    const of = { workstream: `stream-${number}`, covers: [`R${number}`] };
    return [
      note(`first-${number}`, of),
      note(`second-${number}`, { ...of, depends_on: [`first-${number}`] }),
    ];
  });
  const workstreams = numbers.map((number) => ({
    ...{ id: `stream-${number}`, goal: 'Notes', path: 'T3-T5' as const, depends_on: [] },
    ...{ covers: [`R${number}`], retry_multiplier: 1 as const, task: null },
  }));
  return { tasks, plan: notesPlan('T3-T5', tasks, { workstreams }) };
}

/** Tasks end one after the other, as they would: each answer of the next takes a little longer. */
function answerMs({ task, about }: ModelRequest): number {
  const number = Number(/-(\d+)$/.exec(about?.items?.[0] ?? '')?.[1] ?? 0);
  return task === 'team/work' ? ANSWER_MS + number * 100 : ANSWER_MS;
}

function slow(plan: TeamPlan, tasks: readonly Task[]): Minds {
  const quick = playing(soundly(plan, tasks));
  return new ScriptedModels(async (asked, context): Promise<ModelResult> => {
    await sleep(answerMs(asked));
    return quick.call(asked, context);
  });
}

/** Answers and checks that have to wait for one another: plan, base, tasks of a workstream, joins, verdict. */
function criticalPath(facts: readonly AnyFact[], tasks: readonly Task[]): number {
  const checks = facts.flatMap((one) => {
    const own = TEAM.own(one);
    return own?.type === 'check.ran' ? [own] : [];
  });
  const sum = (all: readonly FactOf<'check.ran'>[]): number =>
    all.reduce((ms, one) => ms + one.ms, 0);
  const lanes = new Map<string, number>();
  for (const { id, workstream } of tasks) {
    const [, number] = id.split('-');
    // It writes, and then it hands in.
    const answers = 2 * (ANSWER_MS + Number(number) * 100);
    const own = checks.filter(({ task, kind }) => task === id && kind === 'commit');
    lanes.set(workstream, (lanes.get(workstream) ?? 0) + answers + sum(own));
  }
  const shared = checks.filter(({ kind }) => kind === 'base' || kind === 'joined');
  // Plan, critique, tasks, verdicts, acceptance.
  return 5 * ANSWER_MS + sum(shared) + Math.max(...lanes.values());
}
