/**
 * What a synthesis names, held against the record: ids that nothing has, and open claims that it speaks
 * of as decided. Which ids exist code knows; what a sentence says of one it knows only where the word
 * stands right beside the id, and no other word of the clause takes it back.
 */
import type { State } from '../../records/state-of.ts';
import { idsIn, type Meanings } from './named.ts';

const KINDS: ReadonlyMap<string, readonly [one: string, more: string]> = new Map([
  ['C', ['claim', 'claims']],
  ['V', ['verdict', 'verdicts']],
  ['D', ['decision', 'decisions']],
  ['E', ['test', 'tests']],
]);

/** `no claim of this run`, of an id that nothing has. */
export function strangerWords(id: string): string {
  return `no ${KINDS.get(id.charAt(0))?.[0] ?? 'record'} of this run`;
}

/** Sentences without their last mark; none where all that is named exists and stands as it is said to. */
export function misnamedIn(text: string, state: State, meanings: Meanings): string[] {
  const unknown = idsIn(text).filter((id) => !meanings.has(id));
  return [
    ...[...KINDS].flatMap(([letter, [one, more]]) => {
      const ids = unknown.filter((id) => id.startsWith(letter));
      if (ids.length === 0) return [];
      const what = ids.length === 1 ? `is no ${one}` : `are no ${more}`;
      return [`The synthesis names ${ids.join(', ')}, which ${what} of this run`];
    }),
    ...contradictedIn(text, state),
  ];
}

/** Headings below which what is not decided is spoken of. */
const OF_WHAT_IS_OPEN = /^#+ *(?:what stays open|what would change the answer)\b/i;

const GROUP =
  /\bC-\d{1,9}-\d{1,9}\b(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*\/\s*)C-\d{1,9}-\d{1,9}\b)*/g;
const DECIDED = 'confirmed|refuted|proven|disproved|disproven|read in the text';
/** Right behind the ids. "run" may also be what is still to be done, so it has to end there. */
const SAID_AFTER = new RegExp(
  `^[\\s,:(—–-]*(?:(?:is|was|are|were|has|have|been|stands?|as|both|all|also|now|then|since)\\s+)*(?:(${DECIDED})\\b|(run)\\s*(?:$|[),;.]|on\\b|and\\b))`,
  'i',
);
/** Right before them: "confirmed (C-1-1)". */
const SAID_BEFORE = new RegExp(`\\b(${DECIDED}|was run|were run)[\\s:,(—–-]*$`, 'i');
/** Words by which a clause may say that it is not so, or not yet. */
const TAKES_BACK =
  /\b(?:not|no|never|nobody|nothing|none|neither|nor|without|cannot|if|unless|until|till|once|when|whether|would|could|should|may|might|must|can|will|be|open|untested|undecided|unsettled|pending|yet|before|tests?|needs?|awaits?|waits?|remains?)\b|n['’]t\b/i;

/** Claims that are open on record and that the text calls decided, each with the word. */
function contradictedIn(text: string, { claims }: State): string[] {
  const open = new Set(claims.flatMap((one) => (one.standing === 'open' ? [one.claim.id] : [])));
  const called = new Map<string, string>();
  for (const clause of clausesOf(text)) {
    if (TAKES_BACK.test(clause)) continue;
    const groups = [...clause.matchAll(GROUP)];
    for (const [at, { 0: ids, index }] of groups.entries()) {
      const after = clause.slice(index + ids.length, groups[at + 1]?.index);
      const before = at === 0 ? clause.slice(0, index) : '';
      // Behind a comma it may be said of an id before: "C-1-1, which denies C-1-2, is refuted".
      const found = at > 0 && /^\s*,/.test(after) ? null : SAID_AFTER.exec(after);
      const word = found?.[1] ?? found?.[2] ?? SAID_BEFORE.exec(before)?.[1];
      if (word === undefined) continue;
      for (const id of idsIn(ids)) if (open.has(id)) called.set(id, word.toLowerCase());
    }
  }
  return [...called].map(
    ([id, word]) =>
      `The synthesis contradicts the record: ${id} is open, and it calls it "${word}"`,
  );
}

/** The sentences of what it says is so, without mark-up. */
function clausesOf(text: string): string[] {
  let isOpen = false;
  return text.split('\n').flatMap((line) => {
    if (/^#/.test(line)) isOpen = OF_WHAT_IS_OPEN.test(line);
    return isOpen || /^#/.test(line) ? [] : line.replace(/[*_`]/g, '').split(/(?<=[.!?;])\s+/);
  });
}
