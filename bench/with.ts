/**
 * `node bench/with.ts NAME=VALUE PROGRAM ARGS…` sets an environment variable for a program, on every system.
 */
import { spawnSync } from 'node:child_process';

const [set = '', program = '', ...args] = process.argv.slice(2);
const [name = '', value] = set.split('=');
const { status } = spawnSync(program, args, {
  stdio: 'inherit',
  env: { ...process.env, [name]: value },
  // On Windows, the programs in node_modules/.bin are scripts for cmd, which only a shell can start.
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
