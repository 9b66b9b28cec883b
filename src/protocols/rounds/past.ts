/**
 * Rules for finished or stopped deliberations: what can be requested of them, and where they can be
 * forked.
 */
import { entryOf } from '../../kernel/entry.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Seat } from '../../kernel/model.ts';
import type {
  ConfigProblem,
  ForkOpening,
  RecordedRun,
  RunAction,
  Change as Wish,
} from '../../kernel/protocol.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import {
  getSeat,
  makeNotABoardError,
  makeNothingToResumeError,
  makeResynthesisRequest,
  OF_BOARDS,
} from '../common/past.ts';
import { configSchema } from './config.ts';
import { collectInheritedTests, type InheritedTest } from './executed-tests.ts';
import { ROUNDS } from './facts.ts';
import { roundsOf } from './fold.ts';
import { appliesTo, type Change } from './fork-changes.ts';
import { hasVisibleText } from './records/said.ts';
import { ROLES } from './records/types.ts';
import { type RoundsRequest, requestSchema } from './requests.ts';

/**
 * The message for runs with edition 1 of the rules. Such runs can be read and get another
 * synthesis, but cannot be resumed or forked.
 */
export const EARLIER_RULES =
  'this run was held under earlier rules of rounds: it can be read, exported and summed up again, not continued';

/** Makes the error for runs of edition 1 of the rules, whose prompts no longer exist. */
function earlierRules(): DeliberateError {
  return new DeliberateError(
    'earlier-rules',
    EARLIER_RULES,
    'Start a new run with the same question: deliberate rounds …',
  );
}

function isUnderEarlierRules(config: unknown): boolean {
  return configSchema.parse(config).rules === undefined;
}

/**
 * Makes the request (what the next attempt is to do) for a recorded run: to continue it, or to write
 * another synthesis.
 * @param wanted what the person wants to do with the run
 * @throws DeliberateError if the run has nothing left to do, if it was made under edition 1 of the rules and is to be
 *   continued, or if rounds do not support the action
 */
export function makeRoundsRequest({ view }: RecordedRun, wanted: RunAction): RoundsRequest {
  switch (wanted.kind) {
    case 'resume': {
      if (view.status === 'done') throw makeNothingToResumeError(view, 'it is finished');
      const request: RoundsRequest =
        view.status === 'running' ? requestSchema.parse(view.request) : { kind: 'convene' };
      if (request.kind === 'convene' && isUnderEarlierRules(view.config)) throw earlierRules();
      return request;
    }
    case 'resynthesize':
      return makeResynthesisRequest(view, wanted);
    default:
      throw makeNotABoardError(view, OF_BOARDS[wanted.kind]);
  }
}

/**
 * Returns the seats and settings with which a fork of a recorded run begins.
 * @param at the step or phase from which the fork differs
 * @param wishes the changes that the person wants: other models, or other wordings of claims
 * @throws DeliberateError if the run was made with edition 1 of the rules
 * @throws UsageError if a change is impossible: another synthesizer (the verifier writes the synthesis), an unknown
 * seat, an empty wording, or a wording of a claim that does not exist where the fork begins, or where no phase begins
 */
export function prepareRoundsFork(
  { view, facts }: RecordedRun,
  at: string,
  wishes: readonly Wish[],
): ForkOpening {
  if (isUnderEarlierRules(view.config)) throw earlierRules();
  const config = configSchema.parse(view.config);
  let { seats } = view;
  let { verifier } = config;
  const changes: Change[] = [...(config.changes ?? [])];
  for (const wish of wishes) {
    switch (wish.kind) {
      case 'synthesizer':
        throw new UsageError('in rounds the verifier writes the synthesis', 'Use --set verifier=…');
      case 'verifier':
        changes.push({
          kind: 'model',
          from: at,
          seat: 'verifier',
          model: wish.value,
          was: verifier,
        });
        verifier = wish.value;
        break;
      case 'seat': {
        const { id, model: was } = getSeat(view, wish.seat);
        changes.push({ kind: 'model', from: at, seat: id, model: wish.value, was });
        seats = seats.map((seat) => (seat.id === id ? { ...seat, model: wish.value } : seat));
        break;
      }
      case 'claim': {
        if (!hasVisibleText(wish.value))
          throw new UsageError(`--set claim.${wish.claim}.text: the text is empty`);
        const from = phaseOf(facts, at, wish.claim);
        changes.push({ kind: 'claim', from, claim: wish.claim, text: wish.value });
      }
    }
  }
  const tests = collectInheritedTests(facts, config.tests).filter(
    (test) => !changes.some((change) => isRewordedBefore(test, change)),
  );
  return {
    seats,
    config: { ...view.config, verifier, changes, ...(tests.length === 0 ? {} : { tests }) },
  };
}

/** Returns whether a fork's change rewords a claim at a point before the parent run's test of the claim. */
function isRewordedBefore({ from, facts }: InheritedTest, change: Change): boolean {
  return (
    change.kind === 'claim' &&
    change.from !== from &&
    appliesTo(from, change.from) &&
    facts.some((fact) => fact.type === 'evidence.recorded' && fact.claim === change.claim)
  );
}

/**
 * Returns the phase from which a claim's new wording applies. Claims are read when a phase begins.
 * @throws UsageError if no phase begins at this point, or if the claim does not exist there
 */
function phaseOf(facts: readonly AnyFact[], at: string, claim: string): string {
  const phase = /^round-\d+$/.test(at) ? `${at}/A` : at;
  const entered = facts
    .filter(ROUNDS.is('phase.entered'))
    .find((fact) => `round-${fact.round}/${fact.phase}` === phase);
  if (entered === undefined)
    throw new UsageError(
      `--at ${at}: a claim can be edited only where a phase begins`,
      'Use a round or a phase: --at round-3 or --at round-3/D.',
    );
  const before = roundsOf(facts.filter(({ seq }) => seq < entered.seq));
  if (entryOf(before.claims, claim) === undefined)
    throw new UsageError(
      `--set claim.${claim}.text: at ${phase} there is no claim ${claim}`,
      `Its claims: ${Object.keys(before.claims).join(', ') || 'none yet'}.`,
    );
  return phase;
}

/**
 * Checks that every seat of an imported run is one of the four roles. Returns the first problem, or undefined if
 * there is none.
 */
export function checkRoundsSeats(seats: readonly Seat[]): ConfigProblem | undefined {
  const at = seats.findIndex(({ id }) => !ROLES.some((role) => role === id));
  if (at < 0) return undefined;
  return {
    path: ['seats', at, 'id'],
    message: `rounds have no seat ${JSON.stringify(seats[at]?.id)}`,
  };
}
