/** What a protocol of one's own has recorded with `emit`: the fold of its facts, which needs none of its files. */
import * as z from 'zod';
import { type AnyFact, ownFieldsOf } from '../kernel/vocabulary.ts';

/** A fact of a user's own protocol, as displays show it. */
export interface Recorded {
  /** The kind without the protocol's name: `objection.raised`. */
  readonly kind: string;
  /** The key under which the fact was recorded. No two facts of a kind have the same key. */
  readonly step: string;
  /** The fields of the fact. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The list of a protocol's own facts before the first fact of a run. */
export const NOTHING_RECORDED: readonly Recorded[] = [];

/**
 * Adds a fact to the list of a protocol's own facts. A fact of an earlier attempt with the same kind
 * and key is replaced.
 */
export function foldRecorded(records: readonly Recorded[], fact: AnyFact): readonly Recorded[] {
  const fields = ownFieldsOf(fact);
  if (fields === undefined) return records;
  const kind = fact.type.slice(fact.type.indexOf('/') + 1);
  const step = fact.step ?? '';
  const at = records.findIndex((record) => record.kind === kind && record.step === step);
  const record = { kind, step, fields };
  return at < 0 ? [...records, record] : records.with(at, record);
}

/** Returns the facts of a user's own protocol among all facts of a run. */
export function recordedIn(facts: readonly AnyFact[]): readonly Recorded[] {
  return facts.reduce(foldRecorded, NOTHING_RECORDED);
}

/** Returns the schema of the protocol's own facts in exported runs. */
export const makeRecordedSchema = () =>
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

/** Returns the protocol's own facts for an exported run; undefined if the run has none. */
export function toExportedFacts(
  facts: readonly AnyFact[],
): z.infer<ReturnType<typeof makeRecordedSchema>> {
  const records = recordedIn(facts);
  return records.length === 0 ? undefined : records;
}
