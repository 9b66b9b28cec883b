/** A panel for structured deliberation that answers every schema, and can be made to misbehave in any phase. */
import { z } from 'zod';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeSchemaValue } from '../../src/protocols/rehearsal/json.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import type { RoundsView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { LATEST, type RoundsConfig } from '../../src/protocols/rounds/config.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { getDefaultStress } from '../../src/protocols/rounds/schedule.ts';
import type { Store } from '../../src/store/store.ts';
import { answerByDefault, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, ScriptedModels, textOf } from '../kernel/scripted-models.ts';
import { makeSoundAnswer } from './answers.ts';

/** What a call is for: its task's name, and which of the four checks it is. */
export function kindOf({ task, about }: ModelRequest): string {
  const [, name = ''] = task.split('/');
  return name === 'check' ? `check ${about?.turn}` : name;
}

type Override = (asked: ModelRequest, kind: string) => ModelResult | undefined;

/** Schemas as JSON: what asks for something asks for it in the same form again and again. */
const forms = new WeakMap<object, Record<string, unknown>>();

/** An answer to anything that a deliberation can use, the same one for the same question. */
export function makeHealthyAnswer(asked: ModelRequest): ModelResult {
  const text = textOf(asked);
  if (asked.schema === undefined)
    return makeAnswer(`${asked.seat.id} holds that ${kindOf(asked)} matters.`);
  const schema =
    forms.get(asked.schema) ?? (z.toJSONSchema(asked.schema) as Record<string, unknown>);
  forms.set(asked.schema, schema);
  const chance = new Chance(`${asked.seat.id}${text}`);
  const value = {
    ...Object(makeSchemaValue(schema, deriveTopic(asked.about?.question ?? ''), chance)),
    ...makeSoundAnswer({ schema, text, seed: asked.seed ?? 0 }, chance),
  } as Record<string, unknown>;
  return makeAnswer(JSON.stringify(value), { value });
}

export function makePanel(override: Override = () => undefined): ScriptedModels {
  return new ScriptedModels((asked) => override(asked, kindOf(asked)) ?? makeHealthyAnswer(asked));
}

export interface FinishedRounds {
  readonly store: Store;
  readonly run: string;
  readonly view: RoundsView;
  readonly models: ScriptedModels;
  readonly status: string;
}

export const CONFIG: RoundsConfig = {
  verifier: 'test/verifier',
  rounds: 3,
  stress: {},
  driftEvery: 3,
  stopAt: 'never',
  respond: 'report',
  seed: 7,
  ...LATEST,
  attachments: [],
};

export const SEATS = makeRoundsSeats(
  { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
  { action: 'test/a', guardian: 'test/b', observer: 'test/c', critic: 'test/d' },
);

/** Holds a deliberation to its end. */
export async function runRounds(
  models: ScriptedModels,
  config: Partial<RoundsConfig> = {},
  store: Store = temporaryStore(),
  { tools, parent }: { readonly tools?: Tools; readonly parent?: string } = {},
): Promise<FinishedRounds> {
  const journal = store.create('rounds', parent);
  const protocol = rounds as Protocol;
  const session = new Session({ journal, models, protocol, answer: answerByDefault, tools });
  const { status } = await session.begin({
    question: 'Should we split the monolith?',
    seats: SEATS,
    config: { ...CONFIG, ...config },
  });
  await session.close();
  return { store, run: journal.run, models, status, view: roundsOf(store.facts(journal.run)) };
}

export { getDefaultStress };
