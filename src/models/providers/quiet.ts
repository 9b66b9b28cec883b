/**
 * Keeps provider libraries from writing to the console, which is a screen with columns here. Libraries that
 * take a logger get a silent one. For those that use `console` directly, it is replaced during the one
 * synchronous call that writes, and their output becomes a note.
 */
import { format } from 'node:util';

function ignoreWords(..._words: unknown[]): void {
  // Do nothing: whatever the library logs as an error, it also throws.
}

/** A logger that ignores everything, for libraries that need a logger. */
export const SILENT = {
  error: ignoreWords,
  warn: ignoreWords,
  info: ignoreWords,
  debug: ignoreWords,
};

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/**
 * Runs the synchronous function `work`. What it prints to the console is passed to `onLine`
 * instead.
 */
export function withSilentConsole<T>(work: () => T, onLine: (line: string) => void): T {
  const { console } = globalThis;
  const saved = METHODS.map((method) => [method, console[method]] as const);
  for (const method of METHODS) console[method] = (...words) => onLine(format(...words));
  try {
    return work();
  } finally {
    for (const [method, original] of saved) console[method] = original;
  }
}
