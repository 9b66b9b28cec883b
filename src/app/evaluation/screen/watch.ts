/** `deliberate eval watch`: the screen of an evaluation that another process works on, or that has ended. */
import type { EvaluationStanding } from '../../../console/evaluation/ports.ts';
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
import { readStanding } from './exports.ts';
import { AnswerPositions, makeHead } from './places.ts';
import { loadArmMakers, Survey } from './survey.ts';
import { EvaluationWindow } from './window.ts';

/**
 * How often polling may find no running answer before the evaluation counts as paused. There is a
 * short gap between two answers.
 */
const QUIET_LOOKS = 6;
/** Every so many looks the system is asked whether the owners of the runs still live. */
const OWNER_CHECK_LOOKS = 4;

/**
 * Opens the screen of an evaluation on which this process does not work: another process works on it, or nobody does,
 * or it is over. Resolves to the exit code.
 *
 * @param ref an id, the beginning of one, or `latest` for the evaluation that was begun last
 */
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
    await watchStored(call, store, stored);
    return 0;
  });
}

async function watchStored(
  call: Invocation,
  store: Store,
  stored: StoredEvaluation,
): Promise<void> {
  const { id } = stored;
  const config = readConfig(call);
  const places = new AnswerPositions(JSON.parse(stored.plan) as EvaluationPlan);
  const survey = new Survey({
    store,
    places,
    gateway: openModels(call, config),
    makers: await loadArmMakers(call.protocols, places),
    tell: (news) => {
      window.model.tell(news);
      window.changed();
    },
  });
  let quiet = QUIET_LOOKS;
  let looks = 0;
  const look = (): boolean => {
    if (looks % OWNER_CHECK_LOOKS === 0) store.clearDeadOwners();
    looks += 1;
    const isAll = survey.look();
    quiet = survey.atWork > 0 ? 0 : quiet + 1;
    const next = quiet < QUIET_LOOKS ? 'live' : store.evaluations.isOver(id) ? 'ended' : 'resting';
    if (next !== window.model.standing.kind) window.stand(getStanding(next));
    return isAll;
  };
  const getStanding = (kind: 'live' | 'resting' | 'ended'): EvaluationStanding =>
    kind === 'ended' ? readStanding(store, id) : { kind };
  const head = makeHead(id, places, {}, false);
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
