/**
 * Decides when a call may be sent to a provider's host. There are two limits: `--concurrency`, and the
 * memory of a local server. A machine that holds one model at a time unloads it for every call of another
 * model and loads it again for the next, and with mixed calls of two models does little else. So the calls
 * of one model run together there, and the other calls are shown what they wait for.
 *
 * Most machines hold several models and must not be slowed down. `/api/ps` shows which kind a machine is:
 * if it lists two models, it holds many; if a model that was listed a moment ago is missing, it holds one.
 * Until that is known, the first calls of different models are made one after the other.
 */
import type { LoadedModel } from './provider.ts';

/** The permission of one call to use the server. */
export interface ServerSlot {
  /** Must be called when data of the answer arrives: the server then has the model in memory. */
  answered(): void;
  /** Must be called when the call is over. */
  leave(): void;
}

interface SchedulerOptions {
  /** The most simultaneous calls. */
  readonly limit: number;
  /**
   * Returns the models in the server's memory; absent for servers that do not report them. Never rejects.
   */
  readonly loaded?: (() => Promise<readonly LoadedModel[] | undefined>) | undefined;
  /** What is known from earlier: the server holds one model at a time, or several. */
  readonly known?: 'one' | 'many' | undefined;
  /** Milliseconds that the first call of another model waits for a model to be loaded. */
  readonly firstTouchMs?: number | undefined;
  /** Returns a model's name as it is shown to a waiting seat: `ollama/llama3.2:3b`. */
  readonly nameOf: (model: string) => string;
}

interface Waiting {
  readonly model: string;
  readonly onQueued: (behind: string) => void;
  admit: (place: ServerSlot) => void;
  /** True if it waited when its model's turn began, so that it belongs to that turn. */
  inTurn: boolean;
  /** The name of what the waiting call was last told to wait for. */
  behind: string;
}

/**
 * Milliseconds after which calls of other models no longer wait for the first one. Loading a large model
 * may take minutes; the calls then wait at the server.
 */
const FIRST_TOUCH_MS = 15_000;

/**
 * Milliseconds within which calls join the turn that the first one opens, as seats are asked one shortly
 * after another.
 */
const GATHER_MS = 20;

const OTHER_CALLS = 'other calls';

/** Queues the calls to one server, so that the server gets no more calls at once than it can handle. */
export class ModelScheduler {
  private readonly options: SchedulerOptions;
  /**
   * `learning`: the first calls of models run one after the other. `open`: the server tells nothing at
   * present, so no call waits. `many`: it holds several models. `one`: it holds one model at a time.
   */
  private mode: 'learning' | 'open' | 'many' | 'one';
  private firstLook: Promise<void> | undefined;
  private isLookPending = false;
  private waiting: Waiting[] = [];
  private readonly active = new Map<string, number>();
  /** The models that `/api/ps` has listed, and until when it planned to keep them. */
  private readonly listed = new Map<string, number>();
  /** The models whose first call is over. */
  private readonly touched = new Set<string>();
  /** Models that have answered, and for which `/api/ps` was read or is being read. */
  private readonly looking = new Set<string>();
  private touching: { readonly model: string; readonly timer: NodeJS.Timeout } | undefined;
  private turn: string | undefined;
  private turnBegan = 0;
  private turnLookedAt = false;
  private isSerial = false;

  constructor(options: SchedulerOptions) {
    this.options = options;
    this.mode = options.loaded ? (options.known ?? 'learning') : 'many';
  }

  /** Returns the number of running calls of `model`. */
  activeOf(model: string): number {
    return this.active.get(withoutLatest(model)) ?? 0;
  }

  /**
   * Allows only one call at a time from now on. For servers that end an answer when another request
   * arrives.
   */
  serialize(): void {
    this.isSerial = true;
  }

  /** Returns whether two names mean the same model at this server. */
  isSame(model: string, other: string): boolean {
    return withoutLatest(model) === withoutLatest(other);
  }

  /**
   * Waits until the call may be sent. While the call has to wait, `onQueued` is called with the name of
   * the model that it waits for, or with `other calls`, and again whenever that changes. Resolves to
   * undefined if `signal` was aborted first.
   */
  async enter(
    model: string,
    signal: AbortSignal,
    onQueued: (behind: string) => void,
  ): Promise<ServerSlot | undefined> {
    if (this.mode === 'learning' && this.firstLook === undefined) this.lookFirst();
    if (signal.aborted) return undefined;
    return new Promise((resolve) => {
      const entry: Waiting = {
        model: withoutLatest(model),
        onQueued,
        inTurn: false,
        behind: '',
        admit: (place) => {
          signal.removeEventListener('abort', stopWaiting);
          resolve(place);
        },
      };
      const stopWaiting = () => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        resolve(undefined);
        this.dispatch();
      };
      signal.addEventListener('abort', stopWaiting, { once: true });
      this.waiting.push(entry);
      this.dispatch();
    });
  }

  /**
   * Reads the models in memory while the calls of the first model already run: only those of other models
   * wait for the result.
   */
  private lookFirst(): void {
    this.isLookPending = true;
    this.firstLook = this.look().then((models) => {
      this.isLookPending = false;
      // If a server does not report its models in memory, nothing shows that one model displaces another. So
      // calls of different models do not wait for one another.
      if (models === undefined) this.mode = 'open';
      else if (models.length >= 2) this.mode = 'many';
      this.dispatch();
    });
  }

  private dispatch(): void {
    if (this.mode === 'one') this.chooseTurn();
    const left: Waiting[] = [];
    for (const entry of this.waiting) {
      const behind = this.obstacle(entry);
      if (behind === undefined) {
        this.admit(entry);
        continue;
      }
      left.push(entry);
      // Before the server has listed its loaded models, report no waiting call: the list may let the call begin.
      if (entry.behind === behind || this.isLookPending) continue;
      entry.behind = behind;
      // Call the listener later: it may stop the call, which would change the list during this
      // loop.
      queueMicrotask(() => entry.onQueued(behind));
    }
    this.waiting = left;
  }

  private obstacle(entry: Waiting): string | undefined {
    const { nameOf, limit } = this.options;
    if (this.mode === 'one') {
      const other = [...this.active.keys()].find((model) => model !== entry.model);
      if (other !== undefined) return nameOf(other);
      if (!entry.inTurn) return nameOf(this.turn ?? entry.model);
    }
    if (this.mode === 'learning' && this.touching && !this.touched.has(entry.model)) {
      if (this.touching.model !== entry.model) return nameOf(this.touching.model);
    }
    let calls = 0;
    for (const count of this.active.values()) calls += count;
    const [other] = this.active.keys();
    if (this.isSerial && other !== undefined) return nameOf(other);
    return calls >= limit ? OTHER_CALLS : undefined;
  }

  private admit(entry: Waiting): void {
    const { model } = entry;
    this.active.set(model, this.activeOf(model) + 1);
    if (this.mode === 'learning' && !this.touching && !this.touched.has(model)) {
      const timer = setTimeout(() => {
        this.touched.add(model);
        this.endTouch(model);
        this.dispatch();
      }, this.options.firstTouchMs ?? FIRST_TOUCH_MS);
      this.touching = { model, timer };
    }
    let answered = false;
    let left = false;
    entry.admit({
      answered: () => {
        if (answered) return;
        answered = true;
        void this.answered(model);
      },
      leave: () => {
        if (left) return;
        left = true;
        const count = this.activeOf(model) - 1;
        if (count > 0) this.active.set(model, count);
        else this.active.delete(model);
        // If all calls of a model ended before its first answer, let other models' calls begin, which waited for
        // that answer. The model's next call counts as its first again.
        if (count === 0 && !this.looking.has(model)) this.endTouch(model);
        this.dispatch();
      },
    });
  }

  private async answered(model: string): Promise<void> {
    await this.firstLook;
    if (this.mode === 'one') {
      if (this.turnLookedAt) return;
      this.turnLookedAt = true;
      const models = await this.look();
      // A server that held one model at a time may later hold several, for example after a large model was
      // unloaded. If the server lists two models, models no longer take turns.
      if (models && models.length >= 2) this.mode = 'many';
    } else if (this.mode !== 'many') {
      if (this.looking.has(model)) return;
      this.looking.add(model);
      const before = new Map(this.listed);
      this.learn(model, before, await this.look());
      this.touched.add(model);
      this.endTouch(model);
    }
    this.dispatch();
  }

  private learn(
    model: string,
    before: ReadonlyMap<string, number>,
    models: readonly LoadedModel[] | undefined,
  ): void {
    if (!models || models.length === 0) {
      this.mode = 'open';
      return;
    }
    if (models.length >= 2) {
      this.mode = 'many';
      return;
    }
    // Only a model in the server's memory can have displaced another model. A model that the server runs in a
    // cloud is never in the server's memory.
    if (models[0]?.model !== model) return;
    const now = Date.now();
    const evicted = [...before].some(
      ([other, until]) => other !== model && (until > now || this.activeOf(other) > 0),
    );
    if (evicted) this.mode = 'one';
  }

  private async look(): Promise<readonly LoadedModel[] | undefined> {
    const models = await this.options.loaded?.();
    const known = models?.map((entry) => ({ ...entry, model: withoutLatest(entry.model) }));
    for (const { model, expiresAt } of known ?? []) this.listed.set(model, expiresAt);
    return known;
  }

  private endTouch(model: string): void {
    if (this.touching?.model !== model) return;
    clearTimeout(this.touching.timer);
    this.touching = undefined;
  }

  private chooseTurn(): void {
    const models = [...this.active.keys()];
    const now = performance.now();
    if (models.length === 0 && !this.waiting.some((entry) => entry.inTurn)) {
      this.turn = this.waiting[0]?.model;
      this.turnBegan = now;
      this.turnLookedAt = false;
    } else if (models.length === 1) {
      this.turn = models[0];
    }
    // On a server that holds one model at a time, models take turns. If calls of other models wait, a turn takes
    // in new calls only during the turn's first `GATHER_MS`.
    const alone = this.waiting.every((entry) => entry.model === this.turn);
    if (!alone && now - this.turnBegan > GATHER_MS) return;
    for (const entry of this.waiting) if (entry.model === this.turn) entry.inTurn = true;
  }
}

/** Removes `:latest`, which Ollama's names mean without a tag and `/api/ps` writes out. */
function withoutLatest(model: string): string {
  return model.replace(/:latest$/, '');
}
