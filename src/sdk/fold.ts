/** The view of what users' own protocols recorded through their context. */
import type { AnyFact } from '../kernel/vocabulary.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { Entry } from './define.ts';
import { SDK } from './facts.ts';
import type { Figure } from './figure.ts';

/** A ledger (a numbered list of statements) and its entries. */
export interface LedgerView {
  readonly name: string;
  /** The entries, in order. `unquoted` is a supposed quotation that was not found in its source. */
  readonly entries: readonly (Entry & { readonly unquoted?: string | undefined })[];
}

/** The result of grouping texts by meaning. */
export interface GroupingView {
  /** The kind of items, such as `ideas`. */
  readonly of: string;
  readonly items: readonly { readonly id: string; readonly text: string }[];
  /** The ids of the items of each group. */
  readonly groups: readonly (readonly string[])[];
  /** The pairs that code kept apart although calls joined them, directly or through others, each with the reason. */
  readonly refused: readonly string[];
  /** What decided on the groups: a person, two calls that agreed, or equal wording alone. */
  readonly by: 'person' | 'twice' | 'wording';
}

interface OutcomeView {
  readonly result: string;
  readonly first?: string | undefined;
  readonly moved?: string | undefined;
  readonly turns?: string | undefined;
  readonly belief?: string | undefined;
  readonly unknown: readonly string[];
}

/** What a user's own protocol, or a method of debate, has shown and recorded in a run. */
export interface SdkView {
  /**
   * The figures, in the order in which they were first shown. A later figure replaces one with the
   * same title.
   */
  readonly figures: readonly Figure[];
  /** The ledgers, which are numbered lists of statements, in the order of their first entries. */
  readonly ledgers: readonly LedgerView[];
  /** The results of grouping texts by meaning, in the order in which they were recorded. */
  readonly groupings: readonly GroupingView[];
  /** The recorded outcome; undefined until the protocol has concluded. */
  readonly outcome: OutcomeView | undefined;
  /**
   * The chosen method of debate, the reason, and who chose it; undefined if the person named the
   * method.
   */
  readonly chosen:
    | { readonly method: string; readonly reason: string; readonly by: string }
    | undefined;
}

/** What a user's own protocol has shown and recorded before the first fact of a run: nothing. */
export const EMPTY_SDK: SdkView = {
  figures: [],
  ledgers: [],
  groupings: [],
  outcome: undefined,
  chosen: undefined,
};

/** Computes what a protocol has shown and recorded, from all facts of a run. */
export function sdkViewOf(facts: readonly AnyFact[]): SdkView {
  return facts.reduce(foldSdk, EMPTY_SDK);
}

/** Updates what a protocol has shown and recorded by one more fact. */
export function foldSdk(view: SdkView, given: AnyFact): SdkView {
  const fact = SDK.own(given);
  switch (fact?.type) {
    case 'figure.shown': {
      const at = view.figures.findIndex(({ title }) => title === fact.figure.title);
      return {
        ...view,
        figures: at < 0 ? [...view.figures, fact.figure] : view.figures.with(at, fact.figure),
      };
    }
    case 'entry.added': {
      const { ledger, id, by, text, kind, of, quote, unquoted } = fact;
      const entry = {
        id,
        by,
        text,
        ...withoutUndefined({ kind, of, quote, unquoted }),
        isUnquoted: unquoted !== undefined,
        status: 'open',
        why: '',
      };
      return inLedger(view, ledger, (entries) => [...entries, entry]);
    }
    case 'entry.marked': {
      const { ledger, id, status, why } = fact;
      return inLedger(view, ledger, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, status, why } : entry)),
      );
    }
    case 'items.grouped': {
      const { of, items, groups, refused, by } = fact;
      return { ...view, groupings: [...view.groupings, { of, items, groups, refused, by }] };
    }
    case 'outcome.reached': {
      const { result, first, moved, turns, belief, unknown } = fact;
      return { ...view, outcome: { result, first, moved, turns, belief, unknown } };
    }
    case 'method.chosen': {
      const { method, reason, by } = fact;
      return { ...view, chosen: { method, reason, by } };
    }
    default:
      return view;
  }
}

function inLedger(
  view: SdkView,
  name: string,
  change: (entries: LedgerView['entries']) => LedgerView['entries'],
): SdkView {
  const at = view.ledgers.findIndex((ledger) => ledger.name === name);
  if (at < 0) return { ...view, ledgers: [...view.ledgers, { name, entries: change([]) }] };
  const ledger = view.ledgers[at];
  return ledger === undefined
    ? view
    : { ...view, ledgers: view.ledgers.with(at, { name, entries: change(ledger.entries) }) };
}
