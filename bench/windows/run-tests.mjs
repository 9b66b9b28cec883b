/**
 * Runs a test file in Node for Windows, where Vitest does not start:
 * `node run-tests.mjs RESULTS MATCHERS FILE PATTERN…`. Skips tests whose names match a pattern. The import of `vitest` is replaced by `as-vitest.mjs`. Writes
 * one line of JSON for each test into RESULTS, and `{"over":true}` at the end.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [results, matchers, file, ...skipped] = process.argv.slice(2);
const patterns = skipped.map((source) => new RegExp(source));

registerHooks({
  resolve: (name, from, next) => {
    if (name === 'vitest')
      return { url: new URL('as-vitest.mjs', import.meta.url).href, shortCircuit: true };
    if (name === 'jest-expect') return { url: pathToFileURL(matchers).href, shortCircuit: true };
    return next(name, from);
  },
});

const { collect, perform } = await import('./as-vitest.mjs');
const tell = (one) => appendFileSync(results, `${JSON.stringify(one)}\n`);
try {
  const tests = await collect(() => import(pathToFileURL(file).href));
  await perform(tests, tell, (name) => patterns.some((pattern) => pattern.test(name)));
} catch (error) {
  tell({ name: 'the file', error: `${error?.stack ?? error}` });
}
tell({ over: true });
process.exit(0);
