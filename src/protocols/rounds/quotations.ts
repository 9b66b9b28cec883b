/**
 * The fold of the quotations in syntheses. Each quotation is looked up in what the roles and the
 * verifier had said before the synthesis, in documents, and in tool results. The result depends on
 * the log alone, so that old runs have it too.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { attachmentsOf, quotableTexts } from '../../text/documents/attachment.ts';
import type { Quotations } from '../common/quotations/exported.ts';
import {
  type CitedDocument,
  findQuotations,
  type Quotation,
} from '../common/quotations/quotations.ts';
import { type FactOf, ROUNDS } from './facts.ts';

/** A separator that is not ignored in searches, so that no quotation spans two texts. */
const BETWEEN = '\n\n¶\n\n';
const VERIFIER = { id: 'verifier', title: 'Verifier' } as const;

/** The quotations in the syntheses of a deliberation, and the texts in which they are looked up. */
export interface QuotationsState {
  readonly quotations: Quotations;
  /** The seats' titles by id. Empty if the run is not a deliberation in rounds. */
  readonly titles: ReadonlyMap<string, string>;
  /** Everything that each seat said, by the seat's id and in order. */
  readonly said: ReadonlyMap<string, readonly string[]>;
  /** Texts that count as no seat's words, such as the question, attachments and notes of verifications. */
  readonly material: readonly string[];
  /** The attachments, which a synthesis can cite by their names. */
  readonly documents: readonly CitedDocument[];
}

/** The state of a run's quotations before the run's first fact. */
export const NO_QUOTATIONS: QuotationsState = {
  quotations: {},
  titles: new Map(),
  said: new Map(),
  material: [],
  documents: [],
};

/**
 * Updates the checked quotations of a run by one fact. Returns the same object if the fact changes
 * nothing.
 */
export function foldQuotations(state: QuotationsState, any: AnyFact): QuotationsState {
  const fact = ROUNDS.own(any);
  if (fact?.type === 'run.started') {
    if (fact.protocol !== 'rounds') return state;
    const documents = attachmentsOf(fact.config).map((attachment) => ({
      name: attachment.name,
      texts: quotableTexts(attachment),
    }));
    return {
      ...state,
      titles: new Map([...fact.seats, VERIFIER].map(({ id, title }) => [id, title])),
      material: [fact.question, ...documents.flatMap(({ texts }) => texts)],
      documents,
    };
  }
  if (fact === undefined || state.titles.size === 0) return state;
  switch (fact.type) {
    case 'call.completed': {
      if (!state.titles.has(fact.seat) || fact.calls !== undefined) return state;
      const before = state.said.get(fact.seat) ?? [];
      const texts = fact.value === undefined ? [fact.text] : textsIn(fact.value);
      return { ...state, said: new Map(state.said).set(fact.seat, [...before, ...texts]) };
    }
    // A synthesis may quote the notes of a verification, such as the notes of a test.
    case 'verification.recorded':
      return { ...state, material: [...state.material, fact.notes] };
    case 'claim.edited':
      return { ...state, material: [...state.material, fact.text] };
    case 'tool.called':
      return { ...state, material: [...state.material, fact.text] };
    case 'synthesis.completed':
      return {
        ...state,
        quotations: { ...state.quotations, [fact.version]: checkQuotations(state, fact) },
      };
    default:
      return state;
  }
}

/**
 * Returns the quotations in each synthesis of a run, by the version of the synthesis, and whether a
 * seat or document contains them.
 */
export function findRoundsQuotations(facts: Iterable<AnyFact>): Quotations {
  let state = NO_QUOTATIONS;
  for (const fact of facts) state = foldQuotations(state, fact);
  return state.quotations;
}

function checkQuotations(
  { titles, said, material, documents }: QuotationsState,
  { text, note }: FactOf<'synthesis.completed'>,
): Quotation[] {
  const spoken = [...titles].map(([seat, title]) => ({
    seat,
    title,
    text: (said.get(seat) ?? []).join(BETWEEN),
  }));
  const seen = note === undefined ? material : [...material, note];
  return findQuotations(text, spoken, {}, seen, documents);
}

/** Returns every text in a structured answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
