/** A team's design: who owns which files, interfaces, decisions and contradictions. */
import { type Block, makeSection, makeTableBlock } from '../../../plain/blocks.ts';
import { escapeLine, escapeText } from '../../../plain/markdown.ts';
import { list } from '../../../text/markdown/blocks.ts';
import type { TeamView } from '../fold.ts';
import type { Interface } from '../forms/design.ts';

type Designed = NonNullable<TeamView['designed']>;

/**
 * Returns the text that the console and the report show about the design: its summary, who owns which files,
 * interfaces, decisions, contradictions, assumptions, open questions and how it fits the goal.
 */
export function designBlocks(designed: Designed): Block[] {
  const { boundaries, architecture, contradictions, cycles, fit, refused } = designed;
  const listRows = (rows: readonly string[]): string => list(rows.map(escapeLine));
  return [
    escapeLine(architecture.summary),
    makeSection('Refused by code', listRows(refused)),
    makeSection(
      'Who owns which files',
      listRows(
        boundaries.domains.map(
          ({ id, workstreams, owns }) =>
            `${id} (${workstreams.join(', ')}): ${owns.join(', ') || 'nothing alone'}`,
        ),
      ),
    ),
    makeSection('Interfaces', interfaceTable(architecture.interfaces)),
    makeSection(
      'Decisions',
      listRows(
        architecture.decisions.map(
          ({ id, text, covers }) =>
            `${id}: ${text}${covers.length === 0 ? '' : ` (${covers.join(', ')})`}`,
        ),
      ),
    ),
    makeSection(
      `Contradictions${cycles === 0 ? '' : `, after ${cycles} ${cycles === 1 ? 'cycle' : 'cycles'} of answers`}`,
      list(contradictions.map(contradictionText)),
    ),
    makeSection(
      'Shared assumptions',
      listRows(
        boundaries.assumptions.map(
          ({ id, text, basis, path }) =>
            `${id}: ${text} (${basis === 'repo' ? path : basis === 'goal' ? 'of the goal' : 'chosen'})`,
        ),
      ),
    ),
    makeSection('Open', listRows(architecture.open)),
    fit === undefined
      ? ''
      : makeSection(
          'Checked against the goal by T1',
          fit.fits ? 'It fits.' : 'It does not fit.',
          listRows([
            ...fit.uncovered.map((id) => `nothing covers ${id}`),
            ...fit.against.map(({ decision, why }) => `against ${decision}: ${why}`),
          ]),
        ),
  ];
}

function contradictionText(contradiction: Designed['contradictions'][number]): string {
  const { id, a, quoteA, b, quoteB, why, by, settled } = contradiction;
  const found = by === 'code' ? 'found by code' : 'found by the lead';
  const ended = settled === undefined ? 'It stays open.' : `Settled: ${escapeLine(settled)}`;
  return `${escapeLine(id)}, ${found}: ${escapeLine(a)} has “${escapeLine(quoteA)}”, ${escapeLine(b)} has “${escapeLine(quoteB)}”. ${escapeLine(why)} ${ended}`;
}

function interfaceTable(interfaces: readonly Interface[]): Block {
  return makeTableBlock(
    '',
    ['name', 'signature', 'file', 'owner', 'users', 'change'],
    interfaces.map(({ name, signature, file, owner, users, change }) => [
      ...[name, signature, file, owner],
      users.join(', '),
      change,
    ]),
  );
}

/** Returns what people read about a domain: the files it owns, and its architect's proposal. */
export function proposalBlocks(designed: Designed | undefined, domain: string): Block[] {
  const proposal = designed?.proposals.find((each) => each.domain === domain);
  const owns = designed?.boundaries.domains.find(({ id }) => id === domain)?.owns ?? [];
  return [
    makeSection('Owns', list(owns.map(escapeLine))),
    ...(proposal === undefined
      ? ['No proposal.']
      : [
          makeSection('Design', escapeText(proposal.design)),
          makeSection('Interfaces', interfaceTable(proposal.interfaces)),
          makeSection(
            'Needs from others',
            list(proposal.needs.map((need) => escapeLine(`${need.domain}: ${need.what}`))),
          ),
          makeSection('Risks', list(proposal.risks.map(escapeLine))),
        ]),
  ];
}
