/** Boards that are queued for workers and have not begun, each with a question of its own. */
import { Session } from '../../src/kernel/session.ts';
import { loadProtocol } from '../../src/protocols/table.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { makeSeat, ScriptedModels } from '../kernel/scripted-models.ts';

/**
 * Queues `count` boards for workers, each with one seat for each of the given models. The first model is also
 * the synthesizer's. Returns the ids of the runs, in the order of the queue.
 */
export async function queueBoards(
  file: string,
  count: number,
  models: readonly [string, ...string[]],
): Promise<string[]> {
  const store = Store.open(file, FACTS);
  const protocol = await loadProtocol('board');
  const runs = Array.from({ length: count }, (_, number) => {
    const journal = store.create('board');
    const session = new Session({
      journal,
      models: new ScriptedModels(),
      protocol,
      answer: () => Promise.reject(new Error('nobody is asked')),
    });
    session.open({
      question: `Should we split part ${number}?`,
      seats: models.map((model, at) => makeSeat(`seat-${at}`, { model })),
      config: { synthesizer: models[0], open: false, seed: 7, attachments: [] },
    });
    store.detached.keep(journal.run, { limits: { rehearse_speed: 1_000_000 } });
    store.enqueue(journal.run);
    journal.release();
    return journal.run;
  });
  store.close();
  return runs;
}
