/**
 * Chooses between options by criteria. The panel proposes options and criteria, the person edits
 * them, and each seat weights the criteria and scores the options without seeing the others. Code
 * computes the totals, what would change the winner, and which seats prefer the winner.
 */
import { figures, type Item, oneOf, protocol, quote, z } from 'deliberate/protocol';

const line = z.string().min(1).max(80);

export default protocol({
  name: 'tradeoff',
  seats: {
    seat: {
      brief: 'You judge by yourself, by what you can give a reason for.',
      many: { least: 2, usual: 3 },
    },
    judge: 'You are not on the panel. You report what its figures say, by what stands there alone.',
  },
  texts: {
    frame:
      'Name the options, at most four, and at most five criteria to judge them by: a few words each, a figure only where it tells two apart. Doing nothing is on the list already. Word each criterion so that more of it is better ("low cost", not "cost").',
    weigh:
      'Below are options (O) and criteria (C). First name the option that you would take by gut. Then give each criterion 0 to 100 points for how much it matters to this question.',
    score:
      'Below are options (O) and criteria (C). Score every option under every criterion from 0 to 10. More is always better: under "low cost" the cheapest has the most. Then name, for each criterion, the best option and the worst.',
    explain:
      'Below are options (O), criteria (C) and the figures that a panel came to. Explain them in at most 150 words: what speaks for the winner, what against it, and what would turn it. Name options and criteria by their words. Use no figure that is not there.',
  },
  phases: {
    frame: [],
    options: ['frame.options'],
    criteria: ['frame.criteria'],
    weigh: ['frame.options', 'frame.criteria'],
    score: ['frame.options', 'frame.criteria'],
    explain: ['frame.options', 'frame.criteria'],
  },
  calls: (_settings, ids) => [ids.length - 1, (ids.length - 1) * 5 + 5],
  async run({ seats, texts, prompt, ask, askAll, gate, group, show, conclude }) {
    const panel = seats.filter(({ role }) => role === 'seat');
    const framed = await askAll('frame', panel, () => prompt(texts.frame), {
      schema: z.object({
        options: z.array(line).min(1).max(4),
        criteria: z.array(line).min(1).max(5),
      }),
      least: 2,
    });
    // `groupProposals` groups the options (or criteria) that seats named. The groups with the most members come
    // first, because only the first `most` groups are kept.
    const groupProposals = async (of: 'options' | 'criteria', most: number) => {
      const items: Item[] = framed
        .flatMap(({ value }) => value[of])
        .map((text, at) => ({ id: `${of.slice(0, 1)}${at + 1}`, text }));
      const { groups } = await group(of, 'judge', items, { of });
      const named = groups.toSorted((left, right) => right.length - left.length);
      return named.slice(0, most).map(([id]) => items.find((item) => item.id === id)?.text ?? '');
    };
    const options = await groupProposals('options', figures.MOST_OPTIONS - 1);
    const criteria = await groupProposals('criteria', figures.MOST_CRITERIA);
    const { value: read } = await gate('sheet-gate', 'Options and criteria: a line each.', {
      draft: figures.writeSheet(
        ['Do nothing', ...options.filter((option) => !/^do nothing$/i.test(option))],
        criteria,
      ),
      read: figures.readSheet,
    });
    const sheet = new figures.TradeoffSheet(read);
    const list = quote(...read.options, ...read.criteria);
    const criterion = oneOf(read.criteria);
    const option = oneOf(read.options);
    const weighed = await askAll(
      'weigh',
      framed.map(({ seat }) => seat),
      () => prompt(texts.weigh, list),
      {
        schema: z.object({
          gut: option,
          points: z.array(z.object({ criterion, points: z.number() })),
        }),
        check: sheet.checkPoints,
        least: 2,
      },
    );
    sheet.takePoints(weighed);
    const scored = await askAll(
      'score',
      weighed.map(({ seat }) => seat),
      () => prompt(texts.score, list),
      {
        schema: z.object({
          scores: z.array(z.object({ option, criterion, score: z.number().min(0).max(10) })),
          ends: z.array(z.object({ criterion, best: option, worst: option })),
        }),
        check: sheet.checkScores,
        wrongTwice: 'keep',
        least: 2,
      },
    );
    sheet.takeScores(scored);
    const drawn = sheet.figures();
    for (const [at, figure] of drawn.entries()) await show(`figure/${at + 1}`, figure);
    // The judge's prompt leaves out the last of the computed figures, because that figure names seats, which the
    // judge must not know.
    const shown = quote({ from: 'Figures', text: JSON.stringify(drawn.slice(0, -1), null, 1) });
    const explained = prompt(texts.explain, list, shown);
    const text =
      drawn.length === 0 ? '' : await ask('explain', 'judge', explained, { otherwise: '' });
    return conclude({ ...sheet.tell(), text, isProse: true });
  },
});
