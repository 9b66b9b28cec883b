/** Sentences for the log about what protocols record through their context. */
import type { AnyFact, Sayings } from '../../kernel/vocabulary.ts';
import { plural } from '../../text/numbers.ts';
import { SDK, type SdkBody } from '../facts.ts';

const SAYINGS: Sayings<SdkBody> = {
  'figure.shown': (fact) => fact.figure.title,
  'entry.added': (fact) =>
    `${fact.id}${fact.by === '' ? '' : ` by ${fact.by}`}: ${fact.text}${fact.unquoted === undefined ? '' : ' (its quotation was not found)'}`,
  'entry.marked': (fact) => `${fact.id}: ${fact.status}${fact.why === '' ? '' : `, ${fact.why}`}`,
  'items.grouped': (fact) =>
    `${plural(fact.items.length, 'item')} of ${fact.of} in ${plural(fact.groups.length, 'group')}, by ${fact.by}`,
  'outcome.reached': (fact) => fact.result,
  'method.chosen': (fact) => `${fact.method}: ${fact.reason} (${fact.by})`,
};

/**
 * Formats a fact that runs of users' own protocols and debates record as a sentence; undefined for
 * any other fact.
 */
export function formatSdkFact(fact: AnyFact): string | undefined {
  return SDK.say(SAYINGS, fact);
}
