/** `--stop-at 5`: five of six signals ask for one more round in which to wrap up, and it ends then. */
import { expect, it } from 'vitest';
import { temporaryStore } from '../kernel/desk.ts';
import { rehearseRun } from './rehearse.ts';

it('with --stop-at 5, rounds end one round after five signals are satisfied', async () => {
  // With this seed, five signals are satisfied after round 7 of 9.
  const { view } = await rehearseRun(temporaryStore(), 'rehearsal/healthy', 9, 4, { stopAt: 5 });
  const advised = view.rounds.map(({ signals }) => signals?.recommendation);
  expect(advised.indexOf('wrap-up')).toBe(6);
  expect(advised).toHaveLength(8);
});
