/**
 * T5: verifiers read the joined commit and nothing that those who worked say of it. What they quote is
 * looked up, their probe is run, and only what they differ about is looked at again; code joins.
 */
import { readAnswer } from '../../../kernel/handle.ts';
import { line } from '../../../text/line.ts';
import { type FactOf, fact } from '../facts.ts';
import type { TeamPlan, Workstream } from '../forms/plan.ts';
import { type Verdict, verdictSchema } from '../forms/work.ts';
import {
  type Given,
  lookAgainMessages,
  tellSaid,
  type VerifyContext,
  verifyMessages,
} from '../prompts/verify.ts';
import { orderOf } from '../rules/plan.ts';
import { disputedIn, joinVerdicts, lookUpQuotations, unshownIn } from '../rules/verdicts.ts';
import { castOf } from '../team-run.ts';
import { endOf } from './checks.ts';
import { textsOf } from './design.ts';
import type { Joined, SentDown } from './join.ts';
import { askLooking } from './place.ts';
import { failedProbes, globsOf, type Probe, runProbe } from './probe.ts';
import { findShown, gatherContext } from './proof.ts';
import type { WorkState } from './state.ts';

const VERIFIERS = ['t5-1', 't5-2'] as const;

type Failed = SentDown['failed'][number];

/** @returns what goes back, nothing where all of it passes; or why there is no verdict. */
export async function verify(
  state: WorkState,
  round: number,
  joined: Joined,
): Promise<readonly Failed[] | { readonly why: string }> {
  const { plan } = state.ground;
  const done = plan.workstreams.filter(({ id }) =>
    state.team.view.tasks.some(({ task, state: how }) => task.workstream === id && how === 'done'),
  );
  const order = orderOf(plan.workstreams).order.filter((id) => done.some((one) => one.id === id));
  const failed = await Promise.all(
    done.map((one) => verifyOne(state, round, joined, one, ownOf(plan, order, one))),
  );
  for (const one of failed) if ('why' in one) return one;
  return failed.flatMap((one) => ('why' in one ? [] : one));
}

/** Each requirement is verified once: where the last workstream is that covers it and has work done. */
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
  const context = await gatherContext(state, key, joined, workstream, requirements);
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
    shown: findShown(state, workstream),
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
  const failed = failedIn(state, workstream, joint, failedProbes(verdicts), unshown);
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
