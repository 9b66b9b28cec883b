/**
 * Hints name commands as `deliberate list`, also where they are recorded. Whoever shows one passes it
 * through here, so that what stands on the screen works when it is typed: the program says once, when it
 * begins, how it was started.
 */

let typed = (text: string): string => text;

/** From here on hints are shown so. */
export function showHintsAs(asTyped: (text: string) => string): void {
  typed = asTyped;
}

/** A text of the program's own, with its commands as a person would type them here. */
export function hint(text: string): string {
  return typed(text);
}
