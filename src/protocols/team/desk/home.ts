/** Defines the team's part of the home screen. */
import { topicPart } from '../../../app/home/topic-part.ts';

/**
 * The team's part of the home screen. It asks for a goal, and for one model that plays all seats.
 */
export const home = topicPart({
  id: 'team',
  title: 'Team',
  about: 'tiers of models work on this repository, checked by commands',
  usesTools: false,
  estimate: 'the plan states the cost, with and without each tier, before work starts',
  begin: async (call) => {
    const { convene } = await import('./convene.ts');
    const { findRepositoryGoal } = await import('./place.ts');
    return convene(call, await findRepositoryGoal(call));
  },
});
