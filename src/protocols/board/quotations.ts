/**
 * The fold of the quotations in a board's syntheses. Each quotation is looked up in the answers as
 * they were when the synthesis was written. The result depends on the log alone, so that old runs
 * have it too and all displays agree.
 */
import { stepOf } from '../../kernel/tools/tools.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { attachmentsOf, quotableTexts } from '../../text/documents/attachment.ts';
import type { Quotations } from '../common/quotations/exported.ts';
import { findQuotations, type Quotation } from '../common/quotations/quotations.ts';
import { BOARD, type FactOf } from './facts.ts';
import { getAnswerStep } from './fold.ts';

/** The quotations of a board's syntheses, and the texts in which they are looked up. */
export interface QuotationsState {
  readonly quotations: Quotations;
  /** The seats' titles by id. Empty if the run is not a board. */
  readonly titles: ReadonlyMap<string, string>;
  /** The latest answer of a seat in each step, by the step's key. */
  readonly said: ReadonlyMap<string, string>;
  /** The texts besides answers that the synthesizer sees: questions, attachments and earlier syntheses. */
  readonly material: readonly string[];
  /** The syntheses of the latest question, which become material when a further question is asked. */
  readonly syntheses: readonly string[];
}

/** The state of a run's quotations before the run's first fact. */
export const NO_QUOTATIONS: QuotationsState = {
  quotations: {},
  titles: new Map(),
  said: new Map(),
  material: [],
  syntheses: [],
};

/** Updates the quotations by one fact. Returns the same object if the fact changes nothing. */
export function foldQuotations(state: QuotationsState, any: AnyFact): QuotationsState {
  const fact = BOARD.own(any);
  switch (fact?.type) {
    case 'run.started':
      if (fact.protocol !== 'board') return state;
      return {
        ...state,
        titles: new Map(fact.seats.map(({ id, title }) => [id, title])),
        material: [fact.question, ...attachmentsOf(fact.config).flatMap(quotableTexts)],
      };
    case 'question.asked':
      // In a follow-up question, the synthesizer also sees the syntheses of earlier questions, so it may quote
      // them.
      return {
        ...state,
        material: [...state.material, fact.text, ...state.syntheses],
        syntheses: [],
      };
    case 'call.completed':
      if (!state.titles.has(fact.seat)) return state;
      if (fact.calls !== undefined) return state;
      return { ...state, said: new Map(state.said).set(stepOf(fact.step), fact.text) };
    case 'synthesis.completed':
      if (state.titles.size === 0) return state;
      return {
        ...state,
        syntheses: [...state.syntheses, fact.text],
        quotations: { ...state.quotations, [fact.version]: checkQuotations(state, fact) },
      };
    default:
      return state;
  }
}

/** Looks up the quotations of all syntheses in a board's facts. */
export function findBoardQuotations(facts: Iterable<AnyFact>): Quotations {
  let state = NO_QUOTATIONS;
  for (const fact of facts) state = foldQuotations(state, fact);
  return state.quotations;
}

function checkQuotations(
  { titles, said, material }: QuotationsState,
  { text, included, labels, question, note }: FactOf<'synthesis.completed'>,
): Quotation[] {
  const spoken = included.map((seat) => ({
    seat,
    title: titles.get(seat) ?? seat,
    text: said.get(getAnswerStep(seat, question)) ?? '',
  }));
  return findQuotations(text, spoken, labels, note === undefined ? material : [...material, note]);
}
