/** Reads the question to deliberate on. */

import { decodeDocument } from '../../io/decoding/decode.ts';
import { readFileBytes, readStdinBytes } from '../../io/input.ts';
import { QUESTION_KIND } from '../../io/preset-kinds.ts';
import { loadPreset } from '../../io/presets.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shellOf, shellWord } from '../../platform/shells.ts';
import { withLf } from '../../text/lines.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import type { Invocation } from '../invocation.ts';
import { formatCommand } from '../suggest.ts';

/** The longest question, in bytes. More would not fit any model's context. */
const MOST_BYTES = 1024 * 1024;

/** Example questions for commands whose question is not a first one. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([['ask', 'And if it fails?']]);

/**
 * Reads the question from the words, `--file`, `--ask` or standard input.
 *
 * @param before what the command line has before the question, such as a run's id; shown in the
 *   examples of errors
 * @throws UsageError if no source has a question, or more than one source is given
 */
export async function readQuestion(call: Invocation, before?: string): Promise<string> {
  const { words, flags, stdin } = call;
  const argument = words.filter((word) => word !== '-').join(' ');
  const piped = words.includes('-');
  const sources = [
    argument !== '',
    flags.file !== undefined,
    flags.ask !== undefined,
    piped,
  ].filter(Boolean).length;
  if (sources > 1)
    throw new UsageError(
      'more than one question given',
      'Give it as an argument, with --file, with --ask, or as - for standard input.',
    );
  if (flags.ask !== undefined) return loadPreset(QUESTION_KIND, flags.ask, call).question;
  const textOf = (source: string, bytes: Uint8Array): string =>
    withLf(decodeDocument(source, bytes, flags.encoding).text);
  const question =
    flags.file !== undefined
      ? textOf(flags.file, await readFileBytes(flags.file, MOST_BYTES, call))
      : argument !== ''
        ? argument
        : piped || !stdin.isTTY
          ? textOf('standard input', await readStdinBytes(call, MOST_BYTES))
          : '';
  // Refuse also a question that has only invisible characters: to a model it is empty.
  if (sanitiseText(question).trim() === '')
    throw new UsageError(
      'no question given',
      `Example: ${formatCommand(call, `${before === undefined ? '' : `${shellWord(before, shellOf(call.env))} `}"${EXAMPLES.get(call.command) ?? 'Should we split the monolith?'}"`)}`,
    );
  return question.trim();
}
