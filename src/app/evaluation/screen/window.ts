/**
 * Keeps the screen of an evaluation open while the person reads it, and switches to the runs of its answers and
 * back.
 */
import { EvaluationModel } from '../../../console/evaluation/model.ts';
import { type OpenEvaluation, openEvaluation } from '../../../console/evaluation/open.ts';
import type { EvaluationHead, EvaluationStanding } from '../../../console/evaluation/ports.ts';
import type { EvaluationState } from '../../../console/evaluation/state.ts';
import { keymapOf, type OwnKeys } from '../../../console/keys/key-lookup.ts';
import type { Store } from '../../../store/store.ts';
import type { Invocation } from '../../invocation.ts';
import { drainMessages } from '../../run/display.ts';
import { Desktop } from '../../run/outside.ts';
import { openCell } from './cell.ts';
import { exportsOf } from './exports.ts';

interface WindowParts {
  readonly call: Invocation;
  readonly store: Store;
  readonly head: EvaluationHead;
  readonly keys: OwnKeys | undefined;
  /** Looks for news. Returns false if there is more to read at once. */
  readonly look: () => boolean;
  /** Stops the evaluation if this process works on it. */
  readonly stop: () => void;
}

/** Milliseconds between two looks: half of the interval at which text of a run is stored. */
const LOOK_MS = 500;
/** Milliseconds between two polls if there is more to read. Keys are handled meanwhile. */
const BREATH_MS = 4;

/** The open screen of an evaluation, and the polling of the database that keeps it up to date. */
export class EvaluationWindow {
  readonly model: EvaluationModel;
  /** Resolves when the person has left. Rejects if the screen fails. */
  readonly closed: Promise<void>;
  readonly #parts: WindowParts;
  readonly #leave = new AbortController();
  readonly #desktop: Desktop;
  #screen: OpenEvaluation | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | undefined;

  private constructor(parts: WindowParts) {
    this.#parts = parts;
    this.model = new EvaluationModel(parts.head, Date.now());
    this.#desktop = new Desktop(parts.call, parts.head.id);
    this.closed = this.#show().finally(() => {
      clearTimeout(this.#timer);
      this.#leave.abort();
      if (!parts.call.flags.quiet) parts.call.err.write(this.#desktop.lines(parts.call.err.isTTY));
    });
    // Keep Node from reporting the rejection as unhandled before somebody awaits `closed`.
    this.closed.catch(() => undefined);
  }

  /**
   * Opens the screen.
   *
   * @throws UsageError if the person's key bindings are not valid
   */
  static async open(parts: WindowParts): Promise<EvaluationWindow> {
    keymapOf(parts.keys);
    await drainMessages(parts.call);
    return new EvaluationWindow(parts);
  }

  /** Begins to poll for news. An error rejects `closed`. */
  begin(): void {
    this.#look();
  }

  /** Draws the screen again, because something has changed. */
  changed(): void {
    this.#screen?.changed();
  }

  /** Shows another state of the evaluation, such as its end. */
  stand(standing: EvaluationStanding): void {
    const isNew = standing.kind === 'ended' && !this.model.isOver;
    this.model.stand(standing, Date.now());
    if (isNew) this.#screen?.reported();
    else this.#screen?.changed();
  }

  /** Restores the terminal and resolves when that is done. */
  async close(): Promise<void> {
    this.#leave.abort();
    this.#screen?.close();
    await this.closed;
  }

  async #show(): Promise<void> {
    const { call, store, head, keys, stop } = this.#parts;
    let state: EvaluationState | undefined;
    let wasOver = false;
    while (!this.#leave.signal.aborted) {
      const screen = openEvaluation({
        model: this.model,
        state,
        keys,
        stop,
        outside: this.#desktop,
        exports: exportsOf(store, head.id, this.#desktop),
        screen: call.out,
        stdin: call.stdin,
        env: call.env,
      });
      this.#screen = screen;
      // If the evaluation ended while the person was reading an answer, show the report now.
      if (this.model.isOver && !wasOver) screen.reported();
      const closed = await screen.closed;
      this.#screen = undefined;
      wasOver = this.model.isOver;
      state = closed.state;
      if (closed.choice.kind === 'leave') return;
      await openCell(call, store, closed.choice.run, keys, this.#leave.signal);
      if (this.#failure !== undefined) throw this.#failure.error;
    }
  }

  #look(): void {
    if (this.#leave.signal.aborted) return;
    const known = this.model.known;
    let isAll = true;
    try {
      isAll = this.#parts.look();
    } catch (error) {
      this.#failure = { error };
      this.#screen?.fail(error);
      this.#leave.abort();
      return;
    }
    if (known !== this.model.known) this.#screen?.changed();
    this.#timer = setTimeout(() => this.#look(), isAll ? LOOK_MS : BREATH_MS);
  }
}
