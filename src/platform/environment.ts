/** Looks up environment variables. On Windows names ignore letter case, and PATH is written `Path`. */
import { SYSTEM, type System } from './system.ts';

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of an environment variable; undefined if it is not set. On Windows, upper and
 * lower case are the same.
 */
export function variableOf(env: Env, name: string, system: System = SYSTEM): string | undefined {
  if (Object.hasOwn(env, name) && env[name] !== undefined) return env[name];
  if (system !== 'windows') return undefined;
  const wanted = name.toUpperCase();
  const found = Object.keys(env).find((key) => key.toUpperCase() === wanted);
  return found === undefined ? undefined : env[found];
}
