/** Follows a run that another process works on by polling its facts and stored text. */
import type { Bus } from '../../kernel/bus.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Store } from '../../store/store.ts';

/** Milliseconds between two polls: half of the interval at which the owner stores text. */
const POLL_MS = 250;

/**
 * Publishes on `bus` the new facts of a run and the text that its models send, by polling the
 * database. Resolves when the run has ended, no process works on it any more, or `signal` aborts. A
 * queued run is followed until a worker has ended it.
 *
 * @param after the number of the last fact that is known already
 */
export async function follow(
  store: Store,
  id: string,
  after: number,
  bus: Bus,
  signal: AbortSignal,
): Promise<void> {
  let seq = after;
  let chunk = 0;
  const attempts = new Map<string, string>();
  const seats = new Map<string, { seat: string; call: string }>();
  for (const fact of store.facts(id).filter(KERNEL.owns))
    if (fact.type === 'step.started') rememberSeat(fact);
  while (!signal.aborted) {
    store.clearDeadOwners();
    // Read the run's status first: once the status says that the run has ended, all facts of the run are stored.
    const { status } = store.summary(id);
    const facts = store.facts(id, seq);
    for (const fact of facts.filter(KERNEL.owns))
      if (fact.type === 'step.started') rememberSeat(fact);
    const chunks = store.chunks(id, chunk);
    for (const piece of chunks) {
      chunk = piece.id;
      const seat = seats.get(piece.step);
      if (seat === undefined) continue;
      if (attempts.get(piece.step) !== piece.attempt) {
        attempts.set(piece.step, piece.attempt);
        bus.live({
          type: 'sent',
          attempt: Number(piece.attempt.split('#')[1] ?? 1),
          step: piece.step,
          ...seat,
        });
      }
      if (piece.thinking)
        bus.live({ type: 'thinking', text: piece.thinking, step: piece.step, ...seat });
      if (piece.text) bus.live({ type: 'text', text: piece.text, step: piece.step, ...seat });
    }
    bus.facts(facts);
    seq = facts.at(-1)?.seq ?? seq;
    if (status !== 'running' && status !== 'queued') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  function rememberSeat(fact: { step: string; seat?: string | undefined; attempt: string }): void {
    if (fact.seat !== undefined) seats.set(fact.step, { seat: fact.seat, call: fact.attempt });
  }
}
