/** A process that is killed while a call is going on: one call recorded, one begun. */

import { z } from 'zod';
import { requestSchema } from '../../src/kernel/facts.ts';
import { Session } from '../../src/kernel/session.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { request, ScriptedModels, said, seat, streamUntilStopped } from './scripted-models.ts';

const store = Store.open(process.argv[2] ?? '', FACTS);
const journal = store.create('test');
const session = new Session({
  journal,
  models: new ScriptedModels(({ seat: { id } }, context) => {
    if (id === 'quick') return said('recorded by the first process');
    console.log(JSON.stringify({ run: journal.run }));
    return streamUntilStopped(context, 'half a thought');
  }),
  answer: () => Promise.reject(new Error('no gate here')),
  protocol: {
    name: 'test',
    requests: requestSchema,
    config: z.record(z.string(), z.unknown()),
    async execute(run) {
      await run.ask('quick', request('quick'));
      await run.ask('slow', request('slow'));
      return { status: 'done' };
    },
  },
});
await session.begin({ question: 'Why?', seats: [seat('quick'), seat('slow')], config: {} });
