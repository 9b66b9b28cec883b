/**
 * The libraries of providers like to write to the console, which here is a screen with columns on
 * it. Where they take a logger they get a silent one; where they call `console` directly, it is
 * replaced for the one synchronous call that does it, and what they said becomes a note.
 */
import { format } from 'node:util';

function ignore(..._words: unknown[]): void {
  // Errors come to us as errors; a log line would say the same thing twice.
}

/** A logger for libraries that take one. */
export const SILENT = { error: ignore, warn: ignore, info: ignore, debug: ignore };

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** Runs `work`, which must not wait for anything, with the console diverted to `onLine`. */
export function quietly<T>(work: () => T, onLine: (line: string) => void): T {
  const { console } = globalThis;
  const saved = METHODS.map((method) => [method, console[method]] as const);
  for (const method of METHODS) console[method] = (...words) => onLine(format(...words));
  try {
    return work();
  } finally {
    for (const [method, original] of saved) console[method] = original;
  }
}
