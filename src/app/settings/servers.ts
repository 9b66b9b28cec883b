/**
 * The servers of the configuration: model servers with names, of which the person's own come before the
 * well-known ones; and the MCP servers whose tools seats may use.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { builtInAgents } from '../../coding-agents/built-in.ts';
import { BUILT_IN, readText } from '../../io/files.ts';
import { PROVIDERS, VARIABLES } from '../../kernel/providers/names.ts';
import {
  findKeyVariable,
  type NamedServer,
  needsKey,
  SERVER_PROTOCOLS,
} from '../../kernel/providers/servers.ts';
import { PROVIDER_NAME } from '../../kernel/providers/spec.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

/** A server as written in a file. */
type ServerEntry = z.infer<typeof serverSchema>;

/** The schema of the name of an environment variable. */
export const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable');

const header = z
  .string()
  // Allow only printable ASCII characters: a line break would begin another HTTP header.
  .regex(/^[\x20-\x7e]*$/, 'expected a header value: one line of plain characters');

const serverSchema = z
  .strictObject({
    speaks: z.enum(SERVER_PROTOCOLS).describe('The protocol that it speaks.'),
    url: z
      .string()
      .transform(toBaseUrl)
      .superRefine((url, context) => {
        const problem = problemWith(url);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      })
      .describe('The address that requests are sent below: http://gpu-box:8000/v1.'),
    key_env: z
      .union([variable, z.array(variable).min(1)], 'expected the name of an environment variable')
      .describe('The variable of the environment that holds its key; of several the first set.')
      .optional(),
    key_command: z
      .array(z.string().min(1), 'expected a program and its arguments: [op, read, "op://work/key"]')
      .min(1)
      .describe('A program of yours that prints the key: [op, read, "op://work/llm/key"].')
      .optional(),
    headers: z
      .record(
        z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of a header'),
        header,
      )
      .describe('Headers that go with every request: { X-Team: platform }.')
      .optional(),
  })
  .refine(({ key_env, key_command }) => key_env === undefined || key_command === undefined, {
    error: 'key_env and key_command: use one of them',
  });

const isBuiltIn = (name: string): boolean => (PROVIDERS as readonly string[]).includes(name);

/** Schema of the model servers in a configuration file, by name. */
export const serversSchema = z.record(
  z
    .string()
    .regex(PROVIDER_NAME, 'expected a name of letters, digits, dots and dashes, without a slash')
    .refine((name) => !isBuiltIn(name), {
      error: `the name of a built-in provider (${PROVIDERS.join(', ')}): choose another`,
    })
    .refine((name) => !builtInAgents().some((agent) => agent.name === name), {
      error: 'the name of a coding agent that comes with the program: choose another',
    }),
  serverSchema,
);

/** Path endings of pasted addresses that the client library adds itself. */
const ENDPOINTS =
  /\/(?:chat\/completions|completions|responses|v1\/messages|messages|models|api\/(?:chat|generate|tags))$/;

/** Shortens a pasted address to the base that requests are sent below. */
function toBaseUrl(url: string): string {
  return url
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(ENDPOINTS, '')
    .replace(/\/+$/, '');
}

/**
 * Returns what is wrong with an address, or undefined. The text before an `@` may be a password and is not
 * repeated.
 */
function problemWith(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address))
    return 'expected an address with its scheme, such as https://host/v1 or http://127.0.0.1:8080/v1';
  if (url.username !== '' || url.password !== '')
    return 'the address contains a user name or password; set key_env or key_command instead';
  return undefined;
}

/**
 * Path endings of pasted addresses with which the requests of each protocol begin; keeping them would double
 * them.
 */
const VERSIONS: Readonly<Record<ServerEntry['speaks'], RegExp>> = {
  openai: /$/,
  'openai-responses': /$/,
  anthropic: /\/v1$/,
  ollama: /\/(?:v1|api)$/,
};

/** Converts an entry of a file to a server. */
function toServer(name: string, entry: ServerEntry, isOwn: boolean): NamedServer {
  const { speaks, url, key_env: keyEnv = [], key_command: keyCommand, headers } = entry;
  return {
    name,
    speaks,
    url: url.replace(VERSIONS[speaks], ''),
    keyEnv: typeof keyEnv === 'string' ? [keyEnv] : keyEnv,
    ...withoutUndefined({ keyCommand, headers }),
    isOwn,
  };
}

let wellKnown: readonly NamedServer[] | undefined;

/** Returns the servers that need no entry, in the order of `presets/servers.yaml`. */
function wellKnownServers(): readonly NamedServer[] {
  // Parse each line of `servers.yaml` as a name and JSON: the file is read at every start, and a YAML parser
  // would take ten times as long. A test checks that the file is also valid YAML.
  wellKnown ??= [...(readText(join(BUILT_IN, 'servers.yaml')) ?? '').matchAll(LINE)].map(
    ([, name = '', entry = '']) => toServer(name, JSON.parse(entry) as ServerEntry, false),
  );
  return wellKnown;
}

const LINE = /^([\w.-]+): (\{.*\})$/gm;

/**
 * Returns the model servers of the person's configuration, then the well-known servers whose names
 * the configuration does not use.
 */
export function serversOf({
  servers = {},
}: {
  readonly servers?: Readonly<Record<string, ServerEntry>> | undefined;
}): readonly NamedServer[] {
  const own = Object.entries(servers).map(([name, entry]) => toServer(name, entry, true));
  return [
    ...own,
    ...wellKnownServers().filter(
      ({ name }) => !own.some((namedServer) => namedServer.name === name),
    ),
  ];
}

/**
 * Returns the model servers that need an API key from the environment and have none, each with the
 * environment variables that could contain the key. A built-in provider whose address is set in the
 * environment is not listed.
 */
export function keylessServers(
  config: Parameters<typeof serversOf>[0],
  env: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly variables: string }[] {
  const builtIn = Object.entries(VARIABLES).flatMap(([name, { needsKey: needs, ...variables }]) => {
    const isSet = [...variables.secrets, ...variables.addresses].some((variable) => env[variable]);
    return needs && !isSet ? [{ name, variables: String(variables.secrets[0]) }] : [];
  });
  const named = serversOf(config)
    .filter((server) => server.keyEnv.length > 0 && needsKey(server))
    .filter((server) => findKeyVariable(server, env) === undefined)
    .map((server) => ({ name: server.name, variables: server.keyEnv.join(' or ') }));
  return [...builtIn, ...named];
}

/**
 * The pattern of a tool server's name. Underscores are excluded, because they separate a server's
 * name from its tools' names.
 */
export const TOOL_SERVER = /^[a-z][a-z0-9-]{0,23}$/;

const toolServer = z
  .strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe('The program and its arguments: [npx, -y, "@example/search-mcp"].')
      .optional(),
    env: z
      .array(variable)
      .describe('Variables of yours that the program is told: [SEARCH_API_KEY].')
      .optional(),
    url: z
      .string()
      .regex(
        /^https?:\/\/(?![^/]*@)[^\s/?#]+[^\s#]*$/,
        'expected an address such as https://mcp.example.com/mcp, without a name or password in it',
      )
      .describe('The address of a server that speaks Streamable HTTP.')
      .optional(),
    key_env: variable.describe('The variable that holds the token of the server.').optional(),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/, 'expected the name of a header'), z.string())
      .describe('Headers of every request: { X-Team: platform }.')
      .optional(),
    allow: z
      .array(z.string().min(1))
      .describe('Tools that seats may use although the server does not mark them read-only.')
      .optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'expected either command or url',
  })
  .refine(({ command, key_env: key, headers }) => command === undefined || !(key ?? headers), {
    error: 'key_env and headers go with url; a program is given variables by env',
  })
  .refine(({ url, env }) => url === undefined || env === undefined, {
    error: 'env goes with command; a server at an address is given its token by key_env',
  });

/** The schema of tool servers by name. */
export const toolServersSchema = z.record(
  z
    .string()
    .regex(TOOL_SERVER, 'expected a name of lower-case letters, digits and dashes, up to 24'),
  toolServer,
);
