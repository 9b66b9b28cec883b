/** The view of what users' own protocols recorded through their context. */
import type { AnyFact } from '../kernel/vocabulary.ts';
import type { Entry } from './define.ts';
import { SDK } from './facts.ts';
import type { Figure } from './figure.ts';

export interface LedgerView {
  readonly name: string;
  readonly entries: readonly (Entry & { readonly unquoted?: string | undefined })[];
}

export interface GroupingView {
  readonly of: string;
  readonly items: readonly { readonly id: string; readonly text: string }[];
  readonly groups: readonly (readonly string[])[];
  readonly refused: readonly string[];
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

export interface SdkView {
  /** In the order in which they were first shown; a later figure replaces one with the same title. */
  readonly figures: readonly Figure[];
  readonly ledgers: readonly LedgerView[];
  readonly groupings: readonly GroupingView[];
  readonly outcome: OutcomeView | undefined;
  /** Who or what chose the method, if the person left that open. */
  readonly chosen:
    | { readonly method: string; readonly reason: string; readonly by: string }
    | undefined;
}

export const EMPTY_SDK: SdkView = {
  figures: [],
  ledgers: [],
  groupings: [],
  outcome: undefined,
  chosen: undefined,
};

export function sdkViewOf(facts: readonly AnyFact[]): SdkView {
  return facts.reduce(foldSdk, EMPTY_SDK);
}

export function foldSdk(view: SdkView, given: AnyFact): SdkView {
  const one = SDK.own(given);
  switch (one?.type) {
    case 'figure.shown': {
      const at = view.figures.findIndex(({ title }) => title === one.figure.title);
      return {
        ...view,
        figures: at < 0 ? [...view.figures, one.figure] : view.figures.with(at, one.figure),
      };
    }
    case 'entry.added': {
      const { ledger, id, by, text, kind, of, quote, unquoted } = one;
      const entry = {
        id,
        by,
        text,
        ...(kind === undefined ? {} : { kind }),
        ...(of === undefined ? {} : { of }),
        ...(quote === undefined ? {} : { quote }),
        ...(unquoted === undefined ? {} : { unquoted }),
        isUnquoted: unquoted !== undefined,
        status: 'open',
        why: '',
      };
      return inLedger(view, ledger, (entries) => [...entries, entry]);
    }
    case 'entry.marked': {
      const { ledger, id, status, why } = one;
      return inLedger(view, ledger, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, status, why } : entry)),
      );
    }
    case 'items.grouped': {
      const { of, items, groups, refused, by } = one;
      return { ...view, groupings: [...view.groupings, { of, items, groups, refused, by }] };
    }
    case 'outcome.reached': {
      const { result, first, moved, turns, belief, unknown } = one;
      return { ...view, outcome: { result, first, moved, turns, belief, unknown } };
    }
    case 'method.chosen': {
      const { method, reason, by } = one;
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
  const at = view.ledgers.findIndex((one) => one.name === name);
  if (at < 0) return { ...view, ledgers: [...view.ledgers, { name, entries: change([]) }] };
  const ledger = view.ledgers[at];
  return ledger === undefined
    ? view
    : { ...view, ledgers: view.ledgers.with(at, { name, entries: change(ledger.entries) }) };
}
