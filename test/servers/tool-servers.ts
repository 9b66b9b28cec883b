/** Tool servers for tests: the program in `mcp-program.ts`, with which tests speak as runs do. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { ToolServer } from '../../src/tools/servers/definition.ts';
import { ToolServers } from '../../src/tools/servers/servers.ts';
import { temporaryFolder } from '../store/folder.ts';

/** The path of the program of a tool server, `mcp-program.ts`. */
export const MCP_PROGRAM = join(import.meta.dirname, 'mcp-program.ts');
/**
 * The secret that the tool server gets in the environment variable `GIVEN`, and that answers must not show.
 */
export const SEARCH_SECRET = 'secret-of-search';

/**
 * Returns the definition of a tool server `search`, whose program behaves as `mode` says (see
 * `mcp-program.ts`). `file` is a file that the program may write.
 */
export function makeToolServer(
  mode: string,
  file = join(temporaryFolder(), 'written'),
  more: Partial<ToolServer> = {},
): ToolServer {
  const env = { PATH: process.env.PATH ?? '', GIVEN: SEARCH_SECRET };
  return {
    name: 'search',
    allow: [],
    reach: { argv: [process.execPath, MCP_PROGRAM, mode, file], cwd: '/', env },
    ...more,
  };
}

/**
 * Opens connections to tool servers as a run does. They are closed after the test. `answerMs` is how long a
 * call may take, in milliseconds.
 */
export function openToolServers(all: readonly ToolServer[], answerMs?: number): ToolServers {
  const servers = new ToolServers(all, {
    version: '1.0',
    startGuard: () => Promise.resolve(undefined),
    fetch,
    conceal: (text) => text.replaceAll(SEARCH_SECRET, '[key]'),
    now: () => new Date('2026-11-27T04:05:06Z'),
    ...withoutUndefined({ answerMs }),
  });
  onTestFinished(() => servers.close());
  return servers;
}
