/**
 * Writes the files of a plan into the repository, once a person has agreed to the diff or has passed `--yes`.
 */

import * as z from 'zod';
import type { Invocation } from '../../../app/invocation.ts';
import { findRunOf } from '../../../app/run-of.ts';
import { withStore } from '../../../app/store.ts';
import { getStartCommand } from '../../../app/suggest.ts';
import { withTakeover } from '../../../app/taking.ts';
import { askToConfirm } from '../../../io/confirm.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { shortId } from '../../../kernel/short-id.ts';
import { viewOf } from '../../../kernel/view.ts';
import { escapeLoose } from '../../../plain/json-lines.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { diffLines } from '../../../text/words/line-diff.ts';
import { readRecordedConfig } from '../../common/settings/recorded-config.ts';
import { configSchema, ROOT } from '../config.ts';
import { fact } from '../facts.ts';
import { type PlanView, planOf } from '../fold.ts';
import { filesOf, type OutcomeFile } from '../outcome.ts';
import { findEdited } from './edited.ts';
import { tellFixIn } from './fix.ts';
import { type ProposedFile, readBefore, writeInside } from './inside.ts';
import { isExample } from './place.ts';

/**
 * Runs `deliberate plan --write [RUN]`, which offers to write the files of a recorded run, by default of the
 * latest plan. Resolves to the exit code.
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

/**
 * Shows what a plan's files would change in the repository, and asks whether to write them; with `--yes`,
 * writes them without a question. Resolves to the exit code, which is 0 also if the files are not written.
 * @throws UsageError if the run is no plan
 * @throws DeliberateError if no plan was written, or `--yes` would replace a file that is no plan of this topic or,
 * without `--watch`, a file that a person has changed
 */
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
  const files = filesOf(view, planOf(facts), readRecordedConfig(configSchema, view));
  if (files.length === 0)
    throw new DeliberateError(
      'no-plan',
      `run ${shortId(run)} has no plan yet`,
      `Resume it: deliberate resume ${shortId(run)}`,
    );
  const changes = files.map(({ path, text }) => ({
    path,
    // In JSON files, escape characters in models' words that a terminal would interpret.
    text: path.endsWith('.json') ? escapeLoose(text) : text,
    before: readBefore(repository, path),
  }));
  const wanted = changes.filter(({ before, text }) => before !== text);
  if (wanted.length === 0) {
    // If an earlier process was killed after it had written these files, they are not recorded yet, so record
    // them now.
    if (!isRecorded(changes, planOf(facts))) await writeAll(call, repository, run, changes);
    if (!flags.quiet) err.write('The files already match this plan.\n');
    return 0;
  }
  const later = `${getStartCommand(env)} plan --write ${shortId(run)}`;
  const others = describeOverwritten(changes);
  if (flags.yes && others !== undefined)
    throw new DeliberateError(
      'others-plan',
      `${others}; nothing was written`,
      `See the difference, and say yes to it: ${later}`,
    );
  const edited = await describeEdited(call, repository, wanted);
  // With `--watch`, a person's edits come from commits, so replacing a file loses none of them.
  if (flags.yes && flags.watch !== true && edited !== undefined)
    throw new DeliberateError(
      'edited',
      `${edited}; nothing was written`,
      `See the difference, and say yes to it: ${later}`,
    );
  if (!flags.yes) {
    for (const file of wanted) err.write(`${sanitiseText(describeFile(file, repository))}\n`);
    for (const note of [others, edited]) if (note !== undefined) err.write(`${toLine(note)}.\n`);
    const isAsked = call.stdin.isTTY && err.isTTY;
    if (!isAsked) {
      if (!flags.quiet) err.write(`Not written: no terminal to confirm in. Write them: ${later}\n`);
      return 0;
    }
    if (!(await askToConfirm(call, `Write ${formatCount(wanted.length, 'file')}? [y/N] `, later))) {
      err.write(`Not written. Write them later: ${later}\n`);
      return 0;
    }
  }
  await writeAll(call, repository, run, changes);
  for (const { path } of wanted) out.write(`${path}\n`);
  offerFixes(call, files);
  offerTeam(call, files);
  return 0;
}

/** Returns whether all files are on record as they are now. */
function isRecorded(all: readonly ProposedFile[], { files }: Pick<PlanView, 'files'>): boolean {
  return all.every(({ path, text }) => files.get(path)?.sha256 === sha256(text));
}

/**
 * Writes all files and records in the run that they were written, or does neither.
 * @throws DeliberateError if another process holds the run, such as an open console, or if a file has changed
 * since it was shown or cannot be written
 */
async function writeAll(
  call: Invocation,
  repository: string,
  run: string,
  files: readonly ProposedFile[],
): Promise<void> {
  await withStore(call, async (store) => {
    const journal = await withTakeover(call, run, (how) => store.own(run, how));
    try {
      writeInside(repository, files, () => {
        journal.note([
          fact('files.written', {
            files: files.map(({ path, text }) => ({ path, sha256: sha256(text) })),
          }),
        ]);
      });
    } finally {
      journal.release();
    }
  });
}

const specSchema = z.object({ title: z.string(), topic: z.string().optional() });

/**
 * Returns a sentence if writing would overwrite a file that is no plan, or the plan of another topic;
 * otherwise undefined. Two plans have the same topic if their titles or their topic files are the same.
 */
function describeOverwritten(files: readonly ProposedFile[]): string | undefined {
  const spec = files.find(({ path }) => path.endsWith('.spec.md'));
  const data = files.find(({ path }) => path.endsWith('.spec.json'));
  if (spec === undefined || data === undefined) return undefined;
  if (data.before === undefined)
    return spec.before === undefined || spec.before === spec.text
      ? undefined
      : `${spec.path} is there, and is no plan`;
  const [specOnDisk, newSpec] = [data.before, data.text].map((text) => specIn(text));
  if (specOnDisk === undefined) return `${data.path} is there, and is no plan`;
  const isSame =
    specOnDisk.title === newSpec?.title ||
    // Older specs do not name their topic file, so a missing name counts as the same file.
    (newSpec?.topic !== undefined && (specOnDisk.topic ?? newSpec.topic) === newSpec.topic);
  return isSame ? undefined : `${spec.path} is the plan of another topic, “${specOnDisk.title}”`;
}

function specIn(text: string): z.infer<typeof specSchema> | undefined {
  try {
    return specSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns a sentence about the files that have changed since a plan wrote them; undefined if none has. */
async function describeEdited(
  call: Invocation,
  repository: string,
  files: readonly ProposedFile[],
): Promise<string | undefined> {
  const edited = await withStore(call, (store) => findEdited(store, repository, files));
  if (edited.length === 0) return undefined;
  return `${edited.join(', ')} ${edited.length === 1 ? 'has' : 'have'} changed since a plan wrote ${edited.length === 1 ? 'it' : 'them'}`;
}

/** Prints the command that applies each fix of the plan; prints nothing with `--quiet`. */
function offerFixes({ env, err, flags }: Invocation, files: readonly OutcomeFile[]): void {
  if (flags.quiet) return;
  for (const { path } of files.filter((file) => file.path.endsWith('.fix.json')))
    err.write(`Apply a fix: ${getStartCommand(env)} plan --apply ${path}\n`);
}

/** Prints the command by which a team carries out the plan, if the plan has anything to do. */
function offerTeam({ env, err, flags }: Invocation, spec: readonly OutcomeFile[]): void {
  const file = spec.find(({ path }) => path.endsWith('.spec.json'));
  if (file === undefined || flags.quiet) return;
  err.write(
    hasTasks(file.text)
      ? `Carry it out: ${getStartCommand(env)} team --spec ${file.path}\n`
      : 'There is nothing to carry out: the plan has no task.\n',
  );
}

function hasTasks(spec: string): boolean {
  const { tasks } = JSON.parse(spec) as { readonly tasks?: readonly unknown[] };
  return (tasks ?? []).length > 0;
}

/**
 * Writes the files of a plan after its run was resumed. If `--yes` was given, now or when the run began, the
 * files are written without a question; otherwise the person is asked. Nothing is done if the run has no plan
 * or no repository here, if its files were written before, or if it planned for the built-in example.
 * @param wasDone whether the run had ended before it was resumed; then, without `--yes`, nothing is done
 * @returns the exit code; undefined if nothing was done
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

/**
 * Returns what a person reads about a file before agreeing to write it: the diff, or only the number of lines
 * if the file is new JSON, whose content is in the plan as well. For a fix, also what the fix would change in
 * the code.
 */
function describeFile({ path, before, text }: ProposedFile, repository: string): string {
  const change = path.endsWith('.fix.json') ? tellFixIn(repository, text) : undefined;
  const told = change === undefined ? '' : `\n${change}`;
  if (before === undefined && path.endsWith('.json'))
    return `+++ ${path} (new, ${formatCount(text.split('\n').length - 1, 'line')})${told}`;
  return `${diffLines(path, before, text)}${told}`;
}
