/**
 * What `board --plain` loads before its first answer. Every module makes the start slower, so a module that
 * is only needed later is imported where it is needed, by `await import(…)`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../store/folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Loads the program from its sources and holds a board, and prints each module that was loaded. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
const { main } = await import(${JSON.stringify(join(ROOT, 'src/cli/main.ts'))});
const code = await main(['board', '--plain', '--quiet', '--no-vote', '--rehearse', '--rehearse-speed', '1000', 'Split it?']);
process.stderr.write(JSON.stringify({ code, loaded }));
process.exit(0);
`;

/** The most modules that a board may load, for each folder of `src` and each package. */
const BUDGET: Readonly<Record<string, number>> = {
  'node_modules/better-sqlite3': 17,
  'node_modules/get-east-asian-width': 4,
  'node_modules/is-network-error': 1,
  'node_modules/jsonrepair': 4,
  'node_modules/p-retry': 1,
  'node_modules/uuid': 22,
  'node_modules/yaml': 78,
  'node_modules/zod': 103,
  'src/app': 43,
  'src/cli': 9,
  'src/coding-agents': 4,
  'src/decisions': 12,
  'src/documents': 1,
  'src/io': 22,
  'src/kernel': 32,
  'src/models': 70,
  'src/plain': 13,
  'src/platform': 14,
  'src/protocols': 97,
  'src/restate': 2,
  'src/sandbox': 4,
  'src/sdk': 3,
  'src/store': 20,
  'src/telemetry': 1,
  'src/text': 29,
  'src/tools': 9,
};

it('`deliberate board --plain` loads no more modules of each folder and package than its budget allows', () => {
  const home = temporaryFolder();
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    encoding: 'utf8',
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const { code, loaded } = JSON.parse(stderr.slice(stderr.indexOf('{"code"'))) as {
    code: number;
    loaded: string[];
  };
  expect(code).toBe(0);
  const counts: Record<string, number> = {};
  for (const url of loaded) {
    const at = /\/(src|node_modules)\/((?:@[^/]+\/)?[^/]+)\//.exec(url);
    if (at === null) continue;
    const name = `${at[1]}/${at[2]}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const over = Object.entries(counts).filter(([name, count]) => count > (BUDGET[name] ?? 0));
  expect(over).toEqual([]);
  // A budget is the most modules of one folder or package that may be loaded. At least 80 % of each budget
  // must be in use, so that new imports soon exceed it.
  const slack = Object.entries(BUDGET).filter(([name, most]) => (counts[name] ?? 0) < most * 0.8);
  expect(slack).toEqual([]);
});
