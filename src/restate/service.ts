/**
 * The workflow that a Restate server drives: a loop that makes a run's records durable, and passes signals
 * from outside to the run. The server identifies durable steps by their position, so concurrent calls cannot
 * be durable steps. The server therefore replays this loop and not the protocol.
 *
 * A worker that resumes a run gets the recorded batches and puts them into a database in memory; the session
 * then goes on as after any crash. A commit returns before it is durable, so a call waits for
 * `Journal.outlasts` before it is sent. Each batch resolves a promise with its number; the program that
 * copies the log waits for these promises (`src/app/elsewhere`). Each attempt is one workflow, and submitting
 * an attempt twice has no effect.
 */
import * as restate from '@restatedev/restate-sdk';
import { KERNEL } from '../kernel/facts.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { type Batch, type RunSignal, SERVICE, type SubmittedRun } from './handed.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Days for which the server keeps the log of a finished run. */
const KEPT_DAYS = 30;
/** The approximate size of one answer to `read` in characters. */
const MOST_READ = 4_000_000;

/**
 * The work of this process on a run that a Restate server has given to it. Another process may have
 * worked on the run before.
 */
export interface Attempt {
  /** Waits for new records and returns them. The first call begins the work. */
  next(): Promise<Batch>;
  /** Stores a batch of records that the server has confirmed, perhaps from another process. */
  take(batch: Batch): void;
  /** Stops the run. */
  stop(given: RunSignal): void;
  /** Answers the question of a step. */
  answer(step: string, given: RunSignal): void;
  /** Ends the work here, because the server has given the run to another process. */
  drop(): void;
}

/** The events that the loop waits for. */
type News =
  | { readonly batch: Batch }
  | { readonly stop: RunSignal }
  | { readonly step: string; readonly given: RunSignal };
type Awaited = restate.RestatePromise<News>;

const BY_PERSON: RunSignal = { by: 'person' };

/**
 * Creates the workflow that a Restate server calls.
 *
 * @param open opens a submitted run in this process
 */
export function createService(open: (handed: SubmittedRun) => Attempt) {
  return restate.workflow({
    name: SERVICE,
    handlers: {
      run: (ctx: restate.WorkflowContext, handed: SubmittedRun) => {
        let attempt: Attempt;
        try {
          attempt = open(handed);
        } catch (error) {
          // Throw an error that Restate does not retry, because no other worker could open the run either.
          throw new restate.TerminalError(error instanceof Error ? error.message : String(error));
        }
        return runAttempt(ctx, attempt);
      },

      read: async (
        ctx: restate.WorkflowSharedContext,
        { after, wait }: { after: number; wait: boolean },
      ): Promise<Batch[]> => {
        const batches: Batch[] = [];
        for (let size = 0; size < MOST_READ; ) {
          const place = ctx.promise<Batch>(placeOf(after + batches.length + 1));
          const batch = wait && batches.length === 0 ? await place : await place.peek();
          if (batch === undefined) break;
          batches.push(batch);
          size += JSON.stringify(batch).length;
        }
        return batches;
      },

      stop: async (ctx: restate.WorkflowSharedContext, given: RunSignal): Promise<boolean> =>
        await resolveOnce(ctx, 'stop', given),

      answer: async (
        ctx: restate.WorkflowSharedContext,
        { step, given }: { step: string; given: RunSignal },
      ): Promise<boolean> => await resolveOnce(ctx, answerTo(step), given),
    },
    options: {
      // The Restate server gives a silent worker's run to another worker after `inactivityTimeout` plus
      // `abortTimeout`. The sum is long, since a call may be silent for hours.
      inactivityTimeout: 30 * MINUTE_MS,
      abortTimeout: DAY_MS,
      workflowRetention: KEPT_DAYS * DAY_MS,
      // Let the Restate server delete its own journal when the run ends, because the log of the run has the
      // content.
      journalRetention: 0,
      enableLazyState: true,
      // Let the Restate server keep trying if it reaches no worker: that is no failure of the run.
      retryPolicy: {
        initialInterval: 100,
        maxInterval: 5_000,
        maxAttempts: 1_000_000_000,
        onMaxAttempts: 'pause',
      },
    },
  });
}

async function runAttempt(
  ctx: restate.WorkflowContext,
  attempt: Attempt,
): Promise<{ batches: number }> {
  ctx.request().attemptCompletedSignal.addEventListener('abort', () => attempt.drop());
  let stop: Awaited | undefined = ctx
    .promise<RunSignal>('stop')
    .get()
    .map((given) => ({ stop: given ?? BY_PERSON }));
  const gates = new Map<string, Awaited>();
  let batch: Awaited | undefined;
  let rests = false;
  for (let count = 0; ; ) {
    const others: Awaited[] = [...(stop === undefined ? [] : [stop]), ...gates.values()];
    if (!rests)
      batch ??= ctx
        .run('log', () => attempt.next(), { initialRetryInterval: 100 })
        .map((made) => ({ batch: made as Batch }));
    // Two kinds of events arrive here: new records of the run, and requests from outside. Let the Restate server
    // record which came first, so that a replay sees the same order.
    const news: News = await restate.RestatePromise.race([
      ...(batch === undefined ? [] : [batch]),
      ...others,
    ]);
    if ('stop' in news) {
      stop = undefined;
      rests = false;
      attempt.stop(news.stop);
    } else if ('step' in news) {
      gates.delete(news.step);
      rests = false;
      attempt.answer(news.step, news.given);
    } else {
      batch = undefined;
      count += 1;
      rests = news.batch.waits === true;
      attempt.take(news.batch);
      void ctx.promise<Batch>(placeOf(count)).resolve(news.batch);
      // The records contain the protocol's facts too. Read only facts of the kernel, such as gates and the run's end.
      const facts: readonly AnyFact[] = news.batch.entries.flatMap(
        ({ facts }) => facts as readonly unknown[] as readonly AnyFact[],
      );
      for (const fact of facts.filter(KERNEL.owns)) {
        if (fact.type === 'run.ended') return { batches: count };
        if (fact.type === 'gate.answered') gates.delete(fact.step);
        if (fact.type === 'gate.opened' && !gates.has(fact.step))
          gates.set(fact.step, gateOf(ctx, fact.step));
      }
    }
  }
}

function gateOf(ctx: restate.WorkflowContext, step: string): Awaited {
  return ctx
    .promise<RunSignal>(answerTo(step))
    .get()
    .map((given) => ({ step, given: given ?? BY_PERSON }));
}

/** Resolves a promise. Returns false if it was resolved before: the first value counts. */
async function resolveOnce(
  ctx: restate.WorkflowSharedContext,
  name: string,
  given: RunSignal,
): Promise<boolean> {
  const promise = ctx.promise<RunSignal>(name);
  if ((await promise.peek()) !== undefined) return false;
  try {
    await promise.resolve(given);
    return true;
  } catch (error) {
    if (error instanceof restate.TerminalError) return false;
    throw error;
  }
}

const placeOf = (batch: number): string => `log/${batch}`;
const answerTo = (step: string): string => `answer/${step}`;
