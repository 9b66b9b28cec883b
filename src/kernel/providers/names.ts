/** The providers there are, each with the variables of the environment that it is given. */

interface Variables {
  /** Keys and tokens. They are taken out of everything that is shown or kept. */
  readonly secrets: readonly string[];
  /** Where its server is. Credentials in an address are taken out as well. */
  readonly addresses: readonly string[];
  /** What else it is told, with nothing in it to hide. */
  readonly settings: readonly string[];
  /** Whether its own server answers nobody without one of the secrets. */
  readonly needsKey: boolean;
}

/** The stand-in reads nothing. A provider sees no variable that is not named here (`models/providers.ts`). */
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

export type ProviderName = keyof typeof VARIABLES;

export const PROVIDERS = Object.keys(VARIABLES) as readonly ProviderName[];

/** What every provider reads, in the order of the table. */
export function variablesOf(kind: 'secrets' | 'addresses' | 'settings'): readonly string[] {
  return Object.values(VARIABLES).flatMap((of: Variables) => of[kind]);
}

/** Names that a person's configuration adds; looked up once a name is none of the program's own. */
let findMore: () => readonly string[] = () => [];

/**
 * Says who else may stand before the slash of a model's name, for this process. `find` is called whenever a
 * name is not built in, so that nothing is read for those that are.
 */
export function addNames(find: () => readonly string[]): void {
  findMore = find;
}

/** Returns whether a name is that of a provider that comes with the program. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(VARIABLES, name);
}

/** Returns whether somebody of this name can be asked. */
export function isProvider(name: string): boolean {
  return isBuiltIn(name) || findMore().includes(name) || isAgent(name);
}

/** Every name there is, the built-in ones first. */
export function providerNames(): readonly string[] {
  return [...PROVIDERS, ...findMore(), ...findAgents()];
}

/** Names of coding agents, which can be seated as models are. */
let findAgents: () => readonly string[] = () => [];

/**
 * Says which coding agents there are, for this process. `find` is called whenever a name is not that of a
 * provider, so that nothing is read for those that are.
 */
export function addAgents(find: () => readonly string[]): void {
  findAgents = find;
}

/** Returns whether a name is that of a coding agent. */
export function isAgent(name: string): boolean {
  return !isBuiltIn(name) && findAgents().includes(name);
}

/** The model of an agent that was named without one: whichever it uses by itself. */
export const OWN_MODEL = 'default';
