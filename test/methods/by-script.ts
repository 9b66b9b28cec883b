/** Runs a method of debate with models whose answers a test chooses by phase and seat. */
import type { ModelRequest } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { loadMethod } from '../../src/protocols/debate/catalog.ts';
import { debate } from '../../src/protocols/debate/debate.ts';
import { readSettings, seatsOf } from '../../src/sdk/config.ts';
import { sdkViewOf } from '../../src/sdk/fold.ts';
import { stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeFailure, ScriptedModels, textOf } from '../kernel/scripted-models.ts';

/** What the script of a test sees of a call to a model. */
export interface ScriptedCall {
  /** The task without the method's name, such as `answer`. */
  readonly phase: string;
  /** The id of the seat. */
  readonly seat: string;
  /** The text of all messages. */
  readonly text: string;
}

/**
 * A function that answers a call with an object for the call's schema, or with a text. The call fails if the
 * function returns undefined.
 */
export type AnswerScript = (asked: ScriptedCall) => object | string | undefined;

/**
 * Runs a debate by a method to its end with scripted answers, then resumes the finished run. Returns the
 * ending, calls, view and conclusion of the debate, and what the resumption did.
 *
 * @param seats The number of seats by role.
 * @param settings Settings of the method, as `NAME=VALUE`.
 */
export async function runScriptedMethod(
  method: string,
  seats: Readonly<Record<string, number>>,
  answers: AnswerScript,
  settings: readonly string[] = [],
) {
  const definition = await loadMethod(method);
  const journal = temporaryStore().create('debate');
  const calls: ScriptedCall[] = [];
  const models = new ScriptedModels((request) => {
    const asked = readRequest(request);
    calls.push(asked);
    const answer = answers(asked);
    if (answer === undefined) return makeFailure('refused', 'no credit');
    if (typeof answer === 'string') return makeAnswer(answer);
    return makeAnswer(JSON.stringify(answer), { value: answer });
  });
  const protocol = debate as Protocol;
  const openSession = (): Session => new Session({ journal, models, protocol, answer: stopAtGate });
  const places = Object.entries(seats).flatMap(([role, count]) =>
    Array.from({ length: count }, () => ({ role, model: 'test/one' })),
  );
  const ended = await openSession().begin({
    question: 'Should we keep it?',
    seats: seatsOf(definition, places),
    config: { method, settings: readSettings(definition, settings), seed: 7 },
  });
  const facts = journal.facts();
  const view = sdkViewOf(facts);
  const asked = calls.length;
  await openSession().resume({ kind: 'convene' });
  return {
    ended,
    calls,
    ...view,
    conclusion: viewOf(facts).syntheses.at(-1)?.text,
    /** The number of calls that the method's run made when it was resumed; 0 unless something is wrong. */
    again: calls.length - asked,
    /** The number of facts that the method's run recorded when it was resumed, besides its start and its end. */
    added: journal.facts().length - facts.length - 2,
  };
}

function readRequest(request: ModelRequest): ScriptedCall {
  const [, phase = ''] = request.task.split('/');
  return { phase, seat: request.seat.id, text: textOf(request) };
}

/** Returns the ids of the seats that were called in a phase, one for each call, in the order of the calls. */
export function listAskedSeats(calls: readonly ScriptedCall[], phase: string): string[] {
  return calls.filter((call) => call.phase === phase).map(({ seat }) => seat);
}
