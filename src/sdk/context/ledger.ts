/** A list of what was said: ids and statuses are code's, and so is whether a quotation is one. */
import { findSentence } from '../../protocols/common/quotes.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Entered, Entry, Ledger } from '../define.ts';
import { SDK, type SdkBody } from '../facts.ts';

/** Records facts under one key. */
export type Recording = (key: string, bodies: readonly SdkBody[]) => Promise<void>;

export function openLedger(record: Recording, ledger: string, prefix: string): Ledger {
  const entries: Entry[] = [];
  return {
    get entries() {
      return entries;
    },
    add: async (key, by, what, sources = {}) => {
      const added = what.map((one, index) => {
        const id = `${prefix}${entries.length + index + 1}`;
        return { entry: entryOf(id, by, one, sources), unquoted: one.quote };
      });
      // Ids are given before anything is awaited: what is entered side by side has them in its order.
      entries.push(...added.map(({ entry }) => entry));
      await record(
        key,
        added.map(({ entry: { status: _s, why: _w, isUnquoted, ...rest }, unquoted }) =>
          SDK.make('entry.added', {
            step: key,
            ledger,
            ...rest,
            ...(isUnquoted && unquoted !== undefined ? { unquoted: sanitise(unquoted) } : {}),
          }),
        ),
      );
      return added.map(({ entry }) => entry);
    },
    mark: async (key, id, status, why = '') => {
      const at = entries.findIndex((one) => one.id === id);
      const entry = entries[at];
      if (entry === undefined) throw new TypeError(`the ledger ${ledger} has no entry ${id}`);
      entries[at] = { ...entry, status, why };
      await record(key, [SDK.make('entry.marked', { step: key, ledger, id, status, why })]);
    },
  };
}

function entryOf(
  id: string,
  by: string,
  { text, kind, of, quote }: Entered,
  sources: Readonly<Record<string, string>>,
): Entry {
  const from = of !== undefined && Object.hasOwn(sources, of) ? sources[of] : undefined;
  const found =
    quote === undefined || from === undefined ? undefined : findSentence(quote, from);
  return {
    id,
    by,
    text: sanitise(text),
    ...(kind === undefined ? {} : { kind }),
    ...(of === undefined ? {} : { of }),
    ...(found === undefined ? {} : { quote: found }),
    isUnquoted: quote !== undefined && quote.trim() !== '' && found === undefined,
    status: 'open',
    why: '',
  };
}
