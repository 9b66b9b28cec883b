/**
 * What servers tell of themselves and their models, remembered from one call of the program to the next, so
 * that no first call waits for an answer that was given before. Every call of the program asks again while its
 * calls are under way; what has changed holds from the next call on.
 */
import * as z from 'zod';

const modelSchema = z.object({
  /** The context window in tokens. */
  window: z.number().int().positive().optional(),
  /** Whether the model can answer at all. */
  answers: z.boolean().optional(),
  /** Whether it was made to call tools. */
  tools: z.boolean().optional(),
  /** The levels of thinking that it takes; absent where the server does not tell. */
  efforts: z.array(z.string()).optional(),
  /** Where it really runs, if that is somebody else's machine. */
  remote: z.string().optional(),
});
/** What a server tells of a model. What it does not tell is absent. */
export type ToldModel = z.infer<typeof modelSchema>;

export const toldSchema = z.object({
  /** The path at which it lists the models in its memory; `none` where it has no such list. */
  lists: z.string().optional(),
  models: z.record(z.string(), modelSchema),
});
export type Told = z.infer<typeof toldSchema>;

/** Models that are remembered of a server; those that were used last stay. */
const MOST_MODELS = 100;

/** What one server has told, in this call of the program and in earlier ones. */
export class ServerMemory {
  private earlier: Told = { models: {} };
  private readonly now = new Map<string, ToldModel>();
  private listsNow: string | undefined;

  /** Takes what was remembered. */
  recall(told: Told): void {
    this.earlier = told;
  }

  /** Returns what the server has told of a model, in an earlier call of the program if not in this one. */
  find(model: string): ToldModel | undefined {
    const { models } = this.earlier;
    return this.now.get(model) ?? (Object.hasOwn(models, model) ? models[model] : undefined);
  }

  learn(model: string, told: ToldModel): void {
    this.now.delete(model);
    this.now.set(model, told);
  }

  /** The path of its list of models in memory, `none`, or undefined where that is not known. */
  get lists(): string | undefined {
    return this.listsNow ?? this.earlier.lists;
  }

  learnLists(path: string): void {
    this.listsNow = path;
  }

  /** Returns everything that is to be remembered; undefined where that is what was remembered before. */
  changed(): Told | undefined {
    const kept = Object.entries(this.earlier.models).filter(([model]) => !this.now.has(model));
    const models = Object.fromEntries([...kept, ...this.now].slice(-MOST_MODELS));
    const told = { ...(this.lists === undefined ? {} : { lists: this.lists }), models };
    const isSame = [...this.now].every(
      ([model, now]) => JSON.stringify(now) === JSON.stringify(this.earlier.models[model]),
    );
    return isSame && told.lists === this.earlier.lists ? undefined : told;
  }
}
