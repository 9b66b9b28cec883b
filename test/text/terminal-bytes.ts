/** What a terminal may get from us, and what nobody else may send it through us. */

/**
 * What the console itself sends: colours, cursor, modes it sets and restores, the window title; and, when
 * its screen is gone, links to the files that it wrote.
 */
export const OWN_SEQUENCES: RegExp =
  /\u001b\[(?:[\d;]*m|\d*[AEG]|2?K|(?:1;1)?H|J)|\u001b\[\?(?:25|1049|2026|2004)[hl]|\u001b\[2[23];2t|\u001b\]2;[^\u0000-\u001f\u007f-\u009f]*\u0007|\u001b\]8;;(?:file:[!-~]*)?\u001b\\/g;

/** Controls, bidi, zero-width, tags: nothing of this may be left. */
const FOREIGN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** What stands around the first thing that is not ours; empty where there is none. */
export function findForeignText(raw: string): string {
  return quoteMatch(raw.replaceAll(OWN_SEQUENCES, ''));
}

/** The same for what is no terminal: not even colours belong there. */
export function findControlText(text: string): string {
  return quoteMatch(text);
}

function quoteMatch(rest: string): string {
  const found = FOREIGN.exec(rest);
  return found === null
    ? ''
    : JSON.stringify(rest.slice(Math.max(0, found.index - 60), found.index + 60));
}
