/** Where things are: XDG folders, the built-in presets, and the person's configuration. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { UsageError } from '../kernel/errors.ts';
import { BELLS, milliseconds } from './flags.ts';
import type { Invocation } from './invocation.ts';
import { readYaml } from './yaml-file.ts';

type Env = Invocation['env'];

/** The presets that come with the program. */
export const BUILT_IN = fileURLToPath(new URL('../../presets/', import.meta.url));

/** XDG: a relative value is invalid and ignored. */
function xdg(env: Env, name: string, fallback: string): string {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : join(env.HOME || homedir(), fallback);
}

export function databaseFile({ flags, env }: Invocation): string {
  return (
    flags.db ??
    (env.DELIBERATE_DB ||
      join(xdg(env, 'XDG_DATA_HOME', '.local/share'), 'deliberate', 'deliberate.db'))
  );
}

/** The person's own configuration, and what lies beside it. */
export function configFolder(env: Env): string {
  return join(xdg(env, 'XDG_CONFIG_HOME', '.config'), 'deliberate');
}

const configSchema = z.strictObject({
  /** What `board` uses when nothing is said on the command line. */
  preset: z.string().optional(),
  model: z.string().optional(),
  synthesizer: z.string().optional(),
  idle_timeout: z.string().transform(milliseconds).optional(),
  concurrency: z.number().int().positive().optional(),
  /** Whether to call the person when a long run ends or waits. */
  bell: z.enum(BELLS).optional(),
  /** Command of the console → its keys. */
  keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
export type Config = z.infer<typeof configSchema>;

/** The configuration; empty where there is no file. @throws DeliberateError naming file and line. */
export function readConfig({ flags, env }: Invocation): Config {
  const named = flags.config ?? (env.DELIBERATE_CONFIG || undefined);
  const file = named ?? join(configFolder(env), 'config.yaml');
  const text = readText(file, named === undefined);
  return text === undefined ? {} : readYaml(file, text, configSchema).value;
}

/** @throws UsageError where the file cannot be read; undefined where it may be missing and is. */
export function readText(file: string, mayBeMissing = false): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : String(code);
    throw new UsageError(`${file}: ${why}`);
  }
}
