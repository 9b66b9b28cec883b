/**
 * The tools that seats are given: all of them only look, and only into the folders that a person named.
 * What a model asks for is checked here; what goes wrong is a sentence for the model, never an error.
 *
 * `run.callTool` makes each use a step whose fact records the text that was found. The folders that were
 * named on this machine are in the table `look_root` and not in the facts, since an imported run can name any
 * path. A step's hash has a folder's name and not its path, so that a run can go on after the folder was
 * moved. In rounds, a seat may cite what was found before the seat was asked and what the seat found itself,
 * but nothing that other seats find meanwhile.
 *
 * Grep runs `git grep` as a process that is stopped after five seconds, so that no pattern from a model is
 * matched in this process. Tools see the files that git would list, also outside of repositories. Tools of
 * MCP servers are in `servers/`: a server is asked for its tools before the run begins, and the answer is
 * kept in the run's settings.
 */
import * as z from 'zod';
import type { Env } from '../io/tools.ts';
import type { Tools } from '../kernel/tools/tools.ts';
import { listFiles, readDocument, searchLines } from './files.ts';
import { gitBlame, gitLog, gitShow } from './history.ts';
import { makeReadingTools } from './reading.ts';
import { ToolRefusal } from './refusal.ts';
import { Root } from './root.ts';
import { callTool, defineTool, describeTools, lineNumber, path, type Toolbox } from './toolbox.ts';

/** A folder that models may read, with the name that they use for it. */
export interface NamedRoot {
  readonly name: string;
  /**
   * The path; undefined if nobody named the folder on this machine, and every use is then refused.
   */
  readonly path: string | undefined;
  /** The encoding of files that are not UTF-8. */
  readonly encoding?: string | undefined;
}

/** The tools that read folders, by their names. */
export const TOOLS: Toolbox<Root> = new Map([
  ...makeReadingTools({ list: listFiles, grep: searchLines, read: readDocument }),
  [
    'git_log',
    defineTool({
      about: 'Lists the latest commits, of all or of a file or folder.',
      takes: { path: path.optional(), count: z.int().min(1).max(100).optional() },
      use: gitLog,
    }),
  ],
  [
    'git_show',
    defineTool({
      about: 'Shows a commit: its message and what it changed.',
      takes: { commit: z.string().describe('a hash or name from git_log'), path: path.optional() },
      use: gitShow,
    }),
  ],
  [
    'git_blame',
    defineTool({
      about: 'Says of each line of a file which commit wrote it, when, and by whom.',
      takes: { path, from: lineNumber.optional(), to: lineNumber.optional() },
      use: gitBlame,
    }),
  ],
]);

interface ToolsOptions {
  readonly env: Env;
  /** Removes known keys from results. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/**
 * Makes the tools for the given folders. With several folders, each call names one of them in its
 * argument `root`.
 */
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
  const offered = describeTools(TOOLS, only === undefined ? rootSchema : {});
  return {
    offered,
    folders: named.flatMap(({ name, path: at }) => (at === undefined ? [] : [{ name, path: at }])),
    use: (call, signal) =>
      callTool(TOOLS, call, rootSchema, conceal, async (run, { root: asked }) => {
        const root = only ?? roots.get(typeof asked === 'string' ? asked : '');
        if (root === undefined) throw new ToolRefusal(`the roots are ${names.join(', ')}`);
        const found = await run(root, signal);
        const where = only === undefined ? `${root.name}: ` : '';
        return { ...found, about: `${where}${found.about}` };
      }),
  };
}
