/**
 * Who may talk to a provider's host, and when. Two limits meet here: `--concurrency`, and the
 * memory of a local server. A machine that holds one model at a time throws it out for every call
 * of another one and loads it again for the next; with the calls of two models mixed, it does
 * little else. So the calls of one model run together there, and the others see what they wait for.
 *
 * Most machines hold several models, and must not be slowed down by that. Which kind this one is
 * shows in `/api/ps`: two models listed, it holds many; a model gone that was there a moment ago,
 * it holds one. Until that is known, models are called for the first time one after the other.
 */
import type { LoadedModel } from './provider.ts';

export interface Turn {
  /** Bytes of the answer arrived: the model is in memory now. */
  answered(): void;
  /** The call is over. */
  leave(): void;
}

interface SchedulerOptions {
  /** Most calls at once. */
  readonly limit: number;
  /** What the server holds in memory; absent for servers without that question. Never rejects. */
  readonly loaded?: (() => Promise<readonly LoadedModel[] | undefined>) | undefined;
  /** What this server is known for from earlier: it holds one model at a time, or several. */
  readonly known?: 'one' | 'many' | undefined;
  /** How long the first call of another model waits for a model to be loaded. */
  readonly firstTouchMs?: number | undefined;
  /** The model's name as a waiting seat reads it: `ollama/llama3.2:3b`. */
  readonly nameOf: (model: string) => string;
}

interface Waiting {
  readonly model: string;
  readonly onQueued: (behind: string) => void;
  admit: (place: Turn) => void;
  /** It waited when its model's turn began, so it belongs to that turn. */
  inTurn: boolean;
  /** What it was last told. */
  behind: string;
}

/** Loading a large model may take minutes. Past this the calls of others are sent all the same, and wait at the server. */
const FIRST_TOUCH_MS = 15_000;

/** Seats are asked one after the other within a moment; the turn that the first one opens is for all of them. */
const GATHER_MS = 20;

const OTHER_CALLS = 'other calls';

export class ModelScheduler {
  private readonly options: SchedulerOptions;
  /**
   * `learning`: first touches one after the other. `open`: nothing to learn from this server just
   * now, so nobody waits. `many`: it holds several models. `one`: one model at a time.
   */
  private mode: 'learning' | 'open' | 'many' | 'one';
  private firstLook: Promise<void> | undefined;
  private isLookPending = false;
  private waiting: Waiting[] = [];
  private readonly active = new Map<string, number>();
  /** Models that `/api/ps` has listed, and until when it meant to keep them. */
  private readonly listed = new Map<string, number>();
  /** Models whose first touch is over. */
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

  /** Calls of `model` that are on their way now. */
  activeOf(model: string): number {
    return this.active.get(bare(model)) ?? 0;
  }

  /** From now on one call at a time: the server ends an answer when another request comes. */
  serialize(): void {
    this.isSerial = true;
  }

  /** Whether two names mean one model here. */
  isSame(one: string, other: string): boolean {
    return bare(one) === bare(other);
  }

  /** Waits for a place. Undefined if `signal` was aborted before there was one. */
  async enter(
    model: string,
    signal: AbortSignal,
    onQueued: (behind: string) => void,
  ): Promise<Turn | undefined> {
    if (this.mode === 'learning' && this.firstLook === undefined) this.lookFirst();
    if (signal.aborted) return undefined;
    return new Promise((resolve) => {
      const entry: Waiting = {
        model: bare(model),
        onQueued,
        inTurn: false,
        behind: '',
        admit: (place) => {
          signal.removeEventListener('abort', stop);
          resolve(place);
        },
      };
      const stop = () => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        resolve(undefined);
        this.dispatch();
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.push(entry);
      this.dispatch();
    });
  }

  /**
   * Reads what is in memory while the calls of the first model are on their way already: only those of
   * other models wait for it.
   */
  private lookFirst(): void {
    this.isLookPending = true;
    this.firstLook = this.look().then((models) => {
      this.isLookPending = false;
      // Who tells nothing is no reason to have anybody wait.
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
      // What the first look tells may let them through in a moment.
      if (entry.behind === behind || this.isLookPending) continue;
      entry.behind = behind;
      // Told later: whoever listens may stop the call, and that would change the list we walk over.
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
        // A first touch that failed has shown nothing: the next call makes another one.
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
      // Someone gave it more room, or took a large model away.
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
    // A model of a cloud behind this server is in nobody's memory, and evicts nothing.
    if (models[0]?.model !== model) return;
    const now = Date.now();
    const evicted = [...before].some(
      ([other, until]) => other !== model && (until > now || this.activeOf(other) > 0),
    );
    if (evicted) this.mode = 'one';
  }

  private async look(): Promise<readonly LoadedModel[] | undefined> {
    const models = await this.options.loaded?.();
    const known = models?.map((entry) => ({ ...entry, model: bare(entry.model) }));
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
    // Whoever comes later to a turn joins it only if nobody of another model waits for its end.
    const alone = this.waiting.every((entry) => entry.model === this.turn);
    if (!alone && now - this.turnBegan > GATHER_MS) return;
    for (const entry of this.waiting) if (entry.model === this.turn) entry.inTurn = true;
  }
}

/** Ollama's names mean `:latest` where they have no tag, and `/api/ps` spells it out. */
function bare(model: string): string {
  return model.replace(/:latest$/, '');
}
