/**
 * Starts the program's own file again and again in one process: once for every call from `calls.ts`.
 * `process.exit` ends only the call. A marker line on both outputs says that the call has ended and
 * everything before it was written.
 */
import { createReadStream, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [program, mark] = process.argv.slice(2);
// Each call adds listeners for uncaught errors.
process.setMaxListeners(0);
let left = 0;
let calls = 0;

process.exit = (code) => {
  left = Number(code ?? process.exitCode ?? 0);
  return undefined;
};

/** The input of a call; empty if the process would have had none. */
let given;
let stdin;
Object.defineProperty(process, 'stdin', {
  configurable: true,
  get() {
    stdin ??=
      given === undefined ? createReadStream('/dev/null') : Readable.from([Buffer.from(given)]);
    return stdin;
  },
});

process.on('message', async ({ args, env, cwd, input }) => {
  given = input;
  stdin = undefined;
  left = 0;
  process.argv = [process.execPath, program, ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  calls += 1;
  await import(`${pathToFileURL(program).href}?${calls}`);
  // Remove listeners that a call leaves behind because its process does not end.
  for (const event of ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP', 'exit'])
    process.removeAllListeners(event);
  await writeMark(1);
  await writeMark(2);
  process.send({ code: left });
});
/** Writes the marker line after a call's output. A full pipe accepts it later; a full disk never does. */
async function writeMark(fd) {
  for (;;)
    try {
      writeSync(fd, mark);
      return;
    } catch (error) {
      if (error.code !== 'EAGAIN') return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
}
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
