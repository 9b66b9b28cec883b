/** `deliberate mcp`: serves coding agents over standard input and output, or writes their plugins. */
import { Console } from 'node:console';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Invocation } from '../app/invocation.ts';
import { readConfig } from '../app/settings/config.ts';
import { withStore } from '../app/store.ts';
import { UsageError } from '../kernel/errors.ts';
import { loadToolParts } from '../protocols/desks.ts';
import { Convening } from './convening.ts';
import { createServer } from './server.ts';

/**
 * Runs `deliberate mcp`, the MCP server, until its client disconnects or a signal ends it. `deliberate mcp WORD`
 * prints or writes the plugin or skill that WORD names, and starts no server. Resolves to the exit code.
 */
export async function mcp(call: Invocation): Promise<number> {
  const [word, ...more] = call.words;
  if (word !== undefined) return (await import('./plugin.ts')).printOrWritePlugin(call, word, more);
  if (call.flags.to !== undefined)
    throw new UsageError(
      '--to requires a plugin',
      'For example: deliberate mcp claude-code --to .',
    );
  return serveClient(call);
}

/** Serves until the client disconnects. Runs that it started continue. */
async function serveClient(call: Invocation): Promise<number> {
  // Check the settings and the database now, so that an error ends the server at its start instead of failing a
  // later request.
  readConfig(call);
  await withStore(call, () => undefined);
  if (process.stdin.isTTY)
    call.err.write(
      'Waiting for an MCP client on standard input. Register this command with your coding agent; see docs/mcp.md. Ctrl-C stops.\n',
    );
  // Make libraries print to standard error, since standard output carries the messages of MCP.
  globalThis.console = new Console(process.stderr);
  const convening = new Convening(call, await loadToolParts());
  const gone = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, resolve);
    for (const event of ['close', 'error'] as const) process.stdout.once(event, resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
  const handle = serveStdio(({ era }) => createServer(call, convening, era), {
    onerror: (error) => call.err.write(`deliberate: ${error.message}\n`),
  });
  await gone;
  await handle.close();
  return 0;
}
