/** Progress as lines, by plain values. */
import { expect, it } from 'vitest';
import { PlainLines } from '../../src/plain/lines.ts';

it.each([
  [0, 'critic: no JSON; trying again\n'],
  [2000, 'critic: no JSON; trying again in 2.0s\n'],
])('a retry says how long it waits, if it waits: %i ms', (delayMs, said) => {
  let err = '';
  const nothing = { write: () => true };
  const listener = new PlainLines(nothing, {
    write: (text: string) => {
      err += text;
      return true;
    },
  });
  listener.live({
    type: 'retrying',
    step: 'agreement/1',
    call: 'c',
    seat: 'critic',
    attempt: 1,
    reason: 'no JSON',
    delayMs,
  });
  expect(err).toBe(said);
});
