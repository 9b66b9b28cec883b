/** The known providers, each with the environment variables that it reads. */

/** The environment variables that one provider reads. */
interface Variables {
  /** Variables with keys and tokens. Their values are removed from everything that is shown or stored. */
  readonly secrets: readonly string[];
  /** Variables with the server's address. Credentials in an address are removed as well. */
  readonly addresses: readonly string[];
  /** Other variables, whose values are not secret. */
  readonly settings: readonly string[];
  /** Whether the provider's own server refuses requests without one of the secrets. */
  readonly needsKey: boolean;
}

/**
 * The environment variables of each built-in provider. Apart from variables about proxies, a provider is
 * passed only the variables listed here (`models/providers.ts`). The stand-in, `rehearsal`, reads none.
 */
export const VARIABLES = {
  ollama: {
    secrets: ['OLLAMA_API_KEY'],
    addresses: ['OLLAMA_HOST'],
    settings: [],
    needsKey: false,
  },
  anthropic: {
    secrets: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL'],
    settings: [],
    needsKey: true,
  },
  openai: {
    secrets: ['OPENAI_API_KEY'],
    addresses: ['OPENAI_BASE_URL'],
    settings: ['OPENAI_WIRE_API'],
    needsKey: true,
  },
  rehearsal: { secrets: [], addresses: [], settings: [], needsKey: false },
} as const satisfies Readonly<Record<string, Variables>>;

/** The name of a built-in provider. */
export type ProviderName = keyof typeof VARIABLES;

/** The names of the built-in providers, in the order of `VARIABLES`. */
export const PROVIDERS = Object.keys(VARIABLES) as readonly ProviderName[];

/**
 * Returns the environment variables of one kind, of all built-in providers, in the order of `VARIABLES`.
 */
export function providerVariables(kind: 'secrets' | 'addresses' | 'settings'): readonly string[] {
  return Object.values(VARIABLES).flatMap((of: Variables) => of[kind]);
}

/** Returns the names that a person's configuration adds. Called only for names that are not built in. */
let findMore: () => readonly string[] = () => [];

/**
 * Sets the function that finds the provider names of the person's configuration, for this process.
 * `isProvider` calls `find` only for a name that is not built in, so that the configuration is not read
 * needlessly.
 */
export function addProviderNames(find: () => readonly string[]): void {
  findMore = find;
}

/** Returns whether a built-in provider has this name. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(VARIABLES, name);
}

/** Returns whether a built-in provider, a configured server or a coding agent has this name. */
export function isProvider(name: string): boolean {
  return isBuiltIn(name) || findMore().includes(name) || isAgent(name);
}

/** Returns all names of providers, servers and coding agents, the built-in ones first. */
export function providerNames(): readonly string[] {
  return [...PROVIDERS, ...findMore(), ...findAgents()];
}

/** Returns the names of coding agents, which can play a seat as models can. */
let findAgents: () => readonly string[] = () => [];

/**
 * Sets the function that finds the names of the known coding agents, for this process. `isAgent` calls
 * the function only if no built-in provider has the name, so that agents are not looked for needlessly.
 */
export function addAgentNames(find: () => readonly string[]): void {
  findAgents = find;
}

/** Returns whether a known coding agent has this name, installed or not. */
export function isAgent(name: string): boolean {
  return !isBuiltIn(name) && findAgents().includes(name);
}

/**
 * The model part of a coding agent's name if no model was given, as in `agent/default`. The agent
 * then uses its own default model.
 */
export const OWN_MODEL = 'default';
