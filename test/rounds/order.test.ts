/** In which order a prompt stands together: what it shares with others first, what is to be done last. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { type Material, orderParts } from '../../src/protocols/rounds/prompts/order.ts';
import { textOf } from '../kernel/scripted-models.ts';
import { kindOf, makePanel, runRounds } from '../protocols/panel.ts';

const FRAME = {
  shared: 'THE QUESTION',
  record: [
    { from: 'the log', text: 'round 1' },
    { from: 'the log', text: 'round 2' },
  ],
  brief: 'WHO',
  id: 'f00d',
};
const MATERIAL: Material = {
  heard: [
    { from: 'the lead', text: 'a proposal' },
    { from: 'Critic', text: 'a supplement' },
  ],
  rules: 'OF ALL',
  pieces: [{ from: 'artifacts/critic.md', text: 'an attack' }],
  task: 'DO',
};

/**
 * Returns the parts of a prompt in order, in short, with a mark `|` where a cache may keep everything before.
 */
function inShort(order: 2 | undefined): string[] {
  return orderParts(FRAME, MATERIAL, order).map(
    ({ text, stable }) =>
      text
        .replace(/<\/?\w+-f00d[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim() + (stable ? ' |' : ''),
  );
}

describe('the order of the parts of a prompt in rounds', () => {
  it('puts the parts first that most seats share, and the task last', () => {
    expect(inShort(2)).toEqual([
      'THE QUESTION |',
      'round 1',
      'round 2 |',
      'a proposal',
      'a supplement |',
      'Asked of every role alike, together with the task that stands at the end: OF ALL |',
      'WHO',
      'an attack |',
      'DO',
    ]);
    expect(orderParts(FRAME, { task: 'DO' }, 2).map(({ text }) => text)).toEqual([
      ...['THE QUESTION', expect.stringContaining('round 1'), expect.stringContaining('round 2')],
      ...['WHO', 'DO'],
    ]);
  });

  it('puts role, task and rules together at the end in runs older than edition 2 of the prompts', () => {
    expect(inShort(undefined)).toEqual([
      'THE QUESTION |',
      'round 1',
      'round 2 |',
      'an attack a proposal a supplement |',
      'WHO DO OF ALL',
    ]);
  });
});

describe('the prompts of a round', () => {
  const makeRequestFinder = async (): Promise<(kind: string) => ModelRequest[]> => {
    const { models } = await runRounds(makePanel());
    return (kind) =>
      models.requests.filter(
        (request) => request.about?.round === 2 && kindOf(request).startsWith(kind),
      );
  };

  it('begin with the same long text for all roles, so that providers can cache it', async () => {
    const of = await makeRequestFinder();
    const [supplement, ...others] = of('supplement');
    const [artifact, ...more] = of('artifact');
    const [check] = of('check 4');
    const told = textOf(supplement ?? expect.fail('nobody added anything')).split('You have')[0];
    const handed = textOf(artifact ?? expect.fail('nothing was handed in'));
    const [all = ''] = handed.split('Asked of every role');
    expect(told?.length).toBeGreaterThan(1_000);
    expect(all.length).toBeGreaterThan(told?.length ?? 0);
    for (const request of [...others, ...of('artifact')])
      expect(textOf(request).startsWith(told ?? '')).toBe(true);
    // All roles get the same prompt up to the role's brief, including the instructions for claims.
    const [alike = ''] = handed.split('You have the role');
    expect(alike).toContain('testable_as:');
    for (const request of more) expect(textOf(request).startsWith(alike)).toBe(true);
    expect(textOf(check ?? expect.fail('it was not checked')).startsWith(all)).toBe(true);
  });

  it('end with what the seat has to do', async () => {
    const of = await makeRequestFinder();
    for (const request of of('artifact'))
      expect(request.messages[0]?.parts.at(-1)?.text).toMatch(/^Hand in your /);
    for (const request of of('check'))
      expect(request.messages[0]?.parts.at(-1)?.text).toMatch(/^Check \d: /);
  });
});
