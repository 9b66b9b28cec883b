/** What a specialist asked and what came of it, and who was called in by what. */
import { quote, words } from '../../../plain/markdown.ts';
import { line } from '../../../text/line.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';
import { plural } from '../../../text/numbers.ts';
import type { PlanView } from '../fold.ts';
import { knownOf, type Planned, researchOn } from './planned.ts';

type Question = PlanView['lookedUp'][number];

/** `docs/clock.md#L10-L14`, `unconfirmed: 1 claim`, or why it is not known. */
export function questionBrief(one: Question, plan: PlanView): string {
  const known = knownOf(one, plan);
  if (one.answer !== undefined && known !== 'researched')
    return known === 'partly known'
      ? `partly known, ${line(one.answer.place)}; missing: ${line(one.missing ?? '')}`
      : line(one.answer.place);
  const found = researchOn(one.id, plan);
  if (found === undefined) return `not known: ${line(whyUnknown(one, plan))}`;
  const claims = found.found.length + (found.absent?.length ?? 0);
  return `from the code, unconfirmed: ${plural(claims, 'claim')}`;
}

/** What went wrong last. */
function whyUnknown({ id, why = 'no answer found' }: Question, plan: PlanView): string {
  const researched = plan.researched.find((one) => one.id === id);
  if (researched === undefined) return why;
  return researched.why ?? 'research found nothing verifiable';
}

export function questionText(one: Question, plan: PlanView): string {
  const researched = plan.researched.find(({ id }) => id === one.id);
  const { found = [], absent = [], dropped = [], why } = researched ?? {};
  return paragraphs([
    `**${stands(one, plan)}**`,
    ...(one.answer === undefined
      ? []
      : [`At ${words(one.answer.place)}, verbatim:`, quote(one.answer.quotation)]),
    ...(one.missing === undefined ? [] : [`Missing: ${words(one.missing)}`]),
    ...(one.answer === undefined && one.why !== undefined ? [`Documents: ${words(one.why)}.`] : []),
    ...(researched === undefined && (one.answer === undefined || one.missing !== undefined)
      ? ['Not searched in the code: no researcher left.']
      : []),
    ...(why === undefined ? [] : [`Research: ${words(why)}.`]),
    ...found.flatMap(({ text, place, quotation }) => [
      `${words(text)} (${words(place)}, unconfirmed)`,
      quote(quotation),
    ]),
    ...absent.map(
      ({ text, pattern, paths }) =>
        `${words(text)} Code searched ${words(paths.filter(Boolean).join(', ') || 'the repository')} for “${words(pattern)}” and found none (unconfirmed).`,
    ),
    dropped.length === 0
      ? ''
      : paragraphs([
          '## Dropped',
          'The researcher also said this; it is shown to no seat.',
          list(dropped.map((each) => `${words(each.text)} (${words(each.why)})`)),
        ]),
  ]);
}

function stands(one: Question, plan: PlanView): string {
  switch (knownOf(one, plan)) {
    case 'answered':
      return 'Answered by a document.';
    case 'researched':
      return 'Answered from the code, unconfirmed.';
    case 'partly known':
      return 'Answered in part; the prompt says what is missing.';
    case 'not known':
      return 'Not known; the prompt says so.';
  }
}

/** `level`: of its headings. */
export function staffingText({ plan, title }: Planned, level = 2): string {
  const mark = '#'.repeat(level);
  const { queries = [], named = [], seats = [], unowned = [], kept } = plan.staffed ?? {};
  return paragraphs([
    'A specialist is called in when a search hits one of its clusters or the chair names one.',
    list(
      seats.map(({ seat, by }) => {
        const how = by.map((cluster) => `${words(cluster)} (${words(touchedBy(cluster, plan))})`);
        return `**${words(title(seat))}**: ${how.join('; ') || 'called in by the person'}`;
      }),
    ),
    ...(unowned.length === 0
      ? []
      : [
          `${mark} Owned by nobody`,
          'The topic touches these clusters, but no specialist covers them:',
          list(unowned.map((cluster) => `${words(cluster)} (${words(touchedBy(cluster, plan))})`)),
        ]),
    `${mark} Searches${kept === true ? ', kept from an earlier run on the topic' : ''}`,
    list(
      queries.map(
        ({ query, clusters }) => `${words(query)}: ${clusters.map(words).join(', ') || 'no hit'}`,
      ),
    ),
    named.length === 0 ? '' : `Named by the chair from the cards: ${named.map(words).join(', ')}.`,
  ]);
}

/** `search “what a saved game holds”`, `named by the chair` */
function touchedBy(cluster: string, { staffed }: PlanView): string {
  const { queries = [], named = [] } = staffed ?? {};
  const hits = queries.filter(({ clusters }) => clusters.includes(cluster));
  return [
    ...hits.map(({ query }) => `search “${query}”`),
    ...(named.includes(cluster) ? ['named by the chair'] : []),
  ].join(', ');
}
