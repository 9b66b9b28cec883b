/**
 * Collects the inputs for predictions: the synthesis, open claims, and what would change the
 * answer.
 */
import type { PredictionInputs } from '../../decisions/predict.ts';
import { firstSentence, sectionIn } from '../../text/answers/first-sentence.ts';
import { makeEffortSetting } from '../common/asking/thinking.ts';
import { seatAt } from './fork-changes.ts';
import { convertToRecords } from './records/of-run.ts';
import { deriveState } from './records/state-of.ts';
import type { RoundsRun } from './rounds-run.ts';

interface Written {
  readonly version: number;
  readonly text: string;
  readonly model: string;
}

/** The most open claims that the drafting model sees, newest first. */
const MOST_CLAIMS = 8;

/**
 * Returns the inputs for drafting predictions from a synthesis.
 * @param round the number under which the synthesis is recorded: one more than the last round's
 * @param count the number of predictions
 */
export function getPredictionInputs(
  { settings, view, plan }: RoundsRun,
  round: number,
  { version, text, model }: Written,
  count: number,
): PredictionInputs {
  const below = `round-${round}`;
  const { claims } = deriveState(convertToRecords(view, plan));
  const open = claims.filter(({ standing }) => standing === 'open').toReversed();
  const told = open
    .slice(0, MOST_CLAIMS)
    .map(({ claim }) => `${claim.id}: ${claim.text}\nDecided by: ${claim.testable_as}`);
  const change = sectionIn(text, 'What would change the answer') ?? '';
  return {
    count,
    version,
    below,
    question: settings.question,
    questionNumber: 1,
    synthesis: text,
    recommendation: ['Answer', 'What to do']
      .map((heading) => firstSentence(sectionIn(text, heading) ?? '') ?? '')
      .join(' '),
    pieces: () => [
      ...(told.length === 0 ? [] : [{ from: 'claims that are open', text: told.join('\n\n') }]),
      ...(change === '' ? [] : [{ from: 'what would change the answer', text: change }]),
    ],
    drafter: {
      id: 'synthesizer',
      role: 'synthesizer',
      title: 'Synthesizer',
      model,
      brief: '',
      ...makeEffortSetting(settings.effort),
    },
    seats: settings.seats.map((seat) =>
      seatAt(seat, `${below}/predictions/${version}`, settings.changes),
    ),
    seed: settings.seed,
  };
}
