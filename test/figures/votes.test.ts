/** Ballots, and a contest before jurors. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareBallots,
  countBallots,
  findConsensus,
  isLegRepeated,
  type JurorVote,
  judgeContest,
  type Leg,
  rankDissent,
  type Vote,
} from '../../src/figures/figures.ts';
import { Floor, judgeLegs } from '../../src/figures/methods/floor.ts';
import { seeded } from './seeded.ts';

const ballots = (...options: readonly string[]) =>
  options.map((option, index) => ({ seat: `s${index}`, option }));
const votes = (...cast: readonly (Vote | '-')[]): JurorVote[] =>
  cast.flatMap((vote, index) => (vote === '-' ? [] : [{ juror: `j${index}`, vote }]));
const leg = (...cast: readonly (Vote | '-')[]): Leg => ({ after: votes(...cast) });

describe('a count of ballots', () => {
  it('reports a winner, a tie, a majority or a unanimous vote', () => {
    expect(countBallots(ballots('a', 'b', 'a', 'c'))).toMatchObject({
      heard: 4,
      winner: 'a',
      tied: [],
      majority: false,
      unanimous: false,
    });
    expect(countBallots(ballots('b', 'a'))).toMatchObject({ winner: undefined, tied: ['a', 'b'] });
    expect(countBallots(ballots('a', 'a'))).toMatchObject({ majority: true, unanimous: true });
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
    expect(countBallots(ballots('a')).unanimous).toBe(false);
  });

  it('leaves out a seat with two different ballots', () => {
    const torn = [...ballots('a', 'b'), { seat: 's0', option: 'b' }];
    expect(countBallots(torn)).toMatchObject({ heard: 1, winner: 'b' });
    expect(countBallots(torn.toReversed())).toEqual(countBallots(torn));
  });

  it('is compared with an earlier one seat by seat', () => {
    const after = [
      { seat: 's0', option: 'b' },
      { seat: 's1', option: 'b' },
      { seat: 'new', option: 'b' },
    ];
    expect(compareBallots(ballots('a', 'b', 'a'), after)).toEqual({
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

  it('are used to sort the seats: the one that shares the fewest comes first', () => {
    const heard = ['a', 'b', 'c'];
    expect(rankDissent(findConsensus(claims, heard), heard)).toEqual([
      { seat: 'c', carries: 1 },
      { seat: 'a', carries: 2 },
      { seat: 'b', carries: 2 },
    ]);
  });
});

describe('a contest of two debates with swapped sides', () => {
  const before = votes('for', 'against', 'undecided', 'against', 'for');

  it('is won by a side that gains votes in both debates', () => {
    const won = judgeContest(before, [
      leg('for', 'for', 'for', 'against', 'for'),
      leg('for', 'for', 'undecided', 'against', 'for'),
    ]);
    expect(won).toMatchObject({ result: 'for', why: 'both legs', sum: 5, jurors: 5 });
    const less = judgeContest(before, [
      leg('for', 'for', 'undecided', 'against', 'for'),
      leg('for', 'for', 'undecided', 'against', 'for'),
    ]);
    expect(less).toMatchObject({ result: 'draw', why: 'too little moved', sum: 4 });
  });

  it('is a draw if jurors follow the side that they read first', () => {
    const first = judgeContest(votes('undecided', 'undecided', 'undecided'), [
      leg('for', 'for', 'for'),
      leg('against', 'against', 'against'),
    ]);
    expect(first).toMatchObject({ result: 'draw', why: 'legs differ', sum: 0 });
  });

  it('is won by the side whose arguments win with either speaker', () => {
    const content = judgeContest(votes('undecided', 'against', 'undecided'), [
      leg('for', 'for', 'for'),
      leg('for', 'for', 'for'),
    ]);
    expect(content.result).toBe('for');
  });

  it('has no result if the models say the same in both debates', () => {
    const speeches = ['**Arguments** for it.', 'Arguments against it.'];
    expect(isLegRepeated(speeches, ['arguments for it', 'Arguments against it.'])).toBe(true);
    expect(isLegRepeated(speeches, speeches.toReversed())).toBe(false);
    expect(isLegRepeated([], [])).toBe(false);
    const all = leg('for', 'for', 'for', 'for', 'for');
    const repeated = judgeContest(before, [all, { ...all, flaw: 'repeated' }]);
    expect(repeated).toMatchObject({ result: 'open', why: 'leg flawed' });
    expect(repeated.legs[1]?.flaw).toBe('repeated');
  });

  it('has no result if both sides make the same arguments', () => {
    const floor = new Floor('one');
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
    const other = new Floor('one');
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
    const { told } = judgeLegs(cast as never, [new Floor('a').close([]), new Floor('b').close([])]);
    expect(told.first).toBe('3 for, 0 against, 0 undecided.');
  });

  it('has no result if one side or one debate is missing', () => {
    const all = leg('for', 'for', 'for', 'for', 'for');
    expect(judgeContest(before, [all, { ...all, flaw: 'sole speaker' }]).result).toBe('open');
    expect(judgeContest(before, [all])).toMatchObject({ result: 'open', why: 'leg missing' });
    expect(judgeContest(before, [])).toMatchObject({ result: 'open', sum: 0, jurors: 0 });
    expect(judgeContest(before, [all, leg('for', 'for')]).legs[1]?.flaw).toBe('few jurors');
  });

  it('counts only jurors who voted before and after', () => {
    const contest = judgeContest(before, [
      leg('for', '-', 'for', 'for', 'for'),
      { after: [...votes('for', 'for', 'for', 'for'), { juror: 'stranger', vote: 'for' }] },
    ]);
    expect(contest.legs.map(({ missing }) => missing)).toEqual([['j1'], ['j4']]);
    expect(contest.legs.map(({ sum }) => sum)).toEqual([3, 5]);
    expect(contest.jurors).toBe(5);
  });

  it('ignores votes other than for, against and undecided', () => {
    const strange = [...votes('for', 'for', 'for'), { juror: 'j3', vote: 'constructor' as Vote }];
    expect(judgeContest(before, [{ after: strange }, leg('for')]).legs[0]?.missing).toEqual([
      'j3',
      'j4',
    ]);
  });

  it('lists separately the arguments that a juror names although nobody made them', () => {
    const after = [{ juror: 'j1', vote: 'for' as const, movedBy: ['A-1', 'A-9', 'A-1'] }];
    const [one] = judgeContest(before, [{ after, arguments: ['A-1', 'B-1'] }]).legs;
    expect(one?.pairs[0]).toMatchObject({ movedBy: ['A-1'], invented: ['A-9'], shift: 2 });
  });

  it('names the side for which all jurors were already before the debate', () => {
    expect(judgeContest(votes('for', 'for', 'for'), []).couldNotGain).toBe('for');
    expect(judgeContest(votes('against', 'against'), []).couldNotGain).toBe('against');
    expect(judgeContest(votes('undecided', 'undecided'), []).couldNotGain).toBeUndefined();
    expect(judgeContest(before, []).couldNotGain).toBeUndefined();
  });

  describe('with five jurors who switch sides at random', () => {
    const DEBATES = 2_000;
    const play = (begin: (random: () => number) => Vote) => {
      const random = seeded(17);
      const turn = (vote: Vote): Vote =>
        random() < 0.1 ? (vote === 'for' ? 'against' : 'for') : vote;
      return Array.from({ length: DEBATES }, () => {
        const cast = Array.from({ length: 5 }, () => begin(random));
        return judgeContest(votes(...cast), [leg(...cast.map(turn)), leg(...cast.map(turn))]);
      }).filter(({ result }) => result === 'for' || result === 'against');
    };

    it('has a winner in at most 3 % of 2,000 cases', () => {
      const won = play((random) => (random() < 0.5 ? 'for' : 'against'));
      expect(won.length).toBeLessThanOrEqual(0.03 * DEBATES);
      // Some debates must have a winner; otherwise the limit above would show nothing.
      expect(won.length).toBeGreaterThan(0);
    });

    it('has a winner in over 3 % of cases if all had voted against', () => {
      const won = play(() => 'against');
      expect(won.length).toBeGreaterThan(0.03 * DEBATES);
      expect(won.every((one) => one.result === 'for' && one.couldNotGain === 'against')).toBe(true);
    });
  });

  it('gives the opposite result for opposite votes', () => {
    const vote = fc.constantFrom<Vote>('for', 'against', 'undecided');
    const panel = fc.array(vote, { minLength: 5, maxLength: 5 });
    const mirror = (all: readonly Vote[]): Vote[] =>
      all.map((one) => (one === 'for' ? 'against' : one === 'against' ? 'for' : one));
    fc.assert(
      fc.property(panel, panel, panel, (was, one, two) => {
        const plain = judgeContest(votes(...was), [leg(...one), leg(...two)]);
        const turned = judgeContest(votes(...mirror(was)), [
          leg(...mirror(one)),
          leg(...mirror(two)),
        ]);
        expect(turned.sum + plain.sum).toBe(0);
        expect(turned.result).toBe(
          plain.result === 'for' ? 'against' : plain.result === 'against' ? 'for' : plain.result,
        );
        const reversed = judgeContest(votes(...was).toReversed(), [
          { after: votes(...one).toReversed() },
          leg(...two),
        ]);
        expect(reversed).toEqual(plain);
      }),
      { seed: 17 },
    );
  });
});
