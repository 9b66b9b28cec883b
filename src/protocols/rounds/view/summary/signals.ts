/** The six signals in the report. The reason why the deliberation ended is given above its synthesis. */
import { words } from '../../../../plain/markdown.ts';
import type { Deliberation } from '../display-state.ts';
import { explainEnding } from '../ending.ts';
import {
  formatSatisfiedCount,
  SIGNAL_SIGNS,
  SIGNAL_WORDS,
  translateSignalReason,
} from '../wording.ts';

/** Returns the report's section on stopping signals. */
export function formatSignalSection(run: Deliberation): string[] {
  const { signals, alarm, satisfied } = run.signals;
  if (run.signals.rounds === 0) return ['## Signals', words(explainEnding(run))];
  return [
    '## Signals',
    `${formatSatisfiedCount(satisfied)}.`,
    signals
      .map(
        ({ name, state, why }) =>
          `- ${SIGNAL_SIGNS[state]} ${words(`${SIGNAL_WORDS[name]}: ${translateSignalReason(why)}`)}`,
      )
      .join('\n'),
    ...(alarm === null ? [] : [`**Alarm:** ${words(alarm)}.`]),
  ];
}
