/** What is deliberated. */
import { UsageError } from '../kernel/errors.ts';
import { bytesOfFile, bytesOfStdin } from './input.ts';
import type { Invocation } from './invocation.ts';
import { QUESTION_KIND } from './preset-kinds.ts';
import { takePreset } from './presets.ts';

/** More than any model's context takes: what is longer is no question. Bytes. */
const MOST_BYTES = 1024 * 1024;

/** From the argument, `--file`, `--ask`, or standard input; exactly one of them. */
export async function readQuestion(call: Invocation): Promise<string> {
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
      'the question comes from several places',
      'Give it as an argument, with --file, with --ask, or as - for standard input.',
    );
  if (flags.ask !== undefined) return takePreset(QUESTION_KIND, flags.ask, call).question;
  const question =
    flags.file !== undefined
      ? (await bytesOfFile(flags.file, MOST_BYTES, call)).toString('utf8')
      : argument !== ''
        ? argument
        : piped || !stdin.isTTY
          ? (await bytesOfStdin(call, MOST_BYTES)).toString('utf8')
          : '';
  if (question.trim() === '')
    throw new UsageError(
      'there is no question',
      'Example: deliberate board "Should we split the monolith?"',
    );
  return question.trim();
}
