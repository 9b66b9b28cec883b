/** Model servers with a name: those of a person's configuration, and well-known ones. */

/** The API protocols that a named server can use. */
export const SERVER_PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'ollama'] as const;
export type ServerProtocol = (typeof SERVER_PROTOCOLS)[number];

/** A named server, before its key is looked up. */
export interface NamedServer {
  /** The provider part of its models' names. */
  readonly name: string;
  readonly speaks: ServerProtocol;
  /** The base address of requests, without a trailing slash. */
  readonly url: string;
  /** The environment variables for its key: the first that is set is used. Empty: the server has no key. */
  readonly keyEnv: readonly string[];
  /** A program and its arguments that print the key. */
  readonly keyCommand?: readonly string[] | undefined;
  /** Headers that go with every request to it. Their values may be secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if a person's configuration names the server, false if it comes with the program. */
  readonly isOwn: boolean;
}

/** Returns whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || LOOPBACK.test(host);
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns whether a server needs a key: every server that names one, except a built-in one on this machine.
 */
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
 * Returns whether a server is set up: a person's own always is, a built-in one if its key is set. Others
 * are used only if a person names them or asks for every server.
 */
export function isSetUp(
  server: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return server.isOwn || findKeyVariable(server, env) !== undefined;
}

/** Returns the name of the setting or variable that gives a server its key, for messages. */
export function keyName({ name, keyEnv, keyCommand }: NamedServer): string {
  if (keyCommand !== undefined) return `servers.${name}.key_command`;
  return keyEnv.length > 0 ? keyEnv.join(' or ') : `servers.${name}.key_env`;
}
