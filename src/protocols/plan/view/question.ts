/** Defines the records of what specialists had to know, and what was found. */
import { type Block, makeSection, type Tone } from '../../../plain/blocks.ts';
import { escapeLine, formatQuotation } from '../../../plain/markdown.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { toLine } from '../../../text/line.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { PlanView } from '../fold.ts';
import type { PlanDisplay } from './display-state.ts';

/**
 * A question that a seat asked before the first round, with what was found for it in the documents.
 */
export type Question = PlanView['lookedUp'][number];

/**
 * The description of the questions that seats ask before the first round (a kind of record), from which their rows
 * in the Context tab and their part of the report are made.
 */
export const QUESTION = recordKind({
  name: 'What they had to know first',
  about:
    'What each specialist needed to know first. Documents answer first, then the code; the rest is not known, and the prompts say so.',
  all: ({ plan }: PlanDisplay) => plan.lookedUp,
  id: ({ id }: Question) => id,
  heading: ({ seat, question }, { title }) => `${title(seat)} asked: ${question}`,
  columns: [
    { title: 'seat', of: ({ seat }, { title }) => title(seat) },
    {
      title: 'answer',
      of: (question, { plan }) => ({
        text: questionBrief(question, plan),
        tone: KNOWN_TONES[rateAnswer(question, plan)],
      }),
    },
    { title: 'question', of: ({ question }) => question },
  ],
  details: (question, { plan }) => questionDetails(question, plan),
});

/**
 * How well a seat's question was answered: wholly by a document, by research in the code, in part by a document, or
 * not at all.
 */
export type AnswerQuality = 'answered' | 'researched' | 'partly known' | 'not known';

const KNOWN_TONES: Readonly<Record<AnswerQuality, Tone>> = {
  answered: 'good',
  researched: 'mixed',
  'partly known': 'mixed',
  'not known': 'bad',
};

/** Returns how well a seat's question was answered, by documents or by research. */
export function rateAnswer({ id, answer, missing }: Question, plan: PlanView): AnswerQuality {
  if (answer !== undefined && missing === undefined) return 'answered';
  if (researchOn(id, plan) !== undefined) return 'researched';
  return answer === undefined ? 'not known' : 'partly known';
}

/** Returns what was found in the code about a question; undefined if nothing was. */
function researchOn(id: string, { researched }: PlanView) {
  const research = researched.find((each) => each.id === id);
  return research !== undefined && research.found.length + (research.absent?.length ?? 0) > 0
    ? research
    : undefined;
}

/**
 * Formats in one line how a question was answered: the place in the documents such as
 * `docs/clock.md#L10-L14`, or how many unconfirmed claims research found, or why the answer is not
 * known.
 */
export function questionBrief(question: Question, plan: PlanView): string {
  const known = rateAnswer(question, plan);
  if (question.answer !== undefined && known !== 'researched')
    return known === 'partly known'
      ? `partly known, ${toLine(question.answer.place)}; missing: ${toLine(question.missing ?? '')}`
      : toLine(question.answer.place);
  const found = researchOn(question.id, plan);
  if (found === undefined) return `not known: ${toLine(whyUnknown(question, plan))}`;
  const claims = found.found.length + (found.absent?.length ?? 0);
  return `from the code, unconfirmed: ${formatCount(claims, 'claim')}`;
}

/** Returns why the last attempt to answer a question failed. */
function whyUnknown({ id, why = 'no answer found' }: Question, plan: PlanView): string {
  const researched = plan.researched.find((research) => research.id === id);
  if (researched === undefined) return why;
  return researched.why ?? 'research found nothing verifiable';
}

/** Returns everything about a question: how well it is answered, where its answer is, and what research found. */
export function questionDetails(question: Question, plan: PlanView): Block[] {
  const researched = plan.researched.find(({ id }) => id === question.id);
  const { found = [], absent = [], dropped = [], why } = researched ?? {};
  return [
    `**${describeAnswer(question, plan)}**`,
    ...(question.answer === undefined
      ? []
      : [
          `At ${escapeLine(question.answer.place)}, verbatim:`,
          formatQuotation(question.answer.quotation),
        ]),
    question.missing === undefined ? '' : `Missing: ${escapeLine(question.missing)}`,
    question.answer === undefined && question.why !== undefined
      ? `Documents: ${escapeLine(question.why)}.`
      : '',
    researched === undefined && (question.answer === undefined || question.missing !== undefined)
      ? 'Not searched in the code: no researcher left.'
      : '',
    why === undefined ? '' : `Research: ${escapeLine(why)}.`,
    ...found.flatMap(({ text, place, quotation }) => [
      `${escapeLine(text)} (${escapeLine(place)}, unconfirmed)`,
      formatQuotation(quotation),
    ]),
    ...absent.map(
      ({ text, pattern, paths }) =>
        `${escapeLine(text)} Code searched ${escapeLine(paths.filter(Boolean).join(', ') || 'the repository')} for “${escapeLine(pattern)}” and found none (unconfirmed).`,
    ),
    dropped.length === 0
      ? ''
      : makeSection(
          'Dropped',
          'The researcher also said this; it is shown to no seat.',
          list(dropped.map((each) => `${escapeLine(each.text)} (${escapeLine(each.why)})`)),
        ),
  ];
}

function describeAnswer(question: Question, plan: PlanView): string {
  switch (rateAnswer(question, plan)) {
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
