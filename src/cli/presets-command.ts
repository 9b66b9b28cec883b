/** `deliberate presets`: what can be copied and edited, what is wrong with it, and the copying. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { configFolder } from '../io/files.ts';
import { makeFolder } from '../io/folders.ts';
import { KINDS } from '../io/preset-kinds.ts';
import {
  findPreset,
  listPresets,
  newProjectFolder,
  projectFolder,
  refuseLinks,
  unseenInPresets,
} from '../io/presets.ts';
import { codeOf, whyNot } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { problemsOfMethods } from '../protocols/desks.ts';
import { line } from '../text/line.ts';

export async function presets(call: Invocation): Promise<number> {
  const [word, ...more] = call.words;
  if (word === 'copy') return copy(call, more);
  if (more.length > 0)
    throw new UsageError(`presets takes one argument, not ${call.words.length}`, USAGE);
  return word === 'check' ? check(call) : list(call, word);
}

const USAGE = `Usage: deliberate presets [${KINDS.map(({ folder }) => folder).join('|')}], presets check, presets copy roles/critic.`;

function list({ env, err, flags, out }: Invocation, only: string | undefined): number {
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
          : `  ${slug.padEnd(cells)}  ${origin.padEnd(8)}  ${line(value.description)}\n`,
      );
  }
  for (const problem of problems) err.write(`not read: ${line(problem)}\n`);
  return 0;
}

/** Every problem of every file; 1 where there is any. What only nobody sees is told, and is none. */
async function check({ env, out }: Invocation): Promise<number> {
  const catalogs = KINDS.map((kind) => listPresets(kind, env));
  const problems = [
    ...catalogs.flatMap((catalog) => catalog.problems),
    ...(await problemsOfMethods(env)),
  ];
  const unseen = KINDS.flatMap((kind) => unseenInPresets(kind, env));
  for (const one of [...problems, ...unseen]) out.write(`${line(one)}\n`);
  const read = catalogs.reduce((sum, catalog) => sum + catalog.presets.length, 0);
  out.write(
    `${read} presets, ${problems.length || 'no'} problem${problems.length === 1 ? '' : 's'}.\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** A file of one's own to edit, beginning as the one that is in force elsewhere. */
function copy({ env, flags, out }: Invocation, words: readonly string[]): number {
  const [folder, slug = ''] = words[0]?.split('/') ?? [];
  const kind = KINDS.find((one) => one.folder === folder);
  if (kind === undefined || words.length !== 1 || words[0]?.split('/').length !== 2)
    throw new UsageError(
      words.length === 0 ? 'no preset named' : `presets copy ${words.join(' ')}: no such preset`,
      USAGE,
    );
  const to = flags.to ?? 'user';
  if (to !== 'project' && to !== 'user')
    throw new UsageError(`--to ${to}: expected project or user`);
  const source = findPreset(kind, slug, env, 'built-in');
  const home = to === 'user' ? configFolder(env) : (projectFolder(env) ?? newProjectFolder(env));
  const file = join(home, kind.folder, `${slug}${kind.ending}`);
  if (to === 'project') refuseLinks('project', join(home, kind.folder));
  try {
    makeFolder(join(home, kind.folder));
    writeFileSync(file, readFileSync(source.file), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = codeOf(error);
    throw new UsageError(
      code === 'EEXIST' ? `${file} already exists` : `${file} cannot be written: ${whyNot(code)}`,
      code === 'EEXIST' ? 'Edit it, or remove it first.' : undefined,
    );
  }
  out.write(`${file}\n`);
  return 0;
}
