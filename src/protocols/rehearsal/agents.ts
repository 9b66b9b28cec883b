/**
 * How the stand-in plays orchestrated agents: routers choose among their destinations, supervisors report after
 * one or two cycles, members vote if asked. Some model names make it fail: `misrouting` chooses an agent that
 * does not exist, `looping` repeats itself and never ends, `dissenting` never votes to conclude.
 */
import { fillText, fillWords, REHEARSAL_LINE, type Scene } from './scene.ts';
import { BROADCAST, REPORT, ROUTED } from './words/board.ts';

/** The cycle after which a supervisor ends its team, if the supervisor may choose. */
const ENOUGH = 2;

/** Makes the stand-in's answer to a router's task: chooses an agent for the request. */
export function chooseRoute(scene: Scene): unknown {
  if (scene.model === 'misrouting')
    return { agent: 'nobody-here', reason: 'Rehearsal: told to choose nobody.' };
  const [first = '', ...rest] = scene.items;
  const agent = scene.chance.pick([first, ...rest]);
  return { agent, ...Object(fillWords(scene, ROUTED)) };
}

/**
 * Makes the stand-in's answer to a supervisor's task: a message to the team, or the team's report.
 */
export function supervise(scene: Scene): unknown {
  const { turn = 1 } = scene.about;
  if (scene.model === 'looping' || turn < ENOUGH)
    return { action: 'broadcast', text: fillText(scene, BROADCAST) };
  const names = [...new Set(scene.heard.map(({ from }) => from))].join(', ');
  const text = fillText(scene, REPORT, { names, cycle: String(turn) });
  return { action: 'report', text: `${text}\n\n${REHEARSAL_LINE}` };
}

/**
 * Returns the line with which the message of a supervisor's team member ends: its vote to continue or to conclude.
 * A member that has heard nothing from others votes at random; a member that has heard others votes to conclude.
 * A member whose model has the name `dissenting` always votes to continue.
 */
export function writeVoteLine({ model, heard, chance }: Scene): string {
  const goesOn = model === 'dissenting' || (heard.length === 0 && chance.next() < 0.5);
  return `\n\nVOTE: ${goesOn ? 'continue' : 'conclude'}`;
}
