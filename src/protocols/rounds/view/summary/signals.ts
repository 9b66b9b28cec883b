/** The six signals in the report. Why the deliberation ended stands above its synthesis. */
import { words } from '../../../../plain/markdown.ts';
import type { Deliberation } from '../display-state.ts';
import { whyEnded } from '../ending.ts';
import { countedWords, SIGNAL_SIGNS, SIGNAL_WORDS, signalWords } from '../wording.ts';

/** Returns the report's section on stopping signals. */
export function signalSection(run: Deliberation): string[] {
  const { signals, alarm, satisfied } = run.signals;
  if (run.signals.rounds === 0) return ['## Signals', words(whyEnded(run))];
  return [
    '## Signals',
    `${countedWords(satisfied)}.`,
    signals
      .map(
        ({ name, state, why }) =>
          `- ${SIGNAL_SIGNS[state]} ${words(`${SIGNAL_WORDS[name]}: ${signalWords(why)}`)}`,
      )
      .join('\n'),
    ...(alarm === null ? [] : [`**Alarm:** ${words(alarm)}.`]),
  ];
}
