/** Looks up environment variables. On Windows names ignore letter case, and PATH is written `Path`. */
import { SYSTEM, type System } from './system.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Returns the value of a variable, with any letter case on Windows; undefined if the variable is not set. */
export function variableOf(env: Env, name: string, system: System = SYSTEM): string | undefined {
  if (Object.hasOwn(env, name) && env[name] !== undefined) return env[name];
  if (system !== 'windows') return undefined;
  const wanted = name.toUpperCase();
  const found = Object.keys(env).find((one) => one.toUpperCase() === wanted);
  return found === undefined ? undefined : env[found];
}
