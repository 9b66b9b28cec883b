/** Holds a debate in this process: a real database, the real session, and answers from the stand-in or a script. */
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

export const QUESTION =
  'Should we split the monolith or keep it, and how many weeks would it take?';

export type Script = (asked: ModelRequest) => ModelResult;

/** What the stand-in says to a request; of a form, as text and value. */
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

/** Seats as the method has them by default, or so many of each role. */
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

export interface MethodOptions {
  readonly counts?: Readonly<Record<string, number>>;
  readonly seed?: number;
  readonly question?: string;
  readonly settings?: Record<string, unknown>;
  /** Of every seat, as values of a person's may say. */
  readonly title?: string;
  readonly tools?: Tools;
}

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
    /** The same run taken up again from its log. */
    again: () => openSession().resume({ kind: 'convene' }),
  };
}

/** What the models were asked, without the answers that were held against a seat a second time. */
export function promptOf({ messages }: ModelRequest): string {
  return (messages[0]?.parts ?? []).map(({ text }) => text).join('\n\n');
}
