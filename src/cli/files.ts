/** Where things are: XDG folders, the built-in presets, and the person's configuration. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { milliseconds } from './flags.ts';
import type { Invocation } from './invocation.ts';

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

/** What the program remembers by itself, and a person may delete without a loss. */
export function stateFolder(env: Env): string {
  return join(xdg(env, 'XDG_STATE_HOME', '.local/state'), 'deliberate');
}

const configSchema = z.strictObject({
  /** What `board` uses when nothing is said on the command line. */
  preset: z.string().optional(),
  model: z.string().optional(),
  synthesizer: z.string().optional(),
  idle_timeout: z.string().transform(milliseconds).optional(),
  concurrency: z.number().int().positive().optional(),
  /** Command of the console → its keys. */
  keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
export type Config = z.infer<typeof configSchema>;

/** The configuration; empty where there is no file. @throws DeliberateError naming file and line. */
export function readConfig({ flags, env }: Invocation): Config {
  const named = flags.config ?? (env.DELIBERATE_CONFIG || undefined);
  const file = named ?? join(configFolder(env), 'config.yaml');
  const text = readText(file, named === undefined);
  return text === undefined ? {} : readYaml(file, text, configSchema);
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

/** YAML of a known shape. @throws DeliberateError naming file, line and what was expected. */
export function readYaml<T>(file: string, text: string, schema: z.ZodType<T>, firstLine = 1): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number | undefined): string =>
    `${file}:${firstLine - 1 + (offset === undefined ? 1 : lines.linePos(offset).line)}`;
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new DeliberateError('bad-file', `${place(broken.pos[0])}: ${broken.message}`);
  const result = schema.safeParse(document.toJS() ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const node = document.getIn(path, true) ?? document.getIn(path.slice(0, -1), true);
  const offset = (node as { range?: [number, number, number] } | undefined)?.range?.[0];
  throw new DeliberateError(
    'bad-file',
    `${place(offset)}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${issue?.message ?? 'not understood'}`,
  );
}
