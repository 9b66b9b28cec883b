/** Roles and boards, read from files that people copy and edit. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { BUILT_IN, configFolder, readText, readYaml } from './files.ts';
import type { Invocation } from './invocation.ts';

type Env = Invocation['env'];

export interface Role {
  /** The file's name: `devils-advocate`. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly colour?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly brief: string;
}

const roleSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  colour: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'a colour is written like "#4caf50"')
    .optional(),
  model: z.string().optional(),
  temperature: z.number().min(0).max(2).optional(),
});

const boardSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  seats: z.array(z.strictObject({ role: z.string(), model: z.string().optional() })).min(1),
});
export type BoardPreset = z.infer<typeof boardSchema>;

/** @throws UsageError listing the roles there are. */
export function readRole(slug: string): Role {
  const file = join(BUILT_IN, 'roles', `${slug}.md`);
  const text = isName(slug) ? readText(file, true) : undefined;
  if (text === undefined)
    throw new UsageError(
      `there is no role "${slug}"`,
      `The roles are ${names('roles', '.md').join(', ')}.`,
    );
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text);
  if (match === null)
    throw new DeliberateError(
      'bad-file',
      `${file}:1: a role begins with its frontmatter between --- lines`,
    );
  const front = readYaml(file, match[1] ?? '', roleSchema, 2);
  return { slug, ...front, brief: (match[2] ?? '').trim() };
}

/** @throws UsageError listing the boards there are. */
export function readBoard(slug: string): BoardPreset {
  const file = join(BUILT_IN, 'boards', `${slug}.yaml`);
  const text = isName(slug) ? readText(file, true) : undefined;
  if (text === undefined)
    throw new UsageError(
      `there is no preset board "${slug}"`,
      `The boards are ${names('boards', '.yaml').join(', ')}.`,
    );
  return readYaml(file, text, boardSchema);
}

function names(folder: string, ending: string): string[] {
  return namesIn(join(BUILT_IN, folder), ending);
}

/** None where there is no such folder. */
function namesIn(folder: string, ending: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => basename(name, ending))
    .sort();
}

const castSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  cast: z.strictObject({
    action: z.string().min(1),
    guardian: z.string().min(1),
    observer: z.string().min(1),
    critic: z.string().min(1),
  }),
});

/** A proposal of who plays the four roles. */
export interface CastPreset extends z.infer<typeof castSchema> {
  /** The file's name: `software-review`. */
  readonly slug: string;
}

/** Where casts lie, the nearest first: the project's, the person's, those that come with the program. */
function castFolders(env: Env): string[] {
  return [join('.deliberate', 'casts'), join(configFolder(env), 'casts'), join(BUILT_IN, 'casts')];
}

/** Every cast there is, and what is wrong with those that cannot be read. */
export function listCasts(env: Env): { casts: CastPreset[]; problems: string[] } {
  const casts = new Map<string, CastPreset>();
  const problems: string[] = [];
  for (const folder of castFolders(env))
    for (const slug of namesIn(folder, '.yaml')) {
      if (casts.has(slug)) continue;
      try {
        const file = join(folder, `${slug}.yaml`);
        casts.set(slug, { slug, ...readYaml(file, readText(file) ?? '', castSchema) });
      } catch (error) {
        if (!(error instanceof DeliberateError)) throw error;
        problems.push(error.message);
      }
    }
  return { casts: [...casts.values()], problems };
}

/** Who plays the four roles. @throws UsageError listing the casts there are. */
export function readCast(slug: string, env: Env): CastPreset['cast'] {
  for (const folder of isName(slug) ? castFolders(env) : []) {
    const file = join(folder, `${slug}.yaml`);
    const text = readText(file, true);
    if (text !== undefined) return readYaml(file, text, castSchema).cast;
  }
  const { casts } = listCasts(env);
  throw new UsageError(
    `there is no preset cast "${slug}"`,
    `The casts are ${casts
      .map((one) => one.slug)
      .sort()
      .join(', ')}.`,
  );
}

/** No path: the name cannot lead out of its folder. */
function isName(slug: string): boolean {
  return /^[\w-]+$/.test(slug);
}
