/** Plans on the home screen: a topic, and one model for all; who is called in follows from the topic. */
import { topicPart } from '../../../app/home/topic-part.ts';

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
