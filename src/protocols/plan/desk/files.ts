/**
 * The files of a plan, written into the repository: only after a person has seen them as a diff and said
 * yes, only below the repository, and never over a file that has changed since it was shown.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { findRunOf } from '../../../app/run-of.ts';
import { withStore } from '../../../app/store.ts';
import { startedAs } from '../../../app/suggest.ts';
import { taking } from '../../../app/taking.ts';
import { confirm } from '../../../io/confirm.ts';
import { writeShared } from '../../../io/own-file.ts';
import { codeOf, lookAt, lookAtLink, textOf } from '../../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { viewOf } from '../../../kernel/view.ts';
import { escapeLoose } from '../../../plain/json-lines.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { line } from '../../../text/line.ts';
import { plural } from '../../../text/numbers.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { diffLines } from '../../../text/words/line-diff.ts';
import { configSchema, ROOT } from '../config.ts';
import { fact } from '../facts.ts';
import { planOf } from '../fold.ts';
import { filesOf, type OutcomeFile } from '../outcome.ts';
import { isExample } from './place.ts';

/** No file of a plan is as long as this, and none that it would replace. Bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * `deliberate plan --write [RUN]`: writes the files of a run on record, by default of the latest plan.
 * Resolves to the exit code.
 */
export async function writeLater(call: Invocation): Promise<number> {
  const { run, folder } = await withStore(call, (store) => {
    const id = findRunOf(call, store, 'plan');
    return { run: id, folder: store.lookRoots(id).get(ROOT) };
  });
  if (folder === undefined)
    throw new DeliberateError(
      'root-unnamed',
      `run ${shortId(run)} has no repository on this machine`,
      'A plan can be written only on the machine that made it.',
    );
  if (isExample(folder))
    throw new DeliberateError(
      'example',
      `run ${shortId(run)} planned for the built-in example, which is read-only`,
      'Copy presets/examples/plan, and plan there.',
    );
  return offerFiles(call, folder, run);
}

/** Shows what would be written and asks; 0 where it is written, or nothing would change. */
export async function offerFiles(
  call: Invocation,
  repository: string,
  run: string,
): Promise<number> {
  const { env, err, flags, out } = call;
  const facts = await withStore(call, (store) => store.facts(run));
  const view = viewOf(facts);
  if (view.protocol !== 'plan')
    throw new UsageError(`run ${shortId(run)} is not a plan`, 'Name a plan: deliberate list');
  const files = filesOf(view, planOf(facts), configSchema.parse(view.config));
  if (files.length === 0)
    throw new DeliberateError(
      'no-plan',
      `run ${shortId(run)} has no plan yet`,
      `Resume it: deliberate resume ${shortId(run)}`,
    );
  const changes = files.map(({ path, text }) => ({
    path,
    // Models' words, which whoever looks at the file has in a terminal.
    text: path.endsWith('.json') ? escapeLoose(text) : text,
    before: readBefore(repository, path),
  }));
  const wanted = changes.filter(({ before, text }) => before !== text);
  if (wanted.length === 0) {
    if (!flags.quiet) err.write('The files already match this plan.\n');
    return 0;
  }
  const later = `${startedAs(env)} plan --write ${shortId(run)}`;
  if (!flags.yes) {
    for (const one of wanted) err.write(`${sanitise(shown(one))}\n`);
    const isAsked = call.stdin.isTTY && err.isTTY;
    if (!isAsked) {
      if (!flags.quiet) err.write(`Not written: no terminal to confirm in. Write them: ${later}\n`);
      return 0;
    }
    if (!(await confirm(call, `Write ${plural(wanted.length, 'file')}? [y/N] `, later))) {
      err.write(`Not written. Write them later: ${later}\n`);
      return 0;
    }
  }
  await writeAll(call, repository, run, wanted);
  for (const { path } of wanted) out.write(`${path}\n`);
  offerTeam(call, files);
  return 0;
}

/**
 * Writes all files and keeps in the run that they were written, or does neither.
 * @throws DeliberateError where somebody else has the run, as an open console, or a file has changed
 */
async function writeAll(
  call: Invocation,
  repository: string,
  run: string,
  files: readonly (OutcomeFile & Before)[],
): Promise<void> {
  await withStore(call, async (store) => {
    const journal = await taking(call, run, (how) => store.own(run, how));
    const written: (OutcomeFile & Before)[] = [];
    try {
      for (const one of files) {
        write(repository, one);
        written.push(one);
      }
      journal.note([
        fact('files.written', {
          files: files.map(({ path, text }) => ({
            path,
            sha256: createHash('sha256').update(text).digest('hex'),
          })),
        }),
      ]);
    } catch (error) {
      for (const one of written) takeBack(repository, one);
      throw error;
    } finally {
      journal.release();
    }
  });
}

function takeBack(repository: string, { path, before }: OutcomeFile & Before): void {
  const file = join(repository, path);
  if (before === undefined) rmSync(file, { force: true });
  else writeShared(file, before);
}

/** Names the next step: who carries the plan out. */
function offerTeam({ env, err, flags }: Invocation, spec: readonly OutcomeFile[]): void {
  const file = spec.find(({ path }) => path.endsWith('.spec.json'))?.path;
  if (file !== undefined && !flags.quiet)
    err.write(`Carry it out: ${startedAs(env)} team --spec ${file}\n`);
}

/**
 * After a resume: writes what was accepted when the run began, and offers it otherwise.
 * @param wasDone nothing was left to resume
 * @returns undefined where there is nothing to be written
 */
export async function finishResumed(
  call: Invocation,
  run: string,
  wasDone: boolean,
): Promise<number | undefined> {
  const { facts, folder } = await withStore(call, (store) => ({
    facts: store.facts(run),
    folder: store.lookRoots(run).get(ROOT),
  }));
  const config = configSchema.safeParse(viewOf(facts).config).data;
  const { written, files } = planOf(facts);
  if (folder === undefined || config === undefined || written === undefined) return undefined;
  if (files.size > 0 || isExample(folder)) return undefined;
  const yes = call.flags.yes || config.accept === true;
  if (wasDone && !yes) return undefined;
  return offerFiles({ ...call, flags: { ...call.flags, yes } }, folder, run);
}

/** What a person reads before they say yes; a new file of data says nothing that the plan does not. */
function shown({ path, before, text }: OutcomeFile & Before): string {
  if (before === undefined && path.endsWith('.json'))
    return `+++ ${path} (new, ${plural(text.split('\n').length - 1, 'line')})`;
  return diffLines(path, before, text);
}

/** @throws DeliberateError where it changed since it was shown */
function write(repository: string, { path, text, before }: OutcomeFile & Before): void {
  if (readBefore(repository, path) !== before)
    throw new DeliberateError(
      'changed',
      `${path} has changed since it was shown; it was not written`,
      'Look at it, then write the plan again.',
    );
  writeShared(join(repository, path), text);
}

interface Before {
  readonly before: string | undefined;
}

/** What stands there now. @throws DeliberateError where the path leads out of the repository */
function readBefore(repository: string, path: string): string | undefined {
  const root = realPathOf(repository);
  const parts = path.split('/');
  // A run that came from elsewhere can name any path.
  if (parts.includes('..'))
    throw new DeliberateError('outside', `${line(path)} leads out of the repository`);
  // Folder by folder: what a link leads to may not be there yet.
  for (let count = 1; count < parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const found = lookAtLink(join(root, part));
    if (found === undefined) break;
    const real = found.isSymbolicLink() ? realOf(join(root, part)) : join(root, part);
    if (real === undefined || (found.isSymbolicLink() && !real.startsWith(root + sep)))
      throw new DeliberateError('outside', `${path} leads out of the repository through a link`);
    if (lookAt(real)?.isDirectory() !== true)
      throw new DeliberateError('no-folder', `${path} was not written: ${part} is not a folder`);
  }
  if (lookAtLink(join(root, path))?.isSymbolicLink())
    throw new DeliberateError('outside', `${path} is a link and was not written`);
  return textOf(join(root, path), { most: LARGEST, links: false });
}

/** Undefined where a link leads to nothing. */
function realOf(link: string): string | undefined {
  try {
    return realPathOf(link);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
