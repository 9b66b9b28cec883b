/**
 * Verifies joined work (T5): verifiers read the commit without the words of the seats that did the work.
 * Code looks up their quotations, runs their tests, and joins their verdicts.
 */
import { type FactOf, fact } from '../../facts.ts';
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import type { GivenVerdict } from '../../prompts/verify.ts';
import { orderById } from '../../rules/order.ts';
import {
  findShownMet,
  findUnshown,
  isChecked,
  type JointInput,
  joinVerdicts,
} from '../../rules/verdicts.ts';
import { workstreamOf } from '../../team-run.ts';
import { endOf } from '../checks.ts';
import { findOwnerTask } from '../locked.ts';
import type { JoinedCommit, SentDown, WorkState } from '../state.ts';
import { keepVerified } from './keep.ts';
import { type AllVerdicts, askAllVerifiers } from './looks.ts';
import { failedProbes } from './probe.ts';
import { findShown, findUntested, gatherContext, listUntestable } from './proof.ts';
import { groupCheckEnds, type Subject } from './subject.ts';
import { askUnshown, askUntested } from './unshown.ts';

type Failed = SentDown['failed'][number];

/**
 * Verifies all workstreams that have finished tasks.
 * @returns the tasks that have to be worked on again, empty if all requirements are met; or `why` the run
 * ends here: no verifier answered, or the person stops the run
 */
export async function verifyWorkstreams(
  state: WorkState,
  round: number,
  joined: JoinedCommit,
): Promise<Verified> {
  const { plan } = state.ground;
  const done = plan.workstreams.filter(({ id }) =>
    state.team.view.tasks.some(({ task, state: how }) => task.workstream === id && how === 'done'),
  );
  const order = orderById(plan.workstreams).order.filter((id) =>
    done.some((workstream) => workstream.id === id),
  );
  const isByItself = (id: string): boolean =>
    state.team.view.joint.some(({ workstream, alone }) => workstream === id && alone === true);
  const failed = await Promise.all(
    done.map((workstream) => {
      const key = `verify/round-${round}/${workstream.id}${isByItself(workstream.id) ? '/whole' : ''}`;
      const requirements = ownOf(state, order, workstream);
      return verifyOne(state, { key, round, joined, workstream, requirements });
    }),
  );
  for (const result of failed) if ('why' in result) return result;
  return failed.flatMap((result) => ('why' in result ? [] : result));
}

/**
 * Verifies the given requirements (`alone.requirements`) of one workstream alone, before others build on it.
 * @returns the tasks that have to be worked on again, empty if all requirements are met; or `why` the run
 * ends here
 * @throws Error if the plan has no workstream with this id
 */
export function verifyWorkstream(
  state: WorkState,
  round: number,
  joined: JoinedCommit,
  id: string,
  alone: Pick<Subject, 'requirements'> & { readonly within: ReadonlySet<string> },
): Promise<Verified> {
  const workstream = workstreamOf(state.ground.plan, id);
  if (workstream === undefined) throw new Error(`no workstream ${id}`);
  return verifyOne(state, {
    key: `verify/round-${round}/${id}`,
    round,
    joined,
    workstream,
    ...alone,
  });
}

/**
 * Returns the requirements to verify with a workstream, so that each is verified once: with the last
 * workstream that covers it and has work done. From version 3 of the rules on, a requirement whose tasks
 * were all dropped is left out and stays unmet.
 */
function ownOf(
  { team, ground: { plan } }: WorkState,
  order: readonly string[],
  { id }: Workstream,
): TeamPlan['requirements'] {
  return plan.requirements.filter(
    (requirement) =>
      !isDropped(team, requirement.id) &&
      order.findLast((each) =>
        plan.workstreams.some(
          (other) => other.id === each && other.covers.includes(requirement.id),
        ),
      ) === id,
  );
}

function isDropped({ edition, view }: WorkState['team'], requirement: string): boolean {
  const own = view.tasks.filter(({ task }) => task.covers.includes(requirement));
  return edition >= 3 && own.length > 0 && own.every(({ state }) => state === 'dropped');
}

type Verified = readonly Failed[] | { readonly why: string };

/**
 * Verifies a subject. From version 3 of the rules on, requirements that a correction cannot have affected
 * are kept as met.
 */
async function verifyOne(state: WorkState, subject: Subject): Promise<Verified> {
  const { team } = state;
  const { requirements, round } = subject;
  if (team.edition >= 4 || (team.edition === 3 && round > 1)) {
    const kept = await keepVerified(state, subject);
    if (kept?.length === requirements.length) return [];
    if (kept !== undefined) {
      const left = requirements.filter(({ id }) => !kept.includes(id));
      return verifyThese(state, { ...subject, requirements: left });
    }
  }
  return verifyThese(state, subject);
}

/**
 * Verifies the requirements of a subject. `time` counts, from 1, how often the person has had it verified.
 */
async function verifyThese(state: WorkState, subject: Subject, time = 1): Promise<Verified> {
  const { team } = state;
  const { round, joined, workstream, requirements, within } = subject;
  const key = `${subject.key}${time === 1 ? '' : `/time-${time}`}`;
  const isAlone = within !== undefined;
  const context = await gatherContext(state, key, joined, workstream, requirements, within);
  const looked = await askAllVerifiers(state, key, { round, joined, workstream, context, isAlone });
  if ('why' in looked) return looked;
  const { verdicts, locked } = looked;
  const checks = team.edition < 3 ? undefined : groupCheckEnds(state, joined);
  const recordJointVerdict = async (name: string, taken: readonly string[]) => {
    const joint = joinVerdicts({
      requirements,
      verdicts,
      shown: findShown(state, workstream, locked?.red),
      locked,
      taken,
      untestable: listUntestable(team, workstream),
      checks,
      edition: team.edition,
    });
    await team.record(`${key}/${name}`, { verdicts, requirements, ...inputsOf(locked, taken) }, [
      fact('verdict.joined', {
        workstream: workstream.id,
        round,
        commit: joined.commit,
        cause: joint.cause,
        verdict: joint.verdict,
        requirements: joint.requirements.map((requirement) => ({
          ...requirement,
          evidence: [...requirement.evidence],
        })),
        failing: joint.failing.map((failure) => ({ ...failure })),
        ...(isAlone ? { alone: true as const } : {}),
      }),
    ]);
    return joint;
  };
  const joint = await recordJointVerdict('joint', []);
  if (joint.verdict === 'pass') return [];
  // Under version 1 of the rules, a requirement that no verifier could judge also sends its task back to work,
  // although work cannot change that.
  const unshown = team.edition === 1 ? [] : findUnshown(verdicts, requirements, team.edition);
  const untested = untestedIn(state, workstream, joint, verdicts, requirements, checks);
  const failed = failedIn(state, workstream, joint, redOf(verdicts, locked), [
    ...unshown,
    ...untested,
  ]);
  if (failed.length > 0) return failed;
  const of = { state, key, workstream, requirements, verdicts };
  if (unshown.length > 0) {
    const answer = await askUnshown({ ...of, ids: unshown });
    if (answer === 'again') return verifyThese(state, subject, time + 1);
    return 'why' in answer ? answer : sendBackUnshown(state, workstream, unshown, answer.said);
  }
  if (untested.length === 0) return failed;
  const answer = await askUntested({ ...of, ids: untested, checks });
  if (answer === 'again') return verifyThese(state, subject, time + 1);
  if (answer === 'taken') {
    const { verdict } = await recordJointVerdict('joint-taken', untested);
    return verdict === 'pass' ? [] : { why: `${untested.join(', ')} is not shown to be met` };
  }
  return 'why' in answer ? answer : sendBackUnshown(state, workstream, untested, answer.said);
}

/** Returns what newer rules add to the step's inputs; nothing for runs from before version 3. */
function inputsOf(locked: AllVerdicts['locked'], taken: readonly string[]) {
  return locked === undefined ? {} : { locked, taken };
}

/**
 * Returns the requirements that verifiers show to be met, but that lack the required proof: a green check,
 * or a test by somebody other than the seat that did the work. The work is not to blame for that.
 */
function untestedIn(
  state: WorkState,
  workstream: Workstream,
  { requirements: states }: Pick<FactOf<'verdict.joined'>, 'requirements'>,
  verdicts: readonly GivenVerdict[],
  requirements: TeamPlan['requirements'],
  checks: JointInput['checks'],
): readonly string[] {
  if (state.team.edition < 3) return [];
  const untested = [
    ...findUntested(state, workstream, requirements),
    ...(isChecked(checks)
      ? []
      : requirements.flatMap(({ id, proof }) => (proof === 'check' ? [id] : []))),
  ];
  return findShownMet(verdicts, requirements, state.team.edition).filter(
    (id) =>
      untested.includes(id) &&
      states.some((requirement) => requirement.id === id && requirement.state === 'unproved'),
  );
}

function sendBackUnshown(
  state: WorkState,
  workstream: Workstream,
  ids: readonly string[],
  said: string,
): readonly Failed[] {
  const failing = ids.map((id) => ({ task: '', why: `${id} is not met: ${said}` }));
  const joint = {
    requirements: ids.map((id) => ({ id, state: 'unmet' as const, evidence: [] })),
  };
  return failedIn(state, workstream, { ...joint, failing, cause: 'work' }, []);
}

/** A failing test, with the text that tells a seat to make the test pass. */
interface Red {
  readonly path: string;
  readonly shows: string;
  readonly told: string;
  /** The requirement that the test is locked for; undefined for a test that is not locked. */
  readonly requirement?: string | undefined;
}

function redOf(verdicts: readonly GivenVerdict[], locked: AllVerdicts['locked']): readonly Red[] {
  if (locked === undefined)
    return failedProbes(verdicts).map(({ path, shows, text }) => ({
      path,
      shows,
      told: `This test fails (${path}, ${shows}):\n${endOf(text)}`,
    }));
  return locked.red.map(({ path, shows, text, output, requirement, by }) => ({
    path,
    shows,
    requirement,
    told: `This test of ${by}, which is locked and in the tree from now on, fails (${path}, ${shows}):\n${endOf(text)}\nIt printed:\n${endOf(output)}`,
  }));
}

/**
 * Returns the tasks to blame. A failure that names no task is blamed on the last task that covers its
 * requirement, or on the last task of all.
 */
function failedIn(
  { team }: WorkState,
  { id: workstream }: Workstream,
  joint: Pick<FactOf<'verdict.joined'>, 'requirements' | 'failing' | 'cause'>,
  reds: readonly Red[],
  /** Requirements for which no task is to blame. */
  unshown: readonly string[] = [],
): readonly Failed[] {
  const own = team.graph.tasks.filter(
    ({ id, workstream: of }) => of === workstream && team.task(id).state === 'done',
  );
  const last = own.at(-1)?.id;
  const why = new Map<string, string[]>();
  const blameTask = (task: string | undefined, words: string): void => {
    if (task !== undefined) why.set(task, [...(why.get(task) ?? []), words]);
  };
  for (const { task, why: words } of joint.failing)
    blameTask(
      own.some(({ id }) => id === task) ? task : (coverOf(own, words, joint) ?? last),
      words,
    );
  for (const { id, state, evidence } of joint.requirements)
    if ((state === 'unproved' || state === 'disputed') && !unshown.includes(id))
      blameTask(
        own.findLast(({ covers }) => covers.includes(id))?.id ?? last,
        `${id} is ${state}: nobody could show that it is met${evidence.length === 0 ? '' : ` (${evidence.join('; ')})`}`,
      );
  for (const { requirement, told } of reds)
    for (const [task, words] of why) {
      // A locked test is only in the tree of the task that has to make it pass (its owner), so only the owner is told
      // of it. All tasks to blame are told of a test without an owner.
      const owner = requirement && findOwnerTask(team, { workstream, requirement });
      if (owner === undefined || owner === task) words.push(told);
    }
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
