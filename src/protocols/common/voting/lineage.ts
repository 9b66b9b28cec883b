/**
 * Counts effective votes: how many independent votes the votes of related models are worth. Two
 * seats with the same model are one voter who is asked twice, and two models of one family were
 * trained on nearly the same texts.
 */

/**
 * The assumed correlation between the votes of two different models of one family. The value is not
 * measured: it lies halfway between one voter (1) and independent voters (0).
 */
export const FAMILY_CORRELATION = 0.5;

/**
 * Returns a model's name without its server: the part after the last slash, in lower case; the name of
 * a coding agent that chooses its model itself, as `claude-code` for `claude-code/default`. The
 * ending `:latest` is removed, and so are endings such as `:free`, by which a router says how it
 * serves the model. `ollama/org/Qwen3:8b` and `other/qwen3:8b` are `qwen3:8b`;
 * `openrouter/anthropic/claude-opus-5:free` is `claude-opus-5`.
 */
export function getModelName(spec: string): string {
  const parts = spec.trim().toLowerCase().split('/');
  // A coding agent that chooses its model itself, as in `claude-code/default`, is identified by its own name.
  const name = (parts.at(-1) === 'default' ? parts.at(-2) : parts.at(-1)) ?? '';
  return name.replace(/:latest$/, '').replace(SERVED_AS, '');
}

/**
 * The suffixes by which OpenRouter offers the same model at another price or speed, or with a web
 * search before the answer.
 */
const SERVED_AS = /:(?:free|nitro|floor|online|extended|exacto)$/;

/**
 * Returns a model's family: its name up to the first `:`, `-`, `_`, `@` or digit.
 * `qwen2.5-coder:7b` and `qwen3:8b` are both `qwen`. If a name begins with one of these characters,
 * the whole name is returned. The family of a distilled model is derived from its own name, not
 * from the model that it was distilled from.
 */
export function getModelFamily(spec: string): string {
  const name = getModelName(spec);
  return /^[^:\-_@\d]+/.exec(name)?.[0] ?? name;
}

/**
 * Returns how many independent votes the votes of these models are worth: from 1 to their number,
 * or 0 for an empty list. Several seats with the same model count as one. Within a family, n
 * different models are worth n / (1 + (n − 1)ρ), with ρ = `FAMILY_CORRELATION` (Kish's design
 * effect). The values of the families are added.
 */
export function countEffectiveVotes(models: readonly string[]): number {
  const families = new Map<string, Set<string>>();
  for (const model of models) {
    const family = getModelFamily(model);
    families.set(family, (families.get(family) ?? new Set()).add(getModelName(model)));
  }
  let sum = 0;
  for (const { size } of families.values()) sum += size / (1 + (size - 1) * FAMILY_CORRELATION);
  return sum;
}
