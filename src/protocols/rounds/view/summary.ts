/** What rounds came to, for the report: decisions with what they rest on, claims as they stand. */
import { table, words } from '../../../plain/markdown.ts';
import type { RoundsView } from '../fold.ts';

export function claimSections({ rounds, claims }: RoundsView): string[] {
  const decisions = rounds.flatMap((round) => round.decisions);
  const all = Object.values(claims);
  return [
    '## Decisions',
    decisions.length === 0
      ? 'None.'
      : decisions
          .map(({ id, text, cites }) => {
            const ground = cites.map((cite) => `${words(cite.relation)} ${words(cite.id)}`);
            return `- **${words(id)}** ${words(text)}${ground.length > 0 ? ` (${ground.join(', ')})` : ''}`;
          })
          .join('\n'),
    '## Claims',
    all.length === 0
      ? 'None.'
      : table(
          ['claim', 'raised by', 'status', 'text'],
          all.map(({ id, raised_by, status, text }) => [
            words(id),
            words(raised_by),
            words(status.replaceAll('_', ' ')),
            words(text),
          ]),
        ),
    'What was said in each round: `deliberate export --format records`.',
  ];
}
