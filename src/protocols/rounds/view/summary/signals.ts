/** The six signals in the report. The reason why the deliberation ended is given above its synthesis. */
import { makeSection, type Section } from '../../../../plain/blocks.ts';
import { escapeLine } from '../../../../plain/markdown.ts';
import { list } from '../../../../text/markdown/blocks.ts';
import type { Deliberation } from '../display-state.ts';
import { explainEnding } from '../ending.ts';
import {
  formatSatisfiedCount,
  SIGNAL_SIGNS,
  SIGNAL_WORDS,
  translateSignalReason,
} from '../wording.ts';

/** Returns the report's section on stopping signals. */
export function signalSection(run: Deliberation): Section {
  const { signals, alarm, satisfied } = run.signals;
  if (run.signals.rounds === 0) return makeSection('Signals', escapeLine(explainEnding(run)));
  return makeSection(
    'Signals',
    `${formatSatisfiedCount(satisfied)}.`,
    list(
      signals.map(
        ({ name, state, why }) =>
          `${SIGNAL_SIGNS[state]} ${escapeLine(`${SIGNAL_WORDS[name]}: ${translateSignalReason(why)}`)}`,
      ),
    ),
    alarm === null ? '' : `**Alarm:** ${escapeLine(alarm)}.`,
  );
}
