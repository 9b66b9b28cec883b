/**
 * Explains in one line why a deliberation ended. A reader must know whether the panel was finished
 * or only out of rounds.
 */
import type { RunView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { RoundsView, SignalsView } from '../claims/rounds-view.ts';
import { ROUNDS } from '../facts.ts';
import { getResponse, isFailureMode } from '../failure-mode-responses.ts';
import type { Records } from '../records/records.ts';

/** The data from which the line is made. */
interface Ended {
  readonly facts: readonly AnyFact[];
  readonly view: RunView;
  readonly rounds: RoundsView;
  readonly records: Records;
}

/** What the signals recommended, for a run that ended for another reason. */
const ADVISED: Readonly<Record<SignalsView['recommendation'], string>> = {
  stop: 'the signals advised stopping',
  'wrap-up': 'the signals advised one more round to wrap up',
  consider: 'the signals advised considering to stop',
  continue: 'the signals advised another round',
};

const STOPPED_BY = {
  person: 'by hand',
  default: 'by the default answer',
  program: 'by the program that asked',
} as const;

/**
 * Explains why a deliberation ended: `Ended at the 3-round limit; the signals advised another round
 * (1 of 6 met; 3 cannot be met in 3 rounds).`
 */
export function explainEnding({ facts, view, rounds, records }: Ended): string {
  const last = rounds.rounds.at(-1);
  if (last === undefined) return 'No round was held.';
  const { round, phase, signals, suspicions } = last;
  const isHeld = phase === 'synthesis';
  const written = view.syntheses.length > 0;
  // Do not say that the run goes on: the run's facts do not show whether a process still works on it.
  if (view.status === 'running' && !written)
    return isHeld
      ? `Round ${round} is over, and no synthesis is written yet.`
      : `Round ${round} is not over.`;
  const met = signals === undefined ? '' : `: ${metWords(signals)}`;
  const gate = facts
    .filter(ROUNDS.is('gate.answered'))
    .findLast(({ step }) => step === `round-${round}/stop`);
  if (gate?.answer === 'stop') return `Stopped ${STOPPED_BY[gate.by]} after round ${round}${met}.`;
  if (view.status !== 'done' && !written)
    return `Interrupted ${isHeld ? 'at its end, after' : 'in'} round ${round}${view.reason === undefined ? '' : `: ${toLine(view.reason)}`}.`;
  const limit = records.budget;
  if (limit !== undefined && round >= limit)
    return `Ended at the ${limit}-round limit${signals === undefined ? '' : `; ${ADVISED[signals.recommendation]} (${signals.satisfied} of ${signals.signals.length} met${beyondWords(signals, limit)})`}.`;
  const ending = suspicions.find(
    ({ id, response }) =>
      response !== undefined &&
      isFailureMode(id) &&
      getResponse(id, records, view.question).end === true,
  );
  if (ending !== undefined)
    return `Ended after round ${round} in response to ${toLine(`${ending.id} ${ending.name}: ${ending.why}`)}.`;
  if (signals === undefined || signals.recommendation === 'continue')
    return `Ended after round ${round}${met}.`;
  return `Stopped after round ${round}${met}.`;
}

/** Formats `4 of 6 signals met`. */
function metWords({ satisfied, signals }: SignalsView): string {
  return `${satisfied} of ${signals.length} signals met`;
}

/** Formats `; 3 cannot be met in 3 rounds`. */
function beyondWords({ signals }: SignalsView, limit: number): string {
  const beyond = signals.filter(({ why }) => why.startsWith('out of reach in ')).length;
  return beyond === 0 ? '' : `; ${beyond} cannot be met in ${formatCount(limit, 'round')}`;
}
