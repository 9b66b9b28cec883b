/** Sentences for the log about what protocols record through their context. */
import type { AnyFact, FactSentences } from '../../kernel/vocabulary.ts';
import { formatCount } from '../../text/numbers.ts';
import { SDK, type SdkBody } from '../facts.ts';

const SAYINGS: FactSentences<SdkBody> = {
  'figure.shown': (fact) => fact.figure.title,
  'entry.added': (fact) =>
    `${fact.id}${fact.by === '' ? '' : ` by ${fact.by}`}: ${fact.text}${fact.unquoted === undefined ? '' : ' (its quotation was not found)'}`,
  'entry.marked': (fact) => `${fact.id}: ${fact.status}${fact.why === '' ? '' : `, ${fact.why}`}`,
  'items.grouped': (fact) =>
    `${formatCount(fact.items.length, 'item')} of ${fact.of} in ${formatCount(fact.groups.length, 'group')}, by ${fact.by}`,
  'outcome.reached': (fact) => fact.result,
  'method.chosen': (fact) => `${fact.method}: ${fact.reason} (${fact.by})`,
};

/**
 * Formats a fact of `SDK`, which runs of users' own protocols and debates record, as a sentence; undefined for any
 * other fact, such as one that a protocol defines itself.
 */
export function formatSdkFact(fact: AnyFact): string | undefined {
  return SDK.say(SAYINGS, fact);
}
