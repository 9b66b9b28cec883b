/** `deliberate config`: what is in force and who said so, and what is wrong with the files. */

import type { Invocation } from '../app/invocation.ts';
import {
  type Config,
  configFiles,
  readConfigFile,
  SETTING_NAMES,
  SETTINGS,
  settle,
} from '../app/settings/config.ts';
import { databaseFile } from '../io/files.ts';
import { BadFile, type Yaml } from '../io/yaml-file.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { variablesOf } from '../kernel/providers/names.ts';
import { isSpec, splitSpec } from '../kernel/providers/spec.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { isRecord } from '../text/is-record.ts';
import { line } from '../text/line.ts';
import { formatMs } from '../text/numbers.ts';
import { padEnd, textWidth } from '../text/width.ts';

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

export async function config(call: Invocation): Promise<number> {
  const [word, ...more] = call.words;
  if (more.length > 0 || (word !== undefined && word !== 'check'))
    throw new UsageError(`config ${call.words.join(' ')}: use config, or config check`);
  if (word === 'check') return check(call);
  const { flags, env, out } = call;
  const { config: values, from, files } = settle(call);
  const settings = SETTING_NAMES.map(
    (name): Row => ({
      name,
      value: Object.hasOwn(values, name) ? shown(name, values[name]) : SETTINGS[name].otherwise,
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
  // Of a secret it is said whether it is there; what it holds is nobody's business.
  const environment = [
    ...variablesOf('secrets').map((name) => ({ name, value: env[name] ? 'set' : 'not set' })),
    ...variablesOf('addresses').map((name) => ({ name, value: withoutCredentials(env[name]) })),
    ...variablesOf('settings').map((name) => ({ name, value: env[name] || 'not set' })),
  ].map((row): Row => ({ ...row, from: '' }));
  if (flags.json) {
    const entries = (rows: readonly Row[]): Record<string, unknown> =>
      Object.fromEntries(rows.map(({ name, value, from }) => [name, { value, from }]));
    out.write(
      jsonLine({
        settings: entries(settings),
        files: entries(elsewhere),
        environment: Object.fromEntries(environment.map(({ name, value }) => [name, value])),
      }),
    );
    return 0;
  }
  for (const rows of [settings, elsewhere, environment])
    out.write(`${table(rows)}${rows === environment ? '' : '\n'}`);
  return 0;
}

/** Every problem of both files; 1 where there is any. */
async function check(call: Invocation): Promise<number> {
  const { rebind } = await import('../console/keys/key-lookup.ts');
  const { KEYMAP } = await import('../console/keys/keymap.ts');
  const problems: string[] = [];
  let read = 0;
  for (const { whose, file, needed } of configFiles(call))
    try {
      const { yaml } = readConfigFile(whose, file, needed);
      if (yaml === undefined) continue;
      read += 1;
      problems.push(...unknownModels(call, yaml));
      const bound = rebind(KEYMAP, yaml.value.keys ?? {});
      if (bound instanceof UsageError) problems.push(`${yaml.place(['keys'])}: ${bound.message}`);
    } catch (error) {
      if (!(error instanceof DeliberateError)) throw error;
      problems.push(...(error instanceof BadFile ? error.problems : [error.message]));
    }
  for (const problem of problems) call.out.write(`${line(problem)}\n`);
  if (problems.length === 0)
    call.out.write(read === 0 ? 'No config file; using the defaults.\n' : 'No problems.\n');
  return problems.length === 0 ? 0 : 1;
}

/** Models of a file whose server nobody knows. */
function unknownModels(call: Invocation, { value, place }: Yaml<Config>): string[] {
  const { model, synthesizer, verifier, embeddings } = value;
  const named = Object.entries({ model, synthesizer, verifier, embeddings });
  settle(call);
  return named.flatMap(([name, spec]) =>
    spec === undefined || isSpec(spec)
      ? []
      : [`${place([name])}: ${name}: there is no server ${splitSpec(spec).provider}`],
  );
}

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ name, value, from }) => [
    name,
    line(showValue(name, value)),
    line(from),
  ]);
  const wide = [0, 1].map((at) => Math.max(...cells.map((row) => textWidth(row[at] ?? ''))));
  return cells
    .map(([name = '', value = '', from = '']) =>
      `${padEnd(name, wide[0] ?? 0)}  ${padEnd(value, wide[1] ?? 0)}  ${from}`.trimEnd(),
    )
    .map((row) => `${row}\n`)
    .join('');
}

/** Whoever has the address of a webhook may write there: it is a key. A server's headers may hold one, and a tool's. */
function shown(name: string, value: unknown): unknown {
  if ((name === 'servers' || name === 'tools') && isRecord(value))
    return Object.keys(value).join(', ') || 'none';
  return name === 'notify_webhook' ? 'set' : value;
}

function showValue(name: string, value: unknown): string {
  if (name === 'idle_timeout' && typeof value === 'number') return formatMs(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An address as far as it may be shown: credentials stand before the host, and in queries. */
function withoutCredentials(address: string | undefined): string {
  if (!address) return 'not set';
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  return url === null ? 'set, but not a URL' : `${url.protocol}//${url.host}${url.pathname}`;
}
