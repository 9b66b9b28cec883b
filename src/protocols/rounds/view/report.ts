/** Formats rounds as Markdown pages, and the retrospective with its checklist. */

import { entryOf } from '../../../kernel/entry.ts';
import type { RunView } from '../../../kernel/view.ts';
import { blocksText } from '../../../plain/blocks-text.ts';
import { IdExplainer } from '../../../plain/id-explainer.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { findWarning, getSeatTitle } from '../../../plain/naming.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { sanitiseText } from '../../../text/sanitise.ts';
import { WORTH } from '../../common/voting/votes.ts';
import type { RoundsView, RoundView } from '../claims/rounds-view.ts';
import { type Absence, deriveAbsence } from './absence.ts';
import type { Deliberation } from './display-state.ts';
import { explainEnding } from './ending.ts';
import { listRemarksOnLatest } from './summary/doubts.ts';
import { describeRecords } from './summary/named.ts';
import { qualityBlocks } from './summary/quality.ts';
import { describeReader, hasNoReader } from './summary/reader.ts';
import { describeHeardRoles, explainIds, formatItalic } from './summary/report.ts';
import { formatAllTallies, formatRoundVotes } from './votes.ts';
import {
  CHECK_NAMES,
  formatSatisfiedCount,
  formatStatusChange,
  STANDING_WORDS,
} from './wording.ts';

function formatWarning(view: RunView): string[] {
  const warning = findWarning(view);
  return warning === undefined ? [] : [`**${warning}**`];
}

/** Returns the page of a round as Markdown, without the section on drift. */
export function formatRoundPage(round: RoundView, rounds: RoundsView, view: RunView): string {
  const getCallText = (step: string): string =>
    sanitiseText(entryOf(view.calls, `round-${round.round}/${step}`)?.text ?? '').trim();
  const supplements = view.seats.flatMap(({ id }) => {
    const text = getCallText(`C/${id}`);
    return text === '' ? [] : [`### ${getSeatTitle(id, view)}`, text];
  });
  return [
    `# Round ${round.round}`,
    `Led by ${round.lead}.${round.absent ? ` Stress round: without ${round.absent}.` : ''}`,
    ...formatWarning(view),
    ...(round.predicted ? ['## Predicted signature', formatBullets(round.predicted)] : []),
    '## Proposal',
    getCallText('B/proposal') || 'None.',
    ...(supplements.length > 0 ? ['## Supplements', ...supplements] : []),
    '## Artifacts',
    formatBullets(round.artifacts.map(({ path }) => path)),
    '## Verifications',
    formatBullets(
      round.verifications.map(
        ({ id, check, result, notes, evidence_refs }) =>
          `${id} ${CHECK_NAMES[check]}: **${result}**. ${notes}${evidence_refs.length ? ` (${evidence_refs.join(', ')})` : ''}`,
      ),
    ),
    '## Claims',
    formatBullets([
      ...round.raised.flatMap((id) => {
        const claim = entryOf(rounds.claims, id);
        return claim
          ? [`${id} (${claim.raised_by}): ${claim.text} Testable as: ${claim.testable_as}`]
          : [];
      }),
      ...Object.values(rounds.claims).flatMap(({ edits = [] }) =>
        edits
          .filter((edit) => edit.round === round.round)
          .map(({ claim, text, was }) => `${claim} was edited: it read "${was}", now "${text}"`),
      ),
      ...round.moves.map((move) => `${move.claim}: ${formatStatusChange(move)}. ${move.why}`),
    ]),
    '## Decisions',
    formatBullets([
      ...round.decisions.map(
        ({ id, text, cites }) =>
          `${id}: ${text} (${cites.map((cite) => `${cite.relation} ${cite.id}`).join(', ')})`,
      ),
      ...round.refused.map(({ text, why }) => `refused: ${text} (${why})`),
    ]),
    ...(round.stances.length > 0
      ? ['## Stances', formatBullets(formatRoundVotes(round, (seat) => getSeatTitle(seat, view)))]
      : []),
    '## Tensions',
    formatBullets(round.tensions),
    ...(round.impact ? ['## Impact', toLine(round.impact)] : []),
    ...(round.compared
      ? [
          '## Observed signature',
          formatBullets([
            ...round.compared.observed.map(
              ({ prediction, happened, where }) => `${prediction}: ${happened}. ${where}`,
            ),
            `The ${round.compared.absent} ${STRESS_RESULT_WORDS[deriveAbsence(round.compared, round.predicted)].role}.`,
          ]),
        ]
      : []),
  ].join('\n\n');
}

/**
 * Returns the latest synthesis as Markdown, with its roles and an explanation of its ids. Returns
 * undefined if there is none.
 */
export function formatSynthesisPage(run: Deliberation): string | undefined {
  const { view } = run;
  const synthesis = view.syntheses.at(-1);
  if (synthesis === undefined) return undefined;
  const notes = [
    explainEnding(run),
    describeHeardRoles(synthesis, view),
    ...(hasNoReader(run) ? [describeReader(run)] : []),
  ];
  const ids = explainIds(synthesis, describeRecords(run));
  return [
    `_${escapeLine(notes.join(' '))}_`,
    synthesis.text.trim(),
    ...formatItalic(listRemarksOnLatest(synthesis, run)),
    ...(ids === '' ? [] : ['_Named above:_', ids]),
  ].join('\n\n');
}

/**
 * Formats the report on how the deliberation went as Markdown: what went wrong, which failure modes
 * were suspected, what the stress rounds showed about the roles, votes and open claims.
 */
export function formatRetrospective(run: Deliberation): string {
  const { view, rounds, signals, state } = run;
  const held = rounds.rounds;
  const shown = held.flatMap(({ compared, predicted }) =>
    compared === undefined
      ? []
      : [{ absent: compared.absent, shown: deriveAbsence(compared, predicted) }],
  );
  // Name a role as decorative only if every stress round without this role showed that nobody missed it.
  const decorative = [...new Set(shown.map(({ absent }) => absent))].filter((role) =>
    shown.every((stressRound) => stressRound.absent !== role || stressRound.shown === 'decorative'),
  );
  const moved = state.claims.filter(({ standing }) => standing !== 'open').length;
  const meanings = describeRecords(run);
  const named = new IdExplainer(meanings);
  return [
    '# Retrospective',
    `${formatCount(held.length, 'round')} held. ${formatCount(state.claims.length, 'claim')} raised; ${moved} changed status. ${formatCount(state.decisions.length, 'decision')} made. ${formatSatisfiedCount(signals.satisfied)}. ${explainEnding(run)}`,
    ...formatWarning(view),
    '## Problems in the process',
    ...blocksText(qualityBlocks(run, meanings), 2),
    '## Failure modes',
    signals.failureModes
      .map(
        ({ id, name, state: found, why }) =>
          `- [${found === 'suspected' ? 'x' : ' '}] ${id} ${name}: ${found}. ${toLine(why)}`,
      )
      .join('\n'),
    '## Stress rounds',
    formatBullets(
      held.flatMap(({ round, absent, compared, predicted }) =>
        absent === undefined
          ? []
          : [
              `round ${round} without ${absent}: ${compared === undefined ? 'not compared' : STRESS_RESULT_WORDS[deriveAbsence(compared, predicted)].round}`,
            ],
      ),
    ),
    ...(decorative.length > 0 ? [`Decorative in this run: ${decorative.join(', ')}.`] : []),
    ...(held.some(({ votes }) => votes.length > 0)
      ? [
          '## Votes',
          formatBullets(formatAllTallies(rounds, (seat) => getSeatTitle(seat, view))),
          WORTH,
        ]
      : []),
    '## Open claims',
    formatBullets(
      state.claims
        .filter(({ standing }) => standing === 'open' || standing === 'unclear')
        .map(({ claim, standing }) =>
          named.explain(`${named.tell(claim.id)} (${STANDING_WORDS[standing]}): ${claim.text}`),
        ),
    ),
  ].join('\n\n');
}

/**
 * Words for what a stress round showed about the role that was left out. `role` continues a sentence
 * after this role (`The critic was decorative`). `round` stands after the round and the role (`round 3
 * without critic: looked the same`).
 */
export const STRESS_RESULT_WORDS: Readonly<
  Record<Absence, { readonly role: string; readonly round: string }>
> = {
  missed: { role: 'was missed', round: 'was missed' },
  decorative: { role: 'was decorative', round: 'looked the same' },
  unknown: {
    role: 'was not shown to be missed, nor not to be',
    round: 'not shown whether it was missed',
  },
};

/** Formats texts as a Markdown list, or returns `None.` if there are none. */
export function formatBullets(items: readonly string[]): string {
  return items.length === 0 ? 'None.' : items.map((item) => `- ${toLine(item)}`).join('\n');
}
