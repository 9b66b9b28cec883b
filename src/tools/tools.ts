/**
 * The tools that seats are given: all of them only look, and only into the folders that a person named.
 * What a model asks for is checked here; what goes wrong is a sentence for the model, never an error.
 */
import * as z from 'zod';
import type { Env } from '../io/tools.ts';
import type { Found, ToolCall, ToolInfo, Tools } from '../kernel/tools/tools.ts';
import { sanitise } from '../text/sanitise.ts';
import { grep, list, read } from './files.ts';
import { gitBlame, gitLog, gitShow } from './history.ts';
import { Refusal } from './refusal.ts';
import { Root } from './root.ts';

/** A folder by the name that models know it by. */
export interface NamedRoot {
  readonly name: string;
  /** Undefined: nobody has named one here, and every use is refused. */
  readonly path: string | undefined;
}

const path = z.string().describe('as seen from the root, with "/": src/a.ts');
const line = z.int().min(1).describe('a line number, from 1');

interface Tool<T extends z.ZodRawShape> {
  readonly about: string;
  readonly takes: T;
  readonly use: (
    root: Root,
    given: z.output<z.ZodObject<T>>,
    signal: AbortSignal,
  ) => Promise<Found>;
}

function tool<T extends z.ZodRawShape>(one: Tool<T>): Tool<z.ZodRawShape> {
  return one as unknown as Tool<z.ZodRawShape>;
}

const TOOLS: ReadonlyMap<string, Tool<z.ZodRawShape>> = new Map([
  [
    'list',
    tool({
      about: 'Lists what is in a folder, or all files whose path fits a pattern.',
      takes: {
        path: path.optional(),
        pattern: z.string().min(1).max(300).optional().describe('a glob: **/*.ts'),
      },
      use: list,
    }),
  ],
  [
    'grep',
    tool({
      about: 'Finds the lines that contain a text, each with its file and number.',
      takes: {
        pattern: z.string().min(1).max(500).describe('plain text, unless regex is true'),
        path: path.optional(),
        regex: z.boolean().optional().describe('take it as a POSIX extended regular expression'),
        ignore_case: z.boolean().optional(),
      },
      use: grep,
    }),
  ],
  [
    'read',
    tool({
      about: 'Reads a text file with its line numbers, whole or from one line to another.',
      takes: { path, from: line.optional(), to: line.optional() },
      use: read,
    }),
  ],
  [
    'git_log',
    tool({
      about: 'Lists the latest commits, of all or of a file or folder.',
      takes: { path: path.optional(), count: z.int().min(1).max(100).optional() },
      use: gitLog,
    }),
  ],
  [
    'git_show',
    tool({
      about: 'Shows a commit: its message and what it changed.',
      takes: { commit: z.string().describe('a hash or name from git_log'), path: path.optional() },
      use: gitShow,
    }),
  ],
  [
    'git_blame',
    tool({
      about: 'Says of each line of a file which commit wrote it, when, and by whom.',
      takes: { path, from: line.optional(), to: line.optional() },
      use: gitBlame,
    }),
  ],
]);

/** What they are called, in the order in which they are offered. */
export const TOOL_NAMES: readonly string[] = [...TOOLS.keys()];

export interface ToolsOptions {
  readonly env: Env;
  /** Takes keys that are known here out of what is found. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/** The tools over these folders; with several, each call names the one that it means. */
export function openTools(named: readonly NamedRoot[], options: ToolsOptions): Tools {
  const { env, conceal = (text) => text } = options;
  const roots = new Map(named.map((one) => [one.name, new Root(one.name, one.path, env)]));
  const names = [...roots.keys()];
  const [only] = roots.size === 1 ? roots.values() : [];
  const rootSchema =
    only === undefined
      ? { root: z.enum(names as [string, ...string[]]) }
      : { root: z.literal(only.name).optional() };
  const offered = [...TOOLS].map(([name, { about, takes }]): ToolInfo => {
    const shape = only === undefined ? { ...rootSchema, ...takes } : takes;
    const { $schema: _dialect, ...parameters } = z.toJSONSchema(z.strictObject(shape));
    return { name, description: about, parameters };
  });
  const use = async (call: Omit<ToolCall, 'id'>, signal: AbortSignal): Promise<Found> => {
    const one = TOOLS.get(call.name);
    if (one === undefined)
      throw new Refusal(`there is no tool ${short(call.name)}; there are ${TOOL_NAMES.join(', ')}`);
    const read = z.object({ ...one.takes, ...rootSchema }).safeParse(call.arguments);
    if (!read.success) throw new Refusal(`${call.name}: ${problemOf(read.error, call.arguments)}`);
    const { root: asked, ...given } = read.data as Record<string, unknown> & { root?: string };
    const root = only ?? roots.get(asked ?? '');
    if (root === undefined) throw new Refusal(`the roots are ${names.join(', ')}`);
    const found = await one.use(root, given, signal);
    const where = only === undefined ? `${root.name}: ` : '';
    return { ...found, about: `${where}${found.about}`, text: conceal(found.text) };
  };
  return {
    offered,
    use: async (call, signal) => {
      try {
        return await use(call, signal);
      } catch (error) {
        // Whatever a file system comes up with, the seat goes on without it.
        const why = error instanceof Error ? error.message : String(error);
        const text = error instanceof Refusal ? why : `it failed: ${why}`;
        return { about: short(call.name), text: conceal(text), from: 1, refused: true };
      }
    },
  };
}

function problemOf(error: z.ZodError, given: unknown): string {
  if (typeof given === 'string') return 'the arguments are not a JSON object';
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  return `${where === '' ? 'the arguments' : where}: ${issue?.message ?? 'not understood'}`;
}

/** A model's word for a tool, in a sentence of ours. */
function short(name: string): string {
  return sanitise(name).replace(/\s+/g, ' ').slice(0, 60);
}
