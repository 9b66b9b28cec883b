/**
 * How the stand-in plays orchestrated agents: routers choose among what they are offered, supervisors
 * report after a cycle or two, members vote where they are asked to. By the name of the model it also
 * goes wrong: `misrouting` chooses somebody who does not exist, `looping` never has anything new to say
 * and never ends, `dissenting` never votes to conclude.
 */
import { REHEARSAL_LINE } from './prose.ts';
import type { Acting, Scene } from './scene.ts';
import { choices, inside } from './shape.ts';

/** Where a supervisor may choose, it ends after so many cycles. */
const ENOUGH = 2;

export function chooseRoute({ model, schema, topic, chance }: Acting): unknown {
  if (model === 'misrouting')
    return { agent: 'nobody-here', reason: 'Rehearsal: told to choose nobody.' };
  const [first = '', ...rest] = choices(inside(schema, 'agent'));
  return {
    agent: chance.pick([first, ...rest]),
    reason: `Rehearsal: of those who are offered, it could be about the ${topic.words[0]}.`,
    message: `Rehearsal: begin with the ${topic.words.at(-1) ?? topic.words[0]}.`,
  };
}

export function supervise({ model, task, topic, blocks, chance }: Acting): unknown {
  const cycle = Number(/cycle (\d+) of/.exec(task)?.[1] ?? 1);
  if (model === 'looping' || cycle < ENOUGH)
    return {
      action: 'broadcast',
      text: `Rehearsal: settled is that the ${topic.words[0]} needs an owner; open is when. Each of you: name one day.`,
    };
  const names = [...new Set(blocks.map(({ from }) => from))];
  return {
    action: 'report',
    text: [
      `## “${topic.subject}”`,
      `Rehearsal: ${names.join(', ')} spoke in ${cycle} cycles. The stand-in weighs nothing; it would begin with ${chance.pick(['the smallest part', 'what can be undone', 'a count'])}.`,
      REHEARSAL_LINE,
    ].join('\n\n'),
  };
}

/** A member's words where it would say the same in every cycle; undefined for every other model. */
export function loop({ model, topic }: Scene): string | undefined {
  if (model !== 'looping') return undefined;
  return `Rehearsal: about the ${topic.words[0]} I say what I have said before, and shall say it again.`;
}

/** The vote that the task asks for; empty where it asks for none. */
export function voteLine({ model, task, prompt, chance }: Scene): string {
  if (!task.includes('"VOTE: conclude"')) return '';
  const early = !/^## DISCUSSION$/m.test(prompt);
  const goesOn = model === 'dissenting' || (early && chance.next() < 0.5);
  return `\n\nVOTE: ${goesOn ? 'continue' : 'conclude'}`;
}
