/**
 * Hints name commands as `deliberate list`, also in records. Every hint is passed through `formatHint` before it
 * is shown, so that the command on the screen works when it is typed. At its start the program sets how it
 * was called.
 */

let rewriteCommand = (text: string): string => text;

/**
 * Sets the function that rewrites the commands in hints, for this process: a person may start the
 * program under another name.
 */
export function setHintFormat(asTyped: (text: string) => string): void {
  rewriteCommand = asTyped;
}

/** Returns a hint in which every command has the form that a person types on this machine. */
export function formatHint(text: string): string {
  return rewriteCommand(text);
}
