/** Weights, scores, what would turn the result, and ideas ranked. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkScores,
  findFlips,
  type Matrix,
  normalizeWeights,
  type Rating,
  rankIdeas,
  readWeights,
  type Score,
  weighOptions,
} from '../../src/figures/figures.ts';

const readPoints = (given: Readonly<Record<string, number>>) =>
  readWeights(
    ['cost', 'speed'],
    Object.entries(given).map(([criterion, own]) => ({ criterion, points: own })),
  );
const makeWeights = (given: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  normalizeWeights(new Map(Object.entries(given))) ?? new Map();
/** One seat's scores: criterion → option → score. */
const makeScores = (
  seat: string,
  table: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Score[] =>
  Object.entries(table).flatMap(([criterion, row]) =>
    Object.entries(row).map(([option, score]) => ({ seat, criterion, option, score })),
  );

describe('a seat’s points for criteria', () => {
  it('are divided by their sum', () => {
    const read = readPoints({ cost: 55, speed: 55 });
    expect(read.ok && [...read.value]).toEqual([
      ['cost', 0.5],
      ['speed', 0.5],
    ]);
    expect(readPoints({ cost: 3, speed: 1 })).toEqual({
      ok: true,
      value: new Map([
        ['cost', 0.75],
        ['speed', 0.25],
      ]),
    });
  });

  it.each([
    ['more than 100 points for a criterion', { cost: 120, speed: 0 }, /from 0 to 100/],
    ['more than 100 points and negative points', { cost: 120 - 10, speed: -10 }, /from 0 to 100/],
    ['negative points', { cost: 60, speed: -10 }, /"speed": points go from 0 to 100/],
    ['points that are not a number', { cost: Number.NaN, speed: 1 }, /from 0 to 100/],
    ['no points for any criterion', { cost: 0, speed: 0 }, /All points are 0/],
    ['a criterion left out', { cost: 100 }, /"speed" was given no points/],
    ['an unknown criterion', { cost: 50, toString: 50 }, /"toString" is none of the criteria/],
  ])('are refused with a reason: %s', (_what, given, reason) => {
    const read = readPoints(given);
    expect(read.ok ? 'taken' : read.why).toMatch(reason);
  });

  it('are refused if a criterion gets points twice', () => {
    const twice = ['cost', 'speed', 'cost'].map((criterion) => ({ criterion, points: 10 }));
    expect(readWeights(['cost', 'speed'], twice)).toMatchObject({ ok: false });
  });
});

describe('a tradeoff between options', () => {
  const options = ['buy', 'build', 'nothing'];
  const criteria = ['cost', 'speed'];
  const table = {
    cost: { buy: 40, build: 60, nothing: 100 },
    speed: { buy: 90, build: 30, nothing: 0 },
  };
  const alike = { cost: 50, speed: 50 };

  it('reports totals, the winner, and each option that another one equals or beats by every criterion', () => {
    const result = weighOptions(
      options,
      criteria,
      [{ seat: 'a', weights: makeWeights(alike) }],
      [...makeScores('a', { cost: { ...table.cost, build: 30 }, speed: table.speed })],
    );
    expect(result?.totals).toEqual([
      { option: 'buy', total: 65 },
      { option: 'nothing', total: 50 },
      { option: 'build', total: 30 },
    ]);
    expect(result).toMatchObject({
      winner: 'buy',
      tied: [],
      dominated: [{ option: 'build', by: 'buy' }],
    });
  });

  it('reports a tie as too close to call', () => {
    const result = weighOptions(
      ['a', 'b'],
      criteria,
      [{ seat: 's', weights: makeWeights(alike) }],
      [...makeScores('s', { cost: { a: 1, b: 9 }, speed: { a: 9, b: 1 } })],
    );
    expect(result).toMatchObject({
      winner: undefined,
      tied: ['a', 'b'],
      fewHold: false,
      holders: [],
    });
    expect(result && findFlips(result.matrix)).toEqual({ flips: [], tooClose: true });
  });

  it('ignores a seat’s scores for a criterion if the seat left out an option there', () => {
    const { nothing: _none, ...holes } = table.speed;
    const panel = ['a', 'b'].map((seat) => ({ seat, weights: makeWeights(alike) }));
    const result = weighOptions(options, criteria, panel, [
      ...makeScores('a', table),
      ...makeScores('b', { cost: table.cost, speed: { ...holes, buy: 0 } }),
    ]);
    expect(result?.seats[1]).toMatchObject({ seat: 'b', without: ['speed'], winner: 'nothing' });
    expect(result?.seats[0]).toMatchObject({ seat: 'a', without: [], winner: 'buy' });
    // Seat b left out one option when it scored the criterion `speed`. So the combined scores for `speed` are those
    // of seat a alone.
    expect(result?.matrix.scores.get('speed')).toEqual(new Map(Object.entries(table.speed)));
  });

  it('leaves out a criterion that no seat scored completely', () => {
    const seat = [{ seat: 'a', weights: makeWeights(alike) }];
    const cost = makeScores('a', { cost: table.cost });
    expect(weighOptions(options, criteria, seat, cost)?.matrix.weights).toEqual(
      new Map([['cost', 1]]),
    );
    expect(weighOptions(options, criteria, seat, [])).toBeUndefined();
    expect(weighOptions(options, criteria, [], cost)).toBeUndefined();
    const nan = cost.map((score) => ({ ...score, score: Number.NaN }));
    expect(weighOptions(options, criteria, seat, nan)).toBeUndefined();
  });

  it('reports a winner by average that is best for only one of four seats', () => {
    const panel = ['a', 'b', 'c', 'd'].map((seat) => ({ seat, weights: makeWeights({ cost: 1 }) }));
    const scoreCost = (seat: string, x: number, y: number, z: number) =>
      makeScores(seat, { cost: { middle: x, left: y, right: z } });
    const result = weighOptions(['middle', 'left', 'right'], ['cost'], panel, [
      ...scoreCost('a', 60, 100, 0),
      ...scoreCost('b', 60, 0, 100),
      ...scoreCost('c', 60, 50, 0),
      ...scoreCost('d', 60, 61, 20),
    ]);
    expect(result).toMatchObject({ winner: 'middle', holders: ['c'], fewHold: true });
    const two = weighOptions(
      ['middle', 'left'],
      ['cost'],
      panel,
      [
        ...scoreCost('a', 60, 0, 0),
        ...scoreCost('b', 60, 0, 0),
        ...scoreCost('c', 60, 61, 0),
        ...scoreCost('d', 60, 61, 0),
      ].filter(({ option }) => option !== 'right'),
    );
    expect(two).toMatchObject({ holders: ['a', 'b'], fewHold: false });
  });

  it('gives a criterion double weight if it occurs under two names, which can change the winner', () => {
    const row = { x: 100, y: 0 };
    const seat = [{ seat: 's', weights: makeWeights({ cost: 30, price: 30, speed: 40 }) }];
    const result = weighOptions(['x', 'y'], ['cost', 'price', 'speed'], seat, [
      ...makeScores('s', { cost: row, price: row, speed: { x: 0, y: 100 } }),
    ]);
    expect(result?.winner).toBe('x');
    const merged = weighOptions(
      ['x', 'y'],
      ['cost', 'speed'],
      [{ seat: 's', weights: makeWeights({ cost: 30, speed: 40 }) }],
      [...makeScores('s', { cost: row, speed: { x: 0, y: 100 } })],
    );
    expect(merged?.winner).toBe('y');
  });

  const score = fc.integer({ min: 0, max: 100 });
  const matrices = fc
    .tuple(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 2, max: 7 }),
    )
    .filter(([all]) => all.some((own) => own > 0))
    .chain(([all, count]) =>
      fc
        .array(fc.array(score, { minLength: count, maxLength: count }), {
          minLength: all.length,
          maxLength: all.length,
        })
        .map((rows): Matrix => {
          const names = all.map((_own, index) => `c${index}`);
          const chosen = Array.from({ length: count }, (_none, index) => `o${index}`);
          return {
            criteria: names,
            options: chosen,
            weights: makeWeights(Object.fromEntries(all.map((own, index) => [`c${index}`, own]))),
            scores: new Map(
              rows.map((row, index) => [
                `c${index}`,
                new Map(row.map((own, at) => [`o${at}`, own])),
              ]),
            ),
          };
        }),
    );

  /**
   * Returns a function that computes all totals from a weight of criterion `moved`, scaling the other
   * weights. The test compares the program's result with these totals.
   */
  const bruteForce = (matrix: Matrix, moved: number) => {
    const own = matrix.criteria.map((criterion) => matrix.weights.get(criterion) ?? 0);
    const table = matrix.criteria.map((criterion) =>
      matrix.options.map((option) => matrix.scores.get(criterion)?.get(option) ?? 0),
    );
    const rest = 1 - (own[moved] ?? 0);
    return (weight: number): number[] =>
      matrix.options.map((_option, at) =>
        own.reduce((sum, was, row) => {
          const now = row === moved ? weight : (was * (1 - weight)) / rest;
          return sum + now * (table[row]?.[at] ?? 0);
        }, 0),
      );
  };

  it('finds the weights at which the winner changes', () => {
    let found = 0;
    fc.assert(
      fc.property(matrices, (matrix) => {
        const { flips } = findFlips(matrix);
        matrix.criteria.forEach((criterion, moved) => {
          const from = matrix.weights.get(criterion) ?? 0;
          const flip = flips.find((candidate) => candidate.criterion === criterion);
          const totals = bruteForce(matrix, moved);
          const isAhead = (all: readonly number[], at: number) =>
            Math.max(...all) > (all[at] ?? 0) + 1e-9;
          const today = totals(from);
          const winner = today.findIndex((_total, at) => !isAhead(today, at));
          if (from === 1 || today.filter((_total, at) => !isAhead(today, at)).length > 1) {
            expect(flip).toBeUndefined();
            return;
          }
          // Try the weights 0, 0.001, …, 1 for the criterion. `nearest` becomes the smallest change of the
          // criterion's weight with which another option wins.
          let nearest = Number.POSITIVE_INFINITY;
          for (let step = 0; step <= 1000; step += 1)
            if (isAhead(totals(step / 1000), winner))
              nearest = Math.min(nearest, Math.abs(step / 1000 - from));
          const away = flip === undefined ? Number.POSITIVE_INFINITY : Math.abs(flip.to - from);
          if (nearest === Number.POSITIVE_INFINITY) {
            // No other option wins at any tried weight. Totals are linear in the weight, so no other option
            // wins between two tried weights, and the program must report no change of winner.
            expect(flip).toBeUndefined();
            return;
          }
          found += 1;
          expect(nearest - away).toBeGreaterThanOrEqual(-1e-9);
          expect(nearest - away).toBeLessThanOrEqual(0.001 + 1e-9);
          expect(flip?.winner).not.toBe(matrix.options[winner]);
        });
      }),
      { seed: 17 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('is too close to call if a small change of a weight changes the winner', () => {
    const findFlipsAt = (cost: number) =>
      findFlips({
        criteria,
        options: ['x', 'y'],
        weights: makeWeights({ cost, speed: 100 - cost }),
        scores: new Map([
          [
            'cost',
            new Map([
              ['x', 0],
              ['y', 100],
            ]),
          ],
          [
            'speed',
            new Map([
              ['x', 100],
              ['y', 0],
            ]),
          ],
        ]),
      });
    expect(findFlipsAt(46)).toMatchObject({ tooClose: true });
    expect(findFlipsAt(45)).toMatchObject({ tooClose: false });
    expect(findFlipsAt(27).flips[0]).toMatchObject({ criterion: 'cost', winner: 'y' });
    expect(findFlipsAt(27).flips[0]?.to).toBeCloseTo(0.5, 9);
    expect(findFlipsAt(100)).toEqual({
      flips: [expect.objectContaining({ criterion: 'speed' })],
      tooClose: false,
    });
  });

  it('does not depend on the order of seats and scores', () => {
    const cell = fc.integer({ min: 0, max: 100 });
    const row = fc.tuple(cell, cell, cell);
    const seat = fc.tuple(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      row,
      row,
    );
    fc.assert(
      fc.property(fc.array(seat, { minLength: 1, maxLength: 5 }), (all) => {
        const scores = all.flatMap(([, , cost, speed], index) =>
          makeScores(`s${index}`, {
            cost: Object.fromEntries(cost.map((own, at) => [options[at] ?? '', own])),
            speed: Object.fromEntries(speed.map((own, at) => [options[at] ?? '', own])),
          }),
        );
        const makePanel = (times: number) =>
          all.map(([cost, speed], index) => ({
            seat: `s${index}`,
            weights: makeWeights({ cost: cost * times, speed: speed * times }),
          }));
        const plain = weighOptions(options, criteria, makePanel(1), scores);
        const turned = weighOptions(
          options,
          criteria,
          makePanel(1).toReversed(),
          scores.toReversed(),
        );
        expect(turned).toEqual(plain);
        const scaled = weighOptions(options, criteria, makePanel(2), scores);
        expect(scaled?.totals).toEqual(plain?.totals);
        expect(plain?.totals.every(({ total }) => Number.isFinite(total))).toBe(true);
      }),
      { seed: 17 },
    );
  });
});

describe('the check of a seat’s scores against its best and worst option', () => {
  const checkCost = (best: string, worst: string, scores: Readonly<Record<string, number>>) => {
    const { finding, against } = checkScores({
      criterion: 'cost',
      best,
      worst,
      scores: new Map(Object.entries(scores)),
    });
    return [finding, ...against];
  };
  it('says whether the scores agree, are reversed, differ or are unclear', () => {
    expect(checkCost('a', 'c', { a: 9, b: 5, c: 1 })).toEqual(['agrees']);
    expect(checkCost('a', 'c', { a: 9, b: 9, c: 9 })).toEqual(['agrees']);
    expect(checkCost('a', 'c', { a: 1, b: 5, c: 9 })[0]).toBe('turned');
    expect(checkCost('a', 'c', { a: 7, b: 9, c: 1 })).toEqual(['differs', 'b']);
    expect(checkCost('a', 'c', { a: 9, b: 1, c: 3 })).toEqual(['differs', 'b']);
    expect(checkCost('a', 'a', { a: 9, b: 1 })).toEqual(['unclear']);
    expect(checkCost('a', 'toString', { a: 9, b: 1 })).toEqual(['unclear']);
  });
});

describe('ratings of ideas', () => {
  const makeRating = (seat: string, idea: string, value: number, impact = value): Rating => ({
    seat,
    idea,
    novelty: value,
    impact,
    feasibility: value,
  });
  const ideas = ['i1', 'i2', 'i3'].map((id, index) => ({ id, seats: [`s${index}`] }));
  const seats = ['s0', 's1', 's2'];

  it('leave out authors’ ratings of their own ideas if there are at least three seats', () => {
    const own = rankIdeas(
      ideas,
      [makeRating('s0', 'i1', 10), makeRating('s1', 'i1', 3), makeRating('s1', 'i3', 5)],
      seats,
    );
    expect(own.ranked.find(({ id }) => id === 'i1')).toMatchObject({ raters: 1, impact: 3 });
    expect(own.unrated).toEqual(['i2']);
    const two = rankIdeas(
      ideas.slice(0, 2),
      [makeRating('s0', 'i1', 10), makeRating('s1', 'i1', 3)],
      ['s0', 's1'],
    );
    expect(two.ranked[0]).toMatchObject({ raters: 2, impact: 6.5 });
  });

  it('count a strict rater as much as others', () => {
    const more = ['x', 'y'].map((id) => ({ id, seats: ['author'] }));
    const ratings = [
      makeRating('mild', 'x', 9),
      makeRating('mild', 'y', 10),
      makeRating('harsh', 'x', 3),
      makeRating('harsh', 'y', 1),
    ];
    const { ranked } = rankIdeas(more, ratings, ['author', 'mild', 'harsh']);
    expect(ranked.map(({ id, place }) => [id, place])).toEqual([
      ['x', 1],
      ['y', 2],
    ]);
    expect(ranked[0]?.score).toBeCloseTo(0.25);
  });

  it('name as wild cards the lower-ranked ideas whose ratings differ most', () => {
    const many = Array.from({ length: 8 }, (_none, index) => ({
      id: `i${index}`,
      seats: ['author'],
    }));
    const ratings = many.flatMap(({ id }, index) => [
      makeRating('a', id, 9 - index, id === 'i6' ? 9 : 9 - index),
      makeRating('b', id, 9 - index, id === 'i6' ? 1 : 9 - index),
    ]);
    const { ranked, wildCards } = rankIdeas(many, ratings, ['author', 'a', 'b']);
    expect(ranked.slice(0, 5).map(({ id }) => id)).toEqual(['i0', 'i1', 'i2', 'i3', 'i4']);
    expect(wildCards[0]?.id).toBe('i6');
  });

  it('are ignored unless they are integers from 1 to 10 and the seat’s only ones for a known idea', () => {
    const bad = [
      makeRating('s1', 'i1', 11),
      makeRating('s1', 'i1', 0),
      makeRating('s1', 'i1', 2.5),
      makeRating('s1', 'i9', 5),
      makeRating('s1', 'i1', Number.NaN),
    ];
    expect(rankIdeas(ideas, bad, seats)).toEqual({
      ranked: [],
      wildCards: [],
      unrated: ['i1', 'i2', 'i3'],
      refused: 5,
    });
    expect(
      rankIdeas(ideas, [makeRating('s1', 'i1', 5), makeRating('s1', 'i1', 6)], seats).ranked,
    ).toEqual([]);
  });

  it('give the same ranking if one rater adds two to every mark', () => {
    const cells = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(cells, (all) => {
        const makeRatings = (up: number) =>
          seats.flatMap((seat, row) =>
            ideas.map(({ id }, at) =>
              makeRating(seat, id, (all[row * 3 + at] ?? 1) + (row === 0 ? up : 0)),
            ),
          );
        const plain = rankIdeas(ideas, makeRatings(0), seats);
        expect(rankIdeas(ideas.toReversed(), makeRatings(0).toReversed(), seats)).toEqual(plain);
        const listPlaces = ({ ranked }: typeof plain) => ranked.map(({ id, place }) => [id, place]);
        expect(listPlaces(rankIdeas(ideas, makeRatings(2), seats))).toEqual(listPlaces(plain));
      }),
      { seed: 17 },
    );
  });
});
