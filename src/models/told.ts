/**
 * Remembers what servers report of themselves and their models between processes, so that a first call need
 * not wait for an answer that was given before. Every process asks again during its calls, and changes
 * apply from its next call on.
 */
import * as z from 'zod';
import { withoutUndefined } from '../text/without-undefined.ts';

const modelSchema = z.object({
  /** The context window in tokens. */
  window: z.number().int().positive().optional(),
  /** Whether the model can answer, unlike an embedding model. */
  answers: z.boolean().optional(),
  /** Whether the model supports tools. */
  tools: z.boolean().optional(),
  /** The effort levels that the model supports; absent if the server does not report them. */
  efforts: z.array(z.string()).optional(),
  /** The other company's host that a cloud model runs on; absent if the model runs on the server itself. */
  remote: z.string().optional(),
});
/** What a server reports about a model. A field is absent if the server does not report it. */
export type ToldModel = z.infer<typeof modelSchema>;

/** The schema of what a server reports about itself and its models, as stored between processes. */
export const toldSchema = z.object({
  /**
   * The path at which the server lists the models that it has loaded into memory; `none` if it has no such list.
   * Absent if this is not known yet.
   */
  lists: z.string().optional(),
  models: z.record(z.string(), modelSchema),
});
/** What a server reports about itself and its models. */
export type ServerReport = z.infer<typeof toldSchema>;

/** The most models that are remembered per server; the most recently used stay. */
const MOST_MODELS = 100;

/**
 * What one server has reported about itself and its models, in this process and in earlier ones.
 */
export class ServerMemory {
  private earlier: ServerReport = { models: {} };
  private readonly now = new Map<string, ToldModel>();
  private listsNow: string | undefined;

  /** Loads what the server reported in earlier processes. */
  recall(told: ServerReport): void {
    this.earlier = told;
  }

  /**
   * Returns what the server reported about a model, preferring this process to earlier ones;
   * undefined if nothing.
   */
  find(model: string): ToldModel | undefined {
    const { models } = this.earlier;
    return this.now.get(model) ?? (Object.hasOwn(models, model) ? models[model] : undefined);
  }

  /** Stores what the server reported about a model. */
  learn(model: string, told: ToldModel): void {
    this.now.delete(model);
    this.now.set(model, told);
  }

  /**
   * The path of the server's list of models in memory, `none` if it has no such list, or undefined
   * if unknown.
   */
  get lists(): string | undefined {
    return this.listsNow ?? this.earlier.lists;
  }

  /** Stores the path of the server's list of models in memory. */
  learnLists(path: string): void {
    this.listsNow = path;
  }

  /**
   * Returns everything that should be stored for later processes; undefined if nothing has changed.
   */
  changed(): ServerReport | undefined {
    const kept = Object.entries(this.earlier.models).filter(([model]) => !this.now.has(model));
    const models = Object.fromEntries([...kept, ...this.now].slice(-MOST_MODELS));
    const told = { ...withoutUndefined({ lists: this.lists }), models };
    const isSame = [...this.now].every(
      ([model, now]) => JSON.stringify(now) === JSON.stringify(this.earlier.models[model]),
    );
    return isSame && told.lists === this.earlier.lists ? undefined : told;
  }
}
