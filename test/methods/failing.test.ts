/**
 * Seats failing in every phase: a conclusion all the same, and no figure that nobody gave. Each phase fails
 * for all seats and for one, each seat in one phase; the long form has each seat fail in each of its phases.
 */
import { describe, expect, it } from 'vitest';
import { findInventedFigures } from '../../src/figures/prose.ts';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { METHODS } from '../../src/protocols/debate/catalog.ts';
import { makeFailure } from '../kernel/scripted-models.ts';
import { LONG } from '../long.ts';
import { answerAsStandIn, QUESTION, runMethod } from './held.ts';

/** The names of all built-in methods. */
const NAMES = [...METHODS.keys()];

const BAD = /NaN|undefined|Infinity|\[object/;

describe.each(NAMES)('each built-in method (%s)', (method) => {
  it('reaches a conclusion, whichever phase fails', async () => {
    const whole = await runMethod(method, answerAsStandIn);
    const { requests } = whole.models;
    const seats = [...new Set(requests.map(({ seat }) => seat.id))];
    const alone = placesIn(requests);
    for (const task of new Set(alone.map((place) => place.task)))
      for (const silent of [
        seats,
        ...alone.flatMap((place) => (place.task === task ? [[place.seat]] : [])),
      ]) {
        const { ended, conclusion, facts } = await runMethod(method, (asked) =>
          asked.task === task && silent.includes(asked.seat.id)
            ? makeFailure('server', 'the server is gone')
            : answerAsStandIn(asked),
        );
        const where = `${task} without ${silent.join(', ')}`;
        expect([where, ended]).toEqual([where, { status: 'done' }]);
        expect([where, BAD.exec(conclusion)?.[0]]).toEqual([where, undefined]);
        const given = facts.flatMap((fact) =>
          fact.type === 'synthesis.completed' ? [] : [JSON.stringify(fact).replaceAll('\\n', ' ')],
        );
        const invented = findInventedFigures(conclusion.replace(/seat-\d+|Seat \d+/g, ''), {
          texts: [QUESTION, ...given],
          figures: [],
        });
        expect([where, invented.map(({ written }) => written)]).toEqual([where, []]);
      }
  });

  it('reaches a conclusion if no call is ever answered', async () => {
    const { ended, conclusion } = await runMethod(method, () =>
      makeFailure('server', 'the server is gone'),
    );
    expect(ended).toEqual({ status: 'done' });
    expect(conclusion).toMatch(/No result|Open/);
  });
});

/**
 * Returns which seat is asked in which phase: all pairs in the long form, otherwise enough of them that every
 * phase and every seat occurs.
 */
function placesIn(requests: readonly ModelRequest[]): { task: string; seat: string }[] {
  const all = new Map(
    requests.map(({ task, seat }) => [`${task} ${seat.id}`, { task, seat: seat.id }]),
  );
  if (LONG) return [...all.values()];
  const tasks = new Set<string>();
  const seats = new Set<string>();
  const chosen = [];
  // Choose few calls in which every task and every seat occurs: first calls that bring both a new task and a
  // new seat, then calls that bring one of the two.
  for (const enough of [2, 1])
    for (const place of all.values()) {
      const brings = Number(!tasks.has(place.task)) + Number(!seats.has(place.seat));
      if (brings < enough) continue;
      tasks.add(place.task);
      seats.add(place.seat);
      chosen.push(place);
    }
  return chosen;
}
