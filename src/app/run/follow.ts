/** Follows a run that another process works on by polling its facts and stored text. */
import type { Bus } from '../../kernel/bus.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Store } from '../../store/store.ts';

/** Milliseconds between two polls: half of the interval at which the owner stores text. */
const POLL_MS = 250;

/**
 * Publishes new facts of a run on `bus`, by polling the database. Resolves when the run has ended,
 * no process works on it any more, or `signal` aborts.
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
  for (const one of store.facts(id).filter(KERNEL.owns))
    if (one.type === 'step.started') remember(one);
  while (!signal.aborted) {
    store.clearDeadOwners();
    // Read the status before the facts, so that facts written before the status are not missed.
    const { status } = store.summary(id);
    const facts = store.facts(id, seq);
    for (const one of facts.filter(KERNEL.owns)) if (one.type === 'step.started') remember(one);
    const chunks = store.chunks(id, chunk);
    for (const one of chunks) {
      chunk = one.id;
      const who = seats.get(one.step);
      if (who === undefined) continue;
      if (attempts.get(one.step) !== one.attempt) {
        attempts.set(one.step, one.attempt);
        bus.live({
          type: 'sent',
          attempt: Number(one.attempt.split('#')[1] ?? 1),
          step: one.step,
          ...who,
        });
      }
      if (one.thinking) bus.live({ type: 'thinking', text: one.thinking, step: one.step, ...who });
      if (one.text) bus.live({ type: 'text', text: one.text, step: one.step, ...who });
    }
    bus.facts(facts);
    seq = facts.at(-1)?.seq ?? seq;
    if (status !== 'running' && status !== 'queued') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  function remember(one: { step: string; seat?: string | undefined; attempt: string }): void {
    if (one.seat !== undefined) seats.set(one.step, { seat: one.seat, call: one.attempt });
  }
}
