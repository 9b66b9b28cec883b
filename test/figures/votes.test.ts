/** Ballots, and a contest before jurors. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContestLeg,
  compareBallots,
  countBallots,
  describeUnanimous,
  findConsensus,
  isLegRepeated,
  type JurorVote,
  judgeContest,
  rankDissent,
  type Vote,
} from '../../src/figures/figures.ts';
import { judgeLegs, LegState } from '../../src/figures/methods/floor.ts';
import { makeSeededRandom } from './seeded.ts';

const makeBallots = (...options: readonly string[]) =>
  options.map((option, index) => ({ seat: `s${index}`, option }));
const makeVotes = (...cast: readonly (Vote | '-')[]): JurorVote[] =>
  cast.flatMap((vote, index) => (vote === '-' ? [] : [{ juror: `j${index}`, vote }]));
const makeLeg = (...cast: readonly (Vote | '-')[]): ContestLeg => ({ after: makeVotes(...cast) });

describe('a count of ballots', () => {
  it('reports a winner, a tie, a majority or a unanimous vote', () => {
    expect(countBallots(makeBallots('a', 'b', 'a', 'c'))).toMatchObject({
      heard: 4,
      winner: 'a',
      tied: [],
      majority: false,
      unanimous: false,
    });
    expect(countBallots(makeBallots('b', 'a'))).toMatchObject({
      winner: undefined,
      tied: ['a', 'b'],
    });
    expect(countBallots(makeBallots('a', 'a'))).toMatchObject({ majority: true, unanimous: true });
  });

  it('is described as the opinion of one model only if all seats are known to have the same model', () => {
    const describeBy = (...models: readonly (string | undefined)[]): string =>
      describeUnanimous({
        answers: models.map((model, at) => ({
          id: `A${at}`,
          text: '',
          seat: { id: `s${at}`, title: `Seat ${at}`, ...(model === undefined ? {} : { model }) },
        })),
        tally: { heard: models.length, winner: 'O1' },
        name: () => 'Keep it',
      }).result;
    expect(describeBy('a/m', 'a/m')).toContain('which are one model');
    for (const models of [
      ['a/m', 'b/m'],
      [undefined, undefined],
      ['a/m', undefined],
    ])
      expect(describeBy(...models), String(models)).toContain('each by itself');
  });

  it('has no winner if there are no ballots', () => {
    expect(countBallots([])).toEqual({
      heard: 0,
      options: [],
      winner: undefined,
      tied: [],
      majority: false,
      unanimous: false,
    });
    expect(countBallots(makeBallots('a')).unanimous).toBe(false);
  });

  it('leaves out a seat with two different ballots', () => {
    const torn = [...makeBallots('a', 'b'), { seat: 's0', option: 'b' }];
    expect(countBallots(torn)).toMatchObject({ heard: 1, winner: 'b' });
    expect(countBallots(torn.toReversed())).toEqual(countBallots(torn));
  });

  it('is compared with an earlier count seat by seat', () => {
    const after = [
      { seat: 's0', option: 'b' },
      { seat: 's1', option: 'b' },
      { seat: 'new', option: 'b' },
    ];
    expect(compareBallots(makeBallots('a', 'b', 'a'), after)).toEqual({
      changed: [{ seat: 's0', from: 'a', to: 'b' }],
      held: ['s1'],
      missing: ['s2'],
    });
  });

  it('does not depend on the order of the ballots', () => {
    const cast = fc.array(
      fc.record({
        seat: fc.constantFrom('a', 'b', 'c', 'd'),
        option: fc.constantFrom('x', 'y', 'z'),
      }),
    );
    fc.assert(
      fc.property(cast, (all) => {
        expect(countBallots(all.toReversed())).toEqual(countBallots(all));
      }),
      { seed: 17 },
    );
  });
});

describe('the claims on which seats agree', () => {
  const claims = [
    { id: 'C-1', seats: ['a', 'b', 'a'] },
    { id: 'C-2', seats: ['a', 'gone'] },
    { id: 'C-3', seats: ['c', 'b', 'a'] },
  ];
  it('are those that at least two seats and two thirds of all seats share', () => {
    expect(findConsensus(claims, ['a', 'b', 'c']).map(({ id }) => id)).toEqual(['C-1', 'C-3']);
    expect(findConsensus(claims, ['a', 'b', 'c', 'd']).map(({ id }) => id)).toEqual(['C-3']);
    expect(findConsensus(claims, ['a'])).toEqual([]);
    expect(findConsensus([], [])).toEqual([]);
  });

  it('are used to sort the seats: the seat that shares the fewest of them comes first', () => {
    const heard = ['a', 'b', 'c'];
    expect(rankDissent(findConsensus(claims, heard), heard)).toEqual([
      { seat: 'c', carries: 1 },
      { seat: 'a', carries: 2 },
      { seat: 'b', carries: 2 },
    ]);
  });
});

describe('a contest of two debates with swapped sides', () => {
  const before = makeVotes('for', 'against', 'undecided', 'against', 'for');

  it('is won by a side that gains votes in both debates, and enough of them in all', () => {
    const won = judgeContest(before, [
      makeLeg('for', 'for', 'for', 'against', 'for'),
      makeLeg('for', 'for', 'undecided', 'against', 'for'),
    ]);
    expect(won).toMatchObject({ result: 'for', why: 'both legs', sum: 5, jurors: 5 });
    const less = judgeContest(before, [
      makeLeg('for', 'for', 'undecided', 'against', 'for'),
      makeLeg('for', 'for', 'undecided', 'against', 'for'),
    ]);
    expect(less).toMatchObject({ result: 'draw', why: 'too little moved', sum: 4 });
  });

  it('is a draw if jurors follow the side that they read first', () => {
    const first = judgeContest(makeVotes('undecided', 'undecided', 'undecided'), [
      makeLeg('for', 'for', 'for'),
      makeLeg('against', 'against', 'against'),
    ]);
    expect(first).toMatchObject({ result: 'draw', why: 'legs differ', sum: 0 });
  });

  it('is won by the side whose arguments win with either speaker', () => {
    const content = judgeContest(makeVotes('undecided', 'against', 'undecided'), [
      makeLeg('for', 'for', 'for'),
      makeLeg('for', 'for', 'for'),
    ]);
    expect(content.result).toBe('for');
  });

  it('has no result if the models say the same in both debates', () => {
    const speeches = ['**Arguments** for it.', 'Arguments against it.'];
    expect(isLegRepeated(speeches, ['arguments for it', 'Arguments against it.'])).toBe(true);
    expect(isLegRepeated(speeches, speeches.toReversed())).toBe(false);
    expect(isLegRepeated([], [])).toBe(false);
    const all = makeLeg('for', 'for', 'for', 'for', 'for');
    const repeated = judgeContest(before, [all, { ...all, flaw: 'repeated' }]);
    expect(repeated).toMatchObject({ result: 'open', why: 'leg flawed' });
    expect(repeated.legs[1]?.flaw).toBe('repeated');
  });

  it('has no result if one side makes only arguments that the other side makes as well', () => {
    const floor = new LegState('one');
    const [pro, con] = [
      { id: 'one', title: 'One' },
      { id: 'two', title: 'Two' },
    ];
    floor.argue(pro, [{ id: 'A-1', text: 'It is **good**.' }]);
    floor.argue(con, [
      { id: 'A-2', text: 'it is good' },
      { id: 'A-3', text: 'It is green.' },
    ]);
    expect(floor.close([])).toMatchObject({ flaw: 'one side' });
    const other = new LegState('one');
    other.argue(pro, [{ id: 'B-1', text: 'It is good.' }]);
    other.argue(con, [{ id: 'B-2', text: 'It is not good.' }]);
    expect(other.close([]).flaw).toBeUndefined();
    const { told } = judgeLegs([], [floor.close([]), other.close([])]);
    expect(told.result).toBe('Open, since a leg is void.');
  });

  it('reports the votes before the debates even if nobody voted afterwards', () => {
    const cast = ['a', 'b', 'c'].map((id) => ({
      seat: { id, title: id },
      value: { vote: 'for' as const },
    }));
    const { told } = judgeLegs(cast as never, [
      new LegState('a').close([]),
      new LegState('b').close([]),
    ]);
    expect(told.first).toBe('3 for, 0 against, 0 undecided.');
  });

  it('has no result if one side or one debate is missing', () => {
    const all = makeLeg('for', 'for', 'for', 'for', 'for');
    expect(judgeContest(before, [all, { ...all, flaw: 'sole speaker' }]).result).toBe('open');
    expect(judgeContest(before, [all])).toMatchObject({ result: 'open', why: 'leg missing' });
    expect(judgeContest(before, [])).toMatchObject({ result: 'open', sum: 0, jurors: 0 });
    expect(judgeContest(before, [all, makeLeg('for', 'for')]).legs[1]?.flaw).toBe('few jurors');
  });

  it('counts only jurors who voted before and after', () => {
    const contest = judgeContest(before, [
      makeLeg('for', '-', 'for', 'for', 'for'),
      { after: [...makeVotes('for', 'for', 'for', 'for'), { juror: 'stranger', vote: 'for' }] },
    ]);
    expect(contest.legs.map(({ missing }) => missing)).toEqual([['j1'], ['j4']]);
    expect(contest.legs.map(({ sum }) => sum)).toEqual([3, 5]);
    expect(contest.jurors).toBe(5);
  });

  it('ignores votes other than for, against and undecided', () => {
    const strange = [
      ...makeVotes('for', 'for', 'for'),
      { juror: 'j3', vote: 'constructor' as Vote },
    ];
    expect(judgeContest(before, [{ after: strange }, makeLeg('for')]).legs[0]?.missing).toEqual([
      'j3',
      'j4',
    ]);
  });

  it('lists separately the arguments that a juror names although nobody made them', () => {
    const after = [{ juror: 'j1', vote: 'for' as const, movedBy: ['A-1', 'A-9', 'A-1'] }];
    const [firstLeg] = judgeContest(before, [{ after, arguments: ['A-1', 'B-1'] }]).legs;
    expect(firstLeg?.pairs[0]).toMatchObject({ movedBy: ['A-1'], invented: ['A-9'], shift: 2 });
  });

  it('names the side that could gain no votes because all jurors voted for it before the debates', () => {
    expect(judgeContest(makeVotes('for', 'for', 'for'), []).couldNotGain).toBe('for');
    expect(judgeContest(makeVotes('against', 'against'), []).couldNotGain).toBe('against');
    expect(judgeContest(makeVotes('undecided', 'undecided'), []).couldNotGain).toBeUndefined();
    expect(judgeContest(before, []).couldNotGain).toBeUndefined();
  });

  describe('with five jurors who switch sides at random', () => {
    const DEBATES = 2_000;
    const playDebates = (begin: (random: () => number) => Vote) => {
      const random = makeSeededRandom(17);
      const switchSide = (vote: Vote): Vote =>
        random() < 0.1 ? (vote === 'for' ? 'against' : 'for') : vote;
      return Array.from({ length: DEBATES }, () => {
        const cast = Array.from({ length: 5 }, () => begin(random));
        return judgeContest(makeVotes(...cast), [
          makeLeg(...cast.map(switchSide)),
          makeLeg(...cast.map(switchSide)),
        ]);
      }).filter(({ result }) => result === 'for' || result === 'against');
    };

    it('has a winner in at most 3 % of 2,000 cases if the jurors’ first votes are random, too', () => {
      const won = playDebates((random) => (random() < 0.5 ? 'for' : 'against'));
      expect(won.length).toBeLessThanOrEqual(0.03 * DEBATES);
      // At least one contest must have a winner, so that this test also fails if no contest can ever be won.
      expect(won.length).toBeGreaterThan(0);
    });

    it('has over 3 % winners, all of them "for", if all jurors were "against" before the debates', () => {
      const won = playDebates(() => 'against');
      expect(won.length).toBeGreaterThan(0.03 * DEBATES);
      expect(
        won.every((contest) => contest.result === 'for' && contest.couldNotGain === 'against'),
      ).toBe(true);
    });
  });

  it('is lost by the side that won it if every vote is reversed', () => {
    const vote = fc.constantFrom<Vote>('for', 'against', 'undecided');
    const panel = fc.array(vote, { minLength: 5, maxLength: 5 });
    const mirrorVotes = (all: readonly Vote[]): Vote[] =>
      all.map((vote) => (vote === 'for' ? 'against' : vote === 'against' ? 'for' : vote));
    fc.assert(
      fc.property(panel, panel, panel, (was, one, two) => {
        const plain = judgeContest(makeVotes(...was), [makeLeg(...one), makeLeg(...two)]);
        const turned = judgeContest(makeVotes(...mirrorVotes(was)), [
          makeLeg(...mirrorVotes(one)),
          makeLeg(...mirrorVotes(two)),
        ]);
        expect(turned.sum + plain.sum).toBe(0);
        expect(turned.result).toBe(
          plain.result === 'for' ? 'against' : plain.result === 'against' ? 'for' : plain.result,
        );
        const reversed = judgeContest(makeVotes(...was).toReversed(), [
          { after: makeVotes(...one).toReversed() },
          makeLeg(...two),
        ]);
        expect(reversed).toEqual(plain);
      }),
      { seed: 17 },
    );
  });
});
