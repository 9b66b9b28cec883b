/**
 * Compares a synthesis with the records: ids that do not exist, claims that are said to be decided
 * otherwise or on stronger grounds, and statements about all claims that are wrong for some of them.
 * Code only judges a sentence about a claim if a word such as "confirmed" stands directly beside the
 * id, or beside "all claims", and no other word of the clause revokes it.
 */

import type { IdDescriptions } from '../../../../plain/id-explainer.ts';
import type { ClaimState } from '../../records/standing/claims.ts';
import type { State } from '../../records/state-of.ts';
import { BASES, type Basis } from '../../records/types.ts';
import { formatStanding } from '../wording.ts';
import { findIds } from './named.ts';

const KINDS: ReadonlyMap<string, readonly [singular: string, plural: string]> = new Map([
  ['C', ['claim', 'claims']],
  ['V', ['verdict', 'verdicts']],
  ['D', ['decision', 'decisions']],
  ['E', ['test', 'tests']],
]);

/** Describes an id that no record has: `no claim of this run`. */
export function describeUnknownId(id: string): string {
  return `no ${KINDS.get(id.charAt(0))?.[0] ?? 'record'} of this run`;
}

/**
 * Lists the ids in a text that do not exist, and the claims whose status differs from what the text says.
 * Each is a sentence without its period.
 */
export function listFalseMentions(text: string, state: State, meanings: IdDescriptions): string[] {
  const unknown = findIds(text).filter((id) => !meanings.has(id));
  return [
    ...[...KINDS].flatMap(([letter, [singular, plural]]) => {
      const ids = unknown.filter((id) => id.startsWith(letter));
      if (ids.length === 0) return [];
      const what = ids.length === 1 ? `is no ${singular}` : `are no ${plural}`;
      return [`The synthesis names ${ids.join(', ')}, which ${what} of this run`];
    }),
    ...contradictedIn(text, state),
    ...contradictedOfAll(text, state),
  ];
}

/** Matches headings of sections about what is not decided. */
const OF_WHAT_IS_OPEN = /^#+ *(?:what stays open|what would change the answer)\b/i;

const GROUP =
  /\bC-\d{1,9}-\d{1,9}\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*\/\s*)C-\d{1,9}-\d{1,9}\b)*/g;
const DECIDED = 'confirmed|refuted|proven|disproved|disproven|executed|read in the text';
/**
 * Matches a word directly after the ids. "run" must end the clause, because it may also mean a
 * future run.
 */
const SAID_AFTER = new RegExp(
  `^[\\s,:(—–-]*(?:(?:is|was|are|were|has|have|been|stands?|as|both|all|also|now|then|since)\\s+)*(?:(${DECIDED})\\b|(run)\\s*(?:$|[),;.:]|on\\b|and\\b)|(argued)\\s*(?:$|[),;.:]))`,
  'i',
);
/** Matches a word directly before the ids: "confirmed (C-1-1)". */
const SAID_BEFORE = new RegExp(`\\b(${DECIDED}|was run|were run)[\\s:,(—–-]*$`, 'i');
/** Matches words by which a clause says that something is not the case, or not yet. */
const TAKES_BACK =
  /\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot|if|unless|until|till|once|when|whether|would|could|should|may|might|must|can|will|be|open|untested|undecided|unsettled|pending|yet|before|tests?|needs?|awaits?|waits?|remains?)\b|n['’]t\b/i;

/** Matches words by which a clause speaks of what is not the case yet. */
const CONDITIONAL =
  /\b(?:if|unless|until|till|once|when|whether|would|could|should|may|might|will)\b/i;
/** The most claims that a remark on a statement about all claims names. */
const MOST_NAMED = 3;

/** Matches a claim's id with its status before the sentence that it says: `- C-1-1, run: …`. */
const LABEL = /^[\s>•\d.)-]*C-\d{1,9}-\d{1,9}\b[^:]{0,8}\p{L}[^:]{0,60}:(?=\s)/u;

/** The status that each word claims. */
const WAYS: ReadonlyMap<string, ClaimState['standing']> = new Map([
  ['confirmed', 'confirmed'],
  ['proven', 'confirmed'],
  ['refuted', 'refuted'],
  ['disproved', 'refuted'],
  ['disproven', 'refuted'],
]);
const GROUNDS: ReadonlyMap<string, Basis> = new Map([
  ['argued', 'argued'],
  ['read in the text', 'read'],
  ['run', 'executed'],
  ['executed', 'executed'],
]);
/** Matches "all claims", "every claim" or "each of the five claims", and the status that the text gives them. */
const SAID_OF_ALL = new RegExp(
  `\\b(?:all|every|each)\\s+(?:of\\s+)?(?:(?:the|our)\\s+)?(?:(?:\\d+|two|three|four|five|six|seven|eight|nine|ten)\\s+)?claims?\\s+(?:(?:is|was|were|are|has|have|been|all|now|since)\\s+)*(?:(${DECIDED})\\b|(run)\\s*(?:$|[),;.:]|and\\b)|(argued)\\s*(?:$|[),;.:]))`,
  'i',
);
/** Matches "no claim is open" and the like. */
const SAID_OF_NONE =
  /\b(?:no|none\s+of\s+(?:the|our))\s+claims?\s+(?:(?:is|are|was|were|stays?|remains?|stands?|left|still)\s+)+(open|undecided)\b/i;

/** Matches words by which a clause speaks of a claim's earlier status or of its contradiction. */
const TURNS =
  /\b(?:false|wrong|untrue|denial|den(?:y|ies|ied)|opposite|contrary|against|challenge[sd]?|then|later|earlier|first|superseded|replaced|withdrawn|overturned)\b/i;

/**
 * Returns the claims that the text calls decided although they are not, or are decided otherwise,
 * each with the word.
 */
function contradictedIn(text: string, { claims }: State): string[] {
  const byId = new Map(claims.map((claimState) => [claimState.claim.id, claimState]));
  const called = new Map<ClaimState, string>();
  for (const clause of clausesOf(text)) {
    // In "C-1-1, run: nothing is lost", the words after the colon are the claim's own text. Search only the words
    // before the colon for a "not" or "yet" that denies the status.
    if (TAKES_BACK.test(LABEL.exec(clause)?.[0] ?? clause)) continue;
    const groups = [...clause.matchAll(GROUP)];
    for (const [at, { 0: ids, index }] of groups.entries()) {
      const after = clause.slice(index + ids.length, groups[at + 1]?.index);
      const before = at === 0 ? clause.slice(0, index) : '';
      // In "C-1-1, which denies C-1-2, is refuted", the word "refuted" is about C-1-1.
      const isAboutFirst = at > 0 && /^\s*,/.test(after);
      const found = isAboutFirst ? null : SAID_AFTER.exec(after);
      const own = found?.[1] ?? found?.[2] ?? found?.[3];
      const word = (own ?? SAID_BEFORE.exec(before)?.[1])?.toLowerCase();
      if (word === undefined) continue;
      for (const id of findIds(ids)) {
        const claim = byId.get(id);
        if (claim !== undefined && isOtherwise(claim, word, own !== undefined, clause))
          called.set(claim, word);
      }
    }
  }
  return [...called].map(
    ([claim, word]) =>
      `The synthesis contradicts the record: ${claim.claim.id} is ${formatStanding(claim)}, and it calls it "${word}"`,
  );
}

/**
 * Returns the statements of the text about all claims that the record contradicts, each with the claims
 * for which they are wrong. Claims that only repeat a document do not count.
 */
function contradictedOfAll(text: string, { claims }: State): string[] {
  const counted = claims.filter(({ isFact }) => !isFact);
  return clausesOf(text).flatMap((clause) => {
    const all = SAID_OF_ALL.exec(clause);
    const word = (all?.[1] ?? all?.[2] ?? all?.[3])?.toLowerCase();
    if (word !== undefined && !TAKES_BACK.test(clause)) {
      const others = counted.filter((claim) => isOtherwise(claim, word, true, clause));
      return formatExceptions(others, `it calls all claims "${word}"`);
    }
    const none = SAID_OF_NONE.exec(clause)?.[1]?.toLowerCase();
    if (none === undefined || CONDITIONAL.test(clause)) return [];
    const open = counted.filter(({ standing }) => standing === 'open');
    return formatExceptions(open, `it says that no claim is ${none}`);
  });
}

function formatExceptions(claims: readonly ClaimState[], said: string): string[] {
  if (claims.length === 0) return [];
  const named = claims
    .slice(0, MOST_NAMED)
    .map((state) => `${state.claim.id} is ${formatStanding(state)}`);
  const left = claims.length - named.length;
  const more = left === 0 ? '' : `; ${left} more differ, too`;
  return [`The synthesis contradicts the record: ${said}, but ${named.join(', ')}${more}`];
}

/**
 * Returns whether a claim stands otherwise than a word says. `isOwn` is true if the word follows
 * the id. A word before it may be about the claim's subject.
 */
function isOtherwise(
  { standing, basis }: ClaimState,
  word: string,
  isOwn: boolean,
  clause: string,
): boolean {
  if (standing === 'open') return true;
  const way = WAYS.get(word);
  if (way !== undefined) return isOwn && way !== standing && !TURNS.test(clause);
  const ground = GROUNDS.get(word);
  if (ground === undefined || basis === undefined) return false;
  return BASES.indexOf(ground) > BASES.indexOf(basis);
}

/** Returns the sentences that state facts, without Markdown. */
function clausesOf(text: string): string[] {
  let isOpen = false;
  return text.split('\n').flatMap((line) => {
    if (/^#/.test(line)) isOpen = OF_WHAT_IS_OPEN.test(line);
    return isOpen || /^#/.test(line) ? [] : line.replace(/[*_`]/g, '').split(/(?<=[.!?;])\s+/);
  });
}
