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

it('a server that is loading is told of once a call, however often it is asked', () => {
  let err = '';
  const listener = new PlainLines(
    { write: () => true },
    {
      write: (text: string) => {
        err += text;
        return true;
      },
    },
  );
  const wait = { type: 'retrying', step: 'seat/critic', seat: 'critic', delayMs: 5000 } as const;
  const reason = 'openai: Loading model (HTTP 503)';
  for (const call of ['c', 'c', 'd', 'c'])
    listener.live({ ...wait, call, attempt: 1, reason, loading: true });
  expect(err).toBe(`critic: ${reason}; asking again until the model is loaded\n`.repeat(2));
});
