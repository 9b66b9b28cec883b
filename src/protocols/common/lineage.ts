/**
 * Effective votes: what agreement is worth where those who agree are of one lineage. Two seats on one
 * model are one voter asked twice; two models of one family have learnt much of the same.
 */

/**
 * Correlation assumed between two models of one family. An assumption, not a measurement: halfway
 * between one voter (1) and strangers (0). Seats on the same model are taken as one voter, and models of
 * different families as independent, which is generous: models of all makers err alike more often than
 * chance.
 */
export const FAMILY_CORRELATION = 0.5;

/**
 * What is played, without who serves it: `ollama/org/Qwen3:8b` and `other/qwen3:8b` are `qwen3:8b`. The
 * part after the last slash, in lower case, without the tag `latest` and without a router's word for how it is
 * served: `openrouter/anthropic/claude-opus-5:free` is `claude-opus-5`.
 */
export function modelName(spec: string): string {
  const parts = spec.trim().toLowerCase().split('/');
  // A coding agent that chooses its model by itself: its own name says the most of it.
  const name = (parts.at(-1) === 'default' ? parts.at(-2) : parts.at(-1)) ?? '';
  return name.replace(/:latest$/, '').replace(SERVED_AS, '');
}

/** Variants of OpenRouter that are the same model, at another price, speed or with a search before it. */
const SERVED_AS = /:(?:free|nitro|floor|online|extended|exacto)$/;

/**
 * The model's name up to its first `:`, `-`, `_`, `@` or digit: `qwen2.5-coder:7b` and `qwen3:8b` are
 * `qwen`, `claude-opus-4` and `claude-sonnet-4` are `claude`. A name that begins with one of these is a
 * family of its own. Names cannot tell who was distilled from whom.
 */
export function familyOf(spec: string): string {
  const name = modelName(spec);
  return /^[^:\-_@\d]+/.exec(name)?.[0] ?? name;
}

/**
 * How many independent votes the votes of these models are worth: between 1 and their number, 0 for
 * none. Within a family n different models are worth n / (1 + (n − 1)ρ), Kish's design effect for a
 * cluster of n with correlation ρ; families add up. One voter more never makes it less.
 */
export function effectiveVotes(models: readonly string[]): number {
  const families = new Map<string, Set<string>>();
  for (const model of models) {
    const family = familyOf(model);
    families.set(family, (families.get(family) ?? new Set()).add(modelName(model)));
  }
  let sum = 0;
  for (const { size } of families.values()) sum += size / (1 + (size - 1) * FAMILY_CORRELATION);
  return sum;
}
