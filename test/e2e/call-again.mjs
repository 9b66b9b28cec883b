/**
 * Starts the program's own file again and again in one process: once for every call that comes from
 * `calls.ts`. What the file hands to `process.exit` ends that call and not the process, and a line of
 * its own on both outputs says so when all before it has been written.
 */
import { createReadStream, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [program, mark] = process.argv.slice(2);
// Each call has a listener for what nobody caught.
process.setMaxListeners(0);
let left = 0;
let calls = 0;

process.exit = (code) => {
  left = Number(code ?? process.exitCode ?? 0);
  return undefined;
};

/** What a call finds there to read: its input, or nothing as in a process that was started without any. */
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
  // What a call leaves behind where its process would have ended.
  for (const event of ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP', 'exit'])
    process.removeAllListeners(event);
  await writeMark(1);
  await writeMark(2);
  process.send({ code: left });
});
/** Writes the line behind a call's output. A pipe that is full takes it later; a full disk never does. */
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
