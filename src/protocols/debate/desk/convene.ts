/** `deliberate debate`: runs a debate by a method, or by the one that suits the question. */
import { randomInt } from 'node:crypto';
import type { Invocation } from '../../../app/invocation.ts';
import { beginInTerminal } from '../../../app/run/run-in-terminal.ts';
import { attachedLines, readAttachments } from '../../../app/settings/attachments.ts';
import { readConfig } from '../../../app/settings/config.ts';
import { modelsFor } from '../../../app/settings/discovery.ts';
import { printRunEstimate } from '../../../app/settings/estimate.ts';
import { completePlaces } from '../../../app/settings/model-names.ts';
import { giveEffort } from '../../../app/settings/panel.ts';
import { openModels } from '../../../app/settings/providers.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { openRunTools } from '../../../app/settings/run-tools.ts';
import { checkWindows } from '../../../app/settings/windows.ts';
import { planPredictions } from '../../../decisions/estimate.ts';
import { METHOD_KIND, type MethodPreset } from '../../../io/preset-kinds.ts';
import { hasPreset, loadPreset } from '../../../io/presets.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { ANSWER_TOKENS, type PlannedCalls, type Span } from '../../../kernel/estimate.ts';
import { estimateTokens } from '../../../kernel/tokens.ts';
import { readSettings, seatsOf } from '../../../sdk/config.ts';
import type { AnyDefinition } from '../../../sdk/define.ts';
import { type OpenPlace, placesOf, seatModels } from '../../../sdk/desk/places.ts';
import { countAttachedPart, makeAttachedSetting } from '../../common/prompts/attached.ts';
import { loadMethod, METHODS } from '../catalog.ts';
import { AUTO, type DebateConfig } from '../config.ts';
import { estimateMethod, TASK } from '../estimate.ts';
import { checkMethodPreset } from './values.ts';

/** Stands for the method of a debate until one is chosen. It has only the roles that every method has. */
const ANY_METHOD: AnyDefinition = {
  name: AUTO,
  seats: {
    seat: { brief: 'You are on a panel that debates a question.', many: { least: 2, usual: 5 } },
    judge: 'You are not on the panel. You judge what others said, by what stands there alone.',
  },
  run: () => Promise.reject(new Error('auto is not a method')),
};

/** Runs the command `deliberate debate`. Resolves to the exit code. */
export async function debate(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const { flags } = call;
  const name = flags.method ?? AUTO;
  const values = valuesOf(call, name);
  const method = values?.method ?? name;
  const definition = method === AUTO ? ANY_METHOD : await loadMethod(method);
  if (method === AUTO && flags.set.length > 0)
    throw new UsageError('--set requires --method', `Name it: --method ${[...METHODS.keys()][0]}`);
  if (values !== undefined) checkMethodPreset(definition, values);
  const settings = readSettings(definition, flags.set, values?.settings);
  const open = placesOf(call, definition, config.model, values?.seats as OpenPlace[] | undefined);
  const attachments = await readAttachments(call);
  const question = await readQuestion(call);
  const models = openModels(call, config);
  const places = await completePlaces(call, open, models);
  const found = await modelsFor(call, places, models);
  const seats = giveEffort(seatsOf(definition, seatModels(places, found)), config.effort);
  const toolsOfRun = await openRunTools(call, models);
  const debateConfig: DebateConfig = {
    method,
    ...(values === undefined || name === method ? {} : { values: name }),
    settings,
    ...(values?.texts === undefined ? {} : { texts: values.texts }),
    seed: flags.seed ?? randomInt(2 ** 31),
    ...(config.predict ? { predict: config.predict } : {}),
    ...toolsOfRun.settings,
    ...(toolsOfRun.looks ? { looks: true as const } : {}),
    ...makeAttachedSetting(attachments),
  };
  if (!flags.quiet) call.err.write(attachedLines(attachments, estimateTokens(question) + TASK.low));
  const planned =
    method === AUTO
      ? []
      : [
          ...estimateMethod(
            definition,
            settings,
            seats,
            question,
            toolsOfRun.looks,
            countAttachedPart(debateConfig),
          ),
          ...planPredictions(
            config.predict ?? 0,
            (seats.find(({ role }) => role === 'judge') ?? seats[0])?.model ?? '',
            seats.filter(({ role }) => role !== 'judge'),
            ANSWER_TOKENS,
          ),
        ];
  if (method === AUTO && flags.estimate)
    throw new UsageError(
      'the cost depends on the method',
      'Name one: --method delphi. The run shows the price of each method before it continues.',
    );
  if (await printRunEstimate(call, planned, models)) return 0;
  await checkWindows(call, 'a debate', planned, models);
  return beginInTerminal({ call, config, models, toolsOfRun, planned }, 'debate', {
    question,
    seats,
    config: { ...debateConfig, ...plannedCalls(planned) },
  });
}

/** Returns the setting for the estimated calls; empty if the method is still to be chosen. */
function plannedCalls(planned: readonly PlannedCalls[]): Pick<DebateConfig, 'plannedCalls'> {
  if (planned.length === 0) return {};
  const sumCalls = (end: keyof Span): number =>
    planned.reduce((all, { calls }) => all + calls[end], 0);
  return { plannedCalls: { low: sumCalls('low'), high: sumCalls('high') } };
}

/** Finds values by name: in the person's or the project's files, or among those that come with the method. */
function valuesOf(call: Invocation, name: string): MethodPreset | undefined {
  if (name === AUTO) return undefined;
  if (hasPreset(METHOD_KIND, name, call.env)) return loadPreset(METHOD_KIND, name, call);
  if (METHODS.has(name)) return undefined;
  throw new UsageError(
    `there is no method "${name}"`,
    `The methods are ${[...METHODS.keys()].join(', ')}, and auto. Your own values go into a file: deliberate presets copy methods/delphi`,
  );
}
