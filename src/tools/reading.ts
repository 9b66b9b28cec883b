/** The declarations of the tools that read files, shared by folders and git trees. */
import * as z from 'zod';
import type { GrepArguments, ListArguments, ReadArguments } from './files.ts';
import { defineTool, lineNumber, path, type Toolbox, type ToolFunction } from './toolbox.ts';

/** The implementation of each tool. */
interface Reading<P> {
  readonly list: ToolFunction<P, ListArguments>;
  readonly grep: ToolFunction<P, GrepArguments>;
  readonly read: ToolFunction<P, ReadArguments>;
}

/** Makes the tools `list`, `grep` and `read` from the functions that do their work. */
export function makeReadingTools<P>({ list, grep, read }: Reading<P>): Toolbox<P> {
  return new Map([
    [
      'list',
      defineTool({
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
      defineTool({
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
      defineTool({
        about: 'Reads a text file with its line numbers, whole or from one line to another.',
        takes: { path, from: lineNumber.optional(), to: lineNumber.optional() },
        use: read,
      }),
    ],
  ]);
}
