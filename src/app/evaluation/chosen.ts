/** Reads from words, flags and settings what an evaluation compares: set, arms, models, limits and tools. */

import { type Arms, parseArms } from '../../evaluation/arms.ts';
import type { EvaluationPlan } from '../../evaluation/plan.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Invocation } from '../invocation.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { modelsFor, REHEARSAL_MODEL } from '../settings/discovery.ts';
import { openModels } from '../settings/providers.ts';
import { openRunTools, type RunTools } from '../settings/run-tools.ts';
import { readPrices } from '../settings/tables.ts';
import { readVersion } from '../version.ts';
import { type SeatedArms, seatArms } from './arms.ts';
import { canBeBatched, refuseUnbatched } from './batch.ts';
import { openSet, parseSize } from './sets.ts';

/**
 * The evaluation that a call of `deliberate eval` asks for: what is compared, on which models, with
 * which settings.
 */
export interface EvaluationRequest {
  readonly plan: EvaluationPlan;
  /** The compared ways to answer (arms), with their seats and models. */
  readonly seated: SeatedArms;
  /** The connections to all models. */
  readonly gateway: ModelGateway;
  readonly config: Config;
  /** The tools of seats, the same in every arm. The caller closes them at the end. */
  readonly toolsOfRuns: RunTools;
  /** Whether the calls of arms that can be batched go to the providers' batch services, at half the price. */
  readonly inBatches: boolean;
}

/**
 * Reads the arguments and the configuration of `deliberate eval`.
 *
 * @param setName the name or file of the set of questions
 * @throws UsageError if no set or no arms are named, if the set, an arm or the size does not exist, or if
 *   the flags contradict each other
 */
export async function chooseEvaluation(
  call: Invocation,
  setName: string | undefined,
): Promise<EvaluationRequest> {
  const { flags } = call;
  const size = parseSize(flags.size);
  const arms = armsOf(flags.arms, call.protocols.armKinds, flags.primary);
  const seed = flags.seed ?? 1;
  const set = await openSet(call, setName, size, seed);
  const config = readConfig(call);
  const gateway = openModels(call, config);
  const model = await modelOf(call, config, gateway);
  if (flags.batch) refuseUnbatched(gateway, [model]);
  const named = panelOf(flags.panel, arms);
  const panel = flags.rehearse ? [] : named;
  refuseTools(call);
  const toolsOfRuns = await openRunTools(call, gateway);
  const seated = await seatArms(call, gateway, arms, {
    model,
    panel,
    effort: config.effort,
    tools: toolsOfRuns,
  });
  if (flags.batch)
    for (const arm of seated.asked.values())
      if (canBeBatched(arm)) refuseUnbatched(gateway, arm.models);
  const units = new Set(set.items.map(({ id, meta }) => meta.unit ?? id)).size;
  const { name, about, isOurs, items } = set;
  const prices = readPrices(call.env);
  return {
    plan: {
      v: 1,
      program: readVersion(),
      set: { name, about, isOurs },
      units,
      again: size.again,
      seed,
      model,
      ...(panel.length === 0 ? {} : { panel }),
      arms,
      hashes: Object.fromEntries([...seated.asked].map(([arm, { hash }]) => [arm, hash])),
      models: [...seated.editions.values()],
      prices: `price list of ${prices.as_of}`,
      items,
    },
    seated,
    gateway,
    config,
    toolsOfRuns,
    inBatches: flags.batch,
  };
}

/**
 * Refuses `--tools` with `--engine restate`, because other machines lack the tool servers, and with `--batch`,
 * because a call in a batch cannot use tools.
 * @throws UsageError
 */
function refuseTools({ flags }: Invocation): void {
  if (flags.tools.length === 0) return;
  const [flag] = flags.batch ? ['--batch'] : flags.engine === 'restate' ? ['--engine restate'] : [];
  if (flag !== undefined)
    throw new UsageError(`--tools does not work with ${flag}`, `Leave ${flag} or --tools out.`);
}

/**
 * Parses `--arms`.
 * @throws UsageError unless there are at least two arms, one of them a baseline
 */
function armsOf(
  given: string | undefined,
  kinds: readonly string[],
  primary: string | undefined,
): Arms {
  if (given === undefined)
    throw new UsageError(
      'no arms given',
      'Name what to compare: --arms single,vote,board compares a board with one model and its vote at equal cost.',
    );
  const arms = parseArms(given, kinds, primary);
  if (arms.panels.length === 0 && !(arms.single && arms.high))
    throw new UsageError(
      `--arms ${given} names one arm; a comparison takes two`,
      'Use --arms single,vote,board, or --arms single,high.',
    );
  if (!arms.vote && !arms.single)
    throw new UsageError(
      `--arms ${given} has no baseline for the panel`,
      'Add vote (one model, sampled until it costs as much as the panel) or single.',
    );
  return arms;
}

/**
 * Parses `--panel a/b,c/d`. Empty if one model plays every seat.
 * @throws UsageError
 */
function panelOf(given: string | undefined, { panels }: Arms): readonly ModelSpec[] {
  if (given === undefined) return [];
  if (panels.length === 0)
    throw new UsageError(
      '--panel names models for the seats of a panel, and there is no panel among --arms',
      'Use --arms single,vote,board.',
    );
  const models = given
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '');
  if (models.length === 0)
    throw new UsageError('--panel names no model', 'Use --panel ollama/a,ollama/b.');
  return models.map(checkSpec);
}

async function modelOf(
  call: Invocation,
  config: Config,
  gateway: ModelGateway,
): Promise<ModelSpec> {
  const { flags } = call;
  if (flags.model !== undefined) return checkSpec(flags.model);
  if (flags.rehearse) return REHEARSAL_MODEL;
  if (config.model !== undefined) return checkSpec(config.model);
  const [found] = await modelsFor(call, [{ role: 'answer' }], gateway);
  if (found === undefined) throw new UsageError('no model named', 'Use --model PROVIDER/MODEL.');
  return found;
}
