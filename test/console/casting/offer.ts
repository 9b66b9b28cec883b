/** The casts, roles and budgets that the dialog before a deliberation in rounds offers in tests. */
import { estimateRun, planCalls } from '../../../src/kernel/estimate.ts';
import { getDefaultStress } from '../../../src/protocols/rounds/schedule.ts';
import type { CastingOffer } from '../../../src/protocols/rounds/view/casting/walk.ts';

/** Returns a cast of four people whose names begin with `name`. */
export const makePeople = (name: string) => ({
  action: `${name} one`,
  guardian: `${name} two`,
  observer: `${name} three`,
  critic: `${name} four`,
});
/**
 * What the dialog before a deliberation in rounds offers in tests: four casts, none of them broken, and the
 * four roles. The estimate grows with the number of rounds.
 */
export const castingOffer: CastingOffer = {
  casts: ['Product', 'Software', 'Research', 'Launch'].map((name) => ({
    slug: name.toLowerCase(),
    name,
    description: `About ${name}.`,
    cast: makePeople(name),
  })),
  problems: [],
  roles: [
    {
      id: 'action',
      title: 'Action',
      question: "Where's the verb?",
      does: 'does action',
      model: 'ollama/m',
    },
    {
      id: 'guardian',
      title: 'Guardian',
      question: "What's the invariant?",
      does: 'does guardian',
      model: 'ollama/m',
    },
    {
      id: 'observer',
      title: 'Observer',
      question: 'Can a real operator navigate this?',
      does: 'does observer',
      model: 'ollama/m',
    },
    {
      id: 'critic',
      title: 'Critic',
      question: "What's the strongest argument against this?",
      does: 'does critic',
      model: 'ollama/m',
    },
  ],
  verifier: 'ollama/v',
  neutral: 'product',
  estimate: ({ rounds }) =>
    estimateRun(
      [
        planCalls('action', 'Action', 'ollama/m', [
          {
            calls: { low: rounds, high: 3 * rounds },
            prompt: { low: 1000, high: 2000 },
            answer: { low: 100, high: 200 },
          },
        ]),
      ],
      { price: (_model, usage) => usage.input / 1e5, window: () => undefined },
    ),
  budgets: [
    { name: 'brief', rounds: 3 },
    { name: 'standard', rounds: 8 },
    { name: 'audit', rounds: 13 },
  ],
  minimum: 8,
  most: 100,
  stressFor: getDefaultStress,
};
