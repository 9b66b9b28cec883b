/** Plans on the home screen: a topic, and one model for all; who is called in follows from the topic. */
import type { HomePart } from '../../../app/home/part.ts';

export const home: HomePart = {
  offer: () => ({
    id: 'plan',
    title: 'Plan',
    about: 'specialists that the topic touches debate a plan for this project',
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
  estimate: () => 'who is called in, and what it takes, follows from the topic',
};
