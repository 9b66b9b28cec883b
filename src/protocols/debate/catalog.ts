/** The built-in methods. Each is a protocol file like a person's own, and is loaded when it is needed. */
import { UsageError } from '../../kernel/errors.ts';
import { type AnyDefinition, definitionIn, type OwnProtocol } from '../../sdk/define.ts';

interface Method {
  /** What the method is for, in one line. */
  readonly about: string;
  readonly load: () => Promise<{ readonly default: OwnProtocol }>;
}

/** The methods of debate by name, in the order in which they are offered. */
export const METHODS: ReadonlyMap<string, Method> = new Map([
  [
    'delphi',
    {
      about: 'a number: blind ranges, then revisions that name their reason',
      load: () => import('./methods/delphi.ts'),
    },
  ],
  [
    'tradeoff',
    {
      about: 'a choice by criteria: weights, scores, and what would turn the result',
      load: () => import('./methods/tradeoff.ts'),
    },
  ],
  [
    'brainstorm',
    {
      about: 'ideas: alone, then built upon without names, then marked',
      load: () => import('./methods/brainstorm.ts'),
    },
  ],
  [
    'oxford',
    {
      about: 'a motion: two debaters change sides, jurors vote before and after',
      load: () => import('./methods/oxford.ts'),
    },
  ],
  [
    'advocate',
    {
      about: 'an agreement put to the test: shared claims, questioned and judged',
      load: () => import('./methods/advocate.ts'),
    },
  ],
  [
    'socratic',
    {
      about: 'a thesis examined: one question at one statement, until it runs dry',
      load: () => import('./methods/socratic.ts'),
    },
  ],
  [
    'standard',
    {
      about: 'advice: answers, what is disputed in them, and who changes for which reason',
      load: () => import('./methods/standard.ts'),
    },
  ],
]);

/**
 * Loads the method with this name.
 * @throws UsageError if there is no such method
 */
export async function loadMethod(name: string): Promise<AnyDefinition> {
  const method = METHODS.get(name);
  const definition = method && definitionIn((await method.load()).default);
  if (definition === undefined)
    throw new UsageError(
      `there is no method "${name}"`,
      `The methods are ${[...METHODS.keys()].join(', ')}, and auto.`,
    );
  return definition;
}

/** Loads all methods, by name. */
export async function loadAllMethods(): Promise<ReadonlyMap<string, AnyDefinition>> {
  const names = [...METHODS.keys()];
  const definitions = await Promise.all(names.map(loadMethod));
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
