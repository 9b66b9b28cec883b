/**
 * A motion before jurors who vote before and after. Two legs: debaters change sides and jurors the order
 * of reading, so that what is owed to a strong speaker or to coming first cancels.
 */
import { figures, oneOf, protocol, quote, type SeatAtWork, z } from 'deliberate/protocol';

const vote = z.enum(['for', 'against', 'undecided']);
const words = z.string().min(1).max(600);
type Side = 'for' | 'against';

export default protocol({
  name: 'oxford',
  seats: {
    // The first two debate, the others are jurors.
    seat: {
      brief: 'You take part in a debate. You do what is asked of you in it.',
      many: { least: 5, usual: 7 },
    },
  },
  texts: {
    before: 'You are a juror. Where do you stand on this motion now, by what you know?',
    opening:
      'You speak {side} the motion. Make at most four arguments, the strongest first, each complete in itself.',
    rebuttal:
      'You speak {side} the motion. Below are the arguments of both sides. Answer those of the other side, by their ids.',
    closing:
      'You speak {side} the motion. Below is what was argued and answered. Close in at most 120 words.',
    after:
      'You are a juror. Below is the debate. Where do you stand on the motion now? Name the arguments that moved you; none if none did.',
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
    const before = await askAll('before', jurors, () => prompt(texts.before), {
      schema: z.object({ vote }),
      least: 3,
    });
    const sat = before.map(({ seat }) => seat);

    const hold = async (leg: number, pro: SeatAtWork<'seat'>, con: SeatAtWork<'seat'>) => {
      const said = ledger(`leg ${leg}`, leg === 1 ? 'A' : 'B');
      const sideOf = ({ id }: SeatAtWork): Side => (id === pro.id ? 'for' : 'against');
      const task = (text: string, seat: SeatAtWork) => text.replace('{side}', sideOf(seat));
      const openings = await askAll(
        `opening/${leg}`,
        [pro, con],
        (seat) => prompt(task(texts.opening, seat)),
        {
          schema: z.object({ arguments: z.array(words).min(1).max(4) }),
        },
      );
      for (const { seat, value } of openings)
        await said.add(
          `arguments/${leg}/${seat.id}`,
          seat.id,
          value.arguments.map((text) => ({ text, kind: sideOf(seat) })),
        );
      const speeches = said.entries.map(({ text }) => text);
      if (openings.length < 2)
        return { leg: { after: [], flaw: 'sole speaker' as const }, speeches };
      const list = quote(...said.quotables());
      const rebuttals = await askAll(
        `rebuttal/${leg}`,
        [pro, con],
        (seat) => prompt(task(texts.rebuttal, seat), list),
        {
          schema: z.object({
            answers: z.array(z.object({ of: oneOf(said.entries), text: words })).max(4),
          }),
        },
      );
      const answered = rebuttals.flatMap(({ value }) =>
        value.answers.map(({ of, text }) => ({ from: `On ${of}`, text })),
      );
      const whole = [list, quote(...answered)].join('\n\n');
      const closings = await askAll(`closing/${leg}`, [pro, con], (seat) =>
        prompt(task(texts.closing, seat), whole),
      );
      const read = (first: Side) => {
        const sides: readonly Side[] = first === 'for' ? ['for', 'against'] : ['against', 'for'];
        return sides.flatMap((side) => [
          quote(...said.quotables(({ kind }) => kind === side)),
          quote(
            ...rebuttals
              .filter(({ seat }) => sideOf(seat) === side)
              .flatMap(({ value }) =>
                value.answers.map(({ of, text }) => ({ from: `On ${of}`, text })),
              ),
          ),
          quote(
            ...closings
              .filter(({ seat }) => sideOf(seat) === side)
              .map(({ value }) => ({ from: `Closing ${side}`, text: value })),
          ),
        ]);
      };
      const votes = await askAll(
        `after/${leg}`,
        sat,
        (seat) =>
          prompt(texts.after, ...read((sat.indexOf(seat) + leg) % 2 === 0 ? 'for' : 'against')),
        {
          schema: z.object({ vote, moved_by: z.array(oneOf(said.entries)).max(4) }),
        },
      );
      const sole =
        rebuttals.length < 2 || closings.length < 2 ? { flaw: 'sole speaker' as const } : {};
      const after = votes.map(({ seat, value }) => ({
        juror: seat.id,
        vote: value.vote,
        movedBy: value.moved_by,
      }));
      return { leg: { after, arguments: said.entries.map(({ id }) => id), ...sole }, speeches };
    };
    const [first, second] = await Promise.all([hold(1, one, other), hold(2, other, one)]);
    const repeats = figures.isRepeated(first.speeches, second.speeches)
      ? { flaw: 'repeated' as const }
      : {};
    const votes = before.map(({ seat, value }) => ({ juror: seat.id, vote: value.vote }));
    const contest = figures.judgeContest(votes, [first.leg, { ...second.leg, ...repeats }]);
    const titles = new Map(seats.map(({ id, title }) => [id, title]));
    for (const [at, figure] of figures.drawLegs(contest, titles).entries())
      await show(`leg/${at + 1}`, figure);
    return conclude(figures.tellContest(contest));
  },
});
