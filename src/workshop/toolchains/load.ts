/**
 * Loads the toolchains that come with the program and those that a person has added in their configuration.
 * A repository cannot add any, since it would decide how its own tests are counted.
 */
import { join } from 'node:path';
import { BUILT_IN, configFolder, readText } from '../../io/files.ts';
import type { Env } from '../../io/tools.ts';
import { readYaml } from '../../io/yaml-file.ts';
import { type Toolchains, toolchainsSchema } from './schema.ts';

const FILE = 'toolchains.yaml';

let builtIn: Toolchains | undefined;

/**
 * Loads the built-in toolchains and the person's own. A toolchain describes the checks and tests of
 * a language.
 * @throws DeliberateError that names file and line of a problem
 */
export function loadToolchains(env: Env): Toolchains {
  builtIn ??= readToolchains(join(BUILT_IN, FILE)) ?? toolchainsSchema.parse({});
  const own = readToolchains(join(configFolder(env), FILE));
  return own === undefined ? builtIn : mergeToolchains(own, builtIn);
}

function readToolchains(file: string): Toolchains | undefined {
  const text = readText(file, true);
  return text === undefined ? undefined : readYaml(file, text, toolchainsSchema).value;
}

/**
 * Merges a person's own toolchains and the given ones. Own toolchains and runners come first and
 * replace given ones with the same name. Globs of both are used, and `ci` is the person's own if
 * there is one.
 */
export function mergeToolchains(own: Toolchains, given: Toolchains): Toolchains {
  return {
    toolchains: byName(own.toolchains, given.toolchains),
    tests: [...new Set([...given.tests, ...own.tests])],
    guarded: [...new Set([...given.guarded, ...own.guarded])],
    ci: own.ci ?? given.ci,
    runners: byName(own.runners, given.runners),
  };
}

function byName<T extends { readonly name: string }>(own: readonly T[], given: readonly T[]): T[] {
  const named = new Set(own.map(({ name }) => name));
  return [...own, ...given.filter(({ name }) => !named.has(name))];
}

/**
 * Returns the globs of files that look like tests (`tests`), or of files that decide what checks do
 * (`guarded`), of every toolchain and of any repository.
 */
export function globsOf(
  { toolchains, tests, guarded }: Toolchains,
  of: 'tests' | 'guarded',
): readonly string[] {
  const general = of === 'tests' ? tests : guarded;
  return [...new Set([...toolchains.flatMap((toolchain) => toolchain[of]), ...general])];
}

/** Returns the names of folders that git ignores but checks need, such as `node_modules`. */
export function neededFolders({ toolchains }: Toolchains): ReadonlySet<string> {
  return new Set(toolchains.flatMap(({ needs }) => needs));
}
