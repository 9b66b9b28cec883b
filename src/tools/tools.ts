/**
 * The tools that seats are given: all of them only look, and only into the folders that a person named.
 * What a model asks for is checked here; what goes wrong is a sentence for the model, never an error.
 *
 * `run.callTool` makes each use a step whose result is a fact with the text as it was found. Which folders
 * were named on this machine stands in a table beside the run (`look_root`), since an imported run can name
 * any path; a step's hash has a folder's name, not its path, so that a run goes on where a folder was moved.
 * In rounds a seat may cite what was found before it was asked and what it found itself, and nothing that
 * others find meanwhile.
 *
 * Grep is `git grep`, a process that is stopped after five seconds: no pattern of a model is matched in
 * this process. What git would list is shown, also outside of repositories. Tools of MCP servers are in
 * `servers/`: what a server offers is asked before the run begins and kept in its settings.
 */
import * as z from 'zod';
import type { Env } from '../io/tools.ts';
import type { Tools } from '../kernel/tools/tools.ts';
import { grep, list, readDocument } from './files.ts';
import { gitBlame, gitLog, gitShow } from './history.ts';
import { reading } from './reading.ts';
import { Refusal } from './refusal.ts';
import { Root } from './root.ts';
import { lineNumber, offer, path, type Toolbox, tool, useTool } from './toolbox.ts';

/** A folder by the name that models know it by. */
export interface NamedRoot {
  readonly name: string;
  /** Undefined: nobody has named one here, and every use is refused. */
  readonly path: string | undefined;
  /** What its files are read as that are not UTF-8. */
  readonly encoding?: string | undefined;
}

export const TOOLS: Toolbox<Root> = new Map([
  ...reading({ list, grep, read: readDocument }),
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
      takes: { path, from: lineNumber.optional(), to: lineNumber.optional() },
      use: gitBlame,
    }),
  ],
]);

interface ToolsOptions {
  readonly env: Env;
  /** Takes keys that are known here out of what is found. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/** The tools over these folders; with several, each call names the one that it means. */
export function openTools(named: readonly NamedRoot[], options: ToolsOptions): Tools {
  const { env, conceal = (text) => text } = options;
  const roots = new Map(
    named.map(({ name, path: at, encoding }) => [name, new Root(name, at, env, encoding)]),
  );
  const names = [...roots.keys()];
  const [only] = roots.size === 1 ? roots.values() : [];
  const rootSchema =
    only === undefined
      ? { root: z.enum(names as [string, ...string[]]) }
      : { root: z.literal(only.name).optional() };
  const offered = offer(TOOLS, only === undefined ? rootSchema : {});
  return {
    offered,
    folders: named.flatMap(({ name, path: at }) => (at === undefined ? [] : [{ name, path: at }])),
    use: (call, signal) =>
      useTool(TOOLS, call, rootSchema, conceal, async (run, { root: asked }) => {
        const root = only ?? roots.get(typeof asked === 'string' ? asked : '');
        if (root === undefined) throw new Refusal(`the roots are ${names.join(', ')}`);
        const found = await run(root, signal);
        const where = only === undefined ? `${root.name}: ` : '';
        return { ...found, about: `${where}${found.about}` };
      }),
  };
}
