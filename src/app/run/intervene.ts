/** Sends a message to a run that some process works on: the answer to its gate, or a stop. */
import { BUDGET_GATE } from '../../kernel/budget.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { type GateOption, readAnswer } from '../../kernel/handle.ts';
import { shortId } from '../../kernel/short-id.ts';
import { type GateView, viewOf } from '../../kernel/view.ts';
import { RestateClient } from '../../restate/client.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../store/terms.ts';
import { toLine } from '../../text/line.ts';

type By = Message['by'];

/** Returns the question to a person (gate) at which the run waits; undefined if there is none. */
export function findOpenGate(store: Store, run: string): GateView | undefined {
  const { gate, status } = viewOf(store.facts(run));
  return status === 'running' ? gate : undefined;
}

/**
 * Stores an answer to a run's question, for the process that works on the run. Resolves to the
 * question.
 *
 * @param given `choice`: an option's value, or `value: TEXT` for an option that takes a text; `by`:
 *   who answers; `step`: the key of the question's step, by default that of the open question
 * @throws DeliberateError if no question is open, another question than that of `step` is open,
 *   only a person may answer, or the question was answered already; UsageError if `checkChoice`
 *   refuses the choice
 */
export async function leaveAnswer(
  store: Store,
  run: string,
  { choice, by, step }: { readonly choice: string; readonly by: By; readonly step?: string },
): Promise<GateView> {
  const gate = findOpenGate(store, run);
  if (gate === undefined)
    throw new DeliberateError(
      'nothing-asked',
      `run ${shortId(run)} is not waiting for an answer`,
      `See its status: deliberate watch ${shortId(run)}`,
    );
  if (step !== undefined && gate.step !== step)
    throw new DeliberateError(
      'other-gate',
      `the run asks ${toLine(gate.step)}, not ${toLine(step)}`,
    );
  if (by === 'program' && gate.step.startsWith(BUDGET_GATE))
    throw new DeliberateError(
      'a-person',
      'only a person can lift a budget',
      `In a terminal: deliberate answer ${shortId(run)} go-on`,
    );
  const refused = checkChoice(gate.options, choice);
  if (refused?.wanted !== undefined)
    throw new UsageError(
      `"${toLine(choice)}" needs words of yours: ${toLine(refused.wanted)}`,
      `Example: deliberate answer ${shortId(run)} "${toLine(readAnswer(choice).value)}: …"`,
    );
  if (refused !== undefined)
    throw new UsageError(
      `"${toLine(choice)}" is not one of the choices`,
      `The choices are ${gate.options.map(({ value }) => toLine(value)).join(', ')}.`,
    );
  const there = store.elsewhere.find(run);
  const isGiven =
    there?.isOver === false
      ? await new RestateClient(there.address).answer(there.key, gate.step, { value: choice, by })
      : store.messages.leave(run, { kind: 'answer', step: gate.step, value: choice, by });
  if (!isGiven)
    throw new DeliberateError('answered', `run ${shortId(run)} has already been answered`);
  return gate;
}

/**
 * Checks an answer to a question of the run.
 *
 * @param choice the answer: an option's value, or `value: TEXT` for an option that takes a text
 * @returns undefined if the answer is accepted, and an object if it is refused. If the chosen option
 *   needs a text and the answer has none, `wanted` says what text. For any other refused answer
 *   `wanted` is undefined: no option has the value, or the option takes no text.
 */
export function checkChoice(
  options: readonly GateOption[],
  choice: string,
): { readonly wanted: string | undefined } | undefined {
  const { value: chosen, words } = readAnswer(choice);
  // Only an option that takes the person's own words needs a text; the others accept none.
  const option = options.find(({ value }) => value === choice || value === chosen);
  if (option === undefined || (option.words === undefined && option.value !== choice))
    return { wanted: undefined };
  return option.words !== undefined && words.trim() === '' ? { wanted: option.words } : undefined;
}

/**
 * Stops a run that another process works on, by a request in the database or to its Restate server.
 * A queued run is taken out of the queue. Resolves to false if the run is neither running nor queued.
 */
export async function stopRun(store: Store, run: string, by: By): Promise<boolean> {
  const there = store.elsewhere.find(run);
  if (there?.isOver === false) {
    await new RestateClient(there.address).stop(there.key, { by });
    return true;
  }
  // Remove the run from the queue before storing the request to stop. Otherwise, if the run's worker died
  // before it read the request, another worker would take the run from the queue.
  const wasQueued = store.dequeue(run);
  if (!store.isOwned(run)) return wasQueued;
  if (!wasQueued && store.summary(run).status !== 'running') return false;
  store.messages.leave(run, { kind: 'stop', by });
  return true;
}
