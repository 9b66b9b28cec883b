/** Tool servers for tests: the program of `mcp-program.ts`, spoken with as runs do. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { ToolServer } from '../../src/tools/servers/definition.ts';
import { ToolServers } from '../../src/tools/servers/servers.ts';
import { temporaryFolder } from '../store/folder.ts';

export const MCP_PROGRAM = join(import.meta.dirname, 'mcp-program.ts');
/** What the program is given in `GIVEN`. */
export const SEARCH_SECRET = 'secret-of-search';

/** @param file the program may write it */
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

/** Ended with the test. */
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
