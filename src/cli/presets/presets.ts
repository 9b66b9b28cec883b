/** `deliberate presets`: lists, shows and checks presets, and creates files of the person's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFile, writeNewFile } from '../../app/new-file.ts';
import type { TypedCall } from '../../app/typed-call.ts';
import { configFolder } from '../../io/files.ts';
import { KINDS } from '../../io/preset-kinds.ts';
import {
  findPreset,
  findUnseenInPresets,
  hasPreset,
  isSlug,
  listPresets,
  newProjectFolder,
  projectFolder,
  refuseLinks,
} from '../../io/presets.ts';
import { UsageError } from '../../kernel/errors.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { listMethodPresetProblems } from '../../protocols/desks.ts';
import { toLine } from '../../text/line.ts';
import { sanitiseText } from '../../text/sanitise.ts';

/**
 * Runs `deliberate presets`: lists, shows, copies, creates or checks presets. Resolves to the exit
 * code: 1 if a checked or created preset has problems.
 */
export async function presets(call: TypedCall): Promise<number> {
  const [word, ...more] = call.words;
  if (word === 'copy') return copyPreset(call, more);
  if (word === 'show') return showPreset(call, more);
  if (word === 'new') return createPreset(call, more);
  if (more.length > 0)
    throw new UsageError(`presets takes one argument, not ${call.words.length}`, USAGE);
  return word === 'check' ? checkPresets(call) : printPresets(call, word);
}

const USAGE = `Usage: deliberate presets [${KINDS.map(({ folder }) => folder).join('|')}], presets check, or presets show|copy|new KIND/NAME, such as roles/critic.`;

type Kind = (typeof KINDS)[number];

function printPresets({ env, err, flags, out }: TypedCall, only: string | undefined): number {
  const kinds = KINDS.filter(({ folder }) => only === undefined || folder === only);
  if (kinds.length === 0) throw new UsageError(`unknown kind of preset "${only}"`, USAGE);
  const problems: string[] = [];
  for (const kind of kinds) {
    const catalog = listPresets(kind, env);
    problems.push(...catalog.problems);
    if (!flags.json) out.write(`${kind.folder}\n`);
    const cells = Math.max(0, ...catalog.presets.map(({ slug }) => slug.length));
    for (const { slug, origin, file, value } of catalog.presets)
      out.write(
        flags.json
          ? jsonLine({
              kind: kind.folder,
              slug,
              origin,
              file,
              name: value.name,
              description: value.description,
            })
          : `  ${slug.padEnd(cells)}  ${origin.padEnd(8)}  ${toLine(value.description)}\n`,
      );
  }
  for (const problem of problems) err.write(`not read: ${toLine(problem)}\n`);
  return 0;
}

/**
 * Prints every problem of every preset file. Resolves to 1 if there is any; files that are merely overridden
 * are listed but are no problem.
 */
async function checkPresets({ env, out }: TypedCall): Promise<number> {
  const catalogs = KINDS.map((kind) => listPresets(kind, env));
  const problems = [
    ...catalogs.flatMap((catalog) => catalog.problems),
    ...(await listMethodPresetProblems(env)),
  ];
  const unseen = KINDS.flatMap((kind) => findUnseenInPresets(kind, env));
  for (const problem of [...problems, ...unseen]) out.write(`${toLine(problem)}\n`);
  const read = catalogs.reduce((sum, catalog) => sum + catalog.presets.length, 0);
  out.write(
    `${read} presets, ${problems.length || 'no'} problem${problems.length === 1 ? '' : 's'}.\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** Copies a built-in preset to a file of the person's own or of the project. */
function copyPreset(call: TypedCall, words: readonly string[]): number {
  const { kind, slug } = presetNamed('copy', words);
  const source = findPreset(kind, slug, call.env, 'built-in');
  const file = newFileOf(call, kind, slug);
  writeNewFile(file, readFileSync(source.file));
  call.out.write(`${file}\n`);
  return 0;
}

/** Prints the file of the preset in force, and its path on standard error. */
function showPreset({ env, err, flags, out }: TypedCall, words: readonly string[]): number {
  const { kind, slug } = presetNamed('show', words);
  const { file, origin } = findPreset(kind, slug, env);
  if (!flags.quiet) err.write(`${toLine(`${file} (${origin})`)}\n`);
  out.write(sanitiseText(readFileSync(file, 'utf8')));
  return 0;
}

/**
 * Creates a preset from a commented template and opens it in an editor. Resolves to 1 if it has errors
 * afterwards.
 */
async function createPreset(call: TypedCall, words: readonly string[]): Promise<number> {
  const { kind, slug } = presetNamed('new', words);
  if (hasPreset(kind, slug, call.env))
    throw new UsageError(
      `there is already a ${kind.noun} "${slug}"`,
      `Use another name, or start from that one: deliberate presets copy ${kind.folder}/${slug}`,
    );
  const file = newFileOf(call, kind, slug);
  await startFile(call, `${kind.folder}${kind.ending}`, slug, file);
  const { problems } = listPresets(kind, call.env);
  const own = problems.filter((problem) => problem.startsWith(file));
  for (const problem of own) call.err.write(`${toLine(problem)}\n`);
  return own.length === 0 ? 0 : 1;
}

/** Returns the path of a new preset: in the person's own folder, or in the project's with `--to project`. */
function newFileOf({ env, flags }: TypedCall, kind: Kind, slug: string): string {
  const to = flags.to ?? 'user';
  if (to !== 'project' && to !== 'user')
    throw new UsageError(`--to ${to}: expected project or user`);
  const home = to === 'user' ? configFolder(env) : (projectFolder(env) ?? newProjectFolder(env));
  if (to === 'project') refuseLinks('project', join(home, kind.folder));
  return join(home, kind.folder, `${slug}${kind.ending}`);
}

/**
 * Parses KIND/NAME.
 * @throws UsageError if the word has another form
 */
function presetNamed(word: string, words: readonly string[]): { kind: Kind; slug: string } {
  const [folder, slug = '', ...more] = words[0]?.split('/') ?? [];
  const kind = KINDS.find((kind) => kind.folder === folder);
  if (kind === undefined || words.length !== 1 || more.length > 0)
    throw new UsageError(
      words.length === 0 ? 'no preset named' : `presets ${word} ${words.join(' ')}: no such preset`,
      USAGE,
    );
  if (!isSlug(slug))
    throw new UsageError(
      `"${slug}" cannot be the name of a preset`,
      'Use letters, digits, - and _, at most 100.',
    );
  return { kind, slug };
}
