/**
 * `deliberate servers`: lists model servers with their source and whether their key is set; adds and removes
 * them.
 */
import type { Invocation } from '../../app/invocation.ts';
import { ownConfigFile, settingsWithSources } from '../../app/settings/config.ts';
import { openModels } from '../../app/settings/providers.ts';
import { serversOf, serversSchema } from '../../app/settings/servers.ts';
import { readYaml } from '../../io/yaml-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import {
  findKeyVariable,
  type NamedServer,
  SERVER_PROTOCOLS,
} from '../../kernel/providers/servers.ts';
import { alignColumns } from '../../plain/columns.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { toLine } from '../../text/line.ts';
import { formatSuggestion } from '../../text/nearest.ts';
import { formatCount } from '../../text/numbers.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { withoutSetting, withSetting, writeConfig } from '../config/edit-config.ts';

const EXAMPLE =
  'Example: deliberate servers add lab --speaks openai --url http://gpu-box:8000/v1 --key-env LAB_KEY';

/**
 * Runs `deliberate servers`: lists, adds and removes model servers. Resolves to the exit code: 1 if a
 * server was added and does not answer.
 */
export async function servers(call: Invocation): Promise<number> {
  const [word, name, ...more] = call.words;
  if (word === undefined) return listServers(call);
  if ((word !== 'add' && word !== 'remove') || name === undefined || more.length > 0)
    throw new UsageError(
      `servers ${call.words.join(' ')}: use servers, servers add NAME, or servers remove NAME`,
      EXAMPLE,
    );
  return word === 'add' ? addServer(call, name) : removeServer(call, name);
}

function listServers(call: Invocation): number {
  const { env, flags, out } = call;
  const settled = settingsWithSources(call);
  const own = settled.files.find(({ yaml }) => yaml?.value.servers !== undefined)?.yaml;
  const rows = serversOf(settled.config).map((server) => ({
    ...server,
    from: server.isOwn ? (own?.place(['servers', server.name]) ?? 'config') : 'built in',
  }));
  if (flags.json) {
    for (const { name, speaks, url, from, keyEnv, keyCommand, headers, ...rest } of rows)
      out.write(
        jsonLine({
          server: name,
          speaks,
          url,
          from,
          key: keyState({ name, speaks, url, keyEnv, keyCommand, ...rest }, env).state,
          variables: keyEnv,
          headers: Object.keys(headers ?? {}),
        }),
      );
    return 0;
  }
  const cells = rows.map((server) => [
    toLine(server.name),
    server.speaks,
    toLine(server.url),
    keyState(server, env).says,
    toLine(server.from),
  ]);
  for (const row of alignColumns([['SERVER', 'SPEAKS', 'ADDRESS', 'KEY', 'FROM'], ...cells]))
    out.write(`${row}\n`);
  return 0;
}

/** Returns whether a server's key is set. The key itself is never shown. */
function keyState(
  server: NamedServer,
  env: Invocation['env'],
): { readonly state: 'set' | 'not set' | 'none' | 'command'; readonly says: string } {
  if (server.keyCommand !== undefined)
    return { state: 'command', says: `printed by ${toLine(server.keyCommand[0] ?? '')}` };
  if (server.keyEnv.length === 0) return { state: 'none', says: 'none' };
  const variable = findKeyVariable(server, env);
  return variable === undefined
    ? { state: 'not set', says: `${server.keyEnv.join(' or ')} is not set` }
    : { state: 'set', says: `${variable} is set` };
}

async function addServer(call: Invocation, name: string): Promise<number> {
  const { speaks, url, keyEnv } = call.flags;
  if (speaks === undefined || url === undefined)
    throw new UsageError(
      `servers add ${name}: name its protocol with --speaks ${SERVER_PROTOCOLS.join('|')} and its address with --url`,
      EXAMPLE,
    );
  const own = settingsWithSources(call).config.servers ?? {};
  const file = ownConfigFile(call);
  if (Object.hasOwn(own, name))
    throw new UsageError(
      `${file} names a server ${name} already`,
      `To replace it: deliberate servers remove ${name}, then add it again.`,
    );
  const fields = { speaks, url, ...withoutUndefined({ key_env: keyEnv }) };
  const entry = validateServer(name, fields);
  writeConfig(file, withSetting(file, ['servers', name], { ...fields, url: entry.url }));
  if (!call.flags.quiet) call.err.write(`Added ${toLine(name)} to ${toLine(file)}.\n`);
  return checkServer(call, name);
}

/**
 * Validates the fields of a server as the configuration file would.
 * @throws UsageError with the same message, without file and line
 */
function validateServer(name: string, fields: Readonly<Record<string, string>>): { url: string } {
  const read = serversSchema.safeParse({ [name]: fields });
  const entry = read.success ? read.data[name] : undefined;
  if (entry !== undefined) return entry;
  try {
    readYaml('servers', JSON.stringify({ [name]: fields }), serversSchema);
  } catch (error) {
    if (error instanceof Error)
      throw new UsageError(error.message.replace(/^servers:\d+: /, ''), EXAMPLE);
    throw error;
  }
  throw new UsageError(`"${name}" is no name of a server`, EXAMPLE);
}

/** Asks a new server for its models. Resolves to 1 if it does not answer. */
async function checkServer(call: Invocation, name: string): Promise<number> {
  const gateway = openModels(call, settingsWithSources(call).config);
  const found = (await gateway.list({ only: name }))[0];
  if (found === undefined) throw new Error(`the server ${name} was not asked`);
  const { models, error, endpoint } = found;
  const [first] = models;
  call.out.write(
    error === undefined
      ? `${toLine(name)} at ${toLine(endpoint)}: ${formatCount(models.length, 'model')}${first === undefined ? '' : `, such as ${toLine(first.spec)}`}\n`
      : `${toLine(error)}\n`,
  );
  return error === undefined ? 0 : 1;
}

function removeServer(call: Invocation, name: string): number {
  const { config } = settingsWithSources(call);
  const own = Object.keys(config.servers ?? {});
  if (!own.includes(name)) {
    const builtIn = serversOf(config).find((server) => server.name === name);
    throw new UsageError(
      builtIn === undefined
        ? `there is no server ${name}`
        : `${name} comes with the program, and is not in your configuration`,
      builtIn === undefined
        ? `${formatSuggestion(name, own)}Yours: ${own.join(', ') || 'none'}.`
        : `It is left out while ${builtIn.keyEnv.join(' or ') || 'it does not run'}${builtIn.keyEnv.length > 0 ? ' is not set' : ''}.`,
    );
  }
  const file = ownConfigFile(call);
  writeConfig(file, withoutSetting(file, ['servers', name]) ?? '');
  if (!call.flags.quiet) call.err.write(`Removed ${toLine(name)} from ${toLine(file)}.\n`);
  return 0;
}
