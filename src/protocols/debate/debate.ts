/**
 * Debates by a method. A method is a protocol file that uses `deliberate/protocol`; this protocol runs the one
 * that was named, or chooses one that suits the question. A method can do nothing that a person's own file
 * could not do.
 */
import { type PredictionInputs, predict } from '../../decisions/predict.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Outcome, Protocol, RunContext } from '../../kernel/protocol.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { AnyDefinition } from '../../sdk/define.ts';
import { runProtocol } from '../../sdk/engine.ts';
import { SDK } from '../../sdk/facts.ts';
import type { ProtocolFiles } from '../../sdk/place.ts';
import { type OwnRequest, ownRequest, ownRequestSchema } from '../../sdk/requests.ts';
import { leadingSentence } from '../../text/answers/first-sentence.ts';
import { noteSchema } from '../common/requests.ts';
import { loadMethod } from './catalog.ts';
import { chooseMethod } from './choose.ts';
import { AUTO, type DebateConfig, debateConfigSchema } from './config.ts';
import { selectSeats } from './estimate.ts';

/** Methods are built in, so errors do not point to lines of their files. */
const NO_PLACES: ProtocolFiles = { main: '', has: () => false };

/** The protocol `debate`: runs the named method, or a method that suits the question. */
export const debate: Protocol<DebateConfig, OwnRequest> = {
  name: 'debate',
  config: debateConfigSchema,
  requests: ownRequestSchema,
  controls: noteSchema,
  request: ownRequest,
  execute: runDebate,
};

async function runDebate(
  run: Run,
  context: RunContext<DebateConfig, OwnRequest>,
): Promise<Outcome> {
  const { config } = context;
  const name = config.method === AUTO ? await chooseMethod(run, context) : config.method;
  const definition = await loadMethod(name);
  // The panel may have a judge, because seats were filled before the method was chosen. Methods
  // without a judge skip that seat.
  const seats = selectSeats(definition, context.seats);
  return runProtocol(run, { ...context, seats }, definition, {
    places: NO_PLACES,
    task: (phase) => `${name}/${phase}`,
    // The judge gets no tools, because it must rely on what was said in the debate.
    looks: (role) => config.looks === true && role !== 'judge',
    concluded: (text) => predict(run, predictionInputs({ ...context, seats }, text)),
  });
}

/**
 * Returns the inputs for a debate's predictions. The judge's model, or else the first seat's, drafts them
 * from the conclusion `text`; the seats that are no judge give probabilities.
 */
function predictionInputs(
  { question, seats, config }: Pick<RunContext<DebateConfig>, 'question' | 'seats' | 'config'>,
  text: string,
): PredictionInputs {
  const panel = seats.filter(({ role }) => role !== 'judge');
  const judge = seats.find(({ role }) => role === 'judge') ?? seats[0];
  const drafter = { id: 'synthesizer', role: 'synthesizer', title: 'Synthesizer', brief: '' };
  return {
    count: config.predict ?? 0,
    question,
    questionNumber: 1,
    version: 1,
    synthesis: text,
    recommendation: leadingSentence(text) ?? '',
    pieces: () => [],
    drafter: { ...drafter, model: judge?.model ?? '' },
    seats: panel,
    seed: config.seed,
  };
}

/**
 * Loads the method of a recorded debate.
 * @throws DeliberateError if the method was left to the program and none has been chosen yet
 */
export async function loadRecordedMethod(
  config: unknown,
  facts: readonly AnyFact[],
): Promise<AnyDefinition> {
  const { method } = debateConfigSchema.parse(config);
  const chosen = facts.findLast(SDK.is('method.chosen'))?.method;
  const name = method === AUTO ? chosen : method;
  if (name === undefined)
    throw new DeliberateError('no-method', 'no method was chosen yet', 'Resume the run first.');
  return loadMethod(name);
}
