/** Formats who was called in, and why. */
import { type Block, makeSection } from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { list } from '../../../text/markdown/blocks.ts';
import type { PlanView } from '../fold.ts';
import type { PlanDisplay } from './display-state.ts';

/**
 * Lists the specialists that take part in a plan. For each, says why it was called in: a search that hit one of its
 * clusters, a cluster that the chair named, or the person.
 */
export function staffingBlocks({ plan, title }: PlanDisplay): Block[] {
  const { queries = [], named = [], seats = [], unowned = [], kept } = plan.staffed ?? {};
  const clusterWords = (cluster: string): string =>
    `${escapeLine(cluster)} (${escapeLine(touchedBy(cluster, plan))})`;
  return [
    'A specialist is called in when a search hits one of its clusters or the chair names one.',
    list(
      seats.map(({ seat, by }) => {
        const how = by.map(clusterWords).join('; ') || 'called in by the person';
        return `**${escapeLine(title(seat))}**: ${how}`;
      }),
    ),
    unowned.length === 0
      ? ''
      : makeSection(
          'Owned by nobody',
          'The topic touches these clusters, but no specialist covers them:',
          list(unowned.map(clusterWords)),
        ),
    makeSection(
      `Searches${kept === true ? ', kept from an earlier run on the topic' : ''}`,
      list(
        queries.map(
          ({ query, clusters }) =>
            `${escapeLine(query)}: ${clusters.map(escapeLine).join(', ') || 'no hit'}`,
        ),
      ),
      named.length === 0
        ? ''
        : `Named by the chair from the cards: ${named.map(escapeLine).join(', ')}.`,
    ),
  ];
}

/** Says what hit a cluster, such as `search “what a saved game holds”` or `named by the chair`. */
function touchedBy(cluster: string, { staffed }: PlanView): string {
  const { queries = [], named = [] } = staffed ?? {};
  const hits = queries.filter(({ clusters }) => clusters.includes(cluster));
  return [
    ...hits.map(({ query }) => `search “${query}”`),
    ...(named.includes(cluster) ? ['named by the chair'] : []),
  ].join(', ');
}
