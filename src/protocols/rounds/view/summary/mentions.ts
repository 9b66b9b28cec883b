/** Finds the records that a text names by id, so that a person can open them. */
import type { RunModel } from '../../../../console/model/run-model.ts';
import type { Mention } from '../../../../console/ui/citing.ts';
import type { Ref } from '../claim-cards.ts';
import { getRecordsAndState, getRoundsState } from '../part.ts';
import { describeRecords, findIds } from './named.ts';
import { describeUnknownId } from './named-in-synthesis.ts';

/**
 * The most characters of a record that are shown, so that its state still fits on a narrow screen.
 */
const SHORT = 40;

/** The kind of record by the first letter of its id. Tests are shown with their verdict. */
const KINDS: ReadonlyMap<string, Ref['kind']> = new Map([
  ['C', 'claim'],
  ['V', 'verification'],
  ['D', 'decision'],
]);

/** Returns the records that a text names by id, in the order of the text. */
export function findMentionedRecords(text: string, run: RunModel): Mention[] {
  const meanings = describeRecords(
    { ...getRecordsAndState(run), rounds: getRoundsState(run) },
    SHORT,
  );
  return findIds(text)
    .filter((id) => getNamedRecord(id) !== undefined)
    .map((id) => {
      const words = meanings.get(id);
      return { id, words: words ?? describeUnknownId(id), exists: words !== undefined };
    });
}

/**
 * Returns a reference to the record with this id, by the kind that the first letter stands for.
 * Does not look whether the record exists. Returns undefined for other letters than C (claims), V (verifications)
 * and D (decisions).
 */
export function getNamedRecord(id: string): Ref | undefined {
  const kind = KINDS.get(id.charAt(0));
  return kind && { kind, id };
}
