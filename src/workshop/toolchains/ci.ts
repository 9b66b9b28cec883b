/**
 * Suggests checks from the files of continuous integration: commands that are plain words without shell
 * syntax. Each suggestion names its file.
 */
import * as z from 'zod';
import { readYaml } from '../../io/yaml-file.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { matchesGlob } from '../../text/globs.ts';
import { isRecord } from '../../text/json.ts';
import type { ContinuousIntegration } from './schema.ts';

/**
 * Returns the text of a file of the base commit; undefined if the file does not exist or cannot be
 * read.
 */
export type TextOf = (path: string) => Promise<string | undefined>;

interface CiCommand {
  readonly argv: readonly string[];
  /** The folder; `''` is the root. */
  readonly folder: string;
  readonly file: string;
}

const MOST_FILES = 12;
const MOST_COMMANDS = 8;
const LONGEST = 200;

/** Matches shell syntax and variables of CI services; such commands are not suggested. */
const SPECIAL = /["'`$\\|;&<>(){}*?~#!=]|\[/;

/**
 * Returns the commands that the files of a continuous integration service run as checks, at most
 * eight. Commands with shell syntax or variables are left out. `paths` are the files of the base
 * commit.
 */
export async function suggestFromCi(
  paths: readonly string[],
  textOf: TextOf,
  ci: ContinuousIntegration,
): Promise<CiCommand[]> {
  const found = new Map<string, CiCommand>();
  const isCheck = new RegExp(ci.like);
  const isOther = new RegExp(ci.not);
  for (const file of paths.filter((path) => matchesGlob(path, ci.files)).slice(0, MOST_FILES))
    for (const { text, folder } of commandsIn(parseYaml(file, (await textOf(file)) ?? ''), ci, ''))
      for (const row of text.split('\n').map((line) => line.trim()))
        if (row.length <= LONGEST && !SPECIAL.test(row) && isCheck.test(row) && !isOther.test(row))
          found.set(`${folder}\0${row}`, { argv: row.split(/\s+/), folder, file });
  return [...found.values()].slice(0, MOST_COMMANDS);
}

/** Parses YAML; undefined if it is invalid, which the CI service will report. */
function parseYaml(file: string, text: string): unknown {
  try {
    return readYaml(file, text, z.unknown()).value;
  } catch (error) {
    if (error instanceof DeliberateError) return undefined;
    throw error;
  }
}

interface Spoken {
  readonly text: string;
  readonly folder: string;
}

/**
 * Returns the commands below a value of a CI file, each with its folder.
 *
 * @param folder the folder of commands that name none; undefined if it cannot be known here
 */
function commandsIn(
  value: unknown,
  ci: ContinuousIntegration,
  folder: string | undefined,
): Spoken[] {
  if (Array.isArray(value)) return value.flatMap((part) => commandsIn(part, ci, folder));
  if (!isRecord(value)) return [];
  const named =
    ci.folder.map((key) => value[key]).find((name) => typeof name === 'string') ??
    folderOfDefaults(value, ci);
  const below = named === undefined ? folder : readFolder(named);
  // Commands in a folder outside the repository, or that only the CI service knows, cannot be suggested as checks.
  const isKnown = below !== undefined;
  return Object.entries(value).flatMap(([key, part]) =>
    ci.keys.includes(key)
      ? [
          ...(isKnown ? textsIn(part).map((text) => ({ text, folder: below })) : []),
          ...(isRecord(part) ? commandsIn(part, ci, below) : []),
        ]
      : commandsIn(part, ci, below),
  );
}

/** Returns the folder in GitHub's `defaults: { run: { working-directory } }` as it is written. */
function folderOfDefaults(
  { defaults }: Readonly<Record<string, unknown>>,
  ci: ContinuousIntegration,
): unknown {
  const run = isRecord(defaults) ? defaults.run : undefined;
  return isRecord(run) ? ci.folder.map((key) => run[key]).find(Boolean) : undefined;
}

/** Parses a folder within the repository; undefined for anything else. */
function readFolder(value: unknown): string | undefined {
  if (typeof value !== 'string' || SPECIAL.test(value)) return undefined;
  const names = value.split('/').filter((name) => name !== '' && name !== '.');
  return value.startsWith('/') || names.includes('..') ? undefined : names.join('/');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
