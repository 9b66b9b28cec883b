/**
 * Estimates a number: blind ranges, then revisions that may only use reasons that were shown without names.
 * Code computes the combined estimate, what moved, and whether there are two camps.
 */
import { figures, oneOf, protocol, quote, statement, z } from 'deliberate/protocol';

const range = { p5: z.number(), p50: z.number(), p95: z.number(), unit: z.string().max(20) };
const assumption = statement(300);

export default protocol({
  name: 'delphi',
  settings: z.object({ rounds: z.number().int().min(1).max(3).default(3) }),
  seats: {
    seat: {
      brief: 'You estimate by yourself, and give ranges that hold.',
      many: { least: 3, usual: 5 },
    },
    judge: 'You are not on the panel. You say what is asked for, not what the answer is.',
  },
  texts: {
    measure:
      'Which number does this ask for? Give its kind, its unit, and whether people would think of it in steps (linear) or in factors (log). A probability has the unit "share", from 0 to 1.',
    estimate:
      'Estimate it. p5: 5 chances in 100 that it is lower. p50: as likely lower as higher. p95: 5 chances in 100 that it is higher. Name the unit. Then give up to three assumptions that your numbers rest on, a sentence each.',
    revise:
      'Below are your estimate, where all lie, and what they rest on. Revise yours, or hold it by giving the same numbers again. If you revise, name by their ids the assumptions that moved you (because), or write one new assumption of your own (own). If you hold, leave both empty. That others are elsewhere is no reason.',
  },
  phases: {
    measure: [],
    estimate: ['measure.unit'],
    revise: ['measure.unit', 'estimate.assumptions', 'revise.own'],
  },
  calls: ({ rounds }, ids) => [ids.length, (ids.length - 1) * rounds * 2 + 1],
  async run({ settings, seats, texts, prompt, askAll, gate, show, ledger, conclude }) {
    const judge = seats.filter(({ role }) => role === 'judge');
    const [asked] = await askAll('measure', judge, () => prompt(texts.measure), {
      schema: z.object({
        kind: z.enum(['quantity', 'count', 'probability']),
        unit: z.string().min(1).max(20),
        scale: z.enum(['linear', 'log']),
      }),
      check: figures.checkMeasure,
    });
    if (asked === undefined)
      return conclude({ result: 'No result: nobody could say what is to be estimated.' });
    const { kind, unit, scale } = asked.value;
    const { value: measure } = await gate('measure-gate', 'What is estimated: kind, unit, scale?', {
      draft: `${kind}, ${unit}, ${scale}`,
      read: figures.readMeasure,
    });
    const task = `It is a ${measure.kind}, counted in ${measure.unit}.`;
    const estimates = new figures.EstimateRounds(measure);
    const { check } = estimates;
    const panel = seats.filter(({ role }) => role === 'seat');
    const first = await askAll('estimate', panel, () => prompt(task, texts.estimate), {
      schema: z.object({ ...range, assumptions: z.array(assumption).min(1).max(3) }),
      check,
      least: 3,
    });
    estimates.take(first, []);
    const reasons = ledger('reasons', 'R');
    await reasons.addAll('reasons/1', first, (estimate) =>
      estimate.assumptions.map((text) => ({ text })),
    );
    await show('shown/1', estimates.figure());
    for (let round = 2; estimates.stop === undefined && round <= settings.rounds; round += 1) {
      const shown = reasons.entries.map(({ id, by }) => ({ id, seats: [by] }));
      const because = z.array(oneOf(reasons.entries)).max(3);
      const list = quote(...reasons.quotables());
      const revised = await askAll(
        `revise/${round}`,
        panel.filter(({ id }) => estimates.has(id)),
        ({ id }) => prompt(task, texts.revise, estimates.tellOwn(id), estimates.tellRange(), list),
        { schema: z.object({ ...range, because, own: z.string().max(300) }), check },
      );
      estimates.take(revised, shown);
      await reasons.addAll(`reasons/${round}`, revised, ({ own }) =>
        own.trim() === '' ? [] : [{ text: own }],
      );
      await show(`shown/${round}`, estimates.figure());
    }
    return conclude(estimates.tell());
  },
});
