/**
 * Runs a method of debate in this process, with a real database and session, and answers from the stand-in or
 * a script.
 */
import * as z from 'zod';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import type { Tools } from '../../src/kernel/tools/tools.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { loadMethod } from '../../src/protocols/debate/catalog.ts';
import { debate } from '../../src/protocols/debate/debate.ts';
import { deriveScene } from '../../src/protocols/rehearsal/scene.ts';
import { answerTo } from '../../src/protocols/rehearsal/tasks.ts';
import { seatsOf, toSeatDefinition } from '../../src/sdk/config.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, ScriptedModels } from '../kernel/scripted-models.ts';

/** The question of a debate if a test asks no other. */
export const QUESTION =
  'Should we split the monolith or keep it, and how many weeks would it take?';

/** A function that answers every request of a debate. */
export type Script = (asked: ModelRequest) => ModelResult;

/**
 * Returns the stand-in's answer to a request. If the request has a schema, the answer also has the value that
 * its text contains as JSON.
 *
 * @param model The name of the stand-in's model, such as `panel`, which decides its behaviour.
 */
export function answerAsStandIn(asked: ModelRequest, model = 'panel'): ModelResult {
  const { seat, task, about, messages, schema, seed } = asked;
  const text = answerTo(
    deriveScene({
      task,
      about,
      model,
      seatId: seat.id,
      role: seat.role,
      system: seat.brief,
      messages,
      ...(schema === undefined
        ? {}
        : { schema: z.toJSONSchema(schema) as Record<string, unknown> }),
      ...withoutUndefined({ seed }),
    }),
  );
  return makeAnswer(text, schema === undefined ? {} : { value: JSON.parse(text) });
}

/**
 * Returns a role and a model for each seat of a debate by a method. A role has as many seats as `counts` says,
 * otherwise as many as the method has by default.
 */
export async function makePlaces(
  method: string,
  counts: Readonly<Record<string, number>> = {},
): Promise<{ role: string; model: string }[]> {
  const { seats } = await loadMethod(method);
  return Object.entries(seats).flatMap(([role, seat]) =>
    Array.from({ length: counts[role] ?? toSeatDefinition(seat).many?.usual ?? 1 }, () => ({
      role,
      model: 'test/one',
    })),
  );
}

/** The options of a debate in a test; each has a default. */
export interface MethodOptions {
  /** The number of seats by role; other roles have the method's default. */
  readonly counts?: Readonly<Record<string, number>>;
  /** The seed of the run; 7 by default. */
  readonly seed?: number;
  /** The question of the debate; `QUESTION` by default. */
  readonly question?: string;
  /** Settings of the method in place of its defaults. */
  readonly settings?: Record<string, unknown>;
  /** The title of every seat, such as a person whose values it represents. */
  readonly title?: string;
  /** Tools with which seats look things up. */
  readonly tools?: Tools;
}

/**
 * Runs a debate by a method to its end, with `script` in place of models and the default answer to every
 * question to a person. Returns the ending, the recorded facts, their folds and the text of the conclusion.
 */
export async function runMethod(
  method: string,
  script: Script,
  { counts = {}, seed = 7, question = QUESTION, settings = {}, title, tools }: MethodOptions = {},
) {
  const definition = await loadMethod(method);
  const journal = temporaryStore().create('debate');
  const models = new ScriptedModels(script);
  const openSession = (): Session =>
    new Session({
      journal,
      models,
      tools,
      protocol: debate as Protocol,
      answer: async (_step, asked) => ({ answer: asked.default, by: 'default' }),
    });
  const ended = await openSession().begin({
    question,
    seats: seatsOf(
      definition,
      (await makePlaces(method, counts)).map((place) => ({ ...place, title })),
    ),
    config: {
      method,
      settings: definition.settings?.parse(settings) ?? {},
      seed,
      ...(tools === undefined ? {} : { looks: true }),
    },
  });
  const facts = journal.facts();
  const view = viewOf(facts);
  return {
    ended,
    models,
    facts,
    view,
    debate: sdkViewOf(facts),
    conclusion: view.syntheses.at(-1)?.text ?? '',
    /** Resumes the same run from its journal. */
    again: () => openSession().resume({ kind: 'convene' }),
  };
}

/**
 * Returns the text of a request's first message. Later messages hold an answer that was refused and the
 * objection to it.
 */
export function promptOf({ messages }: ModelRequest): string {
  return (messages[0]?.parts ?? []).map(({ text }) => text).join('\n\n');
}
