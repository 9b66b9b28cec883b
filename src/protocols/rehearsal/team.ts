/** How the stand-in does a team's tasks: it acts out what is written in `words/team.ts`, one tool a turn. */
import type { ToolCall } from '../../kernel/tools/tools.ts';
import type { ProviderRequest } from '../../models/provider.ts';
import type { Scene } from './scene.ts';
import { CHORES, type Play, playAnywhere, type Turn } from './words/team.ts';

/** Of the goal of the program that comes along; nobody else's says it. */
const CHORES_GOAL = 'Each entry has its title, whether it is done, and its due date';

function playOf(goal = ''): Play {
  return goal.includes(CHORES_GOAL) ? CHORES : playAnywhere(goal);
}

/** What is done in a task that was sent back so often, 1 for never. */
function turnOf({ work }: Play, task = '', time = 1): Turn | undefined {
  const turns = work.get(task);
  return turns?.[Math.min(time, turns.length) - 1];
}

/** The next use of a tool; undefined where everything is done. */
export function nextAct({ task, about = {} }: ProviderRequest, used: number): ToolCall | undefined {
  const { question, items = [], round } = about;
  const play = playOf(question);
  const acts = (task === 'team/tests' ? play.tests : turnOf(play, items[0], round))?.acts;
  const act = acts?.[used];
  return act && { id: `act-${used + 1}`, ...act };
}

export function plan({ about }: Scene): unknown {
  return playOf(about.question).plan;
}

export function critique({ about }: Scene): unknown {
  const { found, plan: amended } = playOf(about.question);
  return { found, plan: amended };
}

export function graph({ about }: Scene): unknown {
  return { tasks: playOf(about.question).tasks, not_mine: [] };
}

export function tests({ about }: Scene): unknown {
  return playOf(about.question).tests.says;
}

export function work({ about, items }: Scene): unknown {
  return turnOf(playOf(about.question), items[0], about.round)?.says;
}

export function verify({ about, items }: Scene): unknown {
  const { shown } = playOf(about.question);
  return {
    verdict: 'pass',
    items: items.map((requirement) => ({
      requirement,
      met: 'yes',
      ...(shown.get(requirement) ?? { path: '', quote: '' }),
      why: 'Rehearsal: the words that the play has for it.',
    })),
    defects: [],
    cause: 'none',
    probe: null,
    drops: [],
  };
}

export function accept({ items, heard }: Scene): unknown {
  return {
    decision: 'accept',
    requirements: items.map((id) => ({
      id,
      met: 'yes',
      evidence: heard.filter(({ from }) => from === id).map(({ text }) => text),
    })),
    beyond_goal: [],
    reject: null,
  };
}
