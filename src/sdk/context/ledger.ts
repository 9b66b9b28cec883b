/** A list of statements. The program assigns ids and statuses, and checks quotations. */
import { findSentence } from '../../protocols/common/quotations/quotes.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Entered, Entry, Item, Ledger } from '../define.ts';
import { SDK, type SdkBody } from '../facts.ts';

/** Records several facts, given as their contents, as the result of the step `key`. */
export type Recording = (key: string, bodies: readonly SdkBody[]) => Promise<void>;

/** Opens a ledger, a numbered list of statements. The id of each entry begins with `prefix`. */
export function openLedger(record: Recording, ledger: string, prefix: string): Ledger {
  const entries: Entry[] = [];
  const ledgerOf: Ledger = {
    get entries() {
      return entries;
    },
    add: async (key, by, what, sources = []) => {
      const added = what.map((statement, index) => {
        const id = `${prefix}${entries.length + index + 1}`;
        return { entry: entryOf(id, by, statement, sources), unquoted: statement.quote };
      });
      // The ledger's new entries get their ids before anything is awaited, so that parallel calls of `add` get
      // theirs in the order of the calls.
      entries.push(...added.map(({ entry }) => entry));
      await record(
        key,
        added.map(({ entry: { status: _s, why: _w, isUnquoted, ...rest }, unquoted }) =>
          SDK.make('entry.added', {
            step: key,
            ledger,
            ...rest,
            ...(isUnquoted && unquoted !== undefined ? { unquoted: sanitiseText(unquoted) } : {}),
          }),
        ),
      );
      return added.map(({ entry }) => entry);
    },
    addAll: async (key, heard, pick, sources) => {
      for (const { seat, value } of heard)
        await ledgerOf.add(`${key}/${seat.id}`, seat.id, pick(value), sources);
    },
    quotables: (which = () => true) =>
      entries.filter(which).map(({ id, quote, text, status, why }) => ({
        id,
        text: [
          ...(quote === undefined ? [] : [`On: ${quote}`]),
          text,
          ...(status === 'open' ? [] : [`${status}: ${why}`]),
        ].join('\n'),
      })),
    mark: async (key, id, status, why = '') => {
      const at = entries.findIndex((entry) => entry.id === id);
      const entry = entries[at];
      if (entry === undefined) throw new TypeError(`the ledger ${ledger} has no entry ${id}`);
      entries[at] = { ...entry, status, why };
      await record(key, [SDK.make('entry.marked', { step: key, ledger, id, status, why })]);
    },
  };
  return ledgerOf;
}

function entryOf(
  id: string,
  by: string,
  { text, kind, of, quote }: Entered,
  sources: readonly Item[],
): Entry {
  const from = sources.find((source) => source.id === of)?.text;
  const found = quote === undefined || from === undefined ? undefined : findSentence(quote, from);
  return {
    id,
    by,
    text: sanitiseText(text),
    ...withoutUndefined({ kind, of, quote: found }),
    isUnquoted: quote !== undefined && found === undefined,
    status: 'open',
    why: '',
  };
}

/**
 * Looks up each quotation in the source that its statement is about (`of`), by `findSentence`. Returns a message to
 * the model that names the quotations which were not found; undefined if all were found. Meant as `check` together
 * with `wrongTwice: 'keep'`: after the message, the model is asked once more, and a statement whose quotation is
 * still wrong is entered without the quotation.
 */
export function checkQuotes(
  what: readonly Pick<Entered, 'of' | 'quote'>[],
  sources: readonly Item[],
): string | undefined {
  const wrong = what.flatMap(({ of = '', quote }) => {
    const from = sources.find(({ id }) => id === of)?.text ?? '';
    return quote === undefined || findSentence(quote, from) !== undefined
      ? []
      : [`“${quote.slice(0, MOST_SHOWN)}” is not in ${of}.`];
  });
  if (wrong.length === 0) return undefined;
  return `${wrong.join(' ')} Quote at least four words of one sentence, word for word.`;
}

/** The most characters that are shown of a wrong quotation. */
const MOST_SHOWN = 120;
