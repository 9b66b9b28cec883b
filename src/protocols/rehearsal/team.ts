/** Plays a team's tasks: acts out the script in `words/team.ts`, one tool call in each turn. */
import type { ToolCall } from '../../kernel/tools/tools.ts';
import type { ProviderRequest } from '../../models/provider.ts';
import type { Scene } from './scene.ts';
import { CHORES, playAnywhere, type TeamScript, type Turn } from './words/team.ts';

/** Part of the goal of the bundled example program, by which it is recognized. */
const CHORES_GOAL = 'Each entry has its title, whether it is done, and its due date';

function playOf(goal = ''): TeamScript {
  return goal.includes(CHORES_GOAL) ? CHORES : playAnywhere(goal);
}

/**
 * Returns the script of a task's attempt.
 * @param time the number of the attempt, from 1
 */
function turnOf({ work }: TeamScript, task = '', time = 1): Turn | undefined {
  const turns = work.get(task);
  return turns?.[Math.min(time, turns.length) - 1];
}

/**
 * Returns the stand-in's next tool call in a team's task. Returns undefined if all calls in the stand-in's script for
 * this task are made.
 * @param used how many calls have been made
 */
export function chooseNextAct(
  { task, about = {} }: ProviderRequest,
  used: number,
): ToolCall | undefined {
  const { question, items = [], round } = about;
  const play = playOf(question);
  const acts = (task === 'team/tests' ? play.tests : turnOf(play, items[0], round))?.acts;
  const act = acts?.[used];
  return act && { id: `act-${used + 1}`, ...act };
}

/** Makes the stand-in's answer to the task of planning the team's work. */
export function plan({ about }: Scene): unknown {
  return playOf(about.question).plan;
}

/** Makes the stand-in's answer to the task of criticizing the plan. */
export function critique({ about }: Scene): unknown {
  const { found, plan: amended } = playOf(about.question);
  return { found, plan: amended };
}

/** Makes the stand-in's answer to the task of dividing the plan into tasks. */
export function divideIntoTasks({ about }: Scene): unknown {
  return { tasks: playOf(about.question).tasks, not_mine: [] };
}

/** Makes the stand-in's answer to the task of writing tests, once the tool calls are made. */
export function writeTeamTests({ about }: Scene): unknown {
  return playOf(about.question).tests.says;
}

/** Makes the stand-in's answer to a worker's task, once the tool calls are made. */
export function doTeamTask({ about, items }: Scene): unknown {
  return turnOf(playOf(about.question), items[0], about.round)?.says;
}

/**
 * Makes the stand-in's answer to the task of verifying requirements. A requirement is met if the stand-in's script
 * has a quotation that shows it; the verdict is `pass` if all requirements are met.
 */
export function verify({ about, items }: Scene): unknown {
  const { shown } = playOf(about.question);
  return {
    verdict: items.every((requirement) => shown.has(requirement)) ? 'pass' : 'fail',
    items: items.map((requirement) => {
      const quoted = shown.get(requirement);
      return {
        requirement,
        met: quoted === undefined ? 'no' : 'yes',
        ...(quoted ?? { path: '', quote: '' }),
        why: quoted
          ? 'Rehearsal: the words that the play has for it.'
          : 'Rehearsal: nobody has worked on this.',
      };
    }),
    defects: [],
    cause: 'none',
    probe: null,
    drops: [],
  };
}

/** Makes the stand-in's answer to the task of accepting the work. */
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
