/**
 * Started by calls.ts: loads the build once, as bin/deliberate.js does, and calls its `main` for every
 * message. What it says goes to the two files that stand for standard output and standard error.
 */
import { enableCompileCache } from 'node:module';
import { Readable } from 'node:stream';

globalThis.__zod_globalConfig = { jitless: true };
enableCompileCache();
// What a person typed, for the hints.
process.argv[1] = process.argv[2];
const { main } = await import('../../dist/cli/main.js');

process.on('message', async ({ args, env, cwd, input }) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env, { NODE_ENV: 'production' });
  process.chdir(cwd);
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  const code = await main(args);
  // What a call leaves behind where the process would have ended.
  for (const event of ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP', 'exit'])
    process.removeAllListeners(event);
  // The folder may be removed.
  process.chdir('/');
  process.send(code);
});
