/** Defines the plan's part of the home screen. */
import { topicPart } from '../../../app/home/topic-part.ts';

/** The plan's part of the home screen, which asks for a topic and one model for all seats. */
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
