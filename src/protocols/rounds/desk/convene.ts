/** `deliberate rounds`: casts the four roles, plans the rounds and runs them. */
import { randomInt } from 'node:crypto';
import type { Flags } from '../../../app/flags.ts';
import type { Invocation } from '../../../app/invocation.ts';
import { hasConsole } from '../../../app/run/display.ts';
import { refuseMissingKeys } from '../../../app/run/keys.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { type Config, readConfig } from '../../../app/settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../../../app/settings/discovery.ts';
import { printRunEstimate } from '../../../app/settings/estimate.ts';
import { parseSeatRequest } from '../../../app/settings/panel.ts';
import { getPredictionCount } from '../../../app/settings/predictions.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { openRunTools } from '../../../app/settings/run-tools.ts';
import { checkWindows } from '../../../app/settings/windows.ts';
import { CAST_KIND } from '../../../io/preset-kinds.ts';
import { loadPreset } from '../../../io/presets.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { estimateRun, type PlannedCalls } from '../../../kernel/estimate.ts';
import { checkSpec } from '../../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../../models/gateway.ts';
import { formatCount } from '../../../text/numbers.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import { isPass } from '../../entrance/entrance.ts';
import { type Cast, makeRoundsSeats, ROLE_INFO } from '../cast.ts';
import { LATEST, type RecordedExam, type RoundsConfig } from '../config.ts';
import { estimateFirstRoundPrompt, planRounds } from '../estimate.ts';
import { ROLES, type Role } from '../records/types.ts';
import { BUDGETS, getDefaultDriftInterval, getDefaultStress, MINIMUM_ROUNDS } from '../schedule.ts';
import {
  askForCasting,
  asksForCasting,
  type Casting,
  MOST_ROUNDS,
  proposeCast,
  readCastingQuestion,
} from './casting.ts';

/** Runs the command `deliberate rounds`. Resolves to the exit code. */
export async function rounds(call: Invocation): Promise<number> {
  const { err, flags } = call;
  const config = readConfig(call);
  const named = flags.preset === undefined ? undefined : castNamed(flags.preset, call);
  const own = rolesCast(flags);
  const chosen = modelsOf(flags);
  const budget = parseRounds(config);
  const plan = { rounds: budget, stress: stressOf(flags, budget) };
  const attachments = await readAttachments(call);
  const asked = await readCastingQuestion(call);
  const gateway = openModels(call, config);
  const places = ROLES.map((role) => ({
    role,
    model: flags.rehearse ? REHEARSAL_MODEL : (chosen.get(role) ?? config.model),
  }));
  const found = await modelsFor(call, places, gateway);
  let turn = 0;
  const models = Object.fromEntries(
    places.map(({ role, model }) => [role, checkSpec(model ?? found[turn++ % found.length] ?? '')]),
  ) as Record<Role, string>;
  // One model verifies and writes the synthesis: the one that a flag names for the verifier or else the synthesizer,
  // then the one that the settings name likewise, then the fourth that was found, and last the Action's model.
  const verifier = flags.rehearse
    ? REHEARSAL_MODEL
    : checkSpec(
        flags.verifier ??
          flags.synthesizer ??
          config.verifier ??
          config.synthesizer ??
          found[3] ??
          models.action,
      );
  // Refuse missing API keys before the person is asked for the cast: a later error would lose what the person has
  // chosen.
  refuseMissingKeys(
    call,
    [
      ...ROLES.map((role) => ({ title: ROLE_INFO[role].title, model: models[role] })),
      { title: 'verifier', model: verifier },
    ],
    gateway,
  );
  const toolsOfRun = await openRunTools(call, gateway);
  const stopAt = config.stop_at ?? (hasConsole(call) && !flags.yes ? 'ask' : 4);
  const predict = getPredictionCount(config, [verifier, ...Object.values(models)]);
  const planOf = ({ question, cast, rounds: count, stress }: Casting): PlannedCalls[] =>
    planRounds({
      question,
      seats: makeRoundsSeats(cast, models),
      verifier,
      rounds: count,
      stress,
      mayEndEarly: stopAt !== 'never',
      attachments: attachments.map(({ text }) => text),
      looks: toolsOfRun.looks,
      predict,
    });
  const isPlanned = config.rounds !== undefined || flags.stress.length > 0;
  const casting = asksForCasting(call)
    ? await askForCasting(call, {
        question: asked,
        plan: isPlanned ? plan : undefined,
        models,
        verifier,
        estimate: (casting) =>
          estimateRun(planOf(casting), {
            price: (model, usage) => gateway.price(model, usage),
            ownPrompt: (model) => gateway.ownPrompt?.(model) ?? 0,
            window: () => undefined,
          }),
      })
    : {
        question: asked ?? '',
        cast: { ...(named ?? castNamed(proposeCast(call, asked ?? ''), call)), ...own },
        ...plan,
      };
  if (casting === undefined) {
    if (!flags.quiet) err.write('No run was started.\n');
    return 130;
  }
  const { question, cast, rounds: count, stress } = casting;
  if (count < MINIMUM_ROUNDS && !flags.quiet)
    err.write(
      `${formatCount(count, 'round')} ${count === 1 ? 'is' : 'are'} fewer than the ${MINIMUM_ROUNDS} the method asks for: signals will stay uninformative.\n`,
    );
  const exams = await knownExams([verifier, ...Object.values(models)], gateway);
  const roundsConfig: RoundsConfig = {
    verifier,
    rounds: count,
    stress: Object.fromEntries(Object.entries(stress)),
    driftEvery: flags.driftEvery ?? getDefaultDriftInterval(count),
    stopAt,
    respond: config.respond ?? 'report',
    ...(flags.control ? { control: true } : {}),
    ...(predict === 0 ? {} : { predict }),
    ...LATEST,
    ...withoutUndefined({ effort: config.effort }),
    seed: flags.seed ?? randomInt(2 ** 31),
    attachments,
    ...toolsOfRun.settings,
    ...(exams.length === 0 ? {} : { exams }),
  };
  if (!flags.quiet) err.write(attachedLines(attachments, estimateFirstRoundPrompt(question)));
  const seats = makeRoundsSeats(cast, models);
  const planned = planOf(casting);
  if (await printRunEstimate(call, planned, gateway)) return 0;
  await checkWindows(call, 'a deliberation in rounds', planned, gateway);
  return beginInTerminal({ call, config, models: gateway, toolsOfRun, planned }, 'rounds', {
    question,
    seats,
    config: roundsConfig,
  });
}

/**
 * Returns recent results of the models in the reading test. A model with a known result is not
 * tested again.
 */
async function knownExams(
  models: readonly string[],
  gateway: ModelGateway,
): Promise<RecordedExam[]> {
  const known = await Promise.all(
    [...new Set(models)].map(async (model): Promise<RecordedExam[]> => {
      const found = await gateway.reader(model);
      if (found === undefined) return [];
      const { at, items, errors, calledTrue } = found;
      return [
        {
          model,
          passed: isPass(found),
          items,
          errors,
          called_true: calledTrue,
          held_on: at.slice(0, 10),
        },
      ];
    }),
  );
  return known.flat();
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

function castNamed(slug: string, call: Invocation): Cast {
  return loadPreset(CAST_KIND, slug, call).cast;
}

/** Parses the flags `--cast ROLE=WHO`: for whom each of the named roles speaks. */
function rolesCast({ cast }: Flags): Partial<Cast> {
  return Object.fromEntries(
    cast.map((text): [Role, string] => {
      const [role = '', ...nameParts] = text.split('=');
      if (!isRole(role) || nameParts.join('=').trim() === '')
        throw new UsageError(
          `--cast ${text}: expected ROLE=WHO, such as guardian="SRE lead"`,
          `The roles are ${ROLES.join(', ')}.`,
        );
      return [role, nameParts.join('=').trim()];
    }),
  );
}

function modelsOf({ seat, rehearse }: Flags): Map<Role, string> {
  return new Map(
    (rehearse ? [] : seat).map((text): [Role, string] => {
      const { role, model = '' } = parseSeatRequest(text);
      if (!isRole(role))
        throw new UsageError(
          `--seat ${text}: there is no role "${role}"`,
          `The roles are ${ROLES.map((role) => `${role} (${ROLE_INFO[role].question})`).join(', ')}.`,
        );
      return [role, model];
    }),
  );
}

/**
 * Returns the number of rounds that the setting names: `brief`, `standard`, `audit` or a number. Without the
 * setting, returns the number of `standard`.
 * @throws UsageError if the setting is none of these
 */
export function parseRounds({ rounds: given = 'standard' }: Pick<Config, 'rounds'>): number {
  if (Object.hasOwn(BUDGETS, given)) return BUDGETS[given as keyof typeof BUDGETS];
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1 || count > MOST_ROUNDS)
    throw new UsageError(
      `--rounds ${given}: expected a number from 1 to ${MOST_ROUNDS}, or ${Object.keys(BUDGETS).join(', ')}`,
    );
  return count;
}

/**
 * Parses the flags `--stress R4=observer`: which role is left out of which round. Without such a flag, returns
 * the default for the number of rounds; with `none`, no role is left out of any round.
 */
function stressOf({ stress }: Flags, count: number): Record<number, Role> {
  if (stress.length === 0) return { ...getDefaultStress(count) };
  if (stress.length === 1 && stress[0] === 'none') return {};
  return Object.fromEntries(
    stress.map((text): [number, Role] => {
      const match = /^R?(\d+)=(\w+)$/i.exec(text.trim());
      const round = Number(match?.[1]);
      const role = match?.[2] ?? '';
      if (!isRole(role) || round < 1 || round > count)
        throw new UsageError(
          `--stress ${text}: expected ROUND=ROLE, such as R4=observer, within ${count} rounds`,
        );
      return [round, role];
    }),
  );
}
