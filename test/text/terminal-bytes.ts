/** What the program may send to a terminal, and what must not reach the terminal through it. */

/**
 * Matches what the console itself sends: colours, movements of the cursor, modes that it sets and restores,
 * the title of the window, and links to the files that it wrote.
 */
export const OWN_SEQUENCES: RegExp =
  /\u001b\[(?:[\d;]*m|\d*[AEG]|2?K|(?:1;1)?H|J)|\u001b\[\?(?:25|1049|2026|2004)[hl]|\u001b\[2[23];2t|\u001b\]2;[^\u0000-\u001f\u007f-\u009f]*\u0007|\u001b\]8;;(?:file:[!-~]*)?\u001b\\/g;

/** Matches control characters other than line feeds, and characters that hide or reorder text. */
const FOREIGN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u;

/**
 * Returns the text around the first control or hidden character in what a terminal was sent that belongs to
 * none of the console's own sequences, as JSON. Returns an empty text if there is none.
 */
export function findForeignText(raw: string): string {
  return quoteMatch(raw.replaceAll(OWN_SEQUENCES, ''));
}

/**
 * Returns the text around the first control or hidden character, other than a line feed, as JSON. Returns an
 * empty text if there is none. This is for files and pipes, where the program may not send even colours.
 */
export function findControlText(text: string): string {
  return quoteMatch(text);
}

function quoteMatch(rest: string): string {
  const found = FOREIGN.exec(rest);
  return found === null
    ? ''
    : JSON.stringify(rest.slice(Math.max(0, found.index - 60), found.index + 60));
}
