/**
 * Reads how tool servers are set up: from the person's configuration, or from a `.mcp.json` that they name. A
 * project's files alone never start a program.
 */

import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { expandHome } from '../../io/complete-path.ts';
import { workingFolder } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { secretsInHeader } from '../../models/secrets.ts';
import { homeOf } from '../../platform/folders.ts';
import { parseJson } from '../../text/json.ts';
import { toLine } from '../../text/line.ts';
import { findNearest } from '../../text/nearest.ts';
import type { ToolServer } from '../../tools/servers/definition.ts';
import type { Invocation } from '../invocation.ts';
import { type Config, readConfig } from './config.ts';

type Env = Invocation['env'];
type ToolSetting = NonNullable<Config['tools']>[string];

/** A tool server that a person has named. */
export interface NamedServer {
  readonly server: ToolServer;
  /** The path of the `.mcp.json` that describes the server; empty if it is in the configuration. */
  readonly file: string;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
}

/** Variables that a server's program gets in addition to those configured for it. */
const BASE = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];
const LARGEST = 256 * 1024;

/**
 * Finds the tool servers that `--tools` names, in that order.
 *
 * @param wishes the names, `search` in the person's configuration or `.mcp.json#search` in a file;
 *   default: those of `--tools`
 * @throws UsageError if a server does not exist, cannot be set up or is named twice
 */
export function namedServers(
  call: Invocation,
  wishes: readonly string[] = call.flags.tools,
): NamedServer[] {
  const servers = wishes.map((wish) => findServer(call, wish.trim()));
  const twice = servers.find(
    ({ server }, at) =>
      servers.findIndex((namedServer) => namedServer.server.name === server.name) < at,
  );
  if (twice !== undefined)
    throw new UsageError(
      `--tools names ${twice.server.name} twice`,
      'Name each server once; a server of another file can be copied to your configuration under another name.',
    );
  return servers;
}

/**
 * Finds a server: `search` in the person's configuration, `.mcp.json#search` in a file.
 * @throws UsageError
 */
function findServer(call: Invocation, wish: string): NamedServer {
  const hash = wish.lastIndexOf('#');
  const isFile = hash >= 0 || /\.json$/i.test(wish);
  return isFile
    ? serverInFile(
        wish.slice(0, hash < 0 ? undefined : hash),
        hash < 0 ? '' : wish.slice(hash + 1),
        call.env,
      )
    : configuredServer(call, wish);
}

/** Returns the names of the tool servers in the person's configuration. */
export function configuredNames(call: Invocation): string[] {
  return Object.keys(readConfig(call).tools ?? {});
}

/**
 * Returns a tool server of the person's configuration.
 *
 * @throws UsageError if there is no such server, or a variable it needs is not set
 */
export function configuredServer(call: Invocation, name: string): NamedServer {
  const settings = new Map(Object.entries(readConfig(call).tools ?? {}));
  const setting = settings.get(name);
  if (setting === undefined) {
    const near = findNearest(name, [...settings.keys()]);
    throw new UsageError(
      `--tools ${name}: your configuration has no such server`,
      settings.size === 0
        ? 'Add it to your configuration under tools: see docs/tools.md'
        : near === undefined
          ? `There are ${[...settings.keys()].join(', ')}.`
          : `Did you mean ${near}?`,
    );
  }
  return fromSetting(name, setting, call.env);
}

function fromSetting(name: string, setting: ToolSetting, env: Env): NamedServer {
  const {
    command,
    env: variables = [],
    url = '',
    key_env: key,
    headers = {},
    allow = [],
  } = setting;
  const getValue = (variable: string): string => {
    const known = Object.hasOwn(env, variable) ? env[variable] : undefined;
    if (known !== undefined && known.trim() !== '') return known.trim();
    throw new UsageError(
      `tools ${name}: ${variable} is not set in your environment`,
      'Set it, or take it out of your configuration.',
    );
  };
  const told = Object.fromEntries(variables.map((variable) => [variable, getValue(variable)]));
  const token = key === undefined ? undefined : getValue(key);
  if (token !== undefined) checkHeader(name, key ?? '', token);
  for (const [header, text] of Object.entries(headers)) checkHeader(name, header, text);
  return {
    file: '',
    secrets: [
      ...Object.values(told),
      ...(token === undefined ? [] : [token]),
      ...secretsIn(headers, url),
      ...secretArguments(command ?? []),
    ],
    server: {
      name,
      allow,
      reach:
        command === undefined
          ? {
              url,
              headers: {
                ...headers,
                ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
              },
            }
          : // Start the tool server in the home folder: in a project's folder, `npx` prefers programs of the project.
            { argv: command, cwd: homeOf(env), env: { ...pickBasicVariables(env), ...told } },
    },
  };
}

/** Returns the secrets that a person wrote directly into headers and the address's query. */
function secretsIn(headers: Readonly<Record<string, string>>, url: string): string[] {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  return [...Object.entries(headers), ...query].flatMap(([name, value]) =>
    secretsInHeader(name, value),
  );
}

/** Names of variables and options that hold secrets. */
const OF_SECRETS = /key|token|secret|pass|auth|cred/i;

/**
 * Returns the values of options whose names suggest a secret: `X` for `--api-key X` and `--token=X`.
 */
export function secretArguments(argv: readonly string[]): string[] {
  return argv.flatMap((argument, at) => {
    const [, option = '', value = argv[at + 1] ?? ''] =
      /^(--?[\w-]+)(?:=(.*))?$/.exec(argument) ?? [];
    return option === '' ? [] : OF_SECRETS.test(option) ? [value] : [];
  });
}

/**
 * Checks that a header can be sent.
 * @throws UsageError that does not show its value
 */
function checkHeader(name: string, header: string, text: string): void {
  if (/[^\t\x20-\x7e]/.test(text))
    throw new UsageError(
      `tools ${name}: ${header} has a line break or a character that no header can hold`,
    );
}

const fileSchema = z.looseObject({
  mcpServers: z.record(
    z.string(),
    z.looseObject({
      command: z.string().min(1).optional(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      url: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/**
 * Reads a server from a `.mcp.json`.
 * @throws UsageError
 */
function serverInFile(path: string, wanted: string, env: Env): NamedServer {
  const file = resolve(workingFolder(), expandHome(path, env));
  const shown = toLine(path);
  const text = readTextFile(file, { most: LARGEST, links: true });
  if (text === undefined) throw new UsageError(`--tools ${shown}: no such file`);
  const read = fileSchema.safeParse(parseJson(text));
  if (!read.success)
    throw new UsageError(
      `--tools ${shown}: not a file of MCP servers`,
      'Expected JSON with "mcpServers", as coding agents read it.',
    );
  const servers = new Map(Object.entries(read.data.mcpServers));
  const found = servers.get(wanted);
  if (found === undefined)
    throw new UsageError(
      wanted === ''
        ? `--tools ${shown}: name one of its servers`
        : `--tools ${shown}#${toLine(wanted)}: the file has no such server`,
      `Example: --tools ${shown}#${toLine([...servers.keys()][0] ?? 'search')}`,
    );
  const { command, args = [], env: own = {}, url, headers = {} } = found;
  const secrets: string[] = [];
  const fillText = (text: string): string =>
    fillVariables(text, env, `--tools ${shown}#${toLine(wanted)}`, (variable, value) => {
      if (OF_SECRETS.test(variable)) secrets.push(value);
    });
  const fillRecord = (record: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fillText(value)]));
  const name = nameOf(wanted);
  if ((command === undefined) === (url === undefined))
    throw new UsageError(`--tools ${shown}#${toLine(wanted)}: expected either a command or a url`);
  const told = fillRecord(own);
  const sent = fillRecord(headers);
  for (const [header, value] of Object.entries(sent)) checkHeader(name, header, value);
  if (url !== undefined && !/^https?:\/\/(?![^/]*@)/.test(fillText(url)))
    throw new UsageError(
      `--tools ${shown}#${toLine(wanted)}: expected an http address without a name or password in it`,
    );
  const reach =
    command === undefined
      ? { url: fillText(url ?? ''), headers: sent }
      : {
          argv: [fillText(command), ...args.map(fillText)],
          cwd: dirname(file),
          env: { ...pickBasicVariables(env), ...told },
        };
  const written = 'argv' in reach ? secretArguments(reach.argv) : secretsIn({}, reach.url);
  return {
    file,
    secrets: [...Object.values(told), ...Object.values(sent), ...secrets, ...written],
    server: { name, allow: [], reach },
  };
}

/**
 * Fills in `${TOKEN}` and `${TOKEN:-none}`, as coding agents do.
 * @throws UsageError if a variable is not set
 */
function fillVariables(
  text: string,
  env: Env,
  where: string,
  tell: (variable: string, value: string) => void,
): string {
  return text.replace(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_whole, name: string, otherwise: string | undefined) => {
      const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? otherwise;
      if (value === undefined)
        throw new UsageError(`${where}: ${name} is not set in your environment`);
      tell(name, value);
      return value;
    },
  );
}

/** Converts a server's name to the form that runs use. */
function nameOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 24);
  return slug || 'server';
}

function pickBasicVariables(env: Env): Record<string, string> {
  return Object.fromEntries(
    BASE.flatMap((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
