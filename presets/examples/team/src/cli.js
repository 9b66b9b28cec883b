#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readChores } from './chores.js';
import { listText } from './list.js';

const [command, file, ...flags] = process.argv.slice(2);

if (command !== 'list' || file === undefined) {
  process.stderr.write('usage: chores list FILE [--open]\n');
  process.exit(2);
}

const chores = readChores(readFileSync(file, 'utf8'));
const wanted = flags.includes('--open') ? chores.filter(({ done }) => !done) : chores;
process.stdout.write(listText(wanted));
