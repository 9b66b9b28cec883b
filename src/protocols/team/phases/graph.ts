/**
 * Builds the task graph: the lead of each squad (T3) divides its workstream into tasks, and code joins all
 * tasks of the run.
 */
import { toLine } from '../../../text/line.ts';
import { fact } from '../facts.ts';
import { graphSchema, type PlacedNeed, placedSchema, type TaskGraph } from '../forms/design.ts';
import type { Workstream } from '../forms/plan.ts';
import { graphMessages, placeMessages, type SquadContext } from '../prompts/graph.ts';
import {
  architecturePart,
  planPart,
  standingArchitecture,
  surveyPart,
} from '../prompts/opening.ts';
import { type JoinedGraph, joinGraphs, orderByFiles } from '../rules/graph.ts';
import { problemsInPlacement, type UnownedWork, withUnownedWork } from '../rules/placed.ts';
import { findGuardedHeld, guardedOf } from '../rules/plan.ts';
import { castOf, type TeamRun, type WorkBasis, workstreamOf } from '../team-run.ts';
import { askLooking } from './place.ts';

/**
 * Asks the squads' leads for their tasks and combines all tasks with their dependencies. If code
 * refuses the result, the leads are asked once more.
 * @param key the prefix of the recorded steps: `graph`, or another one for each later plan
 * @returns the tasks with their order, or `why` they cannot be worked on
 */
export async function collectTasks(
  team: TeamRun,
  key: string,
  tree: string,
  ground: WorkBasis,
): Promise<JoinedGraph | { readonly why: string }> {
  const { plan } = ground;
  const squads = plan.workstreams.filter(({ path }) => path !== 'T4-T5');
  let handed = await askSquads(team, key, tree, ground, squads, new Map(), []);
  if ('why' in handed) return handed;
  let joined = joinGraphs(plan, handed);
  const refused = [...joined.refused, ...tellCircle(joined)];
  if (refused.length > 0 && squads.length > 0) {
    handed = await askSquads(team, `${key}/again`, tree, ground, squads, handed, refused);
    if ('why' in handed) return handed;
    joined = joinGraphs(plan, handed);
  }
  const left = [...joined.refused, ...tellCircle(joined)];
  const { settled, open } =
    left.length > 0
      ? { settled: [], open: [] }
      : await placeNotMine(team, key, ground, handed, joined);
  const isPlaced = settled.length + open.length > 0;
  if (settled.length > 0) joined = withPlaced(joined, settled);
  const from = { plan, handed: [...handed], left, ...(isPlaced ? { settled, open } : {}) };
  await team.record(`${key}/joined`, from, [
    fact('team.graphed', {
      tasks: joined.tasks.map((task) => structuredClone(task)),
      ordered: joined.ordered.map((pair) => ({ ...pair })),
      refused: left,
    }),
    ...notMine(handed),
    ...settled.map((item) => toAmendment(item, team.edition)),
    ...open.map(stillNobodys),
  ]);
  if (left.length > 0) return { why: `the tasks do not hold: ${left.join('; ')}` };
  const isHeld = await mayHoldGuarded(team, key, ground, joined);
  return isHeld ? joined : { why: GUARDED_REFUSED };
}

/** Asks all squads at the same time. In a correction, each sees everything that code refused. */
async function askSquads(
  team: TeamRun,
  key: string,
  tree: string,
  ground: WorkBasis,
  squads: readonly Workstream[],
  before: ReadonlyMap<string, TaskGraph>,
  why: readonly string[],
): Promise<ReadonlyMap<string, TaskGraph> | { readonly why: string }> {
  const context = contextOf(team, ground);
  const asked = await Promise.all(
    squads.map(async (squad) => {
      const handed = before.get(squad.id);
      const answer = await askLooking(team, `${key}/${squad.id}`, tree, {
        task: 'team/graph',
        seat: 't3',
        schema: graphSchema,
        cast: castOf(ground.plan, 'T3', { workstream: squad.id }),
        about: { items: [squad.id] },
        messages: graphMessages(context, squad, lockedIn(team), handed && { handed, why }),
      });
      return [squad.id, answer] as const;
    }),
  );
  const missing = asked.flatMap(([id, answer]) =>
    'why' in answer ? [`${id}: ${answer.why}`] : [],
  );
  if (missing.length > 0) return { why: `a squad has no tasks: ${missing.join('; ')}` };
  return new Map(
    asked.flatMap(([id, answer]) => ('why' in answer ? [] : [[id, answer.value] as const])),
  );
}

/**
 * Returns the acceptance tests that are red on the base, sorted by requirement, so that timing does not
 * change prompts.
 */
function lockedIn({ view }: TeamRun): string[] {
  return view.tests
    .flatMap(({ tests }) => tests)
    .flatMap(({ requirement, path, shows, state }) =>
      state === 'red' ? [`${requirement}: ${path}: ${shows}`] : [],
    )
    .sort();
}

/**
 * Collects what prompts about a workstream's tasks contain, to a squad's lead or a tier above: the goal,
 * the survey, the plan and the architecture.
 * @param of the id of a task whose amendments to the plan are included; if absent, none are. Amendments
 * of other tasks may be recorded earlier or later, and a resumed run must build the same prompt.
 */
export function contextOf(team: TeamRun, { survey, plan }: WorkBasis, of?: string): SquadContext {
  const { goal, config, view } = team;
  const { seed } = config;
  const parts = [
    surveyPart(survey, seed),
    planPart(
      plan,
      view.amendments.filter(({ task }) => task !== undefined && task === of),
      seed,
    ),
    architecturePart(standingArchitecture(view, team.edition), seed),
  ];
  return { goal, seed, parts };
}

function tellCircle({ circle }: JoinedGraph): string[] {
  return circle.length === 0 ? [] : [`these wait for one another: ${circle.join(', ')}`];
}

/** Additional work with the decision of the tier above: a task that does it, or that nobody does. */
type Settled = UnownedWork & { readonly by: 'T1' | 'T2'; readonly placed: PlacedNeed };

/** Additional work that no tier above gave to an existing task, and why. */
type Open = UnownedWork & { readonly why: string };

function nobodysIn(handed: ReadonlyMap<string, TaskGraph>): UnownedWork[] {
  return [...handed]
    .flatMap(([workstream, { not_mine }]) => not_mine.map((need) => ({ workstream, need })))
    .map((item, at) => ({ id: `N${at + 1}`, ...item }));
}

/**
 * Asks the tier above all squads concerned to assign each piece of work that belongs to no task to a task,
 * or to leave the work out. Invalid answers go back once; the valid parts of both answers hold.
 */
async function placeNotMine(
  team: TeamRun,
  key: string,
  ground: WorkBasis,
  handed: ReadonlyMap<string, TaskGraph>,
  { tasks }: JoinedGraph,
): Promise<{ readonly settled: readonly Settled[]; readonly open: readonly Open[] }> {
  const items = nobodysIn(handed);
  if (items.length === 0 || team.config.version === undefined) return { settled: [], open: [] };
  const isDesigned = items.every(
    ({ workstream }) => workstreamOf(ground.plan, workstream)?.path === 'T2-T5',
  );
  const by = isDesigned ? 'T2' : 'T1';
  const locked = team.view.tests.flatMap((testSet) => testSet.files);
  const settled = new Map<string, Settled>();
  let open: readonly Open[] = items.map((item) => ({ ...item, why: 'nobody was asked' }));
  let refused: { handed: readonly PlacedNeed[]; why: readonly string[] } | undefined;
  for (const step of [`${key}/place`, `${key}/place-again`]) {
    const asked = await team.ask(step, {
      task: 'team/place',
      seat: isDesigned ? 't2-lead' : 't1',
      schema: placedSchema,
      cast: isDesigned ? castOf(ground.plan, 'T2-lead') : undefined,
      about: { items: open.map(({ id }) => id) },
      messages: placeMessages(contextOf(team, ground), by, open, tasks, refused),
    });
    if ('why' in asked) {
      open = open.map((item) => ({ ...item, why: refused === undefined ? asked.why : item.why }));
      break;
    }
    const { placed } = asked.value;
    const left: Open[] = [];
    for (const openItem of open) {
      const problems = problemsInPlacement(openItem, placed, tasks, locked);
      const own = placed.find(({ item }) => item === openItem.id);
      if (problems.length === 0 && own !== undefined)
        settled.set(openItem.id, {
          id: openItem.id,
          workstream: openItem.workstream,
          need: openItem.need,
          by,
          placed: own,
        });
      else left.push({ ...openItem, why: problems.join('; ') });
    }
    open = left;
    if (left.length === 0) break;
    refused = { handed: placed, why: left.map(({ id, why }) => `${id}: ${why}.`) };
  }
  return { settled: items.flatMap(({ id }) => settled.get(id) ?? []), open };
}

/** Adds the additional work to its tasks, and orders tasks that now hold the same file. */
function withPlaced(joined: JoinedGraph, settled: readonly Settled[]): JoinedGraph {
  const tasks = joined.tasks.map((task) =>
    withUnownedWork(
      task,
      settled.filter(({ placed }) => placed.task === task.id),
    ),
  );
  return { ...joined, tasks, ordered: orderByFiles(tasks) };
}

function toAmendment(
  { by, need: { kind, what }, placed: { task, files, what: answer, why } }: Settled,
  edition: number,
) {
  const isLeft = task === '';
  // A squad's lead has reported work of no task, and T1 or T2 gave the work to a task. Record the lead's words
  // and, from version 3 of the rules on, what T1 or T2 tells the task to do.
  const given = edition < 3 ? `${what}, to ${task}` : `${what}, to ${task}: ${answer}`;
  return fact('plan.amended', {
    by,
    kind,
    what: toLine(isLeft ? `left out: ${what}` : given),
    why: toLine(why),
    ...(isLeft ? { files: [] } : { task, files: [...files] }),
  });
}

/** Records that the work still belongs to no task, so that whoever accepts the result sees it. */
function stillNobodys({ need: { kind, what }, why }: Open) {
  return fact('plan.amended', {
    by: 'code',
    kind,
    what: toLine(`still nobody’s: ${what}`),
    files: [],
    why: toLine(`whoever is above was asked for its place: ${why}`),
  });
}

/** Records the additional work that squads report, so that the tier above sees it in its next prompt. */
function notMine(handed: ReadonlyMap<string, TaskGraph>) {
  return [...handed].flatMap(([workstream, { not_mine }]) =>
    not_mine.map(({ kind, what, why }) =>
      fact('plan.amended', {
        by: 'T3' as const,
        kind,
        what: toLine(`${workstream}: ${what}`),
        why,
        files: [],
      }),
    ),
  );
}

/**
 * The reason why a run ends if the person does not let a task change guarded files (files that only
 * a person can release).
 */
export const GUARDED_REFUSED = 'a task would change a guarded file, and may not';

/**
 * Returns the lines that ask a person whether tasks may change guarded files; empty if no task
 * would.
 */
export function formatGuardedQuestion(held: ReturnType<typeof findGuardedHeld>): string[] {
  return held.length === 0
    ? []
    : [
        'Tasks would change files that decide what a check means.',
        ...held.map(({ task, file }) => toLine(`${task}: ${file}`)),
      ];
}

/** Asks a person about guarded files that tasks hold and that the plan's question has not shown. */
async function mayHoldGuarded(
  team: TeamRun,
  key: string,
  { survey, plan }: WorkBasis,
  { tasks }: JoinedGraph,
): Promise<boolean> {
  const shown = new Map(
    plan.workstreams.flatMap(({ task }) => (task ? [[task.id, task.files]] : [])),
  );
  const own = tasks.map(({ id, files }) => ({
    id,
    files: files.filter((file) => !shown.get(id)?.includes(file)),
  }));
  const held = findGuardedHeld(own, guardedOf(plan, survey));
  if (held.length === 0) return true;
  const { answer } = await team.askPerson(`${key}/guarded`, {
    prompt: formatGuardedQuestion(held).join('\n'),
    options: [
      { value: 'no', label: 'Stop here' },
      { value: 'yes', label: 'Let them' },
    ],
    default: 'no',
  });
  return answer === 'yes';
}
