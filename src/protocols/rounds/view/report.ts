/** Rounds as pages: what happened in each, and the retrospective with its checklist. */
import { entryOf } from '../../../kernel/entry.ts';
import type { RunView } from '../../../kernel/view.ts';
import { REHEARSAL, titleOf } from '../../../plain/naming.ts';
import { line } from '../../../text/line.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { WORTH } from '../../common/votes.ts';
import type { RoundsView, RoundView } from '../fold.ts';
import type { Signals } from '../records/signals.ts';
import { tallyLines, voteLines } from './votes.ts';

/** A round's page, without its drift section. */
export function roundPage(round: RoundView, rounds: RoundsView, view: RunView): string {
  const said = (step: string): string =>
    sanitise(entryOf(view.calls, `round-${round.round}/${step}`)?.text ?? '').trim();
  const supplements = view.seats.flatMap(({ id }) => {
    const text = said(`C/${id}`);
    return text === '' ? [] : [`### ${titleOf(id, view)}`, text];
  });
  return [
    `# Round ${round.round}`,
    `Led by ${round.lead}.${round.absent ? ` Stress round: without ${round.absent}.` : ''}`,
    ...(view.rehearsal ? [`**${REHEARSAL}**`] : []),
    ...(round.predicted ? ['## Predicted signature', bullets(round.predicted)] : []),
    '## Proposal',
    said('B/proposal') || 'None.',
    ...(supplements.length > 0 ? ['## Supplements', ...supplements] : []),
    '## Artifacts',
    bullets(round.artifacts.map(({ path }) => path)),
    '## Verifications',
    bullets(
      round.verifications.map(
        ({ id, check, result, notes, evidence_refs }) =>
          `${id} ${check}: **${result}**. ${notes}${evidence_refs.length ? ` (${evidence_refs.join(', ')})` : ''}`,
      ),
    ),
    '## Claims',
    bullets([
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
      ...round.moves.map(({ claim, from, to, why }) => `${claim}: ${from} to ${to}. ${why}`),
    ]),
    '## Decisions',
    bullets([
      ...round.decisions.map(
        ({ id, text, cites }) =>
          `${id}: ${text} (${cites.map((cite) => `${cite.relation} ${cite.id}`).join(', ')})`,
      ),
      ...round.refused.map(({ text, why }) => `refused: ${text} (${why})`),
    ]),
    ...(round.stances.length > 0
      ? ['## Stances', bullets(voteLines(round, (seat) => titleOf(seat, view)))]
      : []),
    '## Tensions',
    bullets(round.tensions),
    ...(round.impact ? ['## Impact', line(round.impact)] : []),
    ...(round.compared
      ? [
          '## Observed signature',
          bullets([
            ...round.compared.observed.map(
              ({ prediction, happened, where }) => `${prediction}: ${happened}. ${where}`,
            ),
            round.compared.decorative
              ? `The ${round.compared.absent} was decorative.`
              : `The ${round.compared.absent} was missed.`,
          ]),
        ]
      : []),
  ].join('\n\n');
}

/** What the run was like: the failure modes as a checklist, and the stress rounds. */
export function retrospective(view: RunView, rounds: RoundsView, signals: Signals): string {
  const held = rounds.rounds;
  const decorative = held.flatMap(({ compared }) =>
    compared?.decorative ? [compared.absent] : [],
  );
  return [
    '# Retrospective',
    `${held.length} rounds, ${Object.keys(rounds.claims).length} claims, ${held.flatMap(({ decisions }) => decisions).length} decisions. ${signals.satisfied} of 6 signals satisfied: ${signals.recommendation}.`,
    ...(view.rehearsal ? [`**${REHEARSAL}**`] : []),
    '## Failure modes',
    signals.failureModes
      .map(
        ({ id, name, state, why }) =>
          `- [${state === 'suspected' ? 'x' : ' '}] ${id} ${name}: ${state}. ${line(why)}`,
      )
      .join('\n'),
    '## Stress rounds',
    bullets(
      held.flatMap(({ round, absent, compared }) =>
        absent === undefined
          ? []
          : [
              `round ${round} without ${absent}: ${compared === undefined ? 'not compared' : compared.decorative ? 'looked the same' : 'was missed'}`,
            ],
      ),
    ),
    ...(decorative.length > 0 ? [`Decorative in this run: ${decorative.join(', ')}.`] : []),
    ...(held.some(({ votes }) => votes.length > 0)
      ? ['## Votes', bullets(tallyLines(rounds, (seat) => titleOf(seat, view))), WORTH]
      : []),
    '## Open claims',
    bullets(
      Object.values(rounds.claims)
        .filter(({ status }) => status === 'pending' || status === 'tested_unclear')
        .map(({ id, status, text }) => `${id} (${status}): ${text}`),
    ),
  ].join('\n\n');
}

function bullets(items: readonly string[]): string {
  return items.length === 0 ? 'None.' : items.map((item) => `- ${line(item)}`).join('\n');
}
