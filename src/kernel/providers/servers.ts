/** Model servers with a name: those of a person's configuration, and well-known ones. */

/** The API protocols that a named server can use. */
export const SERVER_PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'ollama'] as const;
/** An API protocol that a named server can use. */
export type ServerProtocol = (typeof SERVER_PROTOCOLS)[number];

/** A server that the program or a person's configuration names, before its key is looked up. */
export interface NamedServer {
  /** The server's name, which is the provider part of the names of its models: `lmstudio`. */
  readonly name: string;
  /** The API protocol of the server. */
  readonly speaks: ServerProtocol;
  /** The base address of requests, without a trailing slash. */
  readonly url: string;
  /**
   * The environment variables that may hold the server's key; the first that is set is used. Empty: no
   * variable holds a key.
   */
  readonly keyEnv: readonly string[];
  /** A program and its arguments that print the key; absent if there is no such program. */
  readonly keyCommand?: readonly string[] | undefined;
  /** Headers that are sent with every request to the server. Their values may be secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if a person's configuration names the server, false if it comes with the program. */
  readonly isOwn: boolean;
}

/** Returns whether an address is one of this machine itself, such as `localhost`. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return host === 'localhost' || host.endsWith('.localhost') || LOOPBACK.test(host);
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns whether a server needs a key: if a program prints its key, or if it names variables for a key. A
 * server that comes with the program and runs on this machine needs none even if it names variables.
 */
export function needsKey({ keyEnv, keyCommand, isOwn, url }: NamedServer): boolean {
  if (keyCommand !== undefined) return true;
  return keyEnv.length > 0 && (isOwn || !isLoopback(url));
}

/**
 * Returns the name of the environment variable that holds a server's key; undefined if none of the server's
 * variables is set.
 */
export function findKeyVariable(
  { keyEnv }: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return keyEnv.find((variable) => (env[variable] ?? '').trim() !== '');
}

/**
 * Returns whether a server is ready for use. A server of the person's configuration always is; a server that
 * comes with the program is ready if an environment variable holds its key. Servers that are not ready are
 * used only if a person names them or asks for every server.
 */
export function isSetUp(
  server: NamedServer,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return server.isOwn || findKeyVariable(server, env) !== undefined;
}

/**
 * Returns the setting or the environment variables that a server's key comes from, for messages: `A_KEY or
 * B_KEY`. If the server has none, returns the setting that would name one.
 */
export function keyName({ name, keyEnv, keyCommand }: NamedServer): string {
  if (keyCommand !== undefined) return `servers.${name}.key_command`;
  return keyEnv.length > 0 ? keyEnv.join(' or ') : `servers.${name}.key_env`;
}
