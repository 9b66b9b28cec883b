/**
 * `deliberate plan --apply FILE`: shows what a fix of a plan would change in the code, and changes the code
 * once a person agrees.
 */
import { resolve } from 'node:path';
import type * as z from 'zod';
import type { Invocation } from '../../../app/invocation.ts';
import { getStartCommand } from '../../../app/suggest.ts';
import { askToConfirm } from '../../../io/confirm.ts';
import { workingFolder } from '../../../io/files.ts';
import { readTextFile } from '../../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { toLine } from '../../../text/line.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { diffLines } from '../../../text/words/line-diff.ts';
import { fixSchema } from '../facts.ts';
import { type AppliedFix, applyFix } from '../rules/fix.ts';
import { readBefore, writeInside } from './inside.ts';
import { repositoryOf } from './place.ts';

/** The largest fix file that is read, in bytes. */
const LARGEST = 64 * 1024;

type FixFile = z.infer<typeof fixSchema>;

/**
 * Shows a fix (a change to code that a plan proposes) and applies it if the person agrees, or
 * without asking if `--yes` is given. A fix that is applied already changes nothing. Resolves to the
 * exit code, which is 0 also if the person does not agree or there is no terminal to ask in.
 * @param name the path of the fix file
 * @throws UsageError if the file contains no fix
 * @throws DeliberateError if the fix cannot be applied
 */
export async function applyFromFile(call: Invocation, name: string): Promise<number> {
  const { env, err, flags, out } = call;
  const repository = repositoryOf(call);
  const fix = readFix(name);
  const { before, done } = carriedOut(repository, fix);
  if (before === undefined)
    throw new DeliberateError('no-file', `${name}: there is no file ${toLine(fix.path)}`);
  if ('isThere' in done) {
    if (!flags.quiet)
      err.write(`${toLine(name)} is applied already: ${toLine(fix.path)} has its new words.\n`);
    return 0;
  }
  if ('why' in done)
    throw new DeliberateError(
      'not-applied',
      `${name} cannot be applied: ${done.why}`,
      `${toLine(fix.path)}, line ${fix.from}: ${toLine(fix.change)}`,
    );
  const file = { path: fix.path, text: done.text, before };
  if (!flags.yes) {
    err.write(`${sanitiseText(tellFix(fix, before, done.text))}\n`);
    const later = `${getStartCommand(env)} plan --apply ${name}`;
    if (!(call.stdin.isTTY && err.isTTY)) {
      if (!flags.quiet)
        err.write(`Not changed: no terminal to confirm in. Change it: ${later} --yes\n`);
      return 0;
    }
    if (!(await askToConfirm(call, `Change ${toLine(fix.path)}? [y/N] `, later))) {
      err.write('Not changed.\n');
      return 0;
    }
  }
  writeInside(repository, [file], () => undefined);
  out.write(`${toLine(fix.path)}\n`);
  return 0;
}

/**
 * Formats what a fix (a change to code that a plan proposes) would change, as indented lines. If the fix is
 * applied already or cannot be applied, one line says so instead. Undefined if the text is no fix or the file
 * to change does not exist.
 * @param text the fix as JSON
 * @throws SyntaxError if `text` is not JSON
 */
export function tellFixIn(repository: string, text: string): string | undefined {
  const fix = fixSchema.safeParse(JSON.parse(text)).data;
  if (fix === undefined) return undefined;
  const { before, done } = carriedOut(repository, fix);
  if (before === undefined) return undefined;
  if ('isThere' in done) return '  is applied already';
  return 'why' in done
    ? `  cannot be applied: ${done.why}`
    : tellFix(fix, before, done.text)
        .split('\n')
        .map((row) => `  ${row}`)
        .join('\n');
}

function carriedOut(
  repository: string,
  fix: FixFile,
): { before: string | undefined; done: AppliedFix } {
  // Files in `.git` belong to git and can make it run commands; a fix must not change them.
  if (fix.path.split('/').some((part) => part.toLowerCase() === '.git'))
    return { before: '', done: { why: 'its file is one of git’s own' } };
  const before = readBefore(repository, fix.path);
  return { before, done: applyFix(before ?? '', fix) };
}

function tellFix({ title, problem, path }: FixFile, before: string, after: string): string {
  return `${toLine(title)}: ${toLine(problem)}\n${diffLines(path, before, after)}`;
}

/** Reads a fix file. @throws UsageError if the file is missing, not JSON or no fix of a plan */
function readFix(name: string): FixFile {
  const text = readTextFile(resolve(workingFolder(), name), { most: LARGEST, links: false });
  if (text === undefined) throw new UsageError(`--apply ${name}: no such file`);
  const wanted = 'Name a fix of a plan: docs/fixes/TOPIC-1.fix.json.';
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new UsageError(`--apply ${name}: it is not JSON`, wanted);
  }
  const fix = fixSchema.safeParse(given).data;
  if (fix === undefined) throw new UsageError(`--apply ${name}: it is no fix of a plan`, wanted);
  return fix;
}
