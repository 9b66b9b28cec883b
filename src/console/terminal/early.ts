/**
 * Shows the first frame between the command line and the screen, while everything else is still being loaded.
 * Whoever opens the screen takes over from it. Until then Ctrl-C and signals exit at once, other keys are kept
 * for the screen, and messages on standard error go to the normal screen.
 */

import { AlternateScreen } from './alternate.ts';
import type { Screen } from './screen.ts';

interface EarlyParts {
  readonly screen: Screen & { drain(): Promise<void> };
  /** Standard error, if it is the same terminal. */
  readonly words: { over: EarlyFrame | undefined } | undefined;
  readonly stdin: NodeJS.ReadStream;
  /** Returns the rows of the frame, with the latest message below. */
  readonly rows: (told: string | undefined) => readonly string[];
}

/** The first frame of a screen, shown while the rest of the program is loaded. */
export interface EarlyFrame {
  /** Writes a message to the normal screen, where it is visible after the program ends. */
  beneath(text: string): void;
  /** Restores the terminal if no screen has taken it over. Resolves when that is done. */
  leave(): Promise<void>;
}

const CTRL_C = 3;
/** Exit codes after signals, as shells report them: 128 plus the signal's number. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Shows the first frame of a screen, until a screen takes over. Meanwhile Ctrl-C and signals end the
 * process, and other keys are kept for the screen.
 */
export function openEarly({ screen, words, stdin, rows }: EarlyParts): EarlyFrame {
  const standing = AlternateScreen.on(screen, stdin);
  const kept: Buffer[] = [];
  const readKeys = (): void => {
    for (let keys = stdin.read() as Buffer | null; keys !== null; keys = stdin.read()) {
      kept.push(keys);
      // The terminal need not be restored here: a handler that runs when the process exits does that.
      if (keys.includes(CTRL_C)) process.exit(SIGNALS.SIGINT);
    }
  };
  const endProcess = (signal: keyof typeof SIGNALS): void => process.exit(SIGNALS[signal]);
  const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  let isUp = true;
  const handOver = (): void => {
    isUp = false;
    if (words !== undefined) words.over = undefined;
    for (const signal of signals) process.off(signal, endProcess);
    stdin.off('readable', readKeys);
    if (kept.length > 0) stdin.unshift(Buffer.concat(kept));
  };
  let told: string | undefined;
  const early: EarlyFrame = {
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
  standing.show(() => rows(told), handOver);
  if (words !== undefined) words.over = early;
  for (const signal of signals) process.on(signal, endProcess);
  stdin.on('readable', readKeys);
  return early;
}
