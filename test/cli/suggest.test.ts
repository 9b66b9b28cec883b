/** What is to be typed instead, by plain values. */
import { expect, it } from 'vitest';
import { formatCommand } from '../../src/app/suggest.ts';

const makeCall = (env: Record<string, string>) => ({ command: 'ask', env });

it('formatCommand begins with the words by which the program was started, such as "npm start --"', () => {
  const formatAsk = (env: Record<string, string>) => formatCommand(makeCall(env), 'latest "Why?"');
  expect(formatAsk({})).toBe('deliberate ask latest "Why?"');
  const npm = { npm_lifecycle_event: 'start', npm_package_name: 'deliberate' };
  expect(formatAsk(npm)).toBe('npm start -- ask latest "Why?"');
  // The script `start` of another package called the program, so `npm start` cannot begin a command here.
  expect(formatAsk({ ...npm, npm_package_name: 'other' })).toBe('deliberate ask latest "Why?"');
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: '"deliberate" ask latest' };
  expect(formatAsk(npx)).toBe('npx deliberate ask latest "Why?"');
  expect(formatAsk({ ...npx, npm_lifecycle_script: 'vitest' })).toBe(
    'deliberate ask latest "Why?"',
  );
});
