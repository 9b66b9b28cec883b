/** Formats a team's design as Markdown: who owns which files, interfaces, decisions and contradictions. */
import { formatTable, letters, words } from '../../../plain/markdown.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';
import type { TeamView } from '../fold.ts';
import type { Interface } from '../forms/design.ts';
import { formatPart } from './wording.ts';

type Designed = NonNullable<TeamView['designed']>;

/** Formats the design as Markdown. `level` is the level of its headings. */
export function designText(designed: Designed, level: number): string {
  const mark = '#'.repeat(level);
  const { boundaries, architecture, contradictions, cycles, fit, refused } = designed;
  const clean = (rows: readonly string[]): string => list(rows.map(words));
  return paragraphs([
    words(architecture.summary),
    formatPart(mark, 'Refused by code', clean(refused)),
    formatPart(
      mark,
      'Who owns which files',
      clean(
        boundaries.domains.map(
          ({ id, workstreams, owns }) =>
            `${id} (${workstreams.join(', ')}): ${owns.join(', ') || 'nothing alone'}`,
        ),
      ),
    ),
    formatPart(mark, 'Interfaces', interfaceTable(architecture.interfaces)),
    formatPart(
      mark,
      'Decisions',
      clean(
        architecture.decisions.map(
          ({ id, text, covers }) =>
            `${id}: ${text}${covers.length === 0 ? '' : ` (${covers.join(', ')})`}`,
        ),
      ),
    ),
    formatPart(
      mark,
      `Contradictions${cycles === 0 ? '' : `, after ${cycles} ${cycles === 1 ? 'cycle' : 'cycles'} of answers`}`,
      list(contradictions.map(contradictionText)),
    ),
    formatPart(
      mark,
      'Shared assumptions',
      clean(
        boundaries.assumptions.map(
          ({ id, text, basis, path }) =>
            `${id}: ${text} (${basis === 'repo' ? path : basis === 'goal' ? 'of the goal' : 'chosen'})`,
        ),
      ),
    ),
    formatPart(mark, 'Open', clean(architecture.open)),
    fit === undefined
      ? ''
      : formatPart(
          mark,
          'Checked against the goal by T1',
          fit.fits ? 'It fits.' : 'It does not fit.',
          clean([
            ...fit.uncovered.map((id) => `nothing covers ${id}`),
            ...fit.against.map(({ decision, why }) => `against ${decision}: ${why}`),
          ]),
        ),
  ]);
}

function contradictionText(one: Designed['contradictions'][number]): string {
  const { id, a, quoteA, b, quoteB, why, by, settled } = one;
  const found = by === 'code' ? 'found by code' : 'found by the lead';
  const ended = settled === undefined ? 'It stays open.' : `Settled: ${words(settled)}`;
  return `${words(id)}, ${found}: ${words(a)} has “${words(quoteA)}”, ${words(b)} has “${words(quoteB)}”. ${words(why)} ${ended}`;
}

function interfaceTable(interfaces: readonly Interface[]): string {
  if (interfaces.length === 0) return '';
  return formatTable(
    ['name', 'signature', 'file', 'owner', 'users', 'change'],
    interfaces.map(({ name, signature, file, owner, users, change }) => [
      words(name),
      words(signature),
      words(file),
      words(owner),
      words(users.join(', ')),
      change,
    ]),
  );
}

/** Formats what a domain owns and proposed. */
export function proposalText(designed: Designed | undefined, domain: string): string {
  const one = designed?.proposals.find((each) => each.domain === domain);
  const owns = designed?.boundaries.domains.find(({ id }) => id === domain)?.owns ?? [];
  return paragraphs([
    formatPart('#', 'Owns', list(owns.map(words))),
    ...(one === undefined
      ? ['No proposal.']
      : [
          formatPart('#', 'Design', letters(one.design)),
          formatPart('#', 'Interfaces', interfaceTable(one.interfaces)),
          formatPart(
            '#',
            'Needs from others',
            list(one.needs.map((need) => words(`${need.domain}: ${need.what}`))),
          ),
          formatPart('#', 'Risks', list(one.risks.map(words))),
        ]),
  ]);
}
