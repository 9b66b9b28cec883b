/**
 * `deliberate config set`, `unset`, `path` and `edit`: changes the person's own file after checking the result.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Invocation } from '../../app/invocation.ts';
import {
  describeConfig,
  ownConfigFile,
  SETTINGS,
  type SettingName,
  settingsWithSources,
} from '../../app/settings/config.ts';
import { completePlaces } from '../../app/settings/model-names.ts';
import { openModels } from '../../app/settings/providers.ts';
import { askToConfirm } from '../../io/confirm.ts';
import { editFile } from '../../io/editor.ts';
import { readTextFile } from '../../io/text-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { toLine } from '../../text/line.ts';
import {
  readText,
  type SettingPath,
  withoutSetting,
  withSetting,
  writeConfig,
} from './edit-config.ts';
import { problemsOfText } from './problems.ts';
import { parseSettingPath } from './setting-path.ts';

/** Settings whose value is a model; the server may be omitted if only one server has the model. */
const MODELS: ReadonlySet<string> = new Set(['model', 'synthesizer', 'verifier', 'team_levels']);

/** The largest configuration file that is edited, in bytes. */
const LARGEST = 256 * 1024;

/**
 * Runs `deliberate config set KEY VALUE`: stores a setting in the person's file. Several words make
 * a list. Resolves to the exit code.
 */
export async function set(call: Invocation, words: readonly string[]): Promise<number> {
  const [typed, ...values] = words;
  if (typed === undefined || values.length === 0)
    throw new UsageError(
      'expected a setting and its value',
      'Example: deliberate config set model ollama/qwen3:8b',
    );
  const path = parseSettingPath(typed);
  const file = ownConfigFile(call);
  const written = values.length === 1 ? await fullModel(call, path, values[0] ?? '') : values;
  const candidates = [...new Set([readValue(written), written])];
  const texts = candidates.map((value) => withSetting(file, path, value));
  const good = texts.find((text) => newProblems(file, text).length === 0);
  if (good === undefined)
    throw new UsageError(newProblems(file, texts[0] ?? '').join('\n'), 'Nothing was changed.');
  writeConfig(file, good);
  writeNote(call, `Set ${path.join('.')} in ${file}.`);
  tellOverruled(call, path[0] as SettingName, file);
  return 0;
}

/**
 * Runs `deliberate config unset KEY`: removes a setting from the person's file. Resolves to the
 * exit code: 1 if the file does not contain the setting.
 */
export async function unset(call: Invocation, words: readonly string[]): Promise<number> {
  const [typed, ...more] = words;
  if (typed === undefined || more.length > 0)
    throw new UsageError('expected one setting', 'Example: deliberate config unset model');
  const path = parseSettingPath(typed);
  const file = ownConfigFile(call);
  const text = withoutSetting(file, path);
  if (text === undefined) {
    writeNote(call, `${path.join('.')} is not set in ${file}.`);
    return 1;
  }
  const problems = newProblems(file, text);
  if (problems.length > 0) throw new UsageError(problems.join('\n'), 'Nothing was changed.');
  writeConfig(file, text);
  writeNote(call, `Removed ${path.join('.')} from ${file}.`);
  tellOverruled(call, path[0] as SettingName, file);
  return 0;
}

/**
 * Runs `deliberate config path`: prints the path of the person's file, even if it does not exist.
 * Resolves to the exit code.
 */
export async function path(call: Invocation, words: readonly string[]): Promise<number> {
  if (words.length > 0) throw new UsageError('config path takes no arguments');
  call.out.write(`${toLine(ownConfigFile(call))}\n`);
  return 0;
}

/**
 * Runs `deliberate config edit`: opens a copy of the person's file in an editor, and stores the copy
 * unless it has problems. If it has, the person may edit again; otherwise the copy stays where it is.
 * Resolves to the exit code: 1 if the file was not stored because of problems.
 */
export async function edit(call: Invocation, words: readonly string[]): Promise<number> {
  const { env, err, stdin } = call;
  if (words.length > 0) throw new UsageError('config edit takes no arguments');
  const file = ownConfigFile(call);
  const before = readText(file);
  if (!stdin.isTTY || !err.isTTY)
    throw new UsageError(
      'cannot open an editor: no terminal',
      `Edit the file yourself: ${file}; then check it: deliberate config check`,
    );
  if (!(env.VISUAL || env.EDITOR))
    throw new UsageError(
      'no editor: neither $VISUAL nor $EDITOR is set',
      `Set one of them, or edit the file yourself: ${file}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-'));
  const copy = join(folder, 'config.yaml');
  writeFileSync(copy, before ?? formatTemplate(), { mode: 0o600 });
  for (;;) {
    await editFile(copy, env);
    const text = readTextFile(copy, { most: LARGEST, links: true }) ?? '';
    const problems = problemsOfText(copy, text);
    if (problems.length === 0) {
      rmSync(folder, { recursive: true });
      if (text === (before ?? formatTemplate())) writeNote(call, 'Nothing was changed.');
      else {
        writeConfig(file, text);
        writeNote(call, `Wrote ${file}.`);
      }
      return 0;
    }
    for (const problem of problems) err.write(`${toLine(problem)}\n`);
    if (await askToConfirm(call, 'Edit it again? [y/N] ', '')) continue;
    writeNote(call, `${file} is unchanged. Your text is kept in ${copy}.`);
    return 1;
  }
}

/** Parses a word as the file would: `true`, `3`, `[a, b]`. A word that is not valid YAML is a string. */
function readValue(word: string | readonly string[]): unknown {
  if (typeof word !== 'string') return word;
  try {
    return parse(word, { logLevel: 'error' }) ?? word;
  } catch {
    return word;
  }
}

/** Adds the server's name to a model that was typed without one. */
async function fullModel(call: Invocation, path: SettingPath, value: string): Promise<string> {
  if (!MODELS.has(path[0])) return value;
  const models = openModels(call, settingsWithSources(call).config);
  const [full] = await completePlaces(call, [{ model: value }], models);
  return full?.model ?? value;
}

/** Returns the problems a new text would add to those the file already has, without file and line. */
function newProblems(file: string, text: string): string[] {
  const known = new Set(problemsIn(file, readText(file) ?? ''));
  return problemsIn(file, text).filter((problem) => !known.has(problem));
}

function problemsIn(file: string, text: string): string[] {
  return problemsOfText(file, text).map((problem) =>
    problem.startsWith(`${file}:`) ? problem.slice(file.length + 1).replace(/^\d+: /, '') : problem,
  );
}

/** Tells the person if another file overrides the setting that was just changed. */
function tellOverruled(call: Invocation, name: SettingName, file: string): void {
  const from = settingsWithSources(call).from[name];
  if (from !== 'default' && from !== 'flag' && !from.startsWith(`${file}:`))
    writeNote(call, `Here ${from} goes first.`);
}

/** Returns the text of a new configuration file: every setting, commented out. */
function formatTemplate(): string {
  const { shape } = describeConfig();
  return [
    '# Settings of deliberate; see docs/configuration.md. Remove the # before a setting to use it.',
    ...Object.entries(SETTINGS).map(
      ([name, { otherwise }]) =>
        `\n# ${shape[name as SettingName].description ?? ''} Default: ${otherwise}.\n# ${name}:`,
    ),
    '',
  ].join('\n');
}

function writeNote({ err, flags }: Invocation, text: string): void {
  if (!flags.quiet) err.write(`${toLine(text)}\n`);
}
