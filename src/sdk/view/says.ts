/** Sentences for the log about what protocols record through their context. */
import type { AnyFact, Sayings } from '../../kernel/vocabulary.ts';
import { plural } from '../../text/numbers.ts';
import { SDK, type SdkBody } from '../facts.ts';

const SAYINGS: Sayings<SdkBody> = {
  'figure.shown': (one) => one.figure.title,
  'entry.added': (one) =>
    `${one.id}${one.by === '' ? '' : ` by ${one.by}`}: ${one.text}${one.unquoted === undefined ? '' : ' (its quotation was not found)'}`,
  'entry.marked': (one) => `${one.id}: ${one.status}${one.why === '' ? '' : `, ${one.why}`}`,
  'items.grouped': (one) =>
    `${plural(one.items.length, 'item')} of ${one.of} in ${plural(one.groups.length, 'group')}, by ${one.by}`,
  'outcome.reached': (one) => one.result,
  'method.chosen': (one) => `${one.method}: ${one.reason} (${one.by})`,
};

/**
 * Formats a fact that runs of users' own protocols and debates record as a sentence; undefined for
 * any other fact.
 */
export function formatSdkFact(one: AnyFact): string | undefined {
  return SDK.say(SAYINGS, one);
}
