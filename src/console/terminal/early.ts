/**
 * From the command line to the screen it leads to: the first frame, while everything else is still being
 * loaded, read and looked for. Whoever opens the screen takes over from it. Until then Ctrl-C and signals
 * end the program at once, other keys are kept for the screen, and what is told on standard error stands
 * on the normal screen, where it always stood.
 */

import { AlternateScreen } from './alternate.ts';
import type { Screen } from './screen.ts';

interface EarlyParts {
  readonly screen: Screen & { drain(): Promise<void> };
  /** Standard error, where it is on the same terminal. */
  readonly words: { over: Early | undefined } | undefined;
  readonly stdin: NodeJS.ReadStream;
  /** Drawn with what was last told beneath it. */
  readonly rows: (told: string | undefined) => readonly string[];
}

export interface Early {
  /** Puts words on the normal screen. */
  beneath(text: string): void;
  /** Puts the terminal back where no screen came. Resolves when that has happened. */
  leave(): Promise<void>;
}

const CTRL_C = 3;
/** What a shell calls the end by a signal: 128 and its number. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function openEarly({ screen, words, stdin, rows }: EarlyParts): Early {
  const standing = AlternateScreen.on(screen, stdin);
  const kept: Buffer[] = [];
  const read = (): void => {
    for (let keys = stdin.read() as Buffer | null; keys !== null; keys = stdin.read()) {
      kept.push(keys);
      // The terminal is put back on the way out, as on every other.
      if (keys.includes(CTRL_C)) process.exit(SIGNALS.SIGINT);
    }
  };
  const end = (signal: keyof typeof SIGNALS): void => process.exit(SIGNALS[signal]);
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  let isUp = true;
  const taken = (): void => {
    isUp = false;
    if (words !== undefined) words.over = undefined;
    for (const signal of signals) process.off(signal, end);
    stdin.off('readable', read);
    if (kept.length > 0) stdin.unshift(Buffer.concat(kept));
  };
  let told: string | undefined;
  const early: Early = {
    beneath: (text) => {
      told = text.trim().split('\n').at(-1);
      standing.beneath(text);
    },
    leave: async () => {
      if (!isUp) return;
      standing.leave();
      await screen.drain();
    },
  };
  standing.show(() => rows(told), taken);
  if (words !== undefined) words.over = early;
  for (const signal of signals) process.on(signal, end);
  stdin.on('readable', read);
  return early;
}
