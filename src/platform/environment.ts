/** Variables of the environment by name: on Windows letter case does not count, and PATH is written `Path`. */
import { SYSTEM, type System } from './system.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The value of a variable, whatever its case where that does not count; undefined where it is not set. */
export function variableOf(env: Env, name: string, system: System = SYSTEM): string | undefined {
  if (Object.hasOwn(env, name) && env[name] !== undefined) return env[name];
  if (system !== 'windows') return undefined;
  const wanted = name.toUpperCase();
  const found = Object.keys(env).find((one) => one.toUpperCase() === wanted);
  return found === undefined ? undefined : env[found];
}
