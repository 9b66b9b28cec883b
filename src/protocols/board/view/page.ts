/** Builds the HTML report of a board: recommendation, vote, matrix and dissent. */

import type {
  Answer,
  Block,
  Cell,
  PageBuilder,
  Row,
  Section,
  Tone,
  Vote,
} from '../../../html-report/parts.ts';
import { toSections } from '../../../html-report/sections.ts';
import type { RunView, SynthesisView } from '../../../kernel/view.ts';
import { callAt } from '../../../kernel/view.ts';
import { nestHeadings, words } from '../../../plain/markdown.ts';
import { formatSynthesisHeading, getSeatTitle, whyNoFinalAnswer } from '../../../plain/naming.ts';
import { formatQuotationCounts } from '../../common/quotations/readable.ts';
import { countVotes, WORTH } from '../../common/voting/votes.ts';
import { formatPosition } from '../ballots.ts';
import { type AgreementView, answerStep, boardOf, type QuestionView } from '../fold.ts';
import { findBoardQuotations } from '../quotations.ts';
import { getFirstRecommendation, warnOfRepeatedTask } from '../recommended.ts';
import { drawBoardArgument, getPointId } from './argument.ts';
import { findAgreement, findOtherWordings, groupChoices } from './choices.ts';
import {
  formatAgreementNote,
  formatMatrixTitle,
  formatPoint,
  formatReadableSynthesis,
  listMatrixSeats,
  type ReadBoard,
} from './reading.ts';
import {
  findSyntheses,
  formatAsides,
  formatSynthesisParts,
  getAnswerId,
  listBoardGaps,
} from './sections.ts';
import { describeUnusable, findUnusableBallots } from './unusable-ballots.ts';

/** Builds the HTML report of a board. */
export const page: PageBuilder = ({ facts, view }) => {
  const run: ReadBoard = { view, board: boardOf(facts), quotations: findBoardQuotations(facts) };
  const { questions } = run.board;
  const several = questions.length > 1;
  return {
    answers: questions.map((question) => answerOf(run, question, several)),
    sections: [
      ...questions.flatMap((question) => {
        const of = several ? ` (question ${question.number})` : '';
        return sectionsOn(run, question).map((one) => ({ ...one, title: one.title + of }));
      }),
    ],
    missing: listBoardGaps(run),
  };
};

/** The synthesis and the matrix of one question that are shown together. */
interface Settled {
  readonly synthesis: SynthesisView | undefined;
  readonly agreement: AgreementView | undefined;
}

function settledIn({ view, board }: ReadBoard, question: QuestionView): Settled {
  const synthesis = findSyntheses(view, board, question).at(-1);
  return { synthesis, agreement: findAgreement(board, question.number, synthesis?.version) };
}

function answerOf(run: ReadBoard, question: QuestionView, several: boolean): Answer {
  const { view, quotations } = run;
  const { synthesis, agreement } = settledIn(run, question);
  const bad =
    synthesis && formatQuotationCounts(quotations[synthesis.version] ?? [], { onlyIfBad: true });
  const repeated = synthesis && warnOfRepeatedTask(synthesis.text);
  const warnings = [
    ...(repeated === undefined ? [] : [`The synthesis has no worth: ${repeated}.`]),
    ...(bad === undefined ? [] : [`Read it with care. Quotations in it: ${bad}.`]),
  ];
  return {
    title: several ? `Question ${question.number}: ${question.text}` : 'Recommendation',
    text: synthesis && getFirstRecommendation(formatReadableSynthesis(synthesis, quotations, view)),
    heard: [
      synthesis === undefined ? 'There is no synthesis.' : formatSynthesisHeading(synthesis, view),
    ],
    ...(warnings.length === 0 ? {} : { warnings }),
    votes: question.ballots.length === 0 ? [] : [voteOf(question, view, agreement)],
  };
}

function voteOf(
  { ballots }: QuestionView,
  view: RunView,
  agreement: AgreementView | undefined,
): Vote {
  const without = view.seats.filter(({ id }) => !ballots.some(({ seat }) => seat === id));
  return {
    title: 'Vote before debate',
    choices: countVotes(ballots, groupChoices(ballots, agreement)).map(
      ({ option, seats, votes }) => ({
        option,
        votes,
        seats: seats.map((id) => getSeatTitle(id, view)),
        also: findOtherWordings(ballots, { option, seats }),
      }),
    ),
    notes:
      without.length === 0
        ? []
        : [`No ballot: ${without.map(({ id }) => getSeatTitle(id, view)).join(', ')}.`],
  };
}

function sectionsOn(run: ReadBoard, question: QuestionView): Section[] {
  const settled = settledIn(run, question);
  const graph = drawBoardArgument(run, question, settled);
  return [
    ...synthesisSection(run, question),
    ...dissentSection(run, question, settled),
    ...matrixSection(run, settled),
    ...(graph === undefined
      ? []
      : [{ title: 'The argument', blocks: [{ kind: 'graph', graph } as const] }]),
    { title: 'Answers', blocks: answerBlocks(run, question) },
    ...ballotSection(run, question, settled),
    ...toSections(formatAsides(run, question)),
  ];
}

/** Shows the latest synthesis open, earlier ones folded. */
function synthesisSection(run: ReadBoard, question: QuestionView): Section[] {
  const { view, board } = run;
  const all = findSyntheses(view, board, question).toReversed();
  if (all.length === 0) return [];
  const blockOf = (synthesis: SynthesisView): Block => ({
    kind: 'markdown',
    text: formatSynthesisParts(run, synthesis).join('\n\n'),
    anchor: `Synthesis v${synthesis.version}`,
  });
  return [
    {
      title: 'Synthesis',
      blocks: all.map(
        (one, at): Block =>
          at === 0
            ? blockOf(one)
            : { kind: 'folded', title: formatSynthesisHeading(one, view), blocks: [blockOf(one)] },
      ),
    },
  ];
}

/** Lists who chose differently from most, and who is against points that others are for. */
function dissentSection(
  { view }: ReadBoard,
  { ballots }: QuestionView,
  { agreement }: Settled,
): Section[] {
  const [first, second] = countVotes(ballots, groupChoices(ballots, agreement));
  const isTie = first !== undefined && first.votes === second?.votes;
  const isMost = first !== undefined && first.votes * 2 > ballots.length;
  const others = ballots.filter(({ seat }) => isTie || first?.seats.includes(seat) !== true);
  const parted = (agreement?.points ?? []).filter(
    ({ cells }) =>
      cells.some(({ side }) => side === 'for') && cells.some(({ side }) => side === 'against'),
  );
  if (others.length + parted.length === 0) return [];
  const rows: Row[] = [
    ...others.map(({ seat, option, position }) => ({
      cells: [
        getSeatTitle(seat, view),
        isMost ? 'votes against most' : 'votes apart from the others',
        { text: option, below: [formatPosition(position)] },
      ],
    })),
    ...parted.flatMap(({ text, cells }) =>
      cells
        .filter(({ side }) => side === 'against')
        .map(({ seat, quote }) => ({
          cells: [
            getSeatTitle(seat, view),
            'is against',
            {
              text: agreement === undefined ? text : formatPoint(text, agreement, view),
              below: [`“${quote}”`],
            },
          ],
        })),
    ),
  ];
  return [
    {
      title: 'Dissent',
      blocks: [
        {
          kind: 'table',
          table: { about: 'Who objects.', head: ['who', '', 'what'], rows },
        },
      ],
    },
  ];
}

const SIDES: ReadonlyMap<string, Tone> = new Map([
  ['for', 'good'],
  ['against', 'bad'],
  ['partly', 'mixed'],
]);

/** Makes a table with a row for each point and a column for each advisor whose answer was used. */
function matrixSection({ view }: ReadBoard, { synthesis, agreement }: Settled): Section[] {
  if (agreement === undefined) return [];
  if (agreement.points.length === 0)
    return [
      {
        title: formatMatrixTitle(agreement, synthesis),
        blocks: [{ kind: 'markdown', text: words(formatAgreementNote(agreement)) }],
      },
    ];
  const seats = listMatrixSeats(agreement, view);
  const { points } = agreement;
  const rows = points.map(({ text, cells }, at): Row => {
    const id = getPointId(agreement, at);
    return {
      anchor: id,
      cells: [
        id,
        formatPoint(text, agreement, view),
        ...seats.map((seat): Cell => {
          const cell = cells.find((one) => one.seat === seat);
          return cell === undefined
            ? { text: '' }
            : { text: cell.side, tone: SIDES.get(cell.side), below: [`“${cell.quote}”`] };
        }),
      ],
    };
  });
  return [
    {
      title: formatMatrixTitle(agreement, synthesis),
      blocks: [
        {
          kind: 'table',
          table: {
            about: formatAgreementNote(agreement),
            head: ['point', 'text', ...seats.map((id) => getSeatTitle(id, view))],
            rows,
          },
        },
      ],
    },
  ];
}

function answerBlocks({ view }: ReadBoard, { number }: QuestionView): Block[] {
  return view.seats.map((seat): Block => {
    const call = callAt(view.calls, answerStep(seat.id, number));
    const why = whyNoFinalAnswer(call);
    return {
      kind: 'folded',
      title: `${getSeatTitle(seat.id, view)} (${call?.model ?? seat.model})${why === undefined ? '' : `: ${why}`}`,
      anchor: getAnswerId(seat.id, number, view),
      blocks: [
        {
          kind: 'markdown',
          text: [
            ...(call === undefined || call.text.trim() === '' ? [] : [nestHeadings(call.text, 2)]),
            ...(call?.notes.length ? [`_Notes: ${call.notes.map(words).join('; ')}_`] : []),
          ].join('\n\n'),
        },
      ],
    };
  });
}

function ballotSection(
  { view }: ReadBoard,
  question: QuestionView,
  { agreement }: Settled,
): Section[] {
  const { ballots } = question;
  const unusable = findUnusableBallots(question, view).map(
    (one): Block => ({
      kind: 'markdown',
      text: `${describeUnusable(one, words(getSeatTitle(one.seat, view)))}.`,
    }),
  );
  if (ballots.length === 0)
    return unusable.length === 0 ? [] : [{ title: 'Ballots', blocks: unusable }];
  const worth = countVotes(ballots, groupChoices(ballots, agreement))
    .map(({ option, effective }) => `"${option}" ${effective.toFixed(1)}`)
    .join(', ');
  return [
    {
      title: 'Ballots',
      blocks: [
        {
          kind: 'table',
          table: {
            about: `In independent votes: ${worth}. ${WORTH}`,
            head: ['seat', 'option', '>confidence', 'position'],
            rows: ballots.map(({ seat, option, confidence, position }) => ({
              cells: [
                getSeatTitle(seat, view),
                option,
                confidence.toFixed(2),
                formatPosition(position),
              ],
            })),
          },
        },
        ...unusable,
      ],
    },
  ];
}
