/** `deliberate config`: prints which settings are in force, and which file or flag each comes from. */

import type { Invocation } from '../../app/invocation.ts';
import { SETTING_NAMES, SETTINGS, settingsWithSources } from '../../app/settings/config.ts';
import { databaseFile } from '../../io/files.ts';
import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';
import { providerVariables } from '../../kernel/providers/names.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { isRecord } from '../../text/json.ts';
import { toLine } from '../../text/line.ts';
import { formatSuggestion } from '../../text/nearest.ts';
import { padEnd, textWidth } from '../../text/width.ts';
import { formatSetting, withoutCredentials, withoutSecrets } from './shown.ts';

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

type Part = (call: Invocation, words: readonly string[]) => Promise<number>;

const PARTS: Readonly<Record<string, Part>> = {
  check: (call, words) => {
    if (words.length > 0) throw new UsageError('config check takes no arguments');
    return checkFiles(call);
  },
  get: async (call, words) => (await import('./get.ts')).get(call, words),
  set: async (call, words) => (await import('./change.ts')).set(call, words),
  unset: async (call, words) => (await import('./change.ts')).unset(call, words),
  path: async (call, words) => (await import('./change.ts')).path(call, words),
  edit: async (call, words) => (await import('./change.ts')).edit(call, words),
};

/**
 * Runs `deliberate config`: prints every setting and where it was set, or performs the subcommand.
 * Resolves to the exit code.
 */
export async function config(call: Invocation): Promise<number> {
  const [word, ...words] = call.words;
  if (word !== undefined) {
    const part = entryOf(PARTS, word);
    if (part !== undefined) return part(call, words);
    const names = Object.keys(PARTS);
    throw new UsageError(
      `unknown subcommand "config ${word}"`,
      `${formatSuggestion(word, names)}The subcommands are ${names.join(', ')}.`,
    );
  }
  const { flags, env, out } = call;
  const { config: values, from, files } = settingsWithSources(call);
  const settings = SETTING_NAMES.map(
    (name): Row => ({
      name,
      value: Object.hasOwn(values, name)
        ? toShownValue(name, values[name])
        : SETTINGS[name].otherwise,
      from: from[name],
    }),
  );
  const elsewhere: Row[] = [
    {
      name: 'database',
      value: databaseFile(call),
      from: flags.db !== undefined ? 'flag' : env.DELIBERATE_DB ? 'DELIBERATE_DB' : 'default',
    },
    ...files.map(
      ({ whose, file, yaml }): Row => ({
        name: `${whose} file`,
        value: file,
        from: yaml === undefined ? 'not found' : 'read',
      }),
    ),
  ];
  // Print only whether a secret is set, never its value.
  const environment = [
    ...providerVariables('secrets').map((name) => ({ name, value: env[name] ? 'set' : 'not set' })),
    ...providerVariables('addresses').map((name) => ({
      name,
      value: withoutCredentials(env[name]),
    })),
    ...providerVariables('settings').map((name) => ({ name, value: env[name] || 'not set' })),
  ].map((row): Row => ({ ...row, from: '' }));
  if (flags.json) {
    const toEntries = (rows: readonly Row[]): Record<string, unknown> =>
      Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }]));
    out.write(
      jsonLine({
        settings: toEntries(settings),
        files: toEntries(elsewhere),
        environment: Object.fromEntries(environment.map(({ name, value }) => [name, value])),
      }),
    );
    return 0;
  }
  for (const rows of [settings, elsewhere, environment])
    out.write(`${formatTable(rows)}${rows === environment ? '' : '\n'}`);
  return 0;
}

/** Prints every problem of both files. Resolves to 1 if there is any. */
async function checkFiles(call: Invocation): Promise<number> {
  const { problemsOfFiles } = await import('./problems.ts');
  const { read, problems } = problemsOfFiles(call);
  for (const problem of problems) call.out.write(`${toLine(problem)}\n`);
  if (problems.length === 0)
    call.out.write(read === 0 ? 'No config file; using the defaults.\n' : 'No problems.\n');
  return problems.length === 0 ? 0 : 1;
}

function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, value, from }) => [
    name,
    toLine(formatSetting(name, value)),
    toLine(from),
  ]);
  const wide = [0, 1].map((at) => Math.max(...cells.map((row) => textWidth(row[at] ?? ''))));
  return cells
    .map(([name = '', value = '', from = '']) =>
      `${padEnd(name, wide[0] ?? 0)}  ${padEnd(value, wide[1] ?? 0)}  ${from}`.trimEnd(),
    )
    .map((row) => `${row}\n`)
    .join('');
}

/** Shortens the setting `servers` to the servers' names; `deliberate servers` lists the rest. */
function toShownValue(name: string, value: unknown): unknown {
  if (name === 'servers' && isRecord(value)) return Object.keys(value).join(', ') || 'none';
  return withoutSecrets([name], value);
}
