/** `deliberate eval watch`: the screen of an evaluation that another process works on, or that has ended. */
import type { Standing } from '../../../console/evaluation/ports.ts';
import { leaveOnSignals } from '../../../console/terminal/signals.ts';
import type { EvaluationPlan } from '../../../evaluation/plan.ts';
import { UsageError } from '../../../kernel/errors.ts';
import type { StoredEvaluation } from '../../../store/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { Invocation } from '../../invocation.ts';
import { hasConsole } from '../../run/display.ts';
import { readConfig } from '../../settings/config.ts';
import { openModels } from '../../settings/providers.ts';
import { withStore } from '../../store.ts';
import { endedAs } from './exports.ts';
import { headOf, Places } from './places.ts';
import { makersOf, Survey } from './survey.ts';
import { EvaluationWindow } from './window.ts';

/** Between two answers nobody works on anything, for a moment: looks before it is said to be at rest. */
const PATIENCE = 6;
/** Looks from one to the next that asks the system whether whoever works on a run is still there. */
const DEAD = 4;

/** `ref`: as `store.evaluations.find` takes it, but that `latest` is the one that was begun last. */
export function watchEvaluation(call: Invocation, ref = 'latest'): Promise<number> {
  if (!hasConsole(call))
    throw new UsageError(
      'eval watch needs a terminal',
      'Without a terminal: deliberate eval report',
    );
  return withStore(call, async (store) => {
    const stored =
      (ref === 'latest' ? store.evaluations.latestBegun() : undefined) ??
      store.evaluations.find(ref);
    await watch(call, store, stored);
    return 0;
  });
}

async function watch(call: Invocation, store: Store, stored: StoredEvaluation): Promise<void> {
  const { id } = stored;
  const config = readConfig(call);
  const places = new Places(JSON.parse(stored.plan) as EvaluationPlan);
  const survey = new Survey({
    ...{ store, places },
    gateway: openModels(call, config),
    makers: await makersOf(places),
    tell: (news) => {
      window.model.tell(news);
      window.changed();
    },
  });
  let quiet = PATIENCE;
  let looks = 0;
  const look = (): boolean => {
    if (looks % DEAD === 0) store.clearDeadOwners();
    looks += 1;
    const isAll = survey.look();
    quiet = survey.atWork > 0 ? 0 : quiet + 1;
    const next = quiet < PATIENCE ? 'live' : store.evaluations.isOver(id) ? 'ended' : 'resting';
    if (next !== window.model.standing.kind) window.stand(standing(next));
    return isAll;
  };
  const standing = (kind: 'live' | 'resting' | 'ended'): Standing =>
    kind === 'ended' ? endedAs(store, id) : { kind };
  const head = headOf(id, places, {}, false);
  const stop = (): void => undefined;
  const { keys } = config;
  const window = await EvaluationWindow.open({ call, store, head, keys, look, stop });
  const forget = leaveOnSignals(() => void window.close());
  try {
    window.begin();
    await window.closed;
  } finally {
    forget();
  }
}
