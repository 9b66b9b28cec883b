/** What is deliberated: the question, and the texts under discussion. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { UsageError } from '../kernel/errors.ts';
import { readText } from './files.ts';
import type { Invocation } from './invocation.ts';
import { QUESTION_KIND } from './preset-kinds.ts';
import { readPreset } from './presets.ts';

/** From the argument, `--file`, `--ask`, or standard input; exactly one of them. */
export async function readQuestion({ words, flags, env, stdin }: Invocation): Promise<string> {
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
  if (flags.ask !== undefined) return readPreset(QUESTION_KIND, flags.ask, env).question;
  const question =
    flags.file !== undefined
      ? (readText(flags.file) ?? '')
      : argument !== ''
        ? argument
        : piped || !stdin.isTTY
          ? await readAll(stdin)
          : '';
  if (question.trim() === '')
    throw new UsageError(
      'there is no question',
      'Example: deliberate board "Should we split the monolith?"',
    );
  return question.trim();
}

/** Each under its file's name. @throws UsageError where two have one name. */
export function readAttachments(files: readonly string[]): { name: string; text: string }[] {
  const names = files.map((file) => basename(file));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`two attachments are called ${twice}`);
  return files.map((file) => ({ name: basename(file), text: readAttachment(file) }));
}

/** @throws UsageError where it is not UTF-8 text. */
function readAttachment(file: string): string {
  readText(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch {
    throw new UsageError(`${file} is not text in UTF-8`);
  }
}
