/** Checks that the arguments handed over by the shell are text. */
import { readFileSync } from 'node:fs';
import { describeBadByte } from '../io/decoding/decode.ts';
import { UsageError } from '../kernel/errors.ts';

/** The character that Node inserts for bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** The most characters of an argument that an error quotes. */
const QUOTED = 40;

/**
 * Refuses arguments that were not UTF-8. Node replaces invalid bytes by the character U+FFFD, but a
 * person may also have typed this character. So if an argument contains U+FFFD, the original bytes of
 * the arguments are checked.
 *
 * @param argv the arguments as Node has decoded them
 * @param raw the original bytes of every argument of the process, beginning with the arguments for
 *   Node; null if the system does not provide them, in which case every U+FFFD is refused
 * @throws UsageError if bytes were lost
 */
export function refuseLostBytes(
  argv: readonly string[],
  raw: readonly Uint8Array[] | null = rawArguments(),
): void {
  const lost = argv.find((word) => word.includes(REPLACEMENT));
  if (lost === undefined) return;
  const next = 'Pass the text with --file, or as - on standard input.';
  if (raw === null)
    throw new UsageError(`${quoteWord(lost)} contains U+FFFD, which may replace lost bytes`, next);
  for (const bytes of raw) {
    const bad = describeBadByte(bytes);
    if (bad !== undefined)
      throw new UsageError(
        `${quoteWord(new TextDecoder().decode(bytes))} is not UTF-8 text: ${bad}`,
        next,
      );
  }
}

function quoteWord(word: string): string {
  const letters = [...word];
  return `"${letters.slice(0, QUOTED).join('')}${letters.length > QUOTED ? '…' : ''}"`;
}

/** Reads the arguments as bytes from `/proc`. Returns null on systems other than Linux. */
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
