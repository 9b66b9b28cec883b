/** Defines the plan's part of the home screen. */
import { topicPart } from '../../../app/home/topic-part.ts';

/** The part of the home screen on which a person begins a plan, with a topic and one model for all seats. */
export const home = topicPart({
  id: 'plan',
  title: 'Plan',
  about: 'specialists debate a plan for this project',
  usesTools: true,
  estimate: 'the specialists and the cost depend on the topic',
  begin: async (call) => {
    const { convene } = await import('./convene.ts');
    const { findPlace } = await import('./place.ts');
    return convene(call, await findPlace(call));
  },
});
