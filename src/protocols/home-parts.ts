/** What the protocols bring to the home screen, in the order in which they are offered there. */
import type { HomePart } from '../app/home/part.ts';

/** By the protocol's name. */
export type HomeParts = ReadonlyMap<string, HomePart>;

export async function homeParts(): Promise<HomeParts> {
  const [board, rounds, agents, plan, team, debate] = await Promise.all([
    import('./board/desk/home.ts'),
    import('./rounds/desk/home.ts'),
    import('./agents/desk/home.ts'),
    import('./plan/desk/home.ts'),
    import('./team/desk/home.ts'),
    import('./debate/desk/home.ts'),
  ]);
  return new Map([
    ['board', board.home],
    ['rounds', rounds.home],
    ['agent', agents.home],
    ['plan', plan.home],
    ['team', team.home],
    ['debate', debate.home],
  ]);
}
