/**
 * The descriptions of the server for coding agents: a skill, and a plugin folder for each of two agents.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Invocation } from '../app/invocation.ts';
import { BUILT_IN, readText } from '../io/files.ts';
import { writeShared } from '../io/own-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { toLine } from '../text/line.ts';

const PLUGINS = join(BUILT_IN, 'plugins');
const SKILL = 'SKILL.md';
/** The path of the skill in a plugin. */
const SKILL_PATH = join('skills', 'deliberate', SKILL);

const AGENTS = ['claude-code', 'codex'] as const;

/**
 * Prints the skill (instructions for coding agents) if `word` is `skill`. Otherwise writes the plugin
 * for the coding agent `word` into the folder `deliberate` in the one that `--to` names; without `--to`,
 * prints the plugin's files. Returns the exit code.
 *
 * @throws UsageError for another word, if there are further words (`more`), and if a file of the plugin
 * exists already and `--yes` is not given
 */
export function printOrWritePlugin(
  { flags, out, err }: Invocation,
  word: string,
  more: readonly string[],
): number {
  const agent = AGENTS.find((agent) => agent === word);
  if (more.length > 0 || (agent === undefined && word !== 'skill'))
    throw new UsageError(
      `mcp ${[word, ...more].join(' ')}: not understood`,
      `Use mcp skill, or mcp ${AGENTS.join(' or mcp ')} with --to DIR.`,
    );
  const skill = readText(join(PLUGINS, SKILL)) ?? '';
  if (agent === undefined) {
    out.write(skill);
    return 0;
  }
  const files = new Map([...filesOf(join(PLUGINS, agent)), [SKILL_PATH, skill] as const]);
  if (flags.to === undefined) {
    for (const [path, text] of files) out.write(`==> ${path} <==\n${text}\n`);
    return 0;
  }
  const folder = join(flags.to, 'deliberate');
  const there = [...files.keys()].find((path) => existsSync(join(folder, path)));
  if (there !== undefined && !flags.yes)
    throw new UsageError(`${join(folder, there)} already exists`, 'Pass --yes to overwrite it.');
  for (const [path, text] of files) writeShared(join(folder, path), text);
  err.write(`${toLine(folder)}\n`);
  return 0;
}

function filesOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [relative(folder, file), readText(file) ?? '']);
}
