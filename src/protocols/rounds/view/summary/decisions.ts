/**
 * The decisions in the report with their grounds. Decisions without valid grounds are listed apart.
 */
import { words } from '../../../../plain/markdown.ts';
import type { DecisionState } from '../../records/standing/decisions.ts';
import type { Citation } from '../../records/types.ts';
import type { Deliberation } from '../display-state.ts';
import { IdExplainer, type Meanings } from './named.ts';

/**
 * Returns the report's section on decisions.
 * @param meanings the short description of each id
 */
export function formatDecisionSection({ state }: Deliberation, meanings: Meanings): string[] {
  const { decisions } = state;
  const named = new IdExplainer(meanings);
  const entries = (of: DecisionState['standing'], entry: (one: DecisionState) => string): string =>
    decisions
      .filter(({ standing }) => standing === of)
      .map((one) => `- **${words(named.tell(one.decision.id))}** ${entry(one)}`)
      .join('\n');
  const standing = entries('stands', ({ decision }) =>
    words([decision.text, ...groundsOf(decision.cites, decision.conditions, named)].join(' ')),
  );
  const fallen = entries('fallen', ({ decision, fallen: why }) =>
    words(`${decision.text} ✗ ${named.explain(why.map((one) => one.why).join('; '))}.`),
  );
  const overturned = entries('overturned', ({ decision }) => words(decision.text));
  return [
    '## Decisions',
    standing === ''
      ? decisions.length === 0
        ? 'No decisions were made.'
        : 'None stands.'
      : standing,
    ...(fallen === '' ? [] : ['### Their ground has fallen: they carry nothing', fallen]),
    ...(overturned === '' ? [] : ['### Overturned by a later decision', overturned]),
  ];
}

const RELATIONS: Readonly<Record<Citation['relation'], string>> = {
  'based-on': 'Rests on',
  'supported-by': 'Supported by',
  supersedes: 'Overturns',
};

function groundsOf(
  cites: readonly Citation[],
  conditions: readonly string[] | undefined,
  named: IdExplainer,
): string[] {
  const of = (relation: Citation['relation']): string[] => {
    const cited = cites.filter((one) => one.relation === relation);
    if (cited.length === 0) return [];
    const all = cited.map(
      ({ id, takes_as }) => `${named.explain(id)}${takes_as === 'false' ? ', taken as false' : ''}`,
    );
    return [`${RELATIONS[relation]} ${all.join('; ')}.`];
  };
  return [
    ...(cites.length === 0 ? ['Rests on nothing.'] : []),
    ...of('based-on'),
    ...of('supported-by'),
    ...of('supersedes'),
    ...(conditions === undefined || conditions.length === 0
      ? []
      : [`Waits for the test of ${named.explain(conditions.join('; '))}.`]),
  ];
}
