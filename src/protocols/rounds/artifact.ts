/**
 * An artifact as it was handed in, held against what it can know: what is sound of it is kept, and what
 * is not is taken out or marked, by name. One step that does not exist spoils no walkthrough.
 */
import * as z from 'zod';
import { plainWords } from '../../text/words/quotation.ts';
import { unknownIn } from './cited-sources.ts';
import { type FactBody, fact } from './facts.ts';
import type { RoleName } from './fold.ts';
import { HELD } from './prompts/claims.ts';
import type { Document } from './records/documents.ts';
import type { SourceView } from './sources.ts';

const walkSchema = z.looseObject({
  steps: z.array(z.unknown()),
  friction: z.array(z.looseObject({ step: z.number(), point: z.string() })),
});
const invariantSchema = z.looseObject({
  evidence: z.array(z.looseObject({ quote: z.string() })),
});

/** What stands behind a quotation that nobody can find. */
const NOT_FOUND = '(these words stand nowhere in the material)';

interface Kept {
  readonly value: unknown;
  readonly refused: readonly FactBody[];
}

/**
 * Checks a role's artifact (the role's written work of a round). Invalid parts are removed or
 * marked in the text, and each is reported as a refusal.
 * @param material the texts that the seat saw and may quote
 * @param results the results of tools that the seat may cite; undefined if it had no tools
 */
export function keepSound(
  round: number,
  role: RoleName,
  value: unknown,
  material: readonly Document[],
  results?: readonly SourceView[],
): Kept {
  const cited =
    results === undefined ? { value, refused: [] } : markCites(round, role, value, results);
  const kept =
    role === 'observer'
      ? keepFriction(round, cited.value)
      : role === 'guardian'
        ? markQuotations(round, cited.value, [...material, ...(results ?? [])])
        : { value: cited.value, refused: [] };
  return { value: kept.value, refused: [...cited.refused, ...kept.refused] };
}

/** What an artifact cites and nobody has found says so where it stands. */
function markCites(
  round: number,
  role: RoleName,
  value: unknown,
  results: readonly SourceView[],
): Kept {
  const refused = new Map<string, FactBody>();
  const mark = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(mark);
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, mark(item)]));
    if (typeof one !== 'string') return one;
    const unknown = unknownIn(one, results);
    for (const { ref, why } of unknown)
      refused.set(
        ref,
        fact('refusal.recorded', { round, kind: 'quotation', by: role, text: ref, why }),
      );
    if (unknown.length === 0) return one;
    return `${one} (${unknown.map(({ why }) => why).join('; ')})`;
  };
  const parts = Object.entries(Object(value)).map(([key, part]) => [
    key,
    // Claims are checked separately when they are registered.
    Object.hasOwn(HELD, key) ? part : mark(part),
  ]);
  return { value: Object.fromEntries(parts), refused: [...refused.values()] };
}

/** Friction happens at a step of the walk. */
function keepFriction(round: number, value: unknown): Kept {
  const walk = walkSchema.safeParse(value);
  if (!walk.success) return { value, refused: [] };
  const { steps, friction } = walk.data;
  const real = ({ step }: { step: number }): boolean => step >= 1 && step <= steps.length;
  return {
    value: { ...walk.data, friction: friction.filter(real) },
    refused: friction
      .filter((one) => !real(one))
      .map(({ step, point }) =>
        fact('refusal.recorded', {
          round,
          kind: 'quotation',
          by: 'observer',
          text: point,
          why: `it happens at step ${step}, and the walk has ${steps.length}`,
        }),
      ),
  };
}

/** A quotation that stands nowhere stays, since the verdict may lean on it, and says so. */
function markQuotations(round: number, value: unknown, material: readonly Document[]): Kept {
  const check = invariantSchema.safeParse(value);
  if (!check.success) return { value, refused: [] };
  const texts = material.map(({ text }) => ` ${plainWords(text).join(' ')} `);
  const stands = (quote: string): boolean => {
    const words = plainWords(quote).join(' ');
    return words !== '' && texts.some((text) => text.includes(` ${words} `));
  };
  const invented = check.data.evidence.filter(({ quote }) => !stands(quote));
  return {
    value: {
      ...check.data,
      evidence: check.data.evidence.map((one) =>
        invented.includes(one) ? { ...one, bears: `${NOT_FOUND} ${String(one.bears)}` } : one,
      ),
    },
    refused: invented.map(({ quote }) =>
      fact('refusal.recorded', {
        round,
        kind: 'quotation',
        by: 'guardian',
        text: quote,
        why: 'these words stand nowhere in the material',
      }),
    ),
  };
}
