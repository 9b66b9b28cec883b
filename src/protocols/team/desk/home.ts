/** Teams on the home screen: a goal, and one model for all levels. */
import type { HomePart } from '../../../app/home/part.ts';

export const home: HomePart = {
  offer: () => ({
    id: 'team',
    title: 'Team',
    about: 'tiers of agents do work on this repository; commands check it, you bring it home',
    attaches: false,
    looks: false,
    chair: 'Model',
    roles: [],
  }),
  convene: async (call, _config, { question, chair, rehearse }) => {
    const { convene } = await import('./convene.ts');
    const { findPlace } = await import('./place.ts');
    const model = rehearse || chair === undefined ? {} : { model: chair };
    const here = { ...call, words: [question], flags: { ...call.flags, rehearse, ...model } };
    await convene(here, await findPlace(here));
    return true;
  },
  estimate: () => 'the plan says what it takes, with and without each tier, before work begins',
};
