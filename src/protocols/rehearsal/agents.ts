/**
 * How the stand-in plays orchestrated agents: routers choose among what they are offered, supervisors
 * report after a cycle or two, members vote where they are asked to. By the name of the model it also
 * goes wrong: `misrouting` chooses somebody who does not exist, `looping` never has anything new to say
 * and never ends, `dissenting` never votes to conclude.
 */
import { fillWords, REHEARSAL_LINE, type Scene, said } from './scene.ts';
import { BROADCAST, REPORT, ROUTED } from './words/board.ts';

/** Where a supervisor may choose, it ends after so many cycles. */
const ENOUGH = 2;

export function chooseRoute(scene: Scene): unknown {
  if (scene.model === 'misrouting')
    return { agent: 'nobody-here', reason: 'Rehearsal: told to choose nobody.' };
  const [first = '', ...rest] = scene.items;
  const agent = scene.chance.pick([first, ...rest]);
  return { agent, ...Object(fillWords(scene, ROUTED)) };
}

export function supervise(scene: Scene): unknown {
  const { turn = 1 } = scene.about;
  if (scene.model === 'looping' || turn < ENOUGH)
    return { action: 'broadcast', text: said(scene, BROADCAST) };
  const names = [...new Set(scene.heard.map(({ from }) => from))].join(', ');
  const text = said(scene, REPORT, { names, cycle: String(turn) });
  return { action: 'report', text: `${text}\n\n${REHEARSAL_LINE}` };
}

/** At the end of a member's message. Who has heard nobody yet may want to go on. */
export function voteLine({ model, heard, chance }: Scene): string {
  const goesOn = model === 'dissenting' || (heard.length === 0 && chance.next() < 0.5);
  return `\n\nVOTE: ${goesOn ? 'continue' : 'conclude'}`;
}
