/** T3: each squad’s lead cuts its workstream into tasks; code joins all of them into one graph of the run. */
import { line } from '../../../text/line.ts';
import { fact } from '../facts.ts';
import {
  graphSchema,
  type Need,
  type Placed,
  placedSchema,
  type TaskGraph,
} from '../forms/design.ts';
import type { Workstream } from '../forms/plan.ts';
import { graphMessages, placeMessages, type SquadContext } from '../prompts/graph.ts';
import { architecturePart, planPart, surveyPart } from '../prompts/opening.ts';
import { type JoinedGraph, joinGraphs, orderByFiles } from '../rules/graph.ts';
import { guardedHeld, guardedOf, problemsInPath } from '../rules/plan.ts';
import { castOf, type Ground, type TeamRun, workstreamOf } from '../team-run.ts';
import { askLooking } from './place.ts';

/** `key`: `graph`, or that of a plan that was made again. */
export async function graph(
  team: TeamRun,
  key: string,
  tree: string,
  ground: Ground,
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
  const placed = left.length > 0 ? [] : await placeNotMine(team, key, ground, handed, joined);
  const isPlaced = placed.length > 0;
  if (isPlaced) joined = withPlaced(joined, placed);
  const from = { plan, handed: [...handed], left, ...(isPlaced ? { placed } : {}) };
  await team.record(`${key}/joined`, from, [
    fact('team.graphed', {
      tasks: joined.tasks.map((task) => structuredClone(task)),
      ordered: joined.ordered.map((one) => ({ ...one })),
      refused: left,
    }),
    ...notMine(handed),
    ...placed.flatMap(amendment),
  ]);
  if (left.length > 0) return { why: `the tasks do not hold: ${left.join('; ')}` };
  const isHeld = await mayHoldGuarded(team, key, ground, joined, squads);
  return isHeld ? joined : { why: 'a task would change a guarded file, and may not' };
}

/** Side by side; of a correction all see what code has against the whole. */
async function askSquads(
  team: TeamRun,
  key: string,
  tree: string,
  ground: Ground,
  squads: readonly Workstream[],
  before: ReadonlyMap<string, TaskGraph>,
  why: readonly string[],
): Promise<ReadonlyMap<string, TaskGraph> | { readonly why: string }> {
  const context = contextOf(team, ground);
  const asked = await Promise.all(
    squads.map(async (one) => {
      const handed = before.get(one.id);
      const answer = await askLooking(team, `${key}/${one.id}`, tree, {
        ...{ task: 'team/graph', seat: 't3', schema: graphSchema },
        cast: castOf(ground.plan, 'T3', { workstream: one.id }),
        about: { items: [one.id] },
        messages: graphMessages(context, one, lockedIn(team), handed && { handed, why }),
      });
      return [one.id, answer] as const;
    }),
  );
  const missing = asked.flatMap(([id, one]) => ('why' in one ? [`${id}: ${one.why}`] : []));
  if (missing.length > 0) return { why: `a squad has no tasks: ${missing.join('; ')}` };
  return new Map(asked.flatMap(([id, one]) => ('why' in one ? [] : [[id, one.value] as const])));
}

/** By requirement, whichever squad was first. */
function lockedIn({ view }: TeamRun): string[] {
  return view.tests
    .flatMap(({ tests }) => tests)
    .flatMap(({ requirement, path, shows, state }) =>
      state === 'red' ? [`${requirement}: ${path}: ${shows}`] : [],
    )
    .sort();
}

/** `of`: a task whose amendments are told as well: those of others may come at any time. */
export function contextOf(team: TeamRun, { survey, plan }: Ground, of?: string): SquadContext {
  const { goal, config, view } = team;
  const { seed } = config;
  const parts = [
    surveyPart(survey, seed),
    planPart(
      plan,
      view.amendments.filter(({ task }) => task !== undefined && task === of),
      seed,
    ),
    architecturePart(view.designed?.architecture, seed),
  ];
  return { goal, seed, parts };
}

function tellCircle({ circle }: JoinedGraph): string[] {
  return circle.length === 0 ? [] : [`these wait for one another: ${circle.join(', ')}`];
}

interface Nobodys {
  /** `N1` */
  readonly id: string;
  readonly workstream: string;
  readonly need: Need;
}

/** What somebody above has said of it. */
type Settled = Nobodys & { readonly by: 'T1' | 'T2'; readonly placed: Placed };

function nobodysIn(handed: ReadonlyMap<string, TaskGraph>): Nobodys[] {
  return [...handed]
    .flatMap(([workstream, { not_mine }]) => not_mine.map((need) => ({ workstream, need })))
    .map((one, at) => ({ id: `N${at + 1}`, ...one }));
}

/** What has to be done and is nobody's is given to a task, or left out, by who is above all who say so. */
async function placeNotMine(
  team: TeamRun,
  key: string,
  ground: Ground,
  handed: ReadonlyMap<string, TaskGraph>,
  { tasks }: JoinedGraph,
): Promise<readonly Settled[]> {
  const items = nobodysIn(handed);
  if (items.length === 0 || team.config.version === undefined) return [];
  const isDesigned = items.every(
    ({ workstream }) => workstreamOf(ground.plan, workstream)?.path === 'T2-T5',
  );
  const by = isDesigned ? 'T2' : 'T1';
  const asked = await team.ask(`${key}/place`, {
    ...{ task: 'team/place', seat: isDesigned ? 't2-lead' : 't1', schema: placedSchema },
    cast: isDesigned ? castOf(ground.plan, 'T2-lead') : undefined,
    about: { items: items.map(({ id }) => id) },
    messages: placeMessages(contextOf(team, ground), by, items, tasks),
  });
  if ('why' in asked) return [];
  const known = new Set(['', ...tasks.map(({ id }) => id)]);
  return items.flatMap((item) => {
    const placed = asked.value.placed.find(({ item: id }) => id === item.id);
    if (placed === undefined || !known.has(placed.task)) return [];
    const files = placed.files.filter((file) => problemsInPath(file, 'It').length === 0);
    return [{ ...item, by, placed: { ...placed, files } }];
  });
}

/** A task that is given more holds more: its files are leases like the others. */
function withPlaced(joined: JoinedGraph, settled: readonly Settled[]): JoinedGraph {
  const tasks = joined.tasks.map((task) => {
    const own = settled.filter(({ placed }) => placed.task === task.id);
    return {
      ...task,
      files: [...new Set([...task.files, ...own.flatMap(({ placed }) => placed.files)])],
      brief: [task.brief, ...own.map(({ by, placed }) => `${by} adds: ${placed.what}`)].join(
        '\n\n',
      ),
    };
  });
  return { ...joined, tasks, ordered: orderByFiles(tasks) };
}

function amendment({ by, need: { kind, what }, placed: { task, files, why } }: Settled) {
  const isLeft = task === '';
  return [
    fact('plan.amended', {
      ...{ by, kind, what: line(isLeft ? `left out: ${what}` : what), why: line(why) },
      ...(isLeft ? { files: [] } : { task, files: [...files] }),
    }),
  ];
}

/** As squads say it; whoever is above sees it with the next turn. */
function notMine(handed: ReadonlyMap<string, TaskGraph>) {
  return [...handed].flatMap(([workstream, { not_mine }]) =>
    not_mine.map(({ kind, what, why }) =>
      fact('plan.amended', {
        ...{ by: 'T3' as const, kind, what: line(`${workstream}: ${what}`), why, files: [] },
      }),
    ),
  );
}

/** Those of the plan's own tasks were shown at its gate. */
async function mayHoldGuarded(
  team: TeamRun,
  key: string,
  { survey, plan }: Ground,
  { tasks }: JoinedGraph,
  squads: readonly Workstream[],
): Promise<boolean> {
  const ids = new Set(squads.map(({ id }) => id));
  const own = tasks.filter(({ workstream }) => ids.has(workstream));
  const held = guardedHeld(own, guardedOf(plan, survey));
  if (held.length === 0) return true;
  const { answer } = await team.askPerson(`${key}/guarded`, {
    prompt: [
      'Tasks would change files that decide what a check means.',
      ...held.map(({ task, file }) => line(`${task}: ${file}`)),
    ].join('\n'),
    options: [
      { value: 'no', label: 'Stop here' },
      { value: 'yes', label: 'Let them' },
    ],
    default: 'no',
  });
  return answer === 'yes';
}
