/**
 * Oxford: what is owed to a strong speaker or to being read first decides nothing, and what is missing counts
 * for nothing.
 */
import { describe, expect, it } from 'vitest';
import {
  type AnswerScript,
  listAskedSeats,
  runScriptedMethod,
  type ScriptedCall,
} from './by-script.ts';

const SEATS = { seat: 5 };

/** Speeches that name their speaker and side; jurors as told. */
function makeContest(own: Readonly<Record<string, AnswerScript>> = {}): AnswerScript {
  const sideOf = ({ text }: ScriptedCall): string =>
    text.includes('You speak for') ? 'for' : 'against';
  const usual: Readonly<Record<string, AnswerScript>> = {
    before: () => ({ vote: 'undecided' }),
    opening: (asked) => ({
      arguments: [`${asked.seat} argues ${sideOf(asked)} it.`, `${asked.seat} adds to it.`],
    }),
    rebuttal: () => ({ answers: [] }),
    closing: (asked) => `${asked.seat} closes ${sideOf(asked)} it.`,
    after: () => ({ vote: 'for', moved_by: [] }),
  };
  return (asked) => {
    const answer = own[asked.phase];
    return (answer ?? usual[asked.phase])?.(asked);
  };
}

const isLegTwo = ({ text }: ScriptedCall): boolean => text.includes('from="B1"');

describe('the debate method "oxford"', () => {
  it('has no result if a side uses the same arguments in both debates, although its speaker changed', async () => {
    const { outcome, again, added } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({
        opening: ({ text }) => ({
          arguments: [text.includes('You speak for') ? 'It pays.' : 'It costs.'],
        }),
      }),
    );
    expect(outcome?.result).toBe('Open, since a leg is void.');
    expect([again, added]).toEqual([0, 0]);
  });

  it('ends in a draw if each juror votes for the side that the juror has read first', async () => {
    const voteForFirst: AnswerScript = ({ text }) => ({
      vote:
        text.indexOf('For the motion:') < text.indexOf('Against the motion:') ? 'for' : 'against',
      moved_by: [],
    });
    const { outcome, figures } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({ after: voteForFirst }),
    );
    expect(figures.map((figure) => figure.note)).toEqual(['Sum -1.', 'Sum +1.']);
    expect(outcome?.result).toMatch(/^A draw/);
  });

  it('ends in a draw if jurors vote for the same speaker before and after the speakers change sides', async () => {
    const voteForSpeaker: AnswerScript = ({ text }) => ({
      vote: text.includes('seat-1 closes for') ? 'for' : 'against',
      moved_by: [],
    });
    const { outcome } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({ after: voteForSpeaker }),
    );
    expect(outcome?.result).toMatch(/^A draw/);
  });

  it('is won by the side whose arguments move jurors in both debates', async () => {
    const { outcome } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({
        after: ({ text }) => ({
          vote: 'against',
          moved_by: [isLegTwo({ text, phase: '', seat: '' }) ? 'B3' : 'A3'],
        }),
      }),
    );
    expect(outcome?.result).toBe('Against the motion, since both legs lean to it.');
    expect(outcome?.moved).toBe(
      '6 votes over both legs. Named most: A3 (3 times), “seat-2 argues against it”. Then B3 (3 times).',
    );
  });

  it('counts a juror in a debate only if the juror voted both before and after that debate', async () => {
    const four = { seat: 6 };
    const { figures, outcome } = await runScriptedMethod(
      'oxford',
      four,
      makeContest({
        after: (asked) =>
          asked.seat === 'seat-4' && isLegTwo(asked) ? undefined : { vote: 'for', moved_by: [] },
      }),
    );
    expect(figures.map((figure) => figure.kind === 'changes' && figure.rows.length)).toEqual([
      4, 3,
    ]);
    expect(figures[1]?.note).toContain('Not paired: Seat 4.');
    expect(outcome?.result).toBe('For the motion, since both legs lean to it.');
    const before = await runScriptedMethod(
      'oxford',
      four,
      makeContest({
        before: ({ seat }) => (seat === 'seat-4' ? undefined : { vote: 'undecided' }),
      }),
    );
    expect(listAskedSeats(before.calls, 'after')).not.toContain('seat-4');
  });

  it.each(['opening', 'rebuttal', 'closing'])(
    'has no result if a side is silent in its %s of the second debate, held with swapped sides',
    async (phase) => {
      const { outcome, calls, ended } = await runScriptedMethod(
        'oxford',
        SEATS,
        makeContest({
          [phase]: (asked: ScriptedCall) => {
            const pro = asked.text.includes('You speak for');
            if (asked.seat === 'seat-1' && !pro) return undefined;
            return makeContest()(asked);
          },
        }),
      );
      expect(ended.status).toBe('done');
      expect(outcome?.result).toBe('Open, since a leg is void.');
      // The three jurors vote after the first debate. The jurors do not vote after the second debate, because a
      // side was silent in it.
      expect(calls.filter((call) => call.phase === 'after')).toHaveLength(3);
    },
  );

  it('reports that a juror gave as a reason the id of an argument that nobody made', async () => {
    const { figures } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({ after: () => ({ vote: 'for', moved_by: ['A1', 'Z9'] }) }),
    );
    const [leg] = figures;
    expect(leg?.kind === 'changes' && leg.rows[0]?.text).toBe(
      'by A1; names Z9, which nobody argued',
    );
  });

  it('says that a side could not gain if all jurors were for it before the debate', async () => {
    const { outcome } = await runScriptedMethod(
      'oxford',
      SEATS,
      makeContest({
        before: () => ({ vote: 'for' }),
        after: () => ({ vote: 'against', moved_by: [] }),
      }),
    );
    expect(outcome?.belief).toContain('All jurors were for before, so that side could not gain.');
  });

  it('shows no argument of the first debate in the prompts of the second one', async () => {
    const { calls } = await runScriptedMethod('oxford', SEATS, makeContest());
    for (const asked of calls.filter(({ phase }) => !['before', 'opening'].includes(phase)))
      expect(isLegTwo(asked) && asked.text.includes('from="A1"')).toBe(false);
    const orders = calls
      .filter(({ phase, seat }) => phase === 'after' && seat === 'seat-3')
      .map(({ text }) => text.indexOf('For the motion:') < text.indexOf('Against the motion:'));
    expect(orders.sort()).toEqual([false, true]);
    expect(calls.filter(isLegTwo).every(({ text }) => !text.includes('seat-1 argues for'))).toBe(
      true,
    );
  });
});
