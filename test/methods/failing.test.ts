/** Every seat failing in every phase: a conclusion all the same, and no figure that nobody gave. */
import { describe, expect, it } from 'vitest';
import { findInventedFigures } from '../../src/figures/prose.ts';
import { METHODS } from '../../src/protocols/debate/catalog.ts';
import { failed } from '../kernel/scripted-models.ts';
import { holdMethod, QUESTION, standIn } from './held.ts';

const BAD = /NaN|undefined|Infinity|\[object/;

describe.each([...METHODS.keys()])('%s', (method) => {
  it('ends with a conclusion whichever phase fails, for one seat and for all', async () => {
    const whole = await holdMethod(method, standIn);
    const tasks = [...new Set(whole.models.requests.map(({ task }) => task))];
    const seats = [...new Set(whole.models.requests.map(({ seat }) => seat.id))];
    for (const task of tasks)
      for (const silent of [seats, ...seats.map((one) => [one])]) {
        const { ended, conclusion, facts } = await holdMethod(method, (asked) =>
          asked.task === task && silent.includes(asked.seat.id)
            ? failed('server', 'the server is gone')
            : standIn(asked),
        );
        const where = `${task} without ${silent.join(', ')}`;
        expect([where, ended]).toEqual([where, { status: 'done' }]);
        expect([where, BAD.exec(conclusion)?.[0]]).toEqual([where, undefined]);
        const given = facts.flatMap((one) =>
          one.type === 'synthesis.completed' ? [] : [JSON.stringify(one).replaceAll('\\n', ' ')],
        );
        const invented = findInventedFigures(conclusion.replace(/seat-\d+|Seat \d+/g, ''), {
          texts: [QUESTION, ...given],
          figures: [],
        });
        expect([where, invented.map(({ written }) => written)]).toEqual([where, []]);
      }
  });

  it('ends with a conclusion where nobody ever answers', async () => {
    const { ended, conclusion } = await holdMethod(method, () =>
      failed('server', 'the server is gone'),
    );
    expect(ended).toEqual({ status: 'done' });
    expect(conclusion).toMatch(/No result|Open/);
  });
});
