/**
 * A debate that ends when nothing is disputed any more: blind answers, criticism of each answer by
 * quotation, replies to open points, and last positions that name what changed them.
 */
import { checkQuotes, figures, oneOf, protocol, quote, statement, z } from 'deliberate/protocol';

const words = statement(600);

export default protocol({
  name: 'standard',
  settings: z.object({ turns: z.number().int().min(0).max(2).default(2) }),
  seats: {
    seat: {
      brief: 'You answer a question by yourself. Say what you hold, and why.',
      many: { least: 2, usual: 3 },
    },
    judge: 'You are not on the panel. You report what others said, by what stands there alone.',
  },
  texts: {
    answer:
      'Answer in at most 250 words, with your reasons. Then name your choice in at most eight words, as it would stand on a ballot, and how sure you are, from 0 to 100.',
    critique:
      'Below are answers of others. Name at most four points, the weightiest first: what you agree with, what you dispute, what is missing. With each that you agree with or dispute, quote the sentence it is about, word for word; with one that is missing, leave the quotation empty.',
    turn: 'Somebody disputes a sentence of your answer. Hold it with a reason that you have not given yet, amend it, or concede it. Reply in at most 80 words.',
    position:
      'Below are the options, then what was agreed, disputed and missed, and what came of it. Which option do you hold now, and how sure are you, from 0 to 100? Name the point that changed your option; nothing, if none did.',
    report:
      'Report in at most 200 words, in plain sentences for somebody who has not read the answers: the strongest reason for each option, the strongest against it, and what stayed open. Recommend nothing, and count nobody.',
  },
  phases: {
    answer: [],
    'answer-options': ['answer.choice'],
    critique: ['answer.answer'],
    turn: ['own:answer.answer', 'answer.answer', 'critique.text'],
    position: ['answer.choice', 'answer.answer', 'critique.text', 'turn.reply'],
    report: ['answer.answer', 'answer.choice', 'critique.text', 'turn.reply'],
  },
  calls: ({ turns }, ids) => [ids.length, (ids.length - 1) * (4 + turns) + 3],
  async run(context) {
    const { settings, seats, texts, prompt, ask, askAll, present, poll, compare, ledger } = context;
    const panel = seats.filter(({ role }) => role === 'seat');
    const first = await poll('answer', panel, prompt(texts.answer), { judge: 'judge', least: 2 });
    const { answers, options, tally, tell } = first;
    if (tally.unanimous) return context.conclude(figures.describeUnanimous(first));

    const points = ledger('points', 'D');
    const turns = new figures.Turns(points, answers);
    const quoteOwn = (id: string) =>
      quote(...turns.own(id).map(({ text }) => ({ from: 'Your answer', text })));
    const point = z.object({
      kind: z.enum(figures.POINTS),
      of: oneOf(answers),
      quote: z.string(),
      text: words,
    });
    const critiques = await askAll(
      'critique',
      turns.seats,
      ({ id }) => prompt(texts.critique, quote(...turns.others(id))),
      {
        schema: z.object({ points: z.array(point).max(4) }),
        check: (value) => checkQuotes(figures.readPoints(value.points), answers),
        wrongTwice: 'keep',
      },
    );
    await points.addAll('points', critiques, (value) => figures.readPoints(value.points), answers);

    for (let turn = 1; turn <= settings.turns; turn += 1) {
      const due = turns.due(present(turns.seats));
      const replies = await askAll(
        `turn/${turn}`,
        present(turns.seats).filter(({ id }) => due.has(id)),
        ({ id }) =>
          prompt(
            texts.turn,
            quoteOwn(id),
            quote(...points.quotables((entry) => entry.id === due.get(id))),
          ),
        { schema: z.object({ stand: z.enum(['held', 'amended', 'conceded']), reply: words }) },
      );
      for (const { seat, value } of replies)
        await points.mark(
          `turned/${turn}/${seat.id}`,
          due.get(seat.id) ?? '',
          value.stand,
          value.reply,
        );
    }

    const list = quote(...options, ...turns.points);
    const last = await askAll(
      'position',
      present(turns.seats),
      ({ id }) => prompt(texts.position, quoteOwn(id), list),
      {
        schema: z.object({
          option: oneOf(options),
          because: oneOf(points.entries, 'nothing'),
          confidence: z.number().min(0).max(100),
        }),
      },
    );
    const { result, moved, unexplained } = await compare('changes', first, last, points.entries);
    const task = prompt(texts.report, list, quote(...answers));
    const text =
      last.length < 2
        ? figures.formatAnswers(answers)
        : await ask('report', 'judge', task, { otherwise: '' });
    return context.conclude({
      result,
      moved,
      first: `${tell(tally)}.`,
      text,
      isProse: true,
      ...turns.tell(unexplained, critiques.length),
    });
  },
});
