/**
 * Collects answers. Seats are asked at the same time. The wait ends when all calls have ended, or
 * when a quorum has answered and the time for the remaining seats ("patience") is over.
 */

import { isCall, type Reply } from '../../kernel/call.ts';
import { failureLabel } from '../../kernel/errors.ts';
import type { Run } from '../../kernel/handle.ts';
import type { ModelRequest, Seat } from '../../kernel/model.ts';
import type { RunContext } from '../../kernel/protocol.ts';
import { answerAt, type CallView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { askWithTools } from '../common/asking/asking.ts';
import { parseBallot } from './ballots.ts';
import { type BoardConfig, PATIENCE_MS } from './config.ts';
import { BOARD, type FactBody, fact } from './facts.ts';
import { getAnswerStep } from './fold.ts';
import { advisorMessages } from './prompts.ts';
import { getFactsOfAttempt, type QuestionContext } from './questions.ts';

/**
 * The answer of a seat, or in `missing` the reason why there is none, in words such as `timed out`; and in `took`, if
 * known, the tokens and cost of the calls for the answer.
 */
export type CollectedAnswer =
  | AnsweredSeat
  | { readonly seat: Seat; readonly missing: string; readonly took?: Usage | undefined };
/** A seat that has answered, with its answer and the cost of its calls. */
export interface AnsweredSeat {
  readonly seat: Seat;
  readonly text: string;
  readonly took: Usage;
}

/** The tokens (input and output) and dollars of one or more calls. Dollars are absent if a price is unknown. */
export interface Usage {
  readonly tokens: number;
  readonly costUsd?: number | undefined;
  /** True if a part of the tokens was estimated. */
  readonly estimated?: true;
}

const AT_THE_QUORUM = 'stopped at the quorum';

/**
 * Asks all seats at the same time and waits for their answers. With a quorum, enough answers
 * suffice: the remaining seats are stopped some time afterwards. While a seat is still answering, a
 * person can ask failed or stopped seats again. If a person asks only certain seats, the quorum
 * does not apply. The result has the order of `seats`.
 */
export async function collectAnswers(
  run: Run,
  context: RunContext<BoardConfig>,
  asked: QuestionContext,
  seats: readonly Seat[],
): Promise<CollectedAnswer[]> {
  const { config, past, request: wanted } = context;
  const ofAttempt = getFactsOfAttempt(context.facts);
  const decided = ofAttempt
    .filter(BOARD.is('quorum.reached'))
    .findLast(({ question }) => question === asked.number);
  const stopped = decided?.stopped ?? [];
  const floor = new QuorumTimer(run, context, asked.number, seats, decided === undefined);
  const messages = advisorMessages(asked.text, config.attachments, config.seed, {
    vote: config.vote,
    ownVote: config.ownVote,
    before: asked.before,
  });
  const about = { question: asked.text, ...(config.vote ? { ending: 'ballot' as const } : {}) };

  const collectAnswer = async (invited: Seat): Promise<CollectedAnswer> => {
    const step = getAnswerStep(invited.id, asked.number);
    const call = answerAt(past.calls, step);
    if (stopped.includes(invited.id) && call?.state !== 'done') {
      floor.noteSilent(invited, false);
      return { seat: invited, missing: AT_THE_QUORUM };
    }
    let seat = invited;
    // A resumed run asks failed seats again; a retry asks the seats that it names.
    const failed = call?.state === 'failed' ? call.step : undefined;
    let shouldAskAgain = (key: string): boolean =>
      key === failed || (wanted.kind === 'retry' && !ofAttempt.some(isCompletionOf(key)));
    // The seat's cost includes calls that failed before a person had the seat asked again: they cost tokens, too.
    const spent: Usage[] = [];
    let changes = 0;
    // The key of the seat's latest step. A seat that uses tools has several steps.
    let last = step;
    for (;;) {
      const request: ModelRequest = {
        task: 'board/answer',
        about,
        seat,
        messages,
        seed: config.seed,
      };
      const reply = await askWithTools(run, step, request, {
        again: (key) => {
          last = key;
          return shouldAskAgain(key);
        },
        signal: floor.stragglers,
        timeoutMs: config.seatTimeoutMs,
        conclude: (answer) => (config.vote ? ballotOf(answer, seat, asked, last) : []),
      });
      const late = reply.status === 'stopped' && floor.stragglers.aborted;
      spent.push(getReplyUsage(run, seat.model, reply));
      const took = sumUsage(spent);
      floor.noteSilent(seat, reply.status === 'done');
      if (reply.status === 'done') return { seat, text: reply.text, took };
      if (late) return { seat, missing: AT_THE_QUORUM, took };
      const retry = await run.again(seat.id, floor.closed);
      if (retry === false) return { seat, missing: describeMissingAnswer(reply), took };
      floor.noteSpeaking(seat);
      const ended = last;
      shouldAskAgain = (key) => key === ended;
      if (retry.model !== undefined)
        seat = await changeModel(run, context, seat, retry.model, ++changes);
    }
  };

  const collected = await Promise.all(seats.map(collectAnswer));
  await floor.settled;
  return collected;
}

function isCompletionOf(step: string): (one: AnyFact) => boolean {
  return (fact) => fact.type === 'call.completed' && fact.step === step;
}

/** Tracks which seats are answering and have answered, and ends the wait at the quorum. */
class QuorumTimer {
  /**
   * Resolves when no seat is answering any more, or when the remaining seats are no longer waited
   * for.
   */
  readonly closed: Promise<void>;
  /** Resolves when the decision about a quorum is recorded. */
  settled: Promise<void> = Promise.resolve();
  readonly #run: Run;
  readonly #context: RunContext<BoardConfig>;
  readonly #question: number;
  readonly #seats: readonly Seat[];
  /** Whether a quorum may end the wait. */
  readonly #counts: boolean;
  readonly #stop = new AbortController();
  readonly #speaking: Set<string>;
  readonly #answered = new Set<string>();
  #close: () => void = () => undefined;
  #patient = false;

  constructor(
    run: Run,
    context: RunContext<BoardConfig>,
    question: number,
    seats: readonly Seat[],
    undecided: boolean,
  ) {
    this.#run = run;
    this.#context = context;
    this.#question = question;
    this.#seats = seats;
    this.#counts = undecided && context.request.kind !== 'retry';
    this.#speaking = new Set(seats.map(({ id }) => id));
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  /** Aborted when the patience is over; used for the seats that have not answered. */
  get stragglers(): AbortSignal {
    return this.#stop.signal;
  }

  noteSpeaking(seat: Seat): void {
    this.#speaking.add(seat.id);
  }

  noteSilent(seat: Seat, answered: boolean): void {
    this.#speaking.delete(seat.id);
    if (answered) this.#answered.add(seat.id);
    if (this.#speaking.size === 0) this.#close();
    else if (this.#counts && !this.#patient && this.#answered.size >= this.#quorum) {
      this.#patient = true;
      this.settled = this.#bePatient();
      // `collectAnswers` awaits the promise `settled` at its end. Until then Node must not report a rejection of this
      // promise as unhandled.
      this.settled.catch(() => undefined);
    }
  }

  get #quorum(): number {
    return this.#context.config.quorum ?? Number.POSITIVE_INFINITY;
  }

  async #bePatient(): Promise<void> {
    const { facts, config } = this.#context;
    const question = this.#question;
    // A resumed attempt gives the missing seats the whole waiting time again, because they start
    // from the beginning.
    const nth = facts.filter((fact) => fact.type === 'patience.began').length + 1;
    await this.#run.wait(
      `patience/${question}/${nth}`,
      config.patienceMs ?? PATIENCE_MS,
      (until) =>
        fact('patience.began', {
          question,
          answered: this.#listInOrder(this.#answered),
          waitingFor: this.#listInOrder(this.#speaking),
          until,
        }),
      this.closed,
    );
    if (this.#run.signal.aborted) return;
    await this.#run.step(`quorum/${question}/${nth}`, null, ({ emit }) =>
      emit(
        fact('quorum.reached', {
          question,
          answered: this.#listInOrder(this.#answered),
          stopped: this.#listInOrder(this.#speaking),
          quorum: this.#quorum,
          of: this.#seats.length,
        }),
      ),
    );
    this.#stop.abort();
    this.#close();
  }

  #listInOrder(ids: ReadonlySet<string>): string[] {
    return this.#seats.map(({ id }) => id).filter((id) => ids.has(id));
  }
}

/**
 * Gives a seat another model for this and later attempts, and records the change. Returns the
 * changed seat. Does nothing if the seat has this model already.
 * @param nth the number of this change within the attempt, from 1, which becomes part of the step's
 * key
 */
export async function changeModel(
  run: Run,
  { facts }: RunContext<BoardConfig>,
  seat: Seat,
  model: string,
  nth = 1,
): Promise<Seat> {
  if (seat.model === model) return seat;
  const before = facts.filter((fact) => fact.type === 'seat.changed').length;
  await run.step(`change/${before}/${seat.id}/${nth}`, null, ({ emit }) =>
    emit(fact('seat.changed', { seat: seat.id, model })),
  );
  return { ...seat, model };
}

function ballotOf(
  reply: Reply,
  seat: Seat,
  { number, text }: QuestionContext,
  step: string,
): FactBody[] {
  const ballot = reply.status === 'done' ? parseBallot(reply.text, text) : undefined;
  if (ballot === undefined) return [];
  return [
    fact('ballot.cast', { question: number, seat: seat.id, model: seat.model, ...ballot, step }),
  ];
}

/**
 * Returns the recorded answer of a seat without asking the seat, or the reason why the answer is
 * missing.
 * @param call the seat's recorded call; undefined if the seat was not asked
 */
export function recallAnswer(seat: Seat, call: CallView | undefined): CollectedAnswer {
  if (call?.state === 'done') return { seat, text: call.text, took: getCallUsage(call) };
  if (call?.state === 'failed') return { seat, missing: failureLabel(call.code) ?? 'failed' };
  return { seat, missing: call?.state === 'stopped' ? 'stopped' : 'no answer' };
}

/** Describes in words why a call that failed or was stopped has no answer: `timed out`. */
export function describeMissingAnswer(reply: Reply): string {
  return reply.status === 'failed' ? (failureLabel(reply.code) ?? 'failed') : 'stopped';
}

/** Returns the tokens and cost of a call that has just ended. */
export function getReplyUsage(run: Run, model: string, { usage }: Reply): Usage {
  return getCallUsage({ usage, costUsd: run.price(model, usage) });
}

/** Returns the tokens and cost of a recorded call. */
export function getCallUsage({ usage, costUsd }: Pick<CallView, 'usage' | 'costUsd'>): Usage {
  return {
    tokens: usage.input + usage.output,
    costUsd,
    ...(usage.estimated === true ? { estimated: true } : {}),
  };
}

/**
 * Returns the tokens and cost of each recorded call that failed or was stopped. Only calls for syntheses and calls in
 * which seats answer the first question count.
 */
export function getFailedUsages(facts: readonly AnyFact[]): Usage[] {
  return facts
    .filter(isCall)
    .filter(({ type, step }) => type !== 'call.completed' && /^(?:seat|synthesis)\//.test(step))
    .map(getCallUsage);
}

/** Adds up tokens and costs. The cost is absent if any of the prices is unknown. */
export function sumUsage(all: readonly Usage[]): Usage {
  const tokens = all.reduce((sum, usage) => sum + usage.tokens, 0);
  const prices = all.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  return {
    tokens,
    ...(prices.length < all.length
      ? {}
      : { costUsd: prices.reduce((sum, price) => sum + price, 0) }),
    ...(all.some(({ estimated }) => estimated) ? { estimated: true } : {}),
  };
}
