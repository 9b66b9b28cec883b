/** The state of a run as data: the answer of every tool about one run, from which the texts are made. */
import * as z from 'zod';
import { BUDGET_GATE } from '../kernel/budget.ts';
import { type CallView, type RunView, type SynthesisView, viewOf } from '../kernel/view.ts';
import { answerSentence } from '../plain/blocks.ts';
import { findWarning, getSeatTitle, whyNoFinalAnswer } from '../plain/naming.ts';
import type { ProtocolReport, ProtocolText, RecordedRun } from '../plain/protocol-text.ts';
import { loadToolPart } from '../protocols/desks.ts';
import { loadProtocolReport, loadProtocolText } from '../protocols/table.ts';
import type { Store } from '../store/store.ts';
import type { Terms } from '../store/terms.ts';
import { leadingSentence, questionTitle } from '../text/answers/first-sentence.ts';
import { toLine } from '../text/line.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

const span = z.object({ low: z.number(), high: z.number() });

/** The schema of the state of a run, as tools return it. */
export const standingSchema = z.object({
  run: z.string(),
  kind: z.string(),
  question: z.string(),
  status: z.enum(['queued', 'running', 'waiting', 'done', 'stopped', 'failed', 'interrupted']),
  /** Why the run ended as it did, if the run says so. */
  reason: z.string().optional(),
  /**
   * The step of the latest running call, or if none is running, of the latest call; `beginning` before the first
   * call. Absent unless a process works on the run.
   */
  phase: z.string().optional(),
  /** The first sentence of the result; absent while there is none. */
  recommendation: z.string().optional(),
  seats: z.object({
    answered: z.number(),
    of: z.number(),
    missing: z.array(z.object({ seat: z.string(), reason: z.string() })),
  }),
  spent: z.object({
    calls: z.number(),
    tokens: z.number(),
    usd: z.number(),
    callsWithoutPrice: z.number(),
  }),
  /**
   * The estimated calls and US dollars that are still to come. Absent if the run is done or was not
   * estimated; `usd` is absent if a price is unknown or nothing is paid.
   */
  rest: z.object({ calls: span, usd: span.optional() }).optional(),
  /** The question that the run waits for; absent unless the status is `waiting`. */
  gate: z
    .object({
      id: z.string(),
      prompt: z.string(),
      choices: z.array(z.object({ choice: z.string(), label: z.string() })),
      /** False if only a person at the terminal may answer. */
      answerable: z.boolean(),
    })
    .optional(),
  /** The position of the last fact. A client passes it to `wait` as `since` to get later progress. */
  since: z.number(),
  /** The tool to call next with its arguments, or what a person has to do. */
  next: z.string(),
});
/** The state of a run, as tools return it. */
export type RunStanding = z.infer<typeof standingSchema>;

/** A recorded run, its state, and the texts and reports of its protocol. */
export interface KnownRun extends RecordedRun {
  readonly text: ProtocolText;
  readonly report: ProtocolReport;
  readonly standing: RunStanding;
}

/**
 * Reads a run and its state from the database. `conceal` masks API keys before a text is shortened
 * to a title; complete texts are masked elsewhere.
 */
export async function readRun(
  store: Store,
  run: string,
  conceal: (text: string) => string,
): Promise<KnownRun> {
  store.clearDeadOwners();
  // Read the status first, so that the facts, which are read next, are at least as recent.
  const { status, protocol } = store.summary(run);
  const facts = store.facts(run);
  const view = viewOf(facts);
  const text = await loadProtocolText(protocol);
  const report = await loadProtocolReport(protocol);
  const asks = (await loadToolPart(protocol))?.asks === true;
  const known = { facts, view, text, report };
  return { ...known, standing: standingOf({ ...known, asks, conceal }, run, status, store) };
}

function standingOf(
  {
    facts,
    view,
    text,
    report,
    asks,
    conceal,
  }: Omit<KnownRun, 'standing'> & { asks: boolean; conceal: (text: string) => string },
  run: string,
  recorded: string,
  store: Store,
): RunStanding {
  const { usage, costUsd: usd, unpriced: callsWithoutPrice, reason } = view;
  // A person's answer to the run's open question may be in the database before the process that works on the run
  // has recorded it. The question then already counts as answered.
  const gate =
    view.gate !== undefined && store.messages.has(run, 'answer', view.gate.step)
      ? undefined
      : view.gate;
  const goesOn = recorded === 'running' || recorded === 'queued';
  const status = goesOn && gate !== undefined ? 'waiting' : recorded;
  const calls = countCalls(view);
  const said = recommendationOf({ facts, view, text, report });
  const standing = {
    run,
    kind: toLine(view.protocol),
    question: toLine(questionTitle(conceal(view.question))),
    status: standingSchema.shape.status.parse(status),
    ...(reason === undefined ? {} : { reason: toLine(reason) }),
    ...(recorded === 'running' ? { phase: phaseOf(view) } : {}),
    ...withoutUndefined({ recommendation: said }),
    seats: seatsOf(view, text.latest({ facts, view })),
    spent: { calls, tokens: usage.input + usage.output, usd, callsWithoutPrice },
    ...restOf(store.detached.find(run), { calls, usd }, recorded),
    ...(status === 'waiting' && gate !== undefined
      ? {
          gate: {
            id: gate.step,
            prompt: toLine(gate.prompt),
            choices: gate.options.map(({ value, label }) => ({
              choice: value,
              label: toLine(label),
            })),
            answerable: !gate.step.startsWith(BUDGET_GATE),
          },
        }
      : {}),
    since: view.seq,
  };
  return { ...standing, next: nextOf(standing, asks) };
}

function nextOf({ run, status, since, gate }: Omit<RunStanding, 'next'>, asks: boolean): string {
  switch (status) {
    case 'queued':
    case 'running':
      return `wait {"run": "${run}", "since": ${since}}`;
    case 'waiting':
      return gate?.answerable
        ? `answer {"run": "${run}", "gate": "${gate.id}", "choice": …}`
        : `Only a person can lift a budget, in a terminal: deliberate answer ${run} go-on. To end the run: stop {"run": "${run}"}`;
    case 'done':
      return `inspect {"run": "${run}", "part": …}${asks ? `, or ask {"run": "${run}", "question": …}` : ''}`;
    default:
      return `wait {"run": "${run}", "resume": true} goes on where it stopped; recorded answers are not paid again`;
  }
}

/** Returns the recommendation in the model's own words, as one sanitised line. */
function recommendationOf(known: Omit<KnownRun, 'standing'>): string | undefined {
  const { text, report, ...run } = known;
  const last = text.latest(run);
  if (last !== undefined) {
    const sentence = leadingSentence(text.reads(last, run));
    return sentence === undefined ? undefined : toLine(sentence);
  }
  // If a finished run has no synthesis, as one of agents, its result is the first answer of its report.
  const [result] = run.view.status === 'done' ? report.build(run).answers : [];
  const sentence = result && answerSentence(result);
  return sentence && toLine(sentence);
}

/** Returns who answered: by the last synthesis, or before there is one, by each seat's last call. */
function seatsOf(view: RunView, synthesis: SynthesisView | undefined): RunStanding['seats'] {
  if (synthesis !== undefined && !synthesis.conclusion) return seatsIn(synthesis, view);
  const missing = view.seats.flatMap(({ id }) => {
    const why = reasonOf(lastCallOf(view, id), view.status);
    return why === undefined ? [] : [{ seat: getSeatTitle(id, view), reason: why }];
  });
  return { answered: view.seats.length - missing.length, of: view.seats.length, missing };
}

function seatsIn({ included, excluded }: SynthesisView, view: RunView): RunStanding['seats'] {
  return {
    answered: included.length,
    of: included.length + excluded.length,
    missing: excluded.map(({ seat, reason }) => ({
      seat: getSeatTitle(seat, view),
      reason: toLine(reason),
    })),
  };
}

function reasonOf(call: CallView | undefined, status: RunView['status']): string | undefined {
  if (call === undefined) return status === 'running' ? 'not asked yet' : 'not asked';
  return whyNoFinalAnswer(call);
}

function lastCallOf({ calls }: RunView, seat: string): CallView | undefined {
  return Object.values(calls)
    .filter((call) => call.seat === seat)
    .reduce<CallView | undefined>(
      (last, call) => (last === undefined || call.startedAt >= last.startedAt ? call : last),
      undefined,
    );
}

function countCalls({ calls }: RunView): number {
  return Object.values(calls).filter(({ inherited, state }) => !inherited && state !== 'running')
    .length;
}

function phaseOf({ calls }: RunView): string {
  const running = Object.values(calls).findLast(({ state }) => state === 'running');
  return toLine((running ?? Object.values(calls).at(-1))?.step ?? 'beginning');
}

function restOf(
  terms: Terms | undefined,
  spent: { calls: number; usd: number },
  status: string,
): Pick<RunStanding, 'rest'> {
  const expected = terms?.expected;
  if (expected === undefined || status === 'done') return {};
  const subtractSpent = ({ low, high }: { low: number; high: number }, so: number) => ({
    low: Math.max(0, low - so),
    high: Math.max(0, high - so),
  });
  return {
    rest: {
      calls: subtractSpent(expected.calls, spent.calls),
      ...(expected.usd === undefined ? {} : { usd: subtractSpent(expected.usd, spent.usd) }),
    },
  };
}

/**
 * Returns the warning that must precede the run's text, for example because the built-in stand-in
 * for models answered; undefined if there is none.
 */
export function findRunWarning({ view }: KnownRun): string | undefined {
  return findWarning(view);
}
