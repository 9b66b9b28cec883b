/** Asks one verifier about a merged commit, looks up its quotations, and runs its test. */
import type * as z from 'zod';
import { withoutUndefined } from '../../../../text/without-undefined.ts';
import { fact } from '../../facts.ts';
import type { Workstream } from '../../forms/plan.ts';
import {
  mendedSchema,
  provenVerdictSchema,
  type Verdict,
  verdictSchema,
  type Probe as Written,
} from '../../forms/work.ts';
import {
  type GivenVerdict,
  lookAgainMessages,
  lookFurtherMessages,
  mendMessages,
  type RepeatedQuestion,
  type VerifyContext,
  verifyMessages,
} from '../../prompts/verify.ts';
import { lookUpQuotations } from '../../rules/verdicts.ts';
import { castOf } from '../../team-run.ts';
import { readTexts } from '../design.ts';
import { askLooking } from '../place.ts';
import type { JoinedCommit, WorkState } from '../state.ts';
import { globsOf, type Probe, proveProbe, runProbe } from './probe.ts';

/** The ids of the two verifiers' seats. */
export const VERIFIERS = ['t5-1', 't5-2'] as const;
type Verifier = (typeof VERIFIERS)[number];

/** A question to one verifier: what it has to judge and, for a repeated question, the reason. */
export interface VerifierQuestion {
  readonly round: number;
  readonly joined: JoinedCommit;
  readonly workstream: Workstream;
  readonly seat: Verifier;
  readonly context: VerifyContext;
  /** Why the verifier is asked another time. Absent for its first verdict. */
  readonly again?: RepeatedQuestion | undefined;
  /** Whether the workstream is verified alone, while tasks of others may still be running. */
  readonly isAlone?: boolean | undefined;
}

/** A verifier's answer; its fields depend on the version of the rules. */
type Handed = Omit<Verdict, 'probe'> & {
  readonly probe: (Omit<Written, 'requirement'> & { readonly requirement?: string }) | null;
  readonly drops?: GivenVerdict['drops'];
};

/**
 * Asks one verifier for its verdict on a workstream, and records it. If the verifier gives no valid
 * answer, the reason is recorded as `why`.
 */
export async function askVerifier(
  state: WorkState,
  key: string,
  looking: VerifierQuestion,
): Promise<GivenVerdict> {
  const { team, ground } = state;
  const { round, joined, workstream, seat, context, again } = looking;
  const { edition } = team;
  const schema: z.ZodType<Handed> = edition < 3 ? verdictSchema : provenVerdictSchema;
  const asked = await askLooking<Handed>(team, key, joined.tree, {
    task: again === undefined ? 'team/verify' : 'team/look-again',
    seat,
    schema,
    cast: castOf(ground.plan, 'T5', { workstream: workstream.id }),
    about: {
      items: again?.requirements ?? context.requirements.map(({ id }) => id),
      round,
    },
    messages: messagesOf(state, looking),
  });
  const of = { workstream: workstream.id, round, commit: joined.commit, seat };
  const given =
    'why' in asked
      ? fact('verdict.given', {
          ...of,
          items: [],
          defects: [],
          cause: 'none',
          why: asked.why,
          ...(again === undefined ? {} : { again: true as const }),
        })
      : await readVerdict(state, key, looking, asked.value);
  await team.record(`${key}/given`, { given }, [given]);
  return given;
}

function messagesOf(state: WorkState, { context, again }: VerifierQuestion) {
  const { version } = state.team.config;
  const globs = globsOf(state);
  if (again === undefined) return verifyMessages(context, globs, version);
  return state.team.edition >= 3
    ? lookFurtherMessages(context, again, globs)
    : lookAgainMessages(context, again.requirements, again, version);
}

async function readVerdict(
  state: WorkState,
  key: string,
  looking: VerifierQuestion,
  verdict: Handed,
): Promise<GivenVerdict> {
  const { team } = state;
  const { round, joined, workstream, seat, again, context } = looking;
  const places = [...verdict.items, ...verdict.defects].map(({ path }) => path);
  const texts = await readTexts(team, `${key}/texts`, joined.commit, places);
  const looked = lookUpQuotations(verdict, (path) => texts.get(path));
  const asked = again?.requirements ?? context.requirements.map(({ id }) => id);
  const probe = await tryProbe(state, key, looking, verdict.probe);
  return fact('verdict.given', {
    workstream: workstream.id,
    round,
    commit: joined.commit,
    seat,
    ...(again === undefined ? {} : { again: true as const }),
    ...withoutUndefined({ verdict: looked.verdict }),
    // Drop the verifier's statements about requirements that it was not asked about.
    items: looked.items.filter(({ requirement }) => asked.includes(requirement)),
    defects: [...looked.defects],
    cause: looked.cause,
    ...withoutUndefined({ probe }),
    // A verifier's first question does not say which locked tests are red. So do not record which of them the
    // verifier's first answer calls wrong.
    ...(again === undefined || verdict.drops === undefined ? {} : { drops: [...verdict.drops] }),
  });
}

async function tryProbe(
  state: WorkState,
  key: string,
  looking: VerifierQuestion,
  probe: Handed['probe'],
): Promise<Probe | undefined> {
  const { joined, workstream, again } = looking;
  if (probe === null || again?.isLast === true) return undefined;
  if (state.team.edition < 3)
    return again === undefined ? runProbe(state, key, joined, workstream, probe) : undefined;
  const first = await tryWritten(state, key, looking, probe);
  if (first.state !== 'not-run') return first;
  const mended = await mendProbe(state, key, looking, first);
  return mended === null ? first : tryWritten(state, `${key}/mended`, looking, mended);
}

/**
 * Runs a verifier's test if it names one of the requirements in question; otherwise the test counts as not
 * run.
 */
function tryWritten(
  state: WorkState,
  key: string,
  { joined, workstream, context, again }: VerifierQuestion,
  { requirement = '', ...probe }: NonNullable<Handed['probe']>,
): Promise<Probe> {
  const ids = again?.requirements ?? context.requirements.map(({ id }) => id);
  if (!ids.includes(requirement))
    return Promise.resolve({
      ...probe,
      requirement,
      state: 'not-run',
      why: `it names no requirement in question, which are ${ids.join(', ')}`,
    });
  return proveProbe(state, key, joined, workstream, { requirement, ...probe });
}

/**
 * Asks a verifier once to fix or withdraw a test that did not run. Null if the verifier withdraws it or
 * does not answer.
 */
async function mendProbe(
  { team, ...state }: WorkState,
  key: string,
  { seat, workstream, context, round, again }: VerifierQuestion,
  probe: Probe,
): Promise<NonNullable<Handed['probe']> | null> {
  const ids = again?.requirements ?? context.requirements.map(({ id }) => id);
  const asked = await team.ask(`${key}/mend`, {
    task: 'team/mend-probe',
    seat,
    schema: mendedSchema,
    cast: castOf(state.ground.plan, 'T5', { workstream: workstream.id }),
    about: { items: ids, round },
    messages: mendMessages(
      { ...context, requirements: context.requirements.filter(({ id }) => ids.includes(id)) },
      probe,
      globsOf({ team, ...state }),
    ),
  });
  return 'why' in asked ? null : asked.value.probe;
}
