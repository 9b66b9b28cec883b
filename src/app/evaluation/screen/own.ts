/** The screen of an evaluation that this process works on. */
import type { OwnKeys } from '../../../console/keys/key-lookup.ts';
import type { EvaluationPlan } from '../../../evaluation/plan.ts';
import type { ModelGateway } from '../../../models/gateway.ts';
import type { Store } from '../../../store/store.ts';
import type { Invocation } from '../../invocation.ts';
import type { EvaluationDisplay } from '../display.ts';
import type { Limits } from '../work.ts';
import { readStanding } from './exports.ts';
import { AnswerPositions, makeHead } from './places.ts';
import { Survey } from './survey.ts';
import { EvaluationWindow } from './window.ts';

/** What is needed to open the screen of an evaluation on which this process itself works. */
export interface OwnParts {
  readonly call: Invocation;
  readonly store: Store;
  readonly id: string;
  readonly plan: EvaluationPlan;
  readonly gateway: ModelGateway;
  readonly limits: Limits;
  readonly keys: OwnKeys | undefined;
  /** Returns how many answers the evaluation still waits for after the person has stopped it. */
  readonly awaited: () => number;
  /** Stops the evaluation; answers that were begun are finished. */
  readonly stop: () => void;
  /** Called if the person leaves the screen before the evaluation has ended. */
  readonly left: () => void;
}

/** Opens the screen of an evaluation that this process works on. */
export async function openOwnScreen(parts: OwnParts): Promise<EvaluationDisplay> {
  const { call, store, id, plan, gateway, limits, keys, awaited, stop, left } = parts;
  const places = new AnswerPositions(plan);
  const survey = new Survey({
    store,
    places,
    gateway,
    makers: new Map(),
    tell: (news) => {
      window.model.tell(news);
      window.changed();
    },
  });
  const look = (): boolean => {
    if (window.model.standing.kind === 'stopping')
      window.stand({ kind: 'stopping', waits: awaited() });
    return survey.look();
  };
  const head = makeHead(id, places, limits, true);
  const window = await EvaluationWindow.open({ call, store, head, keys, look, stop });
  let isOver = false;
  const leaveUnlessOver = (): void => {
    if (!isOver) left();
  };
  window.closed.then(leaveUnlessOver, leaveUnlessOver);
  window.begin();
  return {
    tell: () => window.changed(),
    hear: (heard) => survey.hear(heard),
    stopping: () => window.stand({ kind: 'stopping', waits: awaited() }),
    ended: async () => {
      isOver = true;
      window.stand(readStanding(store, id));
      await window.closed;
    },
    close: () => window.close(),
  };
}
