/**
 * A process that is killed during a call. Its first call is recorded; during the second it prints the id of
 * the run, and waits.
 */

import { z } from 'zod';
import { requestSchema } from '../../src/kernel/facts.ts';
import { Session } from '../../src/kernel/session.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import {
  makeAnswer,
  makeModelRequest,
  makeSeat,
  ScriptedModels,
  streamUntilStopped,
} from './scripted-models.ts';

const store = Store.open(process.argv[2] ?? '', FACTS);
const journal = store.create('test');
const session = new Session({
  journal,
  models: new ScriptedModels(({ seat: { id } }, context) => {
    if (id === 'quick') return makeAnswer('recorded by the first process');
    console.log(JSON.stringify({ run: journal.run }));
    return streamUntilStopped(context, 'half a thought');
  }),
  answer: () => Promise.reject(new Error('no gate here')),
  protocol: {
    name: 'test',
    requests: requestSchema,
    config: z.record(z.string(), z.unknown()),
    async execute(run) {
      await run.ask('quick', makeModelRequest('quick'));
      await run.ask('slow', makeModelRequest('slow'));
      return { status: 'done' };
    },
  },
});
await session.begin({ question: 'Why?', seats: [makeSeat('quick'), makeSeat('slow')], config: {} });
