/**
 * Whether what a seat handed in is a claim: something that can turn out false, that nobody has said yet,
 * and that is more than a sentence of the text under discussion. What is not is refused with the reason.
 */

import { repeatsForm } from '../../../text/form-words.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import { ROLE_SENTENCES } from '../cast.ts';
import { CLAIM_FIELDS, type HandedClaim } from '../prompts/claims.ts';
import { type Document, quotedShare, runsOf, sharedRuns } from '../records/documents.ts';
import { says } from '../records/said.ts';
import type { Claim } from '../records/types.ts';

/** From this share of its three-word runs on, a claim is a quotation of the text. */
const QUOTED = 0.4;
/** From this share on, in both directions, two claims say the same. */
const SAME = 0.8;
/** Fewer words name nothing that one could look at. */
const LEAST_TEST_WORDS = 3;

/** Places of results and of attachments, with the brackets around them. */
const PLACES =
  /[([]?\b(?:S-\d+|attachments\/[^\s#)\]]+)(?:#(?:[\p{L}\p{N}_]{1,70}?)?L\d+(?:-(?:[\p{L}\p{N}_]{1,70}?)?L?\d+)?)?[)\]]?/gu;

/**
 * Removes citations from a text, because their line numbers would make equal claims look different.
 */
export function withoutPlaces(text: string): string {
  return text.replace(PLACES, '').trim();
}

/** What people write where there is nothing to write. */
const NOTHING = new Set(['n a', 'na', 'none', 'nothing', 'no', 'not applicable', 'tbd', 'unknown']);

/** Those on record that may be repeated: nobody stands by them any more. */
type OnRecord = Pick<Claim, 'id' | 'text' | 'testable_as'>;

/**
 * Returns why a claim is refused, or undefined if it is accepted.
 * @param standing the earlier claims that have not been withdrawn
 * @param documents the texts under discussion, from which a claim must not be copied
 */
export function whyNoClaim(
  claim: HandedClaim,
  standing: readonly OnRecord[],
  documents: readonly Document[],
): string | undefined {
  if (!says(claim.text)) return 'it says nothing';
  if (isNothing(claim.testable_as)) return 'it names no test';
  if (isSame(claim.testable_as, claim.text)) return 'its test only repeats it';
  if (isNothing(claim.if_false)) return 'nothing would change if it were false';
  if (isForm(claim.text)) return 'it repeats the form';
  if (repeatsForm(claim.text, ROLE_SENTENCES)) return 'it repeats what a role is told';
  if (isForm(claim.testable_as)) return 'its test repeats the form';
  if (isForm(claim.if_false)) return 'what would change if it were false repeats the form';
  const source = standing.find(({ testable_as }) => equal(testable_as, claim.testable_as));
  if (source !== undefined) return `its test is copied from ${source.id}`;
  const twin = standing.find(({ text }) => isSame(text, claim.text));
  if (twin !== undefined) return `${twin.id} says so already`;
  const share = quotedShare(claim.text, documents);
  if (share >= QUOTED)
    return `${Math.round(share * 100)} % of it stands in the text: a quotation is no claim`;
  return undefined;
}

/** Whether a field of a claim repeats what any of them is asked for. */
function isForm(text: string): boolean {
  return repeatsForm(text, Object.values(CLAIM_FIELDS));
}

function isNothing(text: string): boolean {
  const words = plainWords(text);
  return words.length < LEAST_TEST_WORDS
    ? NOTHING.has(words.join(' ')) || words.length === 0
    : false;
}

function equal(left: string, right: string): boolean {
  return plainWords(left).join(' ') === plainWords(right).join(' ');
}

/** Words that turn a sentence into its opposite. */
const DENIES = /^(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|without|cannot|t)$/;

/**
 * Returns whether two texts say the same, even if they differ by a word or two. A different number
 * or a negation makes them different.
 */
export function isSame(left: string, right: string): boolean {
  if (equal(left, right)) return true;
  if (turns(left) !== turns(right)) return false;
  return sharedRuns(left, runsOf(right)) >= SAME && sharedRuns(right, runsOf(left)) >= SAME;
}

/** The denials and figures of a text, by which it is told from one that is worded like it. */
function turns(text: string): string {
  return plainWords(text)
    .filter((word) => DENIES.test(word) || /^\d/.test(word))
    .sort()
    .join(' ');
}
