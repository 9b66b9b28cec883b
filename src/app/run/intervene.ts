/** What is said from outside to a run that some process works on: the answer to its gate, and stop. */
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { type GateView, viewOf } from '../../kernel/view.ts';
import type { Message, Store } from '../../store/store.ts';
import { line } from '../../text/line.ts';

type By = Message['by'];

/** What the run waits to be told; undefined where it waits for nothing. */
export function openGate(store: Store, run: string): GateView | undefined {
  const { gate, status } = viewOf(store.facts(run));
  return status === 'running' ? gate : undefined;
}

/** @throws DeliberateError where nothing is asked, or was answered; UsageError for no choice of the gate's. */
export function answerGate(store: Store, run: string, choice: string, by: By): GateView {
  const gate = openGate(store, run);
  if (gate === undefined)
    throw new DeliberateError(
      'nothing-asked',
      `run ${shortId(run)} is not waiting for an answer`,
      `See its status: deliberate watch ${shortId(run)}`,
    );
  if (!gate.options.some(({ value }) => value === choice))
    throw new UsageError(
      `"${line(choice)}" is not one of the choices`,
      `The choices are ${gate.options.map(({ value }) => line(value)).join(', ')}.`,
    );
  if (!store.leave(run, { kind: 'answer', step: gate.step, value: choice, by }))
    throw new DeliberateError('answered', `run ${shortId(run)} has already been answered`);
  return gate;
}

/** False where nobody works on the run and no worker will: there is nothing to stop. */
export function stopRun(store: Store, run: string, by: By): boolean {
  // First: a worker that dies before it has read the stop leaves the run to nobody.
  const wasQueued = store.dequeue(run);
  if (!store.isOwned(run)) return wasQueued;
  if (!wasQueued && store.summary(run).status !== 'running') return false;
  store.leave(run, { kind: 'stop', by });
  return true;
}
