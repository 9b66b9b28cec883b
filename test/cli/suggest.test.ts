/** What is to be typed instead, by plain values. */
import { expect, it } from 'vitest';
import { formatCommand } from '../../src/app/suggest.ts';

const call = (env: Record<string, string>) => ({ command: 'ask', env });

it('formatCommand begins with the words by which the program was started, such as "npm start --"', () => {
  const started = (env: Record<string, string>) => formatCommand(call(env), 'latest "Why?"');
  expect(started({})).toBe('deliberate ask latest "Why?"');
  const npm = { npm_lifecycle_event: 'start', npm_package_name: 'deliberate' };
  expect(started(npm)).toBe('npm start -- ask latest "Why?"');
  // The script belongs to another package, which calls this program by its name.
  expect(started({ ...npm, npm_package_name: 'other' })).toBe('deliberate ask latest "Why?"');
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: '"deliberate" ask latest' };
  expect(started(npx)).toBe('npx deliberate ask latest "Why?"');
  expect(started({ ...npx, npm_lifecycle_script: 'vitest' })).toBe('deliberate ask latest "Why?"');
});
