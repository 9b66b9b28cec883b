/** `node bench/with.ts NAME=VALUE PROGRAM ARGS…`: a program with a variable set, in the words of no shell. */
import { spawnSync } from 'node:child_process';

const [set = '', program = '', ...args] = process.argv.slice(2);
const [name = '', value] = set.split('=');
const { status } = spawnSync(program, args, {
  stdio: 'inherit',
  env: { ...process.env, [name]: value },
  // What npm puts into node_modules/.bin is a script for cmd on Windows, which only a shell starts.
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
