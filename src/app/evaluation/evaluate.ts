/** `deliberate eval`: asks every arm the items of a set, estimates that, or reports on an evaluation. */

import { questionOf } from '../../evaluation/answers.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { EvaluationEnding, EvaluationPlan } from '../../evaluation/plan.ts';
import { computeDigest } from '../../kernel/digest.ts';
import { entryOf } from '../../kernel/entry.ts';
import { DeliberateError, RunStopped, UsageError } from '../../kernel/errors.ts';
import { NO_USAGE } from '../../kernel/model.ts';
import { shortId } from '../../kernel/short-id.ts';
import { handleSignals } from '../../platform/signals.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { restateAddressOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { getTerms } from '../run/detached.ts';
import { hasConsole } from '../run/display.ts';
import { openModels } from '../settings/providers.ts';
import { refuseSmallWindows } from '../settings/windows.ts';
import { withStore } from '../store.ts';
import { getStartCommand } from '../suggest.ts';
import { nameModel } from './arms.ts';
import { BatchCollector, tellOpenWaves } from './batch.ts';
import { AT_ONCE, CellRunner } from './cells.ts';
import { chooseEvaluation, type EvaluationRequest } from './chosen.ts';
import { agentWarning, costLine, printCost } from './cost.ts';
import type { EvaluationDisplay } from './display.ts';
import { ProgressLines } from './progress.ts';
import { writeReport } from './report.ts';
import type { OwnParts } from './screen/own.ts';
import { Work } from './work.ts';

/** The subcommands of `eval`. Without one of them, the set is asked. */
const PARTS: ReadonlyMap<string, (call: Invocation, named: string | undefined) => Promise<number>> =
  new Map([
    ['plan', printPlan],
    ['report', printReport],
    ['watch', openWatch],
  ]);

/**
 * Runs `deliberate eval`: compares ways to answer on a set of questions. Resolves to the exit code.
 */
export async function evaluate(call: Invocation): Promise<number> {
  const [first = '', second, ...rest] = call.words;
  const part = PARTS.get(first);
  if (rest.length > 0 || (part === undefined && second !== undefined))
    throw new UsageError(
      'name one set',
      `Usage: ${getStartCommand(call.env)} eval [plan|report|watch] SET`,
    );
  if (part !== undefined) return part(call, second);
  const chosen = await chooseEvaluation(call, call.words[0]);
  try {
    return await withStore(call, (store) => runEvaluation(call, store, chosen));
  } finally {
    await chosen.toolsOfRuns.tools?.close?.();
  }
}

async function printPlan(call: Invocation, set: string | undefined): Promise<number> {
  // Set `--estimate` to keep tool servers from being started: an estimate does not need them.
  printCost(
    call,
    await chooseEvaluation({ ...call, flags: { ...call.flags, estimate: true } }, set),
  );
  return 0;
}

function printReport(call: Invocation, evaluation = 'latest'): Promise<number> {
  return withStore(call, (store) => {
    writeReport(call, store, store.evaluations.find(evaluation));
    return 0;
  });
}

async function openWatch(call: Invocation, evaluation: string | undefined): Promise<number> {
  return (await import('./screen/watch.ts')).watchEvaluation(call, evaluation);
}

async function runEvaluation(
  call: Invocation,
  store: Store,
  chosen: EvaluationRequest,
): Promise<number> {
  refuseAbsent(chosen);
  refuseUnpriced(chosen);
  await refuseSmallArms(chosen);
  const { gateway, seated, config, inBatches } = chosen;
  const address = restateAddressOf(call);
  if (address !== undefined && inBatches)
    throw new UsageError(
      '--engine restate does not work with batches',
      'Batches are collected by this machine. Leave --engine out.',
    );
  const { models, hashes, program: _program, prices: _prices, ...asked } = chosen.plan;
  const stored = store.evaluations.begin(computeDigest(asked), JSON.stringify(chosen.plan));
  const plan = JSON.parse(stored.plan) as EvaluationPlan;
  refuseOtherModels(call, plan.models, models);
  refuseOtherArms(call, plan.hashes, hashes);
  if (!call.flags.quiet) for (const warning of agentWarning(chosen)) call.err.write(`${warning}\n`);
  if (!call.flags.quiet) call.err.write(`${formatBeginning(stored.id, plan)}${costLine(chosen)}\n`);
  const batching = inBatches ? new BatchCollector(call, gateway, config, store) : undefined;
  if (!inBatches) tellOpenWaves(call, store);
  const cells = new CellRunner({
    protocols: call.protocols,
    store,
    batching,
    models: gateway,
    editions: seated.editions,
    toolsOfRuns: chosen.toolsOfRuns,
    atOnce: config.concurrency ?? AT_ONCE,
    there: address === undefined ? undefined : { address, terms: getTerms(call, config) },
  });
  const limits = { usd: config.budget_usd, tokens: config.budget_tokens, inBatches };
  const letGo = new AbortController();
  const stop = (): void => stopper.press();
  const display = await displayOf(call, {
    store,
    plan,
    gateway,
    limits,
    stop,
    id: stored.id,
    keys: config.keys,
    awaited: () => cells.awaited,
    left: () => cells.stop(),
  });
  const stopper = new Stopper(cells, display, letGo.signal);
  try {
    const finished = new Work(plan, seated, cells, limits, display).finish();
    const { outcomes, ending: worked } = await (batching === undefined
      ? finished
      : Promise.race([finished, batching.failure]));
    await refuseChanged(call, chosen);
    // The report's costs at list price all come from the present price list, even for answers that were recorded
    // earlier. So store the name of this list.
    const ending: EvaluationEnding = { ...worked, prices: chosen.plan.prices };
    store.evaluations.finish(stored.id, JSON.stringify(ending), linesOf(outcomes));
    await display.ended();
    printEnding(call, ending);
    writeReport(call, store, store.evaluations.find(stored.id));
    return 0;
  } catch (error) {
    // After an error, stop all runs of the evaluation. `RunStopped` is not an error: the person has stopped the
    // evaluation, and runs that are under way may finish.
    if (!(error instanceof RunStopped)) cells.stop();
    await cells.settled();
    await display.close();
    if (!(error instanceof RunStopped)) throw error;
    if (!call.flags.quiet)
      call.err.write('Stopped. Answers so far are kept; run the same command to continue.\n');
    return 130;
  } finally {
    await batching?.close();
    letGo.abort();
    await display.close();
  }
}

async function displayOf(
  call: Invocation,
  parts: Omit<OwnParts, 'call'>,
): Promise<EvaluationDisplay> {
  // With --batch, print progress as lines: nobody watches a screen for the hours that a batch takes.
  if (call.flags.quiet || call.flags.batch || !hasConsole(call)) return new ProgressLines(call);
  return (await import('./screen/own.ts')).openOwnScreen({ call, ...parts });
}

/** Formats the line that is printed at the beginning of an evaluation. */
function formatBeginning(
  id: string,
  { set, units, again, model, panel = [], arms }: EvaluationPlan,
): string {
  const more = again === 0 ? '' : `, ${again} of them three times`;
  const seated = panel.length === 0 ? '' : `, panels of ${panel.map(toLine).join(', ')}`;
  const question = arms.primary === undefined ? '' : `; ${arms.primary} against its vote`;
  return `evaluation ${shortId(id)}: ${toLine(set.name)}, ${formatCount(units, 'unit')}${more}, ${toLine(model)}${seated}${toLine(question)}\n`;
}

function linesOf(outcomes: readonly Outcome[]): string {
  return outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join('');
}

function printEnding({ err, flags }: Invocation, { turns, of, resent }: EvaluationEnding): void {
  if (flags.quiet) return;
  if (turns < of)
    err.write(
      `Budget reached after ${turns} of ${of}, answered by all arms. Run it again with a larger budget to continue.\n`,
    );
  if (resent > 0)
    err.write(`${resent} calls were in flight when a process died and were sent again.\n`);
}

/** Refuses an evaluation whose models do not exist, before anything is recorded. */
function refuseAbsent({ seated }: EvaluationRequest): void {
  for (const [model, named] of seated.editions)
    if (named.endsWith(' unknown'))
      throw new DeliberateError(
        'no-such-model',
        `${model} not found: its server does not respond or does not have it`,
        'List models with: deliberate models',
      );
}

/** Refuses models without a price if there is a budget in dollars, which would never be reached. */
function refuseUnpriced({ seated, gateway, config }: EvaluationRequest): void {
  if (config.budget_usd === undefined) return;
  for (const model of seated.editions.keys())
    if (gateway.price(model, NO_USAGE) === undefined)
      throw new UsageError(
        `no price is known for ${model}, so a budget in dollars cannot hold it`,
        'Use --budget-tokens, or add the price to prices.json in your configuration folder.',
      );
}

/**
 * Checks that the shortest prompts of each arm fit its models' context windows, if the arm cannot shorten
 * them.
 * @throws UsageError for an arm that would lose every item, with the window that is needed
 */
async function refuseSmallArms({ plan, seated, gateway }: EvaluationRequest): Promise<void> {
  const questions = plan.items.map(questionOf);
  const longest = questions.toSorted((left, right) => right.length - left.length)[0] ?? '';
  for (const [name, { seated: arm }] of seated.asked) {
    if (arm.isRigid !== true || arm.plan === undefined) continue;
    await refuseSmallWindows(`the arm ${name}`, arm.plan(longest), gateway);
  }
}

/** Refuses to continue if a model has changed since the evaluation began. */
function refuseOtherModels(
  call: Invocation,
  before: readonly string[],
  now: readonly string[],
): void {
  const changed = now.filter((model) => !before.includes(model));
  if (changed.length === 0) return;
  throw new DeliberateError(
    'model-changed',
    `${changed.join(', ')} differs from the start of this evaluation (${before.join(', ')})`,
    hintToRestart(call),
  );
}

/**
 * Refuses to continue if an arm has changed: an edited preset, other settings, another version of the program.
 */
function refuseOtherArms(
  call: Invocation,
  before: EvaluationPlan['hashes'],
  now: EvaluationPlan['hashes'],
): void {
  const changed = Object.keys(now).filter((arm) => now[arm] !== entryOf(before, arm));
  if (changed.length === 0) return;
  throw new DeliberateError(
    'arm-changed',
    `${changed.join(', ')} would be asked differently than at the start of this evaluation: a preset, a setting or the program has changed`,
    hintToRestart(call),
  );
}

function hintToRestart({ env, flags }: Invocation): string {
  return `Start a new one with another seed: ${getStartCommand(env)} eval … --seed ${(flags.seed ?? 1) + 1}`;
}

/**
 * Refuses to report if a model has changed during the evaluation. Asks the servers again, because the gateway
 * remembers what they said at the beginning.
 */
async function refuseChanged(
  call: Invocation,
  { config, seated, plan }: EvaluationRequest,
): Promise<void> {
  const fresh = openModels(call, config);
  const now = await Promise.all(
    [...seated.editions.keys()].map((model) => nameModel(fresh, model)),
  );
  refuseOtherModels(call, plan.models, now);
}

/**
 * Handles signals. The first Ctrl-C starts nothing more and lets the begun answers finish; the second exits at
 * once. A signal from the system stops the answers under way. Nothing recorded is lost.
 */
class Stopper {
  readonly #cells: CellRunner;
  readonly #display: EvaluationDisplay;
  #isPressed = false;

  constructor(cells: CellRunner, display: EvaluationDisplay, letGo: AbortSignal) {
    this.#cells = cells;
    this.#display = display;
    const release = handleSignals(
      () => this.press(),
      () => {
        cells.stop();
        void display.close();
      },
    );
    letGo.addEventListener('abort', release);
  }

  press(): void {
    if (this.#isPressed) void this.#display.close().finally(() => process.exit(130));
    this.#isPressed = true;
    this.#cells.windDown();
    this.#display.stopping();
  }
}
