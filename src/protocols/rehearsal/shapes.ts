/**
 * Corrects values that were made from a schema alone: quotations must occur in their texts, and estimates must
 * be in order.
 */
import type { Quoted } from '../../kernel/model.ts';
import { isRecord } from '../../text/json.ts';
import { cutFragment, findQuotableSentences, INVENTED } from './quoting.ts';

/** Names of estimates, in ascending order. */
const RISING = ['p5', 'p50', 'p95'] as const;

/**
 * Corrects a value that was made at random from a schema: quotations become words of the texts in `heard`, and the
 * numbers of estimates are put in order.
 * @param invents whether to quote words that nobody said
 */
export function correctShapes(value: unknown, heard: readonly Quoted[], invents: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => correctShapes(item, heard, invents));
  if (!isRecord(value)) return value;
  const settled = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, correctShapes(part, heard, invents)]),
  );
  const numbers = RISING.map((name) => settled[name]);
  if (numbers.every((number) => typeof number === 'number'))
    // Sort the three numbers of an estimate and make them differ, because a range from 5 to 5 says nothing.
    for (const [index, number] of [...numbers].sort((one, other) => one - other).entries())
      settled[RISING[index] ?? ''] = number + index;
  if (typeof settled.quote === 'string' && heard.length > 0) {
    const from = heard.find((passage) => passage.from === settled.of) ?? heard[0];
    const [sentence = ''] = findQuotableSentences(from?.text ?? '');
    settled.quote = invents
      ? INVENTED
      : sentence === ''
        ? (from?.text ?? '')
        : cutFragment(sentence);
  }
  return settled;
}
