/** Model servers that have a name of their own: those of a person's configuration, and well-known ones. */

/** The protocols that a named server may speak. */
export const SPEAKS = ['openai', 'openai-responses', 'anthropic', 'ollama'] as const;
export type Speaks = (typeof SPEAKS)[number];

/** A server as it is named, before its key is looked for. */
export interface NamedServer {
  /** What stands before the slash of its models' names. */
  readonly name: string;
  readonly speaks: Speaks;
  /** The address that requests are sent below, without a slash at its end. */
  readonly url: string;
  /** Variables of the environment for its key: the first that is set is used. Empty: there is none. */
  readonly keyEnv: readonly string[];
  /** A program and its arguments that print the key. */
  readonly keyCommand?: readonly string[] | undefined;
  /** Headers that go with every request to it. Their values may be secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A person named it in their configuration. Else it comes with the program. */
  readonly isOwn: boolean;
}

/** Returns whether an address is on this machine: requests to it leave for nowhere. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || LOOPBACK.test(host);
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\])$/;

/** Returns whether a server answers nobody without a key: every server that names one, unless it is built in and local. */
export function needsKey({ keyEnv, keyCommand, isOwn, url }: NamedServer): boolean {
  if (keyCommand !== undefined) return true;
  return keyEnv.length > 0 && (isOwn || !isLoopback(url));
}

/** Returns the variable that holds a server's key, or undefined if none of them is set. */
export function findKeyVariable(
  { keyEnv }: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return keyEnv.find((variable) => (env[variable] ?? '').trim() !== '');
}

/**
 * Returns whether somebody has set a server up: a person's own by naming it, a built-in one by its key. Others
 * are asked only by name, or where every server is looked for.
 */
export function isSetUp(
  server: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return server.isOwn || findKeyVariable(server, env) !== undefined;
}

/** Returns what people set to give a server its key, for sentences about it. */
export function keyName({ name, keyEnv, keyCommand }: NamedServer): string {
  if (keyCommand !== undefined) return `servers.${name}.key_command`;
  return keyEnv.length > 0 ? keyEnv.join(' or ') : `servers.${name}.key_env`;
}
