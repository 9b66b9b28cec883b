/** Describes records in a few words, and finds their ids in texts. */

import type { IdDescriptions } from '../../../../plain/id-explainer.ts';
import { joinLines } from '../../../../text/line.ts';
import type { Deliberation } from '../display-state.ts';
import { CHECK_NAMES, formatResult, formatStanding } from '../wording.ts';

const ID = /\b[CDEV]-\d{1,9}-\d{1,9}\b/g;
/** The most characters of a record that are shown in brackets after its id. */
const SHORT = 90;

/**
 * Returns a short description of each record.
 * @param most the most characters that are repeated from a record
 */
export function describeRecords(
  { state, records, rounds }: Pick<Deliberation, 'state' | 'records' | 'rounds'>,
  most = SHORT,
): IdDescriptions {
  return new Map([
    ...state.claims.map((claimState): [string, string] => [
      claimState.claim.id,
      `"${shortenText(claimState.claim.text, most)}", ${formatStanding(claimState)}`,
    ]),
    ...records.verifications.map((verification): [string, string] => [
      verification.id,
      verification.degraded === undefined
        ? [...new Set([CHECK_NAMES[verification.check], formatResult(verification)])].join(': ')
        : `${CHECK_NAMES[verification.check]}: could not stand`,
    ]),
    ...records.decisions.map(({ id, text }): [string, string] => [
      id,
      `"${shortenText(text, most)}"`,
    ]),
    ...rounds.rounds.flatMap(({ evidence = [] }) =>
      evidence.map(({ id, command }): [string, string] => [
        id,
        `the test "${shortenText(command, most)}"`,
      ]),
    ),
  ]);
}

/** Returns the ids of records in a text, each once, in the order of the text. */
export function findIds(text: string): string[] {
  return [...new Set(text.match(ID) ?? [])];
}

function shortenText(text: string, most: number): string {
  const line = joinLines(text);
  const letters = [...line];
  if (letters.length <= most) return line;
  const cut = letters.slice(0, most - 1).join('');
  // Cut the text between words, unless the last word is very long or the script has no spaces.
  const word = /\s\S{0,20}$/u.exec(cut);
  return `${(word === null || letters[most - 1] === ' ' ? cut : cut.slice(0, word.index)).trimEnd()}…`;
}
