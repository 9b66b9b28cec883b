/**
 * Judges claims that seats hand in. A claim must be able to turn out false, must be new, and must
 * be more than a sentence of the text. Others are refused with a reason.
 */

import { repeatsForm } from '../../../text/form-words.ts';
import { isSingleWord } from '../../../text/words/has-content.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import { ROLE_SENTENCES } from '../cast.ts';
import { CLAIM_FIELDS, type HandedClaim } from '../prompts/claims.ts';
import {
  collectWordTriples,
  computeQuotedShare,
  computeTripleShare,
  type Document,
} from '../records/documents.ts';
import { isSameText } from '../records/rules/grounds.ts';
import { hasVisibleText } from '../records/said.ts';
import type { Claim } from '../records/types.ts';

/** The share of three-word sequences from which a claim counts as a quotation of the text. */
const QUOTED = 0.4;
/** The share of three-word sequences, in both directions, from which two claims count as equal. */
const SAME = 0.8;
/** A field of a claim with fewer words than this counts as empty if it is one of the phrases in `NOTHING`. */
const MOST_PHRASE_WORDS = 3;

/** Matches citations of tool results and attachments, with brackets around them. */
const PLACES =
  /[([]?\b(?:S-\d+|attachments\/[^\s#)\]]+)(?:#(?:[\p{L}\p{N}_]{1,70}?)?L\d+(?:-(?:[\p{L}\p{N}_]{1,70}?)?L?\d+)?)?[)\]]?/gu;

/**
 * Removes citations of tool results and attachments from a text. Their line numbers would make equal claims look
 * different.
 */
export function removeCitations(text: string): string {
  return text.replace(PLACES, '').trim();
}

/** Phrases that people write into a field that they leave empty. */
const NOTHING = new Set(['n a', 'na', 'none', 'nothing', 'no', 'not applicable', 'tbd', 'unknown']);

/** The fields of a recorded claim with which a new claim is compared. */
type OnRecord = Pick<Claim, 'id' | 'text' | 'testable_as'>;

/**
 * Returns why a claim that a seat has raised is refused, or undefined if it is accepted.
 * @param standing the earlier claims that are neither withdrawn nor superseded, which the claim
 * must not repeat
 * @param documents attachments and tool results, from which the claim must not be copied
 */
export function explainRefusedClaim(
  claim: HandedClaim,
  standing: readonly OnRecord[],
  documents: readonly Document[],
): string | undefined {
  if (!hasVisibleText(claim.text)) return 'it says nothing';
  if (isSingleWord(claim.text)) return 'it is a word and no sentence';
  if (isNothing(claim.testable_as)) return 'it names no test';
  if (areSameStatement(claim.testable_as, claim.text)) return 'its test only repeats it';
  if (isNothing(claim.if_false)) return 'nothing would change if it were false';
  if (isForm(claim.text)) return 'it repeats the form';
  if (repeatsForm(claim.text, ROLE_SENTENCES)) return 'it repeats what a role is told';
  if (isForm(claim.testable_as)) return 'its test repeats the form';
  if (isForm(claim.if_false)) return 'what would change if it were false repeats the form';
  const source = standing.find(({ testable_as }) => isSameText(testable_as, claim.testable_as));
  if (source !== undefined) return `its test is copied from ${source.id}`;
  const twin = standing.find(({ text }) => areSameStatement(text, claim.text));
  if (twin !== undefined) return `${twin.id} says so already`;
  const share = computeQuotedShare(claim.text, documents);
  if (share >= QUOTED)
    return `${Math.round(share * 100)} % of it stands in the text: a quotation is no claim`;
  return undefined;
}

/** Returns whether a text only repeats what the prompt asks for in a field of a claim. */
function isForm(text: string): boolean {
  return repeatsForm(text, Object.values(CLAIM_FIELDS));
}

function isNothing(text: string): boolean {
  const words = plainWords(text);
  return words.length < MOST_PHRASE_WORDS
    ? NOTHING.has(words.join(' ')) || words.length === 0
    : false;
}

/** Matches words that negate a sentence. */
const DENIES = /^(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|without|cannot|t)$/;

/**
 * Returns whether two texts say the same: their words are equal, or they contain the same numbers and negations
 * and share, in both directions, at least 80 % of their sequences of three words.
 */
export function areSameStatement(left: string, right: string): boolean {
  if (isSameText(left, right)) return true;
  if (findNegationsAndNumbers(left) !== findNegationsAndNumbers(right)) return false;
  return (
    computeTripleShare(left, collectWordTriples(right)) >= SAME &&
    computeTripleShare(right, collectWordTriples(left)) >= SAME
  );
}

/**
 * Returns the negations and numbers of a text, which distinguish it from texts with similar
 * wording.
 */
function findNegationsAndNumbers(text: string): string {
  return plainWords(text)
    .filter((word) => DENIES.test(word) || /^\d/.test(word))
    .sort()
    .join(' ');
}
