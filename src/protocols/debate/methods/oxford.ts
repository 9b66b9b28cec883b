/**
 * Debates a motion before jurors who vote before and after the debate. The debate is held twice, in
 * two legs. In the second leg, the debaters change sides, and the jurors read the sides in the
 * other order, so that effects of a strong speaker or of the order cancel out.
 */
import {
  figures,
  oneOf,
  protocol,
  quote,
  type SeatAtWork,
  statement,
  z,
} from 'deliberate/protocol';

const vote = z.enum(['for', 'against', 'undecided']);
const words = statement(600);

export default protocol({
  name: 'oxford',
  seats: {
    // The first two seats are the debaters, and the other seats are jurors.
    seat: {
      brief: 'You take part in a debate. You do what is asked of you in it.',
      many: { least: 5, usual: 7 },
    },
  },
  texts: {
    before: 'You are a juror. Where do you stand on this motion now, by what you know?',
    opening:
      'You speak {side} the motion, whatever you think of it yourself. Make at most four arguments, the strongest first, each complete in itself and of at most 60 words.',
    rebuttal:
      'You speak {side} the motion. Below are the arguments of both sides. Answer the arguments of the other side, by their ids, each in at most 60 words.',
    closing:
      'You speak {side} the motion. Below is what both sides argued and answered. Close in at most 120 words.',
    after:
      'You are a juror. Below is the debate on the motion. Where do you stand on it now? Name the arguments that moved you, by their ids; none if none did.',
  },
  phases: {
    before: [],
    opening: [],
    rebuttal: ['opening'],
    closing: ['opening', 'rebuttal'],
    after: ['opening', 'rebuttal', 'closing'],
  },
  calls: (_settings, ids) => [(ids.length - 2) * 3 + 12, (ids.length - 2) * 3 + 12],
  async run({ seats, texts, prompt, askAll, ledger, show, conclude }) {
    const [one, other, ...jurors] = seats;
    if (one === undefined || other === undefined) throw new TypeError('two debaters are needed');
    const schema = z.object({ vote });
    const before = await askAll('before', jurors, () => prompt(texts.before), { schema, least: 3 });

    const holdLeg = async (leg: 1 | 2, pro: SeatAtWork<'seat'>, con: SeatAtWork<'seat'>) => {
      const said = ledger(`arguments of leg ${leg}`, leg === 1 ? 'A' : 'B');
      const floor = new figures.LegState(pro.id);
      const makeTask = (text: string, seat: SeatAtWork) =>
        prompt(text.replaceAll('{side}', floor.sideOf(seat)));
      const quoteSides = () =>
        floor.sides('for').map((side) => `${side.title}\n\n${quote(...side.texts)}`);

      const openings = await askAll(
        `opening/${leg}`,
        [pro, con],
        (seat) => makeTask(texts.opening, seat),
        {
          schema: z.object({ arguments: z.array(words).min(1).max(4) }),
        },
      );
      for (const { seat, value } of openings) {
        const made = value.arguments.map((text) => ({ text, kind: floor.sideOf(seat) }));
        floor.argue(seat, await said.add(`arguments/${leg}/${seat.id}`, seat.id, made));
      }
      if (openings.length < 2) return floor.close([], 'sole speaker');
      const answer = z.object({ of: oneOf(said.entries), text: words });
      const rebuttals = await askAll(
        `rebuttal/${leg}`,
        [pro, con],
        (seat) => [makeTask(texts.rebuttal, seat), ...quoteSides()].join('\n\n'),
        { schema: z.object({ answers: z.array(answer).max(4) }) },
      );
      floor.rebut(rebuttals);
      if (rebuttals.length < 2) return floor.close([], 'sole speaker');
      const closings = await askAll(`closing/${leg}`, [pro, con], (seat) =>
        [makeTask(texts.closing, seat), ...quoteSides()].join('\n\n'),
      );
      floor.end(closings);
      if (closings.length < 2) return floor.close([], 'sole speaker');
      const votes = await askAll(
        `after/${leg}`,
        before.map(({ seat }) => seat),
        (seat) => {
          const place = before.findIndex((juror) => juror.seat.id === seat.id);
          const sides = floor.sides((place + leg) % 2 === 0 ? 'for' : 'against');
          return prompt(
            texts.after,
            ...sides.map((side) => `${side.title}\n\n${quote(...side.texts)}`),
          );
        },
        { schema: z.object({ vote, moved_by: z.array(oneOf(said.entries)).max(4) }) },
      );
      return floor.close(votes);
    };
    // A leg is one pass of the debate; in the second leg, the two debaters change sides. Both legs
    // run at the same time, and no prompt of one leg contains texts of the other leg.
    const legs = await Promise.all([holdLeg(1, one, other), holdLeg(2, other, one)]);
    const contest = figures.judgeLegs(before, legs);
    for (const [at, figure] of contest.drawn.entries()) await show(`shown/${at + 1}`, figure);
    return conclude(contest.told);
  },
});
