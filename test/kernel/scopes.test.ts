/** Tests parts of a run on a real database: their time limits, and the usage of each part. */
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/kernel/handle.ts';
import { listFactsOfType, openAttempt, temporaryStore, typesOf } from './desk.ts';
import {
  makeAnswer,
  makeModelRequest,
  ScriptedModels,
  streamUntilStopped,
} from './scripted-models.ts';

/**
 * Returns models of which the seat `slow` says half a sentence and then nothing, and every other seat
 * answers.
 */
const makeModels = () =>
  new ScriptedModels((asked, context) =>
    asked.seat.id === 'slow' ? streamUntilStopped(context, 'half a thou') : makeAnswer('Yes.'),
  );
const runSlowPart = (run: Run, ms: number) =>
  run.within('part', ms, async (part) => (await part.ask('call', makeModelRequest('slow'))).status);

describe('A part of a run that has its own time limit', () => {
  it('stops its running calls when that limit is reached, and begins no further step', async () => {
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal, makeModels());
    let went = false;
    const part = await run.within('part', 50, async (inside) => {
      await inside.ask('call', makeModelRequest('slow'));
      await inside.step('after', null, () => {
        went = true;
      });
      return 'done';
    });
    expect(part).toBeUndefined();
    expect(went).toBe(false);
    expect(run.signal.aborted).toBe(false);
    expect((await run.ask('next', makeModelRequest('quick'))).status).toBe('done');
    expect(listFactsOfType(journal.facts(), 'call.stopped')).toMatchObject([
      { step: 'part/call', text: 'half a thou' },
    ]);
    const types = typesOf(journal.facts());
    expect(types.indexOf('call.stopped')).toBeLessThan(types.indexOf('step.completed'));
  });

  it('is repeated after a timeout only if a later attempt sets another limit', async () => {
    const journal = temporaryStore().create('test');
    await runSlowPart(openAttempt(journal, makeModels()).run, 50);
    const again = makeModels();
    const { run } = openAttempt(journal, again);
    expect(await runSlowPart(run, 50)).toBeUndefined();
    expect(again.asked).toEqual([]);
    // If the part gets another time limit, its call is made again.
    expect(await runSlowPart(run, 60)).toBeUndefined();
    expect(again.asked).toEqual(['slow']);
  });

  it('returns its result if it ends in time', async () => {
    const { run } = openAttempt(temporaryStore().create('test'), makeModels());
    const askQuick = (part: Run) => part.ask('call', makeModelRequest('quick'));
    expect(await run.within('part', 60_000, askQuick)).toMatchObject({
      status: 'done',
      text: 'Yes.',
    });
  });

  it('ends when the enclosing part reaches its own time limit, and when the run is stopped', async () => {
    const { run, live } = openAttempt(temporaryStore().create('test'), makeModels());
    const waiting = runSlowPart(run, 60_000);
    const outer = run.within('outer', 50, (part) => runSlowPart(part, 60_000));
    expect(await outer).toBeUndefined();
    live.stop();
    // Stopping the run stops the running call of `waiting`. After that, the run refuses new calls.
    expect(await waiting).toBe('stopped');
    await expect(runSlowPart(run, 10)).rejects.toThrow('the run was stopped');
  });
});

describe('The usage of a part of a run', () => {
  it('includes all calls whose keys begin with the part’s name, also those of earlier attempts', async () => {
    const journal = temporaryStore().create('test');
    const first = openAttempt(journal, makeModels());
    await first.run.scope('a').ask('one', makeModelRequest('quick'));
    await runSlowPart(first.run.scope('a'), 50);
    await first.run.scope('ab').ask('one', makeModelRequest('quick'));
    const { run } = openAttempt(journal, makeModels());
    await run.scope('a').scope('deep').ask('two', makeModelRequest('quick'));
    expect(run.scope('a').spent()).toMatchObject({ calls: 3, usage: { input: 30 }, unpriced: 0 });
    expect(run.scope('ab').spent().calls).toBe(1);
    expect(run.spent().calls).toBe(4);
    expect(run.scope('nobody').spent().calls).toBe(0);
  });
});
