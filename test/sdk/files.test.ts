/** Where a protocol file may lie, and how it may be written: each is held by the real loader. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../e2e/scene.ts';
import { startScript } from '../store/child.ts';

const REST = `protocol({ name: 'one', seats: { a: 'You answer.' },
  run: async ({ ask, conclude, question }) => conclude(await ask('only', 'a', question)) });
`;
const MODULE = `import { protocol } from 'deliberate/protocol';
import { one } from './helper.mjs';
export default ${REST}`;
const COMMON = `const { protocol } = require('deliberate/protocol');
const words = \`
import is the first word of this line
\`;
module.exports = ${REST}`;
/** As compilers write it. */
const COMPILED = COMMON.replace('module.exports =', 'exports.default =');

const FILES: readonly (readonly [name: string, text: string, project?: string])[] = [
  ['mine.ts', MODULE],
  ['mine.mts', MODULE],
  ['mine.js', MODULE],
  ['mine.mjs', MODULE],
  ['mine.cjs', COMMON],
  ['mine.cjs', COMPILED],
  ['mine.cts', COMMON],
  ['mine.js', COMMON],
  ['mine.ts', MODULE, 'commonjs'],
  ['mine.js', MODULE, 'commonjs'],
  ['mine.js', COMMON, 'commonjs'],
  ['mine.ts', MODULE, 'module'],
];

function layFiles(name: string, text: string, project?: string): string[] {
  const where = makeFolder();
  writeFileSync(join(where, name), text);
  writeFileSync(join(where, 'helper.mjs'), 'export const one = 1;');
  if (project !== undefined)
    writeFileSync(join(where, 'package.json'), JSON.stringify({ type: project }));
  // A package in node_modules that has this program's name must not be loaded in place of this program.
  const other = join(where, 'node_modules', 'deliberate');
  mkdirSync(other, { recursive: true });
  const exports = { './protocol': './x.js' };
  writeFileSync(join(other, 'package.json'), JSON.stringify({ name: 'deliberate', exports }));
  writeFileSync(join(other, 'x.js'), 'throw new Error("the wrong one")');
  const link = join(makeFolder(), `link-${name}`);
  symlinkSync(join(where, name), link);
  return [join(where, name), link];
}

it('a protocol file runs with every file ending and module format, also through a link', async () => {
  const files = FILES.flatMap(([name, text, project]) => layFiles(name, text, project));
  const plan = join(makeFolder(), 'plan.json');
  writeFileSync(plan, JSON.stringify(files.map((file) => ({ file, set: [] }))));
  const child = startScript(import.meta.url, './holder.ts', [plan]);
  for (const file of files) expect(await child.readLine(), file).toEqual({ status: 'done' });
});
