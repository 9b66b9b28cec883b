/**
 * T5: verifiers read the joined commit and nothing that those who worked say of it. What they quote is
 * looked up, their probe is run, and only what they differ about is looked at again; code joins.
 */
import { readAnswer } from '../../../kernel/handle.ts';
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import { line } from '../../../text/line.ts';
import { type FactOf, fact } from '../facts.ts';
import type { TeamPlan, Workstream } from '../forms/plan.ts';
import { type Verdict, verdictSchema } from '../forms/work.ts';
import { architecturePart, planPart } from '../prompts/opening.ts';
import {
  type Given,
  lookAgainMessages,
  tellSaid,
  type VerifyContext,
  verifyMessages,
} from '../prompts/verify.ts';
import { fits } from '../rules/globs.ts';
import { checksOf, orderOf } from '../rules/plan.ts';
import { disputedIn, joinVerdicts, lookUpQuotations, unshownIn } from '../rules/verdicts.ts';
import { castOf } from '../team-run.ts';
import { endOf, runCheck, tellCheck } from './checks.ts';
import { textsOf } from './design.ts';
import type { Joined, SentDown } from './join.ts';
import { askLooking } from './place.ts';
import { completes, type WorkState } from './state.ts';
import { testRunners } from './tests.ts';

const VERIFIERS = ['t5-1', 't5-2'] as const;

type Failed = SentDown['failed'][number];

/** @returns what goes back, nothing where all of it passes; or why there is no verdict. */
export async function verify(
  state: WorkState,
  round: number,
  joined: Joined,
): Promise<readonly Failed[] | { readonly why: string }> {
  const { plan } = state.ground;
  const order = orderOf(plan.workstreams).order;
  const done = plan.workstreams.filter(({ id }) =>
    state.team.view.tasks.some(({ task, state: how }) => task.workstream === id && how === 'done'),
  );
  const failed = await Promise.all(
    done.map((one) => verifyOne(state, round, joined, one, ownOf(plan, order, one))),
  );
  for (const one of failed) if ('why' in one) return one;
  return failed.flatMap((one) => ('why' in one ? [] : one));
}

/** Each requirement is verified once: where the last workstream that covers it is. */
function ownOf(
  plan: TeamPlan,
  order: readonly string[],
  { id }: Workstream,
): TeamPlan['requirements'] {
  return plan.requirements.filter(
    (one) =>
      order.findLast((each) =>
        plan.workstreams.some((other) => other.id === each && other.covers.includes(one.id)),
      ) === id,
  );
}

type Verified = readonly Failed[] | { readonly why: string };

/** `time`: how often a person has had it verified again. */
async function verifyOne(
  state: WorkState,
  round: number,
  joined: Joined,
  workstream: Workstream,
  requirements: TeamPlan['requirements'],
  time = 1,
): Promise<Verified> {
  const { team } = state;
  const key = `verify/round-${round}/${workstream.id}${time === 1 ? '' : `/time-${time}`}`;
  const context = await contextOf(state, key, joined, workstream, requirements);
  const seats = VERIFIERS.slice(0, team.config.verifiers);
  const first = await Promise.all(
    seats.map((seat) =>
      askOne(state, `${key}/${seat}`, { round, joined, workstream, seat, context }),
    ),
  );
  // Nobody's work is to blame for that.
  if (first.every(({ verdict }) => verdict === undefined))
    return { why: `nobody verified ${workstream.id}: ${first[0]?.why ?? 'nobody was asked'}` };
  const again = [...new Set([...disputedIn(first), ...unshownIn(first, requirements)])].sort();
  const second =
    again.length === 0
      ? []
      : await Promise.all(
          seats.map((seat) =>
            askOne(state, `${key}/${seat}-again`, {
              ...{ round, joined, workstream, seat, context },
              again: {
                requirements: again,
                own: first.filter((one) => one.seat === seat),
                others: first.filter((one) => one.seat !== seat),
              },
            }),
          ),
        );
  const verdicts = [...first, ...second];
  const joint = joinVerdicts({
    requirements,
    verdicts,
    red: [],
    shown: shownIn(state, workstream),
    untestable: team.view.tests.flatMap((one) =>
      one.workstream === workstream.id ? one.untestable.map(({ requirement }) => requirement) : [],
    ),
  });
  await team.record(`${key}/joint`, { verdicts, requirements }, [
    fact('verdict.joined', {
      ...{ workstream: workstream.id, round, commit: joined.commit, cause: joint.cause },
      verdict: joint.verdict,
      requirements: joint.requirements.map((one) => ({ ...one, evidence: [...one.evidence] })),
      failing: joint.failing.map((one) => ({ ...one })),
    }),
  ]);
  if (joint.verdict === 'pass') return [];
  // A run from before that sent back what nobody could mend.
  const unshown = team.config.version === undefined ? [] : unshownIn(verdicts, requirements);
  const failed = failedIn(state, workstream, joint, probesIn(verdicts), unshown);
  if (failed.length > 0 || unshown.length === 0) return failed;
  const answer = await askUnshown(state, key, workstream, requirements, verdicts, unshown);
  return answer === 'again'
    ? verifyOne(state, round, joined, workstream, requirements, time + 1)
    : answer;
}

/**
 * Whoever did the work cannot mend that no verifier names a place: asked twice for one, they have given no
 * verdict, and the person says how it goes on.
 */
async function askUnshown(
  state: WorkState,
  key: string,
  workstream: Workstream,
  requirements: TeamPlan['requirements'],
  verdicts: readonly Given[],
  unshown: readonly string[],
): Promise<Verified | 'again'> {
  const of = requirements.filter(({ id }) => unshown.includes(id));
  const names = unshown.join(', ');
  const { answer } = await state.team.askPerson(`${key}/unshown`, {
    prompt: [
      `Whether ${names} ${unshown.length === 1 ? 'is' : 'are'} met, no verifier could show by a place in the files, asked twice.`,
      ...of.map(({ id, text }) => line(`${id}: ${text}`)),
      ...tellSaid(verdicts, unshown),
    ].join('\n'),
    options: [
      { value: 'stop', label: 'Stop here' },
      { value: 'again', label: 'Have it verified again' },
      { value: 'back', label: 'Send it back to the work', words: 'What is wrong with it?' },
    ],
    default: 'stop',
  });
  const { value, words } = readAnswer(answer);
  if (value === 'again') return 'again';
  if (value !== 'back')
    return {
      why: line(
        `no verifier could show whether ${names} ${unshown.length === 1 ? 'is' : 'are'} met`,
      ),
    };
  const said = words === '' ? 'a person looked at it, and it is not met' : words;
  const failing = unshown.map((id) => ({ task: '', why: `${id} is not met: ${said}` }));
  const joint = {
    requirements: unshown.map((id) => ({ id, state: 'unmet' as const, evidence: [] })),
  };
  return failedIn(state, workstream, { ...joint, failing, cause: 'work' }, []);
}

/** Requirements whose tests failed without the work; with it all checks are green by now. */
function shownIn(state: WorkState, { id }: Workstream) {
  const { team, tests, red } = state;
  const blind = tests.flatMap(({ workstream, requirement, files }) =>
    workstream === id ? [{ requirement, tests: files, by: 'verifier' as const }] : [],
  );
  const byTasks = team.graph.tasks.flatMap((task) => {
    const own = red.get(task.id);
    if (own === undefined) return [];
    return (
      task.covers
        .filter((one) => completes(state, task.id, one))
        // A test by somebody who has not seen the work says more than one of the work's own.
        .filter((one) => !blind.some(({ requirement }) => requirement === one))
        .map((requirement) => ({ requirement, tests: own, by: 'work' as const }))
    );
  });
  return [...blind, ...byTasks];
}

async function contextOf(
  state: WorkState,
  key: string,
  { commit, ran }: Joined,
  workstream: Workstream,
  requirements: TeamPlan['requirements'],
): Promise<VerifyContext> {
  const { team, ground } = state;
  const { goal, config, view, workshop } = team;
  const { survey, plan } = ground;
  const tasks = view.tasks
    .filter(({ task, state: how }) => task.workstream === workstream.id && how === 'done')
    .map(({ task, files, brief }) => ({ ...task, brief, files: [...files] }));
  const paths = await team.look(
    `${key}/paths`,
    { from: survey.base, to: commit },
    async (signal) => {
      const changes = await workshop.changes(survey.base, commit, signal);
      return changes.map(({ path }) => path);
    },
  );
  const tests = view.tests.flatMap((one) => (one.workstream === workstream.id ? one.files : []));
  const own = paths.filter(
    (path) =>
      tests.includes(path) ||
      fits(
        path,
        tasks.flatMap(({ files }) => files),
      ),
  );
  const diff = await team.look(`${key}/diff`, { from: survey.base, to: commit, own }, (signal) =>
    own.length === 0 ? Promise.resolve('') : workshop.diff(survey.base, commit, own, signal),
  );
  return {
    ...{ goal, seed: config.seed, requirements, tasks, diff },
    parts: [
      planPart(plan, view.amendments, config.seed),
      architecturePart(view.designed?.architecture, config.seed),
    ],
    checks: [
      ...[...ran].map(([check, run]) => tellCheck({ check, ...run })),
      ...redBefore(state, workstream),
    ],
  };
}

/** New tests that fail without the work; those that were written before it are among them. */
function redBefore({ team, tests, red }: WorkState, { id }: Workstream): string[] {
  const before = tests.flatMap((one) => (one.workstream === id ? one.files : []));
  const own = team.graph.tasks.flatMap((one) =>
    one.workstream === id ? (red.get(one.id) ?? []) : [],
  );
  const told = (whose: string, files: readonly string[]): string[] =>
    files.length === 0
      ? []
      : [`${whose}, red on the base and green now: ${[...new Set(files)].sort().join(' ')}`];
  return [
    ...told('Tests that somebody else wrote before the work', before),
    ...told('Tests of the work itself', own),
  ];
}

interface Looking {
  readonly round: number;
  readonly joined: Joined;
  readonly workstream: Workstream;
  readonly seat: (typeof VERIFIERS)[number];
  readonly context: VerifyContext;
  readonly again?: {
    readonly requirements: readonly string[];
    readonly own: readonly Given[];
    readonly others: readonly Given[];
  };
}

async function askOne(state: WorkState, key: string, looking: Looking): Promise<Given> {
  const { team, ground } = state;
  const { round, joined, workstream, seat, context, again } = looking;
  const globs = globsOf(state);
  const asked = await askLooking(team, key, joined.tree, {
    ...{ task: again === undefined ? 'team/verify' : 'team/look-again', seat },
    schema: verdictSchema,
    cast: castOf(ground.plan, 'T5', { workstream: workstream.id }),
    about: {
      items: again?.requirements ?? context.requirements.map(({ id }) => id),
      round,
    },
    messages:
      again === undefined
        ? verifyMessages(context, globs, team.config.version)
        : lookAgainMessages(context, again.requirements, again, team.config.version),
  });
  const of = { workstream: workstream.id, round, commit: joined.commit, seat };
  const given =
    'why' in asked
      ? fact('verdict.given', {
          ...{ ...of, items: [], defects: [], cause: 'none', why: asked.why },
          ...(again === undefined ? {} : { again: true as const }),
        })
      : await read(state, key, looking, asked.value);
  await team.record(`${key}/given`, { given }, [given]);
  return given;
}

async function read(
  state: WorkState,
  key: string,
  { round, joined, workstream, seat, again, context }: Looking,
  verdict: Verdict,
): Promise<Given> {
  const { team } = state;
  const places = [...verdict.items, ...verdict.defects].map(({ path }) => path);
  const texts = await textsOf(team, `${key}/texts`, joined.commit, places);
  const looked = lookUpQuotations(verdict, (path) => texts.get(path));
  const asked = again?.requirements ?? context.requirements.map(({ id }) => id);
  const probe =
    verdict.probe === null || again !== undefined
      ? undefined
      : await runProbe(state, key, joined, workstream, verdict.probe);
  return fact('verdict.given', {
    ...{ workstream: workstream.id, round, commit: joined.commit, seat },
    ...(again === undefined ? {} : { again: true as const }),
    ...(looked.verdict === undefined ? {} : { verdict: looked.verdict }),
    // Nobody asked for another one.
    items: looked.items.filter(({ requirement }) => asked.includes(requirement)),
    defects: [...looked.defects],
    cause: looked.cause,
    ...(probe === undefined ? {} : { probe }),
  });
}

type Probe = NonNullable<Given['probe']>;

function globsOf({ ground }: WorkState): readonly string[] {
  return [...new Set([...ground.plan.tests, ...ground.survey.tests])];
}

/** A new test on a fresh tree with the commit in it. One that no runner notices has shown nothing. */
async function runProbe(
  state: WorkState,
  key: string,
  { tree, ran }: Joined,
  { id: workstream }: Workstream,
  { path, text, shows }: NonNullable<Verdict['probe']>,
): Promise<Probe> {
  const { team, ground } = state;
  const none: Probe = { path, text, shows, state: 'not-run' };
  if (!isPlainPath(path) || !fits(path, globsOf(state))) return none;
  const there = await textsOf(team, `${key}/probe-there`, tree, [path]);
  if (there.has(path)) return none;
  const probed = await team.look(`${key}/probe-tree`, { tree, path, text }, (signal) =>
    team.workshop.put(tree, path, text, signal),
  );
  const runners = testRunners(ground.base);
  let found: Probe['state'] = 'not-run';
  for (const check of checksOf(ground.plan).filter((one) => runners.has(one.id))) {
    const before = ran.get(check.id);
    if (before?.exit !== 0) continue;
    const run = await runCheck(team, `${key}/probe-${check.id}`, ground.provision, check, {
      ...{ kind: 'probe', tree: probed, workstream },
    });
    if (run.exit === null) continue;
    if (run.exit !== 0) return { ...none, state: 'failed' };
    if (isNoticed(before, run)) found = 'passed';
  }
  return { ...none, state: found };
}

function isNoticed(before: CheckRun, after: CheckRun): boolean {
  if (before.counts === undefined || after.counts === undefined) return true;
  return after.counts.passed > before.counts.passed;
}

function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !path.includes('\0') &&
    parts.every((one) => !['', '.', '..', '.git'].includes(one))
  );
}

function probesIn(verdicts: readonly Given[]): readonly Probe[] {
  return verdicts.flatMap(({ probe }) => (probe?.state === 'failed' ? [probe] : []));
}

/** Whose work it is. What names no task is that of whoever should have met the requirement, or came last. */
function failedIn(
  { team }: WorkState,
  { id: workstream }: Workstream,
  joint: Pick<FactOf<'verdict.joined'>, 'requirements' | 'failing' | 'cause'>,
  probes: readonly Probe[],
  /** Nobody's work is to blame for these. */
  unshown: readonly string[] = [],
): readonly Failed[] {
  const own = team.graph.tasks.filter(
    ({ id, workstream: of }) => of === workstream && team.task(id).state === 'done',
  );
  const last = own.at(-1)?.id;
  const why = new Map<string, string[]>();
  const blame = (task: string | undefined, words: string): void => {
    if (task !== undefined) why.set(task, [...(why.get(task) ?? []), words]);
  };
  for (const { task, why: words } of joint.failing)
    blame(own.some(({ id }) => id === task) ? task : (coverOf(own, words, joint) ?? last), words);
  for (const { id, state, evidence } of joint.requirements)
    if ((state === 'unproved' || state === 'disputed') && !unshown.includes(id))
      blame(
        own.findLast(({ covers }) => covers.includes(id))?.id ?? last,
        `${id} is ${state}: nobody could show that it is met${evidence.length === 0 ? '' : ` (${evidence.join('; ')})`}`,
      );
  for (const { path, text, shows } of probes)
    for (const words of why.values())
      words.push(`This test fails (${path}, ${shows}):\n${endOf(text)}`);
  const cause = joint.cause === 'none' ? 'work' : joint.cause;
  return [...why]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([task, words]) => ({
      task,
      failure: { kind: 'bad-output', cause, why: words.join('\n') },
    }));
}

function coverOf(
  own: readonly { readonly id: string; readonly covers: readonly string[] }[],
  words: string,
  { requirements }: Pick<FactOf<'verdict.joined'>, 'requirements'>,
): string | undefined {
  const of = requirements.find(({ id }) => words.startsWith(`${id} `));
  return of && own.findLast(({ covers }) => covers.includes(of.id))?.id;
}
