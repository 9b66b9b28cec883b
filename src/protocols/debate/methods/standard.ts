/**
 * A debate that ends as soon as nothing is in dispute: blind answers, a critique of each by quotation,
 * turns on what stays open, and a last position that names what moved it.
 */
import { oneOf, protocol, quote, z } from 'deliberate/protocol';

export default protocol({
  name: 'standard',
  settings: z.object({ turns: z.number().int().min(0).max(4).default(2) }),
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
      'Below are answers of others. Name what you dispute or miss in them, the weightiest first, at most three points; none where none is due. Quote, word for word, the sentence that each point is about.',
    turn: 'Somebody disputes a sentence of your answer. Hold it with a reason that you have not given yet, amend it, or concede it.',
    position:
      'Below is what was disputed, and what came of it. Which option do you hold now? If it is another than at first, name the point that changed it; if no point did, say nothing.',
    report:
      'Report in at most 200 words what the panel said: the strongest reason for each option, the strongest against it, and what stayed open. Recommend nothing of your own.',
  },
  phases: {
    answer: [],
    'answer-options': ['answer.choice'],
    critique: ['answer.answer'],
    turn: ['own:answer.answer', 'critique.text'],
    position: [
      'own:answer.answer',
      'answer.choice',
      'answer.answer',
      'critique.text',
      'turn.reply',
    ],
    report: ['answer.answer', 'answer.choice', 'critique.text', 'turn.reply'],
  },
  calls: ({ turns }, ids) => [ids.length, (ids.length - 1) * (3 + turns) + 3],
  async run(context) {
    const { settings, seats, texts, prompt, ask, askAll, poll, compare, ledger, conclude } =
      context;
    const panel = seats.filter(({ role }) => role === 'seat');
    const first = await poll('answer', panel, prompt(texts.answer), { judge: 'judge', least: 2 });
    const { answers, options, tally, name, tell } = first;
    if (tally.unanimous)
      return conclude({
        result: `${name(tally.winner ?? '')}: all ${tally.heard} seats, each by itself.`,
        first: 'the same. Nothing was in dispute, so nothing was debated.',
        turns: 'one seat of another mind.',
        belief: 'agreement that nobody contradicted was not tested; the method advocate tests it.',
        text: answers.map(({ seat, text }) => `**${seat.title}**\n\n${text}`).join('\n\n'),
      });

    const points = ledger('points', 'D');
    const heard = answers.map(({ seat }) => seat);
    const own = (id: string) =>
      quote({ from: 'Your answer', text: answers.find(({ seat }) => seat.id === id)?.text ?? '' });
    const others = (id: string) => answers.filter(({ seat }) => seat.id !== id);
    const dispute = z.object({ of: oneOf(answers), quote: z.string(), text: z.string().min(1) });
    const critiques = await askAll(
      'critique',
      heard,
      ({ id }) => prompt(texts.critique, quote(...others(id))),
      { schema: z.object({ points: z.array(dispute).max(3) }) },
    );
    await points.addAll('points', critiques, (value) => value.points, answers);

    for (let lap = 1; lap <= settings.turns; lap += 1) {
      const due = new Map(
        answers.flatMap(({ id, seat }) => {
          const at = points.entries.find(
            ({ of, by, status }) => of === id && by !== seat.id && status === 'open',
          );
          return at === undefined ? [] : [[seat.id, at.id]];
        }),
      );
      const replies = await askAll(
        `turn/${lap}`,
        heard.filter(({ id }) => due.has(id)),
        ({ id }) =>
          prompt(texts.turn, own(id), quote(...points.quotables((one) => one.id === due.get(id)))),
        { schema: z.object({ stand: z.enum(['held', 'amended', 'conceded']), reply: z.string() }) },
      );
      for (const { seat, value } of replies)
        await points.mark(
          `mark/${lap}/${seat.id}`,
          due.get(seat.id) ?? '',
          value.stand,
          value.reply,
        );
    }

    const list = quote(...options, ...points.quotables());
    const last = await askAll(
      'position',
      heard,
      ({ id }) => prompt(texts.position, own(id), list),
      { schema: z.object({ option: oneOf(options), because: oneOf(points.entries, 'nothing') }) },
    );
    const { tally: end, moved, unexplained } = await compare('changes', first, last);
    const open = points.entries.filter(
      ({ status }) => status !== 'conceded' && status !== 'amended',
    );
    const text = await ask('report', 'judge', prompt(texts.report, list, quote(...answers)), {
      otherwise: '',
    });
    return conclude({
      result:
        end.winner === undefined
          ? `No majority: ${tell(end)}.`
          : `${name(end.winner)}. ${tell(end)}.`,
      first: `${tell(tally)}.`,
      moved,
      turns:
        open.length === 0
          ? 'no point stayed open.'
          : `what stayed open: ${open.map(({ id }) => id).join(', ')}.`,
      belief:
        unexplained.length > 0
          ? `${unexplained.join(', ')} changed without a reason: that is yielding, not argument.`
          : `${points.entries.length} points were raised; ${points.entries.filter(({ isUnquoted }) => isUnquoted).length} of them quote what nobody said.`,
      text,
      isProse: true,
    });
  },
});
