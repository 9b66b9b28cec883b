/**
 * Structured deliberation. Rounds of eight phases are held until the signals or the planned number
 * of rounds end them. Then a last round, which is not counted, decides the claims that can still be
 * decided and writes the synthesis.
 *
 * `round.ts` runs one round, phases A to H. Each phase's prompt is beside the schema of its answer
 * (`prompts/`). A `RoundsRun` holds the state that phases share, as a fold of the recorded facts.
 * The rules of the records (`records/`) are pure, and the same for a live run, an exported folder
 * and a folder that somebody else wrote. docs/rounds.md explains the rules.
 *
 * Invariants:
 *
 * - `verify.ts` checks that the cited places of a verdict exist and come from both compared
 *   artifacts. `claims/bearing.ts` changes a claim's status only if the verifier's interpretation
 *   of a verdict and that of code agree. `reader/` decides claims by quotations with a second look,
 *   using models that passed the reading test. `records/state-of.ts` alone derives the state of all
 *   records.
 * - Results that were produced at the same time are sorted by key before a prompt is made from
 *   them.
 * - The parts of a prompt that most seats share come first (`prompts/order.ts`), and the record of
 *   earlier rounds only grows within a block of five rounds (`prompts/earlier-rounds.ts`), so that
 *   most of a prompt is a prefix that the provider has cached. `prompts` in a run's settings says
 *   which order the run uses.
 * - A person's notes and orders are recorded when they are given, and read in a step when the
 *   protocol asks for them (`run.takeInput`). A pause is not recorded.
 */

import { predict } from '../../decisions/predict.ts';
import { entryOf } from '../../kernel/entry.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Outcome, Protocol, RunContext } from '../../kernel/protocol.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import { sectionIn } from '../../text/answers/first-sentence.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { makeEffortSetting } from '../common/asking/thinking.ts';
import { configSchema, type RoundsConfig } from './config.ts';
import { type FactBody, fact } from './facts.ts';
import { getResponse, isFailureMode } from './failure-mode-responses.ts';
import { roundsOf } from './fold.ts';
import { checkRoundsSeats, EARLIER_RULES, makeRoundsRequest, prepareRoundsFork } from './past.ts';
import { getPredictionInputs } from './predictions.ts';
import { isSince } from './prompts/order.ts';
import { HEADINGS, synthesisTask } from './prompts/phases.ts';
import { formatStatePiece } from './prompts/state.ts';
import { enterPhase, findEntrances } from './reader/exam.ts';
import { convertToRecords } from './records/of-run.ts';
import { readSignals, type Signals } from './records/signals.ts';
import { controlSchema, type RoundsRequest, requestSchema } from './requests.ts';
import { holdRound, type RoundPlan } from './round.ts';
import { RoundsRun } from './rounds-run.ts';
import { getAbsentRole } from './schedule.ts';
import { findStepsToRepeat } from './unsettled.ts';
import { voteAtTheEnd } from './votes/vote.ts';

/**
 * The protocol `rounds`: four roles argue in rounds, claims are tested, and a synthesis sums up.
 */
export const rounds: Protocol<RoundsConfig, RoundsRequest> = {
  name: 'rounds',
  longPauses: true,
  config: configSchema,
  unsettled: findStepsToRepeat,
  requests: requestSchema,
  controls: controlSchema,
  request: makeRoundsRequest,
  fork: prepareRoundsFork,
  unsound: checkRoundsSeats,
  entrances: findEntrances,
  async execute(run, context) {
    const { question, seats, config } = context;
    const { verifier, seed, attachments, changes = [] } = config;
    const roundsRun = new RoundsRun(run, {
      question,
      seats,
      verifier,
      seed,
      rules: config.rules,
      prompts: config.prompts,
      plantedOption: config.plantedOption,
      effort: config.effort,
      attachments: attachments.map((attachment) => ({
        ...attachment,
        parts: attachment.source?.parts,
      })),
      changes,
      log: context.facts,
      tests: config.tests ?? [],
      exams: config.exams ?? [],
      plan: getRecordsPlan(config, question),
    });
    if (context.request.kind === 'resynthesize') {
      const { version, model, note } = context.request;
      if (context.past.syntheses.some((synthesis) => synthesis.version === version))
        return { status: 'done' };
      roundsRun.view = roundsOf(context.facts);
      if (roundsRun.view.rounds.length === 0)
        return { status: 'failed', reason: 'there is no round to sum up' };
      return sumUp(roundsRun, config, { version, model: model ?? verifier, note });
    }
    if (config.rules === undefined) return { status: 'failed', reason: EARLIER_RULES };
    let plan: RoundPlan | undefined = planFor(1, config, {});
    while (plan !== undefined) {
      const stuck = await holdRound(roundsRun, plan);
      if (stuck !== undefined) return { status: 'failed', reason: stuck };
      plan = await planNextRound(run, roundsRun, context, plan.round);
    }
    return runSynthesisRound(roundsRun, config);
  },
};

function planFor(round: number, config: RoundsConfig, changes: Partial<RoundPlan>): RoundPlan {
  return {
    round,
    absent: entryOf(config.stress, String(round)),
    driftCheck: round % config.driftEvery === 0,
    last: round === config.rounds,
    notes: [],
    answered: [],
    ...changes,
  };
}

/**
 * Reads the signals after a round and returns the plan of the next round, or undefined if the
 * deliberation should end.
 */
async function planNextRound(
  run: Run,
  roundsRun: RoundsRun,
  { config, question }: RunContext<RoundsConfig>,
  round: number,
): Promise<RoundPlan | undefined> {
  const records = convertToRecords(roundsRun.view, getRecordsPlan(config, question));
  const signals = readSignals(records);
  const suspected = signals.failureModes.filter(({ state }) => state === 'suspected');
  const answers = suspected.map((mode) => ({
    mode,
    response: getResponse(mode.id, records, question),
  }));
  const automatic = config.respond === 'auto' ? answers.map(({ response }) => response) : [];
  await roundsRun.record(`round-${round}/signals`, [
    signalsFact(round, signals),
    ...answers.map(({ mode, response }) =>
      fact('failure-mode.suspected', {
        round,
        id: mode.id,
        name: mode.name,
        why: mode.why,
        ...(config.respond === 'auto' ? { response: response.what } : {}),
      }),
    ),
  ]);
  if (round >= config.rounds || automatic.some(({ end }) => end)) return undefined;
  if (isWrappedUp(roundsRun, config, round)) return undefined;
  if (await shouldStop(run, config, signals, round)) return undefined;
  const given = await run.takeInput(`round-${round + 1}/heed`);
  const said = given.flatMap((input) => controlSchema.safeParse(input).data ?? []);
  const wanted = said
    .flatMap((control) => (control.kind === 'respond' ? control.modes : []))
    .filter(isFailureMode)
    .map((id) => ({ id, response: getResponse(id, records, question) }));
  const act = [...automatic, ...wanted.map(({ response }) => response)];
  if (act.some(({ end }) => end)) return undefined;
  const absent = getAbsentRole({
    ordered: said.findLast((control) => control.kind === 'stress')?.absent,
    planned: entryOf(config.stress, String(round + 1)),
    answering: act.find((response) => response.absent !== undefined)?.absent,
  });
  const claims = act.find((response) => response.claims !== undefined)?.claims;
  return planFor(round + 1, config, {
    absent,
    answered: wanted.map(({ id, response }) => ({ id, response: response.what })),
    notes: [
      ...act.flatMap(({ note }) => note ?? []),
      ...said.flatMap((control) => (control.kind === 'note' ? [control.text] : [])),
    ],
    ...withoutUndefined({ claims }),
  });
}

/**
 * Returns whether this was the additional round that the signals had recommended for wrapping up.
 */
function isWrappedUp({ view }: RoundsRun, { stopAt }: RoundsConfig, round: number): boolean {
  const before = view.rounds.find((roundView) => roundView.round === round - 1);
  return stopAt === 5 && before?.signals?.recommendation === 'wrap-up';
}

async function shouldStop(
  run: Run,
  { stopAt }: RoundsConfig,
  { recommendation, satisfied, why }: Signals,
  round: number,
): Promise<boolean> {
  if (recommendation === 'continue' || stopAt === 'never') return false;
  // If `stopAt` is 5 and the signals advise to wrap up, the run holds one more round. `isWrappedUp` then ends the run.
  if (stopAt === 5 && recommendation === 'wrap-up') return false;
  if (stopAt !== 'ask') return satisfied >= stopAt;
  const answer = await run.gate(`round-${round}/stop`, {
    prompt: `After round ${round}: ${why}. Stop with a synthesis?`,
    options: [
      { value: 'stop', label: 'Stop and synthesize' },
      { value: 'continue', label: 'Hold another round' },
    ],
    default: 'stop',
  });
  return answer === 'stop';
}

/** Returns the part of a run's settings that the records need. */
export function getRecordsPlan(config: RoundsConfig, question: string) {
  return {
    budget: config.rounds,
    driftEvery: config.driftEvery,
    question,
    ...(config.rules === undefined
      ? {}
      : { rules: 2 as const, documents: config.attachments.length > 0 }),
    ...(isSince(config.rules, 5) ? { signals: 2 as const } : {}),
    stressSchedule: Object.entries(config.stress).map(([round, role]) => ({
      round: Number(round),
      role,
    })),
  };
}

function signalsFact(
  round: number,
  { satisfied, recommendation, why, alarm, signals }: Signals,
): FactBody {
  return fact('signals.read', {
    round,
    satisfied,
    recommendation,
    why,
    signals: [...signals],
    ...(alarm === null ? {} : { alarm }),
  });
}

/** Returns the roles on whose work the synthesis is based: those that handed in an artifact. */
function heardOf({ view, settings }: RoundsRun) {
  const spoke = new Set<string>(
    view.rounds.flatMap(({ artifacts }) => artifacts.map(({ role }) => role)),
  );
  return {
    included: settings.seats.map(({ id }) => id).filter((id) => spoke.has(id)),
    excluded: settings.seats
      .filter(({ id }) => !spoke.has(id))
      .map(({ id }) => ({
        seat: id,
        reason: view.rounds.every(({ absent }) => absent === id)
          ? 'it was left out of every round'
          : 'it handed nothing in',
      })),
  };
}

/** Runs the synthesis round. It is not counted, and no claims are raised in it. */
async function runSynthesisRound(roundsRun: RoundsRun, config: RoundsConfig): Promise<Outcome> {
  const { verifier, control = false } = config;
  const last = roundsRun.view.rounds.at(-1)?.round ?? 0;
  await enterPhase(roundsRun, last, 'synthesis');
  await voteAtTheEnd(roundsRun, last, control);
  return sumUp(roundsRun, config, { version: 1, model: verifier });
}

/**
 * Writes a synthesis from the records. A later version may have another model or a person's note.
 */
async function sumUp(
  roundsRun: RoundsRun,
  { predict: count = 0 }: RoundsConfig,
  { version, model, note }: { version: number; model: string; note?: string | undefined },
): Promise<Outcome> {
  const last = roundsRun.view.rounds.at(-1)?.round ?? 0;
  const reply = await roundsRun.ask(
    `synthesis/${version}`,
    {
      id: 'synthesizer',
      role: 'synthesizer',
      title: 'Synthesizer',
      model,
      brief: '',
      ...makeEffortSetting(roundsRun.settings.effort),
    },
    last + 1,
    {
      kind: 'synthesis',
      about: { headings: HEADINGS },
      pieces: [
        ...formatStatePiece(roundsRun, 'synthesis'),
        ...(note === undefined ? [] : [{ from: 'the person who asked', text: note }]),
      ],
      task: synthesisTask(),
    },
    (reply) =>
      reply.status !== 'done'
        ? []
        : [
            fact('synthesis.completed', {
              version,
              model,
              text: reply.text,
              ...heardOf(roundsRun),
              labels: {},
              missing: HEADINGS.filter((heading) => sectionIn(reply.text, heading) === undefined),
              rehearsal: splitSpec(model).provider === 'rehearsal',
              ...withoutUndefined({ note }),
            }),
          ],
  );
  if (reply.status !== 'done') return { status: 'failed', reason: 'the synthesis failed' };
  const written = { version, model, text: reply.text };
  await predict(roundsRun.run, getPredictionInputs(roundsRun, last + 1, written, count));
  return { status: 'done' };
}
