/** `deliberate resume` and `deliberate resynthesize`: come back to a run. */
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import type { Request } from '../kernel/facts.ts';
import { type RunView, viewOf } from '../kernel/view.ts';
import { Store } from '../store/store.ts';
import { readConfig } from './config.ts';
import { shortId } from './display.ts';
import { databaseFile } from './files.ts';
import type { Invocation } from './invocation.ts';
import { checkSpec } from './panel.ts';
import { preside } from './preside.ts';
import { protocolNamed } from './protocols.ts';
import { openModels } from './providers.ts';

export function resume(call: Invocation): Promise<number> {
  return comeBack(call, (view) => {
    // A sitting that the program did not live to end is taken up where it was.
    if (view.status === 'running') return view.request;
    const missing = view.seats.filter((seat) => view.calls[`seat/${seat.id}`]?.state !== 'done');
    if (view.status === 'done' && missing.length === 0)
      throw new DeliberateError(
        'nothing-to-resume',
        `run ${shortId(view.id)} is done: every seat has answered`,
        `Another synthesis: deliberate resynthesize ${shortId(view.id)}`,
      );
    return { kind: 'convene' };
  });
}

export function resynthesize(call: Invocation): Promise<number> {
  const { model, note, without } = call.flags;
  return comeBack(call, (view) => {
    const unknown = without.find((id) => !view.seats.some((seat) => seat.id === id));
    if (unknown !== undefined)
      throw new UsageError(
        `--without ${unknown}: there is no such seat`,
        `The seats are ${view.seats.map((seat) => seat.id).join(', ')}.`,
      );
    return {
      kind: 'resynthesize',
      version: view.syntheses.length + 1,
      ...(model === undefined ? {} : { model: checkSpec(model) }),
      ...(note === undefined ? {} : { note }),
      ...(without.length === 0 ? {} : { without }),
    };
  });
}

async function comeBack(call: Invocation, ask: (view: RunView) => Request): Promise<number> {
  const config = readConfig(call);
  const store = Store.open(databaseFile(call));
  try {
    const id = store.find(runOf(call));
    const view = viewOf(store.facts(id));
    if (view.seq === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(id)} never began: the program died before it could record the question`,
        `Remove it with: deliberate rm ${shortId(id)}`,
      );
    const protocol = await protocolNamed(view.protocol);
    const request = ask(view);
    const journal = store.own(id);
    return await preside({
      call,
      config,
      store,
      journal,
      protocol,
      models: openModels(call, config),
      start: (session) => session.resume(request),
    });
  } finally {
    store.close();
  }
}

/** The one word after the command. @throws UsageError */
export function runOf({ words }: Invocation): string {
  const [run, ...more] = words;
  if (run === undefined || more.length > 0)
    throw new UsageError(
      'name one run',
      'An id, the beginning of one, or "latest"; deliberate list shows them.',
    );
  return run;
}
