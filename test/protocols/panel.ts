/**
 * Runs a deliberation in rounds with scripted models that answer every schema validly. A test can replace the
 * answers of any phase.
 */
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
import { stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, ScriptedModels, textOf } from '../kernel/scripted-models.ts';
import { makeSoundAnswer } from './answers.ts';

/**
 * Returns the second part of a request's task, such as `artifact` for `rounds/artifact/critic`. For a check,
 * returns `check` and its number, such as `check 2`.
 */
export function kindOf({ task, about }: ModelRequest): string {
  const [, name = ''] = task.split('/');
  return name === 'check' ? `check ${about?.turn}` : name;
}

type Override = (asked: ModelRequest, kind: string) => ModelResult | undefined;

/** JSON Schemas by their zod schemas, since the same schemas are asked for again and again. */
const forms = new WeakMap<object, Record<string, unknown>>();

/**
 * Returns an answer to a request that a deliberation can use: values that fit the request's schema, or a
 * sentence if it has none. The same request always gets the same answer.
 */
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

/**
 * Returns models that answer with the result of `override`, which gets each request and its `kindOf`. If
 * `override` returns undefined, the answer is that of `makeHealthyAnswer`.
 */
export function makePanel(override: Override = () => undefined): ScriptedModels {
  return new ScriptedModels((asked) => override(asked, kindOf(asked)) ?? makeHealthyAnswer(asked));
}

/** A deliberation in rounds that has ended, and what it recorded. */
export interface FinishedRounds {
  /** The database with the run. */
  readonly store: Store;
  /** The id of the run. */
  readonly run: string;
  /** The recorded facts, folded. */
  readonly view: RoundsView;
  /** The models that answered, with all requests that they got. */
  readonly models: ScriptedModels;
  /** The status with which the run ended, such as `done`. */
  readonly status: string;
}

/** The settings of a deliberation of three rounds without stress rounds, under the latest rules and prompts. */
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

/** The seats of the four roles, each with another model. */
export const SEATS = makeRoundsSeats(
  { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
  { action: 'test/a', guardian: 'test/b', observer: 'test/c', critic: 'test/d' },
);

/**
 * Runs a deliberation in rounds until it ends, or until a gate asks a person, which stops it.
 *
 * @param config Settings in place of those in `CONFIG`.
 * @param store The database; by default a new one that is removed when the test ends.
 * @param options Tools of the seats, and the id of a run that this run is a fork of.
 */
export async function runRounds(
  models: ScriptedModels,
  config: Partial<RoundsConfig> = {},
  store: Store = temporaryStore(),
  { tools, parent }: { readonly tools?: Tools; readonly parent?: string } = {},
): Promise<FinishedRounds> {
  const journal = store.create('rounds', parent);
  const protocol = rounds as Protocol;
  const session = new Session({ journal, models, protocol, answer: stopAtGate, tools });
  const { status } = await session.begin({
    question: 'Should we split the monolith?',
    seats: SEATS,
    config: { ...CONFIG, ...config },
  });
  await session.close();
  return { store, run: journal.run, models, status, view: roundsOf(store.facts(journal.run)) };
}

export { getDefaultStress };
