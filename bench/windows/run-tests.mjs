/**
 * Runs test files in Node for Windows, where Vitest does not start:
 * `node run-tests.mjs RESULTS MATCHERS FILE…`. The import of `vitest` is replaced by `as-vitest.mjs`. Writes
 * one line of JSON for each test into RESULTS.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [results, matchers, ...files] = process.argv.slice(2);

registerHooks({
  resolve: (name, from, next) => {
    if (name === 'vitest')
      return { url: new URL('as-vitest.mjs', import.meta.url).href, shortCircuit: true };
    if (name === 'jest-expect') return { url: pathToFileURL(matchers).href, shortCircuit: true };
    return next(name, from);
  },
});

const { collect, perform } = await import('./as-vitest.mjs');
for (const file of files) {
  const tell = (one) => appendFileSync(results, `${JSON.stringify({ file, ...one })}\n`);
  try {
    const tests = await collect(() => import(pathToFileURL(file).href));
    await perform(tests, tell);
  } catch (error) {
    tell({ name: 'the file', error: `${error?.stack ?? error}` });
  }
}
process.exit(0);
