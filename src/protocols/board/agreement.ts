/**
 * The table of positions of a synthesis: which ballots are the same choice, and who is for and against what, with
 * a quotation for each. The synthesizer's model proposes it; code checks every quotation and drops those that
 * were not said.
 */

import * as z from 'zod';
import type { Reply } from '../../kernel/call.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Message } from '../../kernel/model.ts';
import { isRehearsal } from '../../kernel/providers/spec.ts';
import { encloseInTags } from '../common/prompts/fence.ts';
import { isQuoteOf } from '../common/quotations/quotes.ts';
import { type Comparison, compareEntries, comparisonTask } from '../common/voting/same-choice.ts';
import { areOpposed, groupOptions, normalizeOption } from '../common/voting/votes.ts';
import { parseBallot, SAME_CHOICE } from './ballots.ts';
import { type FactBody, fact } from './facts.ts';
import { answersNonce, answersText, describeBoardRequest } from './prompts.ts';
import type { QuestionContext } from './questions.ts';
import {
  getLetters,
  makeSynthesizerSeat,
  type Panel,
  type SynthesisOptions,
} from './synthesize.ts';

const MOST_POINTS = 7;
const MAX_POINT = 200;
const SIDES = ['for', 'against', 'partly'] as const;

interface Cell {
  readonly advisor: string;
  readonly side: (typeof SIDES)[number];
  readonly quote: string;
}
interface PositionsAnswer {
  readonly points: readonly { readonly text: string; readonly cells: readonly Cell[] }[];
  readonly same?: readonly { readonly option: string; readonly as: string }[] | undefined;
}

/** The limits of the answer; small models would fill the lists until they are cut off. */
const MATRIX = { tokens: 6_000, text: 1_200, items: 16 };

/**
 * The schema of the answer. `options` are the ids of different ballots; with fewer than two there is nothing to
 * compare.
 */
function agreementSchema(advisors: readonly string[], options: readonly string[]) {
  const cell = z.object({
    advisor: z.enum(advisors as [string, ...string[]]),
    side: z.enum(SIDES),
    quote: z.string(),
  });
  const points = z.array(z.object({ text: z.string(), cells: z.array(cell) }));
  if (options.length < 2) return z.object({ points });
  const id = z.enum(options as [string, ...string[]]);
  return z.object({ points, same: z.array(z.object({ option: id, as: id })) });
}

interface Cast {
  readonly seat: string;
  readonly option: string;
  readonly position: string;
}

/**
 * Asks the synthesizer's model for the table of positions: who is for and against each point. Drops quotations that
 * are not in the answers, and records the table. If the call fails, or if there are fewer than two answers, the
 * synthesis has no table.
 */
export async function askForPositions(
  run: Run,
  asked: QuestionContext,
  panel: Panel,
  version: number,
  { model, seed, effort }: SynthesisOptions,
): Promise<void> {
  // Ask for no table of a single answer, which has nothing to agree or disagree with.
  if (panel.order.length < 2) return;
  const advisors = advisorKeys(panel);
  const ballots = panel.order.flatMap(({ seat, text }): Cast[] => {
    const ballot = parseBallot(text, asked.text);
    return ballot === undefined ? [] : [{ seat: seat.id, ...ballot }];
  });
  const different = differentOf(ballots);
  const comparison =
    different.length < 2
      ? undefined
      : compareEntries(different, panel.told.seed, panel.plantedOption);
  const schema = agreementSchema(advisors, comparison?.ids ?? []);
  const step = `agreement/${version}`;
  const conclude = (reply: Reply): FactBody[] => {
    const parsed = schema.safeParse(reply.status === 'done' ? reply.value : undefined);
    if (!parsed.success) return [];
    const drawn: PositionsAnswer = parsed.data;
    return [
      fact('agreement.mapped', {
        question: asked.number,
        version,
        model,
        options: choicesOf(ballots, comparison?.readPairs(drawn.same ?? []) ?? []),
        ...checkPositions(drawn, panel),
        step,
        rehearsal: isRehearsal(model),
      }),
    ];
  };
  await run.ask(
    step,
    {
      task: 'board/agreement',
      about: { ...describeBoardRequest(panel.told), items: advisors },
      labels: getLetters(panel),
      seat: makeSynthesizerSeat({ model, effort }),
      messages: messagesOf(panel, comparison),
      schema,
      limits: {
        ...MATRIX,
        items: Math.max(MATRIX.items, advisors.length, comparison?.ids.length ?? 0),
      },
      seed,
    },
    { conclude },
  );
}

/** Returns the names of advisors in the table: the letters that the synthesizer knows, or their seats' ids. */
function advisorKeys({ order, labels }: Panel): string[] {
  const letters = Object.keys(labels);
  return letters.length > 0 ? letters : order.map(({ seat }) => seat.id);
}

/** Returns one ballot for each different wording of an option. */
function differentOf(ballots: readonly Cast[]): Cast[] {
  return ballots.filter(
    ({ option }, index) =>
      ballots.findIndex((other) => normalizeOption(other.option) === normalizeOption(option)) ===
      index,
  );
}

function choicesOf(
  ballots: readonly Cast[],
  same: readonly (readonly [Cast, Cast])[],
): { option: string; seats: string[] }[] {
  const options = ballots.map(({ option }) => option);
  const drawn = groupOptions(
    options,
    same.map(([one, other]): [number, number] => [ballots.indexOf(one), ballots.indexOf(other)]),
  );
  // If the model has called opposite options equal, such as a yes and a no, it did not read the ballots. Then none
  // of the options that it called equal are counted together.
  const misread = options.some((option, at) =>
    options.some((other, index) => drawn[at] === drawn[index] && areOpposed(option, other)),
  );
  const labels = misread ? groupOptions(options) : drawn;
  return [...new Set(labels)]
    .map((option) => ({
      option,
      seats: ballots.filter((_one, index) => labels[index] === option).map(({ seat }) => seat),
    }))
    .sort((left, right) => right.seats.length - left.seats.length);
}

type Checked = Pick<Extract<FactBody, { type: 'agreement.mapped' }>, 'points' | 'dropped'>;

/** Checks a table: drops cells whose quotation was not said, and repeated advisors in a point. */
function checkPositions(drawn: PositionsAnswer, panel: Panel): Checked {
  const keys = advisorKeys(panel);
  const points: Checked['points'] = [];
  const dropped: Checked['dropped'] = [];
  for (const { text, cells } of drawn.points.slice(0, MOST_POINTS)) {
    const point = [...text.replace(/\s+/g, ' ').trim()].slice(0, MAX_POINT).join('');
    const kept: Checked['points'][number]['cells'] = [];
    for (const { advisor, side, quote: words } of cells) {
      const source = panel.order[keys.indexOf(advisor)];
      if (source === undefined) continue;
      const cell = { seat: source.seat.id, side, quote: words.trim() };
      if (!isQuoteOf(words, source.text)) dropped.push({ ...cell, point });
      else if (!kept.some(({ seat }) => seat === cell.seat)) kept.push(cell);
    }
    if (point !== '' && kept.length > 0) points.push({ text: point, cells: kept });
  }
  return { points, dropped };
}

function messagesOf(panel: Panel, comparison: Comparison<Cast> | undefined): Message[] {
  const { told } = panel;
  const id = answersNonce(told.seed);
  const keys = advisorKeys(panel);
  const names = keys.map((key, index) => `${key} for ${told.heard[index]?.name ?? key}`).join(', ');
  const task = [
    'Show at a glance who holds what. points: 3 to 7 statements on which these answers take sides or lean, the most decisive first, each on one line and worded so that one can be for or against it. cells: one for each advisor that speaks to the point; who says nothing of it has no cell.',
    `advisor: ${names}. side: for, against or partly. quote: 5 to 25 words, copied letter for letter out of that advisor's own block, without an ellipsis. Every quote is looked up there, and one that is not found is thrown away: leave a cell out rather than word it yourself. What an advisor says of another one is no word of the other's.`,
  ];
  if (comparison !== undefined) {
    const listed = comparison.shown.map((entry) =>
      encloseInTags('piece', id, entry.id, `${entry.option}\n(${entry.position})`),
    );
    task.push(`same: ${comparisonTask(SAME_CHOICE)}`, ...listed);
  }
  return [
    {
      role: 'user',
      parts: [{ text: answersText(told), stable: true }, { text: task.join('\n\n') }],
    },
  ];
}
