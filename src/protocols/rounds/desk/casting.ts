/**
 * The screen for casting before a deliberation: whether it is shown, what it offers, and its
 * result.
 */

import type { Invocation } from '../../../app/invocation.ts';
import { drainMessages, hasConsole } from '../../../app/run/display.ts';
import { readConfig } from '../../../app/settings/config.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { CAST_KIND } from '../../../io/preset-kinds.ts';
import { listPresets } from '../../../io/presets.ts';
import type { RunEstimate } from '../../../kernel/estimate.ts';
import type { ModelSpec } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { type Cast, ROLE_INFO } from '../cast.ts';
import { findFittingCast, NEUTRAL } from '../fitting-cast.ts';
import { ROLES, type Role } from '../records/types.ts';
import { BUDGETS, getDefaultStress, MINIMUM_ROUNDS } from '../schedule.ts';
import type { Answers } from '../view/casting/walk.ts';

/** The most rounds that a person can ask for. */
export const MOST_ROUNDS = 100;

/**
 * What a person decides before a deliberation in rounds: the question, for whom each role speaks,
 * the number of rounds, and which role is left out of which round.
 */
export interface Casting {
  readonly question: string;
  /** The kind of person for whom each role speaks. */
  readonly cast: Cast;
  /** The number of planned rounds. */
  readonly rounds: number;
  /** The role that is left out of a round on purpose, by the number of the round. */
  readonly stress: Readonly<Record<number, Role>>;
}

/**
 * Returns whether the command lets the person choose the cast (for whom each role speaks) on a
 * screen. It does so in the console, unless `--cast` or `--preset` names a cast or `--yes` is given.
 */
export function asksForCasting(call: Invocation): boolean {
  const { cast, preset, yes } = call.flags;
  return hasConsole(call) && cast.length === 0 && preset === undefined && !yes;
}

/**
 * Reads the question that the command is given, in words, from a file or from its input. Returns undefined if the
 * screen on which the person chooses the cast will ask for it.
 */
export async function readCastingQuestion(call: Invocation): Promise<string | undefined> {
  const given =
    call.words.length > 0 || call.flags.file !== undefined || call.flags.ask !== undefined;
  return given || !asksForCasting(call) ? readQuestion(call) : undefined;
}

/**
 * Chooses the preset cast (for whom each role speaks) that fits the question best, and returns its slug: the slug of
 * the neutral cast if no other fits. Unless `--quiet` is given, prints which cast was chosen and why.
 */
export function proposeCast(call: Invocation, question: string): string {
  const casts = listPresets(CAST_KIND, call.env).presets.map(({ slug, value }) => ({
    slug,
    ...value,
  }));
  const { at, shared } = findFittingCast(casts, question, NEUTRAL);
  const slug = casts[at]?.slug ?? NEUTRAL;
  const why =
    shared.length > 0
      ? `it matches ${shared.slice(0, MOST_TOLD).map(quoteWord).join(', ')} in the question`
      : 'no other matches the question';
  if (!call.flags.quiet)
    call.err.write(`Using the cast ${slug}: ${why}. Choose another with --preset.\n`);
  return slug;
}

/** The most words shared by a cast and the question that the message names. */
const MOST_TOLD = 3;

function quoteWord(word: string): string {
  return `"${toLine(word)}"`;
}

/** What is known before the screen for casting opens. */
interface Settled {
  /** The question from the command line. Undefined if the screen asks for it. */
  readonly question: string | undefined;
  /** The rounds, if flags or the configuration give them. Undefined if the screen asks for them. */
  readonly plan: Pick<Casting, 'rounds' | 'stress'> | undefined;
  readonly models: Readonly<Record<Role, ModelSpec>>;
  readonly verifier: ModelSpec;
  readonly estimate: (casting: Casting) => RunEstimate;
}

/**
 * Opens the screen on which a person chooses question, cast and rounds. Resolves to undefined if
 * the person leaves the screen.
 * @param settled what the command line has settled already
 */
export async function askForCasting(
  call: Invocation,
  settled: Settled,
): Promise<Casting | undefined> {
  const { question, plan, models, verifier, estimate } = settled;
  const { openCasting } = await import('../view/casting/open.ts');
  const { presets, problems } = listPresets(CAST_KIND, call.env);
  await drainMessages(call);
  const answers = await openCasting({
    offer: {
      casts: presets.map(({ slug, value }) => ({ slug, ...value })),
      problems,
      roles: ROLES.map((id) => ({
        id,
        title: ROLE_INFO[id].title,
        question: ROLE_INFO[id].question,
        does: ROLE_INFO[id].does,
        model: models[id],
      })),
      neutral: NEUTRAL,
      verifier,
      estimate: (answers) => estimate(castingOf(answers)),
      ...withoutUndefined({ question, plan }),
      budgets: Object.entries(BUDGETS).map(([name, rounds]) => ({ name, rounds })),
      minimum: MINIMUM_ROUNDS,
      most: MOST_ROUNDS,
      stressFor: getDefaultStress,
    },
    keys: readConfig(call).keys,
    screen: call.out,
    stdin: call.stdin,
    env: call.env,
  });
  return answers === undefined ? undefined : castingOf(answers);
}

function castingOf({ system, question, who: cast, rounds, stress }: Answers): Casting {
  return {
    question: system === '' ? question : `${question}\n\nWhat it is about: ${system}`,
    cast,
    rounds,
    stress,
  };
}
