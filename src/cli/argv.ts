/** The words that a shell handed over, before anything is read into them. */
import { readFileSync } from 'node:fs';
import { firstBadByte } from '../io/decoding/decode.ts';
import { UsageError } from '../kernel/errors.ts';

/** What Node puts where an argument's bytes are no UTF-8. They are gone by then. */
const REPLACEMENT = '\ufffd';

/** So many characters of an argument are quoted. */
const QUOTED = 40;

/**
 * Refuses arguments that were not text in UTF-8. A U+FFFD that somebody meant is told from one that stands
 * for lost bytes by what the system kept of the command line; where it keeps none, neither is taken.
 *
 * `raw`: every argument as bytes, those of Node before them; null where nobody knows them.
 */
export function refuseLostBytes(
  argv: readonly string[],
  raw: readonly Uint8Array[] | null = rawArguments(),
): void {
  const lost = argv.find((word) => word.includes(REPLACEMENT));
  if (lost === undefined) return;
  const next = 'Pass the text with --file, or as - on standard input.';
  if (raw === null)
    throw new UsageError(`${quote(lost)} contains U+FFFD, which may replace lost bytes`, next);
  for (const bytes of raw) {
    const bad = firstBadByte(bytes);
    if (bad !== undefined)
      throw new UsageError(
        `${quote(new TextDecoder().decode(bytes))} is not UTF-8 text: ${bad}`,
        next,
      );
  }
}

function quote(word: string): string {
  const letters = [...word];
  return `"${letters.slice(0, QUOTED).join('')}${letters.length > QUOTED ? '…' : ''}"`;
}

/** Linux keeps it; other systems give it to nobody in this form. */
function rawArguments(): Uint8Array[] | null {
  let line: Buffer;
  try {
    line = readFileSync('/proc/self/cmdline');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return null;
  }
  const words: Uint8Array[] = [];
  for (let at = 0; at < line.length; ) {
    const end = line.indexOf(0, at);
    words.push(line.subarray(at, end < 0 ? line.length : end));
    at = end < 0 ? line.length : end + 1;
  }
  return words;
}
