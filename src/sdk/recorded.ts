/** What a protocol of one's own has recorded with `emit`: the fold of its facts, which needs none of its files. */
import * as z from 'zod';
import { type AnyFact, ownFieldsOf } from '../kernel/vocabulary.ts';

export interface Recorded {
  /** The kind without the protocol's name: `objection.raised`. */
  readonly kind: string;
  /** The key that it was recorded under; unique among the records of a kind. */
  readonly step: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const NOTHING_RECORDED: readonly Recorded[] = [];

/** Adds a record. One with the same kind and key, from an earlier attempt, is replaced. */
export function foldRecorded(records: readonly Recorded[], fact: AnyFact): readonly Recorded[] {
  const fields = ownFieldsOf(fact);
  if (fields === undefined) return records;
  const kind = fact.type.slice(fact.type.indexOf('/') + 1);
  const step = fact.step ?? '';
  const at = records.findIndex((one) => one.kind === kind && one.step === step);
  const record = { kind, step, fields };
  return at < 0 ? [...records, record] : records.with(at, record);
}

export function recordedIn(facts: readonly AnyFact[]): readonly Recorded[] {
  return facts.reduce(foldRecorded, NOTHING_RECORDED);
}

export const describeRecorded = () =>
  z
    .array(
      z.object({
        kind: z.string(),
        step: z.string(),
        fields: z.record(z.string(), z.unknown()),
      }),
    )
    .readonly()
    .optional();

/** Undefined where the run has no records. */
export function exportedRecorded(
  facts: readonly AnyFact[],
): z.infer<ReturnType<typeof describeRecorded>> {
  const records = recordedIn(facts);
  return records.length === 0 ? undefined : records;
}
