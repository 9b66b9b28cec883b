/**
 * Checks an artifact before it is recorded. Invalid parts are removed or marked, so that one wrong
 * step does not invalidate the rest.
 */

import * as z from 'zod';
import { plainWords } from '../../text/words/quotation.ts';
import { findUnknownCitations } from './cited-sources.ts';
import { type FactBody, fact } from './facts.ts';
import { CLAIM_FIELD_SCHEMAS } from './prompts/claims.ts';
import type { Document } from './records/documents.ts';
import type { Role } from './records/types.ts';
import type { SourceView } from './sources.ts';

const walkSchema = z.looseObject({
  steps: z.array(z.unknown()),
  friction: z.array(z.looseObject({ step: z.number(), point: z.string() })),
});
const invariantSchema = z.looseObject({
  evidence: z.array(z.looseObject({ quote: z.string() })),
});

/** The remark after a quotation that was not found. */
const NOT_FOUND = '(these words stand nowhere in the material)';

interface Kept {
  readonly value: unknown;
  readonly refused: readonly FactBody[];
}

/**
 * Returns an artifact (a role's written work of one round) without its invalid parts, and the facts that record
 * the invalid parts as refusals. A friction point of the Observer is removed if its step does not exist. A
 * remark is added to texts that cite a missing tool result or missing lines, and to quotations of the Guardian that
 * are in none of the texts. Claims stay as they are.
 * @param value the role's answer, which becomes the artifact
 * @param material the texts that the seat saw and may quote
 * @param results the tool results that the seat may cite; undefined if it had no tools
 */
export function dropInvalidParts(
  round: number,
  role: Role,
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

/** Adds a remark to every text that cites a tool result or lines of one that do not exist. */
function markCites(
  round: number,
  role: Role,
  value: unknown,
  results: readonly SourceView[],
): Kept {
  const refused = new Map<string, FactBody>();
  const markPart = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(markPart);
    if (typeof part === 'object' && part !== null)
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, markPart(item)]));
    if (typeof part !== 'string') return part;
    const unknown = findUnknownCitations(part, results);
    for (const { ref, why } of unknown)
      refused.set(
        ref,
        fact('refusal.recorded', { round, kind: 'quotation', by: role, text: ref, why }),
      );
    if (unknown.length === 0) return part;
    return `${part} (${unknown.map(({ why }) => why).join('; ')})`;
  };
  const parts = Object.entries(Object(value)).map(([key, part]) => [
    key,
    // The claims, withdrawals and disputes of an artifact are checked later, one by one. So mark unknown citations only
    // in the other fields of the artifact.
    Object.hasOwn(CLAIM_FIELD_SCHEMAS, key) ? part : markPart(part),
  ]);
  return { value: Object.fromEntries(parts), refused: [...refused.values()] };
}

/** Drops friction points that name a step which does not exist. */
function keepFriction(round: number, value: unknown): Kept {
  const walk = walkSchema.safeParse(value);
  if (!walk.success) return { value, refused: [] };
  const { steps, friction } = walk.data;
  const hasStep = ({ step }: { step: number }): boolean => step >= 1 && step <= steps.length;
  return {
    value: { ...walk.data, friction: friction.filter(hasStep) },
    refused: friction
      .filter((frictionPoint) => !hasStep(frictionPoint))
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

/**
 * Adds a remark to every quotation of the Guardian that is in none of the texts. The quotation stays, because
 * the Guardian's verdict may depend on it.
 */
function markQuotations(round: number, value: unknown, material: readonly Document[]): Kept {
  const check = invariantSchema.safeParse(value);
  if (!check.success) return { value, refused: [] };
  const texts = material.map(({ text }) => ` ${plainWords(text).join(' ')} `);
  const isFound = (quote: string): boolean => {
    const words = plainWords(quote).join(' ');
    return words !== '' && texts.some((text) => text.includes(` ${words} `));
  };
  const invented = check.data.evidence.filter(({ quote }) => !isFound(quote));
  return {
    value: {
      ...check.data,
      evidence: check.data.evidence.map((entry) =>
        invented.includes(entry)
          ? { ...entry, bears: `${NOT_FOUND} ${String(entry.bears)}` }
          : entry,
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
