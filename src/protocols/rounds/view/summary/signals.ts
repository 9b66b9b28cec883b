/** The six signals for the report, and why the deliberation came to its end. */
import { words } from '../../../../plain/markdown.ts';
import { ROUNDS } from '../../facts.ts';
import { isFailureMode, responseTo } from '../../responses.ts';
import type { Deliberation } from '../recorded.ts';
import { ADVICE, SIGNAL_SIGNS, SIGNAL_WORDS, signalWords } from '../wording.ts';

export function signalSection(run: Deliberation): string[] {
  const { signals, alarm, satisfied } = run.signals;
  if (run.signals.rounds === 0) return ['## Signals', whyEnded(run)];
  return [
    '## Signals',
    `${whyEnded(run)} ${satisfied} of 6 signals satisfied.`,
    signals
      .map(
        ({ name, state, why }) =>
          `- ${SIGNAL_SIGNS[state]} ${words(`${SIGNAL_WORDS[name]}: ${signalWords(why)}`)}`,
      )
      .join('\n'),
    ...(alarm === null ? [] : [`**Alarm:** ${words(alarm)}.`]),
  ];
}

/** Why no further round was held, in a sentence. */
export function whyEnded({ facts, view, rounds, config, records }: Deliberation): string {
  const last = rounds.rounds.at(-1);
  if (last === undefined) return 'No round was held.';
  const { round, signals, suspicions } = last;
  if (view.status === 'running' && view.syntheses.length === 0)
    return `The run is in round ${round}.`;
  const gate = facts
    .filter(ROUNDS.is('gate.answered'))
    .findLast(({ step }) => step === `round-${round}/stop`);
  if (gate?.answer === 'stop')
    return gate.by === 'person'
      ? `It was stopped by hand after round ${round}.`
      : `It was stopped after round ${round} by the default answer.`;
  if (view.status !== 'done' && view.syntheses.length === 0)
    return `It was interrupted in round ${round}${view.reason === undefined ? '' : `: ${words(view.reason)}`}.`;
  if (config !== undefined && round >= config.rounds)
    return `It ended after round ${round}, the last one planned.`;
  const ending = suspicions.find(
    ({ id, response }) =>
      response !== undefined &&
      isFailureMode(id) &&
      responseTo(id, records, view.question).end === true,
  );
  if (ending !== undefined)
    return `It ended after round ${round} in answer to ${words(`${ending.id} ${ending.name}: ${ending.why}`)}.`;
  if (signals === undefined || signals.recommendation === 'continue')
    return `It ended after round ${round}.`;
  return `It ended after round ${round} by its signals: ${words(ADVICE[signals.recommendation].toLowerCase())}.`;
}
