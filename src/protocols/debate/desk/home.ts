/** Debates on the home screen, where the person names a method or leaves the choice to the program. */
import type { HomePart } from '../../../app/invocation.ts';
import { capitalize } from '../../../text/capitalize.ts';
import { METHODS } from '../catalog.ts';

/** The part of the home screen on which a person begins a debate, with a question and a method. */
export const home: HomePart = {
  offer: () => ({
    id: 'debate',
    title: 'Debate',
    about: 'estimates, trade-offs, motions and more, by a method',
    roles: [
      {
        slug: 'auto',
        name: 'By the question',
        about: 'proposes a method, with its price',
        brief: '',
      },
      ...[...METHODS].map(([slug, { about }]) => ({
        slug,
        name: capitalize(slug),
        about,
        brief: '',
      })),
    ],
    one: 'Method',
    attaches: true,
    looks: true,
    usesTools: true,
    chair: 'Model',
  }),
  convene: async (call, _config, { question, seats, chair, attachments, look, rehearse }) => {
    const { debate } = await import('./convene.ts');
    const model = rehearse || chair === undefined ? {} : { model: chair };
    const method = seats[0]?.role ?? 'auto';
    const flags = {
      ...call.flags,
      rehearse,
      method,
      ...model,
      attach: attachments.map(({ path }) => path),
      look: look.map(({ wish }) => wish),
    };
    await debate({ ...call, words: [question], flags });
    return true;
  },
  estimate: ({ seats }) =>
    seats[0]?.role === undefined || seats[0].role === 'auto'
      ? 'the price of each method is shown before the debate starts'
      : 'least and most calls: deliberate debate --estimate',
};
