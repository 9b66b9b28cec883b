/** From which step on a fork's changes hold: plain values. */
import { describe, expect, it } from 'vitest';
import {
  appliesTo,
  type Change,
  findEdits,
  seatAt,
} from '../../src/protocols/rounds/fork-changes.ts';
import { makeSeat } from '../kernel/scripted-models.ts';

describe('appliesTo, which says whether a fork’s change applies to a step (the first changed step or a later one),', () => {
  it.each<[step: string, firstChanged: string, applies: boolean]>([
    ['round-3/D/critic', 'round-3/D', true],
    ['round-3/E/1', 'round-3/D', true],
    ['round-4/A', 'round-3/D', true],
    ['round-10/A', 'round-9/H', true],
    ['round-3/C/critic', 'round-3/D', false],
    ['round-2/G/assessment', 'round-3/D', false],
    ['round-10/A', 'round-11', false],
    ['round-3/B/proposal', 'round-3', true],
    ['round-30/B/proposal', 'round-3', true],
    ['round-2/signals', 'round-3', false],
    ['round-3/signals', 'round-3/H/drift', true],
    ['round-3/stop', 'round-3/signals', true],
    ['round-3/heed', 'round-2/stop', true],
    ['round-3/heed', 'round-3/A', false],
    // Steps that run at the same time do not build on each other, so a fork’s change that begins at one of them
    // does not apply to the others.
    ['round-3/D/action', 'round-3/D/critic', false],
    ['round-3/D/critic', 'round-3/D/critic', true],
    ['round-3/D/critic-2', 'round-3/D/critic', false],
    ['round-3/E/2', 'round-3/E/1', false],
    ['round-3/E/1/again', 'round-3/E/1', true],
    ['round-3/E/3', 'round-3/E/2', true],
    ['round-3/E/4', 'round-3/E/3', true],
    ['round-3/F/bearings', 'round-3/F/claims', true],
    ['round-3/F/critic', 'round-3/F/bearings', false],
    ['round-8/synthesis/bearings', 'round-8/H', true],
    ['round-1/A/prediction', 'round-1/A/stance/critic', true],
    ['round-8/synthesis/vote', 'round-8/synthesis/stance/critic', true],
    ['round-8/synthesis/bearings', 'round-8/synthesis/stance', false],
    ['round-9/synthesis/1', 'round-8/synthesis/bearings', true],
    ['round-8/H/drift', 'round-8/synthesis', false],
  ])(
    'returns for the step %s and a change that begins at the step %s: %s',
    (step, from, expected) => {
      expect(appliesTo(step, from)).toBe(expected);
    },
  );
});

describe('seatAt, which returns a seat with its model at one step of a fork,', () => {
  const makeModelChange = (from: string, to: string, was: string): Change => ({
    kind: 'model',
    from,
    seat: 'critic',
    model: to,
    was,
  });
  const getModelAt = (step: string, changes: Change[], end: string): string =>
    seatAt(makeSeat('critic', { model: end }), step, changes).model;

  it('returns the old model for steps before the change and the new one from the change on', () => {
    const changes = [makeModelChange('round-3/D', 'test/new', 'test/old')];
    expect(getModelAt('round-3/C/critic', changes, 'test/new')).toBe('test/old');
    expect(getModelAt('round-3/D/critic', changes, 'test/new')).toBe('test/new');
    expect(seatAt(makeSeat('guardian'), 'round-3/D/guardian', changes)).toEqual(
      makeSeat('guardian'),
    );
    expect(getModelAt('round-3/D/critic', [], 'test/any')).toBe('test/any');
  });

  it('returns the model of the later fork if the changes of two forks apply to the step', () => {
    const later = [
      makeModelChange('round-3', 'test/b', 'test/a'),
      makeModelChange('round-5', 'test/c', 'test/b'),
    ];
    const steps = ['round-2/D/critic', 'round-4/D/critic', 'round-6/D/critic'];
    expect(steps.map((step) => getModelAt(step, later, 'test/c'))).toEqual([
      'test/a',
      'test/b',
      'test/c',
    ]);
    const earlier = [
      makeModelChange('round-5', 'test/b', 'test/a'),
      makeModelChange('round-3', 'test/c', 'test/b'),
    ];
    expect(steps.map((step) => getModelAt(step, earlier, 'test/c'))).toEqual([
      'test/a',
      'test/c',
      'test/c',
    ]);
  });
});

it('findEdits returns for a phase of a round the new wordings that begin in just this phase, and none that began earlier', () => {
  const edit: Change = { kind: 'claim', from: 'round-3/D', claim: 'C-2-1', text: 'Otherwise.' };
  expect(findEdits(3, 'D', [edit])).toEqual([edit]);
  expect(findEdits(3, 'E', [edit])).toEqual([]);
  expect(findEdits(4, 'D', [edit])).toEqual([]);
});
