/**
 * Debates by a method. A method is a protocol file over `deliberate/protocol`; this holds the one that
 * was named, or finds out which suits the question. It declares nothing that a person's own file could
 * not.
 */
import { type PredictionInputs, predict } from '../../decisions/predict.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Outcome, Protocol, RunContext } from '../../kernel/protocol.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { AnyDefinition } from '../../sdk/define.ts';
import { hold } from '../../sdk/engine.ts';
import { SDK } from '../../sdk/facts.ts';
import type { Places } from '../../sdk/place.ts';
import { type OwnRequest, ownRequest, ownRequestSchema } from '../../sdk/requests.ts';
import { leadingSentence } from '../../text/answers/first-sentence.ts';
import { noteSchema } from '../common/requests.ts';
import { methodNamed } from './catalog.ts';
import { chooseMethod } from './choose.ts';
import { AUTO, type DebateConfig, debateConfigSchema } from './config.ts';
import { seatsFor } from './estimate.ts';

/** No line of a method is a person's to mend. */
const NOWHERE: Places = { main: '', has: () => false };

export const debate: Protocol<DebateConfig, OwnRequest> = {
  name: 'debate',
  config: debateConfigSchema,
  requests: ownRequestSchema,
  controls: noteSchema,
  request: ownRequest,
  execute: holdDebate,
};

async function holdDebate(
  run: Run,
  context: RunContext<DebateConfig, OwnRequest>,
): Promise<Outcome> {
  const { config } = context;
  const name = config.method === AUTO ? await chooseMethod(run, context) : config.method;
  const definition = await methodNamed(name);
  // A panel that was seated before the method was chosen has a judge, whom not every method seats.
  const seats = seatsFor(definition, context.seats);
  return hold(run, { ...context, seats }, definition, {
    places: NOWHERE,
    task: (phase) => `${name}/${phase}`,
    // Judges go by what was said.
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
    ...{ count: config.predict ?? 0, question, questionNumber: 1, version: 1, synthesis: text },
    recommendation: leadingSentence(text) ?? '',
    pieces: () => [],
    drafter: { ...drafter, model: judge?.model ?? '' },
    seats: panel,
    seed: config.seed,
  };
}

/** The method that a run is held by, as far as its log says. @throws DeliberateError where none was chosen yet */
export async function definitionOf(
  config: unknown,
  facts: readonly AnyFact[],
): Promise<AnyDefinition> {
  const { method } = debateConfigSchema.parse(config);
  const chosen = facts.findLast(SDK.is('method.chosen'))?.method;
  const name = method === AUTO ? chosen : method;
  if (name === undefined)
    throw new DeliberateError('no-method', 'no method was chosen yet', 'Resume the run first.');
  return methodNamed(name);
}
