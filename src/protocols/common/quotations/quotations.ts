/**
 * Looks up the quotations of a synthesis in the seats' answers: whether the words occur, and
 * whether they were said by the seat that the sentence names. Code does this alone; no model is
 * asked.
 */

import { blankCode, findMentions, type Labels, type Mention } from './names.ts';
import {
  hasFewWords,
  hasQuoteWithOmissions,
  isFewWords,
  isLongEnough,
  isTooLong,
  normalizeQuotedText,
} from './quotes.ts';

/**
 * A seat's answer, in which quotations are looked up. `title` is the name by which a synthesis may
 * refer to the seat.
 */
export interface SearchedAnswer {
  readonly seat: string;
  readonly title: string;
  readonly text: string;
}

/** A document whose lines a synthesis may cite. */
export interface CitedDocument {
  /** The document's name in citations. */
  readonly name: string;
  /** The document's text and, if lines break words in it, a second form of the text with these words joined. */
  readonly texts: readonly string[];
}

/** The possible results of checking a quotation; see `Quotation.state`. */
export const STATES = ['said', 'misattributed', 'material', 'nowhere', 'unchecked'] as const;

/** A quotation in a synthesis, and the result of looking it up in the answers. */
export interface Quotation {
  /** The index of the opening quotation mark, or of the first word of a block quotation. */
  readonly at: number;
  /** The index after the closing quotation mark, or after the last word of a block quotation. */
  readonly end: number;
  /** The quoted text, without quotation marks. */
  readonly words: string;
  /**
   * The result of the check.
   * - `said`: a seat to which the synthesis attributes the words said them, or any seat if the
   * synthesis names none
   * - `misattributed`: only other seats said them, or the synthesis cites a document that lacks them
   * - `material`: none of these seats said them, but they occur in the question, an attachment or an earlier synthesis
   * - `nowhere`: they were not found
   * - `unchecked`: they are too long, or the text has too many quotations
   */
  readonly state: (typeof STATES)[number];
  /**
   * The ids of the seats to which the synthesis attributes the quotation; empty if it names none. If it names no seat
   * but cites a document that lacks the words, although a seat said them, the list contains the document's name.
   */
  readonly given: readonly string[];
  /** The ids of the seats that said these words; empty if they were not looked up. */
  readonly by: readonly string[];
}

/** The most quotations of a synthesis that are looked up, because a model may repeat itself endlessly. */
const MOST = 200;

/** Closing marks by opening mark. */
const CLOSES: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['"', '"'],
  ['‘', '’'],
  ["'", "'"],
]);
/** Marks that also occur within words and after numbers. */
const STRAIGHT: ReadonlySet<string> = new Set(['"', "'"]);
const SINGLE: ReadonlySet<string> = new Set(['‘', "'"]);
const MARKS = new RegExp(`[${[...CLOSES.keys()].join('')}]`, 'g');

/**
 * Returns the quotations in a synthesis that are long enough to be checked, in the order of the
 * text. Shorter ones are included only if they are attributed to a seat and occur nowhere.
 * @param spoken the seats' answers
 * @param labels the letters that stand for seats in the synthesis
 * @param material other texts that the synthesizer saw
 * @param documents those of these texts that can be cited by name
 */
export function findQuotations(
  synthesis: string,
  spoken: readonly SearchedAnswer[],
  labels: Labels,
  material: readonly string[] = [],
  documents: readonly CitedDocument[] = [],
): Quotation[] {
  const text = blankCode(synthesis);
  const sources = spoken.map(({ seat, text: said }) => ({ seat, said: normalizeQuotedText(said) }));
  const shown = material.map(normalizeQuotedText);
  let looked = 0;
  return blocksOf(text).flatMap(({ at: from, end: to }) => {
    const block = text.slice(from, to);
    const whole = synthesis.slice(from, to);
    const quotes = quotesIn(block, whole);
    const credited = quotes.length === 0 ? creditedIn(block, whole, spoken, labels) : undefined;
    if (credited !== undefined) quotes.push(credited);
    if (quotes.length === 0) return [];
    const prose = withoutQuotes(block, quotes);
    const named = joinNames(prose, namesIn(prose, spoken, labels));
    return quotes.flatMap((quote): Quotation | readonly [] => {
      looked += 1;
      const given =
        looked > MOST ? [] : (quote.given ?? attributedSeats(quote, quotes, named, prose));
      const place = { at: from + quote.at, end: from + quote.end, words: quote.words, given };
      if (!isLongEnough(quote.words)) {
        // A few words in quotation marks need not be a quotation. They are therefore only reported
        // if they are attributed to a seat and occur in none of the texts.
        const stands = [...sources.map(({ said }) => said), ...shown].some((passage) =>
          hasFewWords(quote.words, passage),
        );
        return given.length === 0 || stands ? [] : { ...place, state: 'nowhere', by: [] };
      }
      if (looked > MOST || isTooLong(quote.words)) return { ...place, state: 'unchecked', by: [] };
      const by = sources.flatMap(({ seat, said }) =>
        hasQuoteWithOmissions(quote.words, said) ? [seat] : [],
      );
      // A synthesis may cite a document directly after a quotation. If a seat said the quoted words and the cited
      // document lacks the words, report that the synthesis attributes the quotation to the wrong source.
      const cited =
        given.length === 0 ? citedAfter(synthesis.slice(place.end), documents) : undefined;
      if (by.length > 0 && cited !== undefined && !hasWords(cited, quote.words))
        return { ...place, given: [cited.name], state: 'misattributed', by };
      if (by.length > 0 && (given.length === 0 || by.some((seat) => given.includes(seat))))
        return { ...place, state: 'said', by };
      if (shown.some((passage) => hasQuoteWithOmissions(quote.words, passage)))
        return { ...place, state: 'material', by };
      return { ...place, state: by.length > 0 ? 'misattributed' : 'nowhere', by };
    });
  });
}

/** Matches a place in a document directly after a quotation: `(attachments/design.md#L9)`. */
const PLACE = /^[.,;]?[\s([]{0,3}attachments\/([^\s#)\]]{1,200})#/;

function citedAfter(after: string, documents: readonly CitedDocument[]): CitedDocument | undefined {
  const name = PLACE.exec(after)?.[1];
  return documents.find((document) => document.name === name);
}

function hasWords({ texts }: CitedDocument, words: string): boolean {
  return texts.some((text) => hasQuoteWithOmissions(words, normalizeQuotedText(text)));
}

interface Span {
  readonly at: number;
  readonly end: number;
}

/**
 * Divides a text into paragraphs, list items, headings and rows of tables; no quotation extends beyond one of
 * them.
 */
function blocksOf(text: string): Span[] {
  const blocks: { at: number; end: number }[] = [];
  let at = 0;
  let open = false;
  for (const row of text.split('\n')) {
    const end = at + row.length;
    const begins = /^[ \t>]*(?:[-+•*]\s|\d{1,9}[.)]\s|#|\|)/.test(row);
    const last = blocks.at(-1);
    if (row.trim() === '') open = false;
    else if (open && !begins && last !== undefined) last.end = end;
    else {
      blocks.push({ at, end });
      open = !/^[ \t>]*[#|]/.test(row);
    }
    at = end + 1;
  }
  return blocks;
}

interface Quote extends Span {
  readonly words: string;
  /**
   * The seats to which the quotation is attributed, if this is known without the sentence around
   * it.
   */
  readonly given?: readonly string[];
}

/**
 * Finds the quotations of a block.
 * @param block the text without its code
 * @param whole the text with its code
 */
function quotesIn(block: string, whole: string): Quote[] {
  const quotes: Quote[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { index: at, 0: mark } of block.matchAll(MARKS)) {
    if (at < from || unclosed.has(mark) || !isOpening(block, at, mark)) continue;
    const end = findClosing(block, at, mark);
    if (end === undefined) {
      unclosed.add(mark);
      continue;
    }
    from = end;
    const words = whole.slice(at + 1, end - 1);
    // A few words in single quotation marks do not count as a quotation, because the marks can also be
    // apostrophes: `the advisors' plan, 'as is'`. A long passage counts in any marks.
    if (isLongEnough(words) || (!SINGLE.has(mark) && isFewWords(words)))
      quotes.push({ at, end, words });
  }
  return quotes;
}

/** The most marks and blanks around a name at the end of a passage. */
const CREDIT = 24;

/** Finds a block quotation with its speaker at the end: `> words — Advisor A`. */
function creditedIn(
  block: string,
  whole: string,
  spoken: readonly SearchedAnswer[],
  labels: Labels,
): Quote | undefined {
  const at = /^[ \t]*>[ \t]*/.exec(block)?.[0].length;
  const name = at === undefined ? undefined : namesIn(block, spoken, labels).at(-1);
  if (at === undefined || name === undefined || block.length - name.end > CREDIT) return undefined;
  if (!/^[*_)\].]*\s*$/.test(block.slice(name.end))) return undefined;
  const before = block.slice(at, name.at);
  const tie = /[\s>]*(?:[-–—]+[ \t]*|[([])[*_]*$/.exec(before.slice(-CREDIT))?.[0].length;
  if (tie === undefined) return undefined;
  const end = at + before.length - tie;
  const words = whole.slice(at, end);
  return isLongEnough(words) ? { at, end, words, given: name.seats } : undefined;
}

/** Returns whether a straight mark opens a quotation: it must be at the beginning of a word. */
function isOpening(block: string, at: number, mark: string): boolean {
  if (!STRAIGHT.has(mark)) return true;
  return !/[\p{L}\p{N}]/u.test(block[at - 1] ?? '') && /\S/.test(block[at + 1] ?? '');
}

/** Returns the offset after the closing mark; undefined if there is none. */
function findClosing(block: string, at: number, mark: string): number | undefined {
  const closers = CLOSES.get(mark) ?? '';
  for (let next = at + 1; next < block.length; next += 1) {
    if (!closers.includes(block[next] ?? '')) continue;
    if (!STRAIGHT.has(mark) && !SINGLE.has(mark)) return next + 1;
    if (/\S/.test(block[next - 1] ?? '') && !/[\p{L}\p{N}]/u.test(block[next + 1] ?? ''))
      return next + 1;
  }
  return undefined;
}

/**
 * Replaces quotations by blanks, keeping the length. A quotation's first and last character stay, because it
 * may begin or end a sentence.
 */
function withoutQuotes(block: string, quotes: readonly Quote[]): string {
  let made = '';
  let from = 0;
  for (const { at, end } of quotes) {
    made += `${block.slice(from, at + 2)}${'x'.repeat(Math.max(0, end - at - 4))}`;
    from = end - 2;
  }
  return made + block.slice(from);
}

interface Named extends Span {
  readonly seats: readonly string[];
}

function namesIn(prose: string, spoken: readonly SearchedAnswer[], labels: Labels): Named[] {
  if (Object.keys(labels).length > 0) return findMentions(prose, labels).map(toNamed);
  const titles = spoken.filter(({ title }) => title.trim() !== '');
  if (titles.length === 0) return [];
  const any = titles
    .map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .sort((left, right) => right.length - left.length)
    .join('|');
  const word = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
  return [...prose.matchAll(word)].map(({ index: at, 0: name }) => ({
    at,
    end: at + name.length,
    seats: titles.filter(({ title }) => title === name).map(({ seat }) => seat),
  }));
}

function toNamed({ at, end, seats }: Mention): Named {
  return { at, end, seats };
}

/** Joins names that are listed together, because what is said applies to all of them. */
function joinNames(prose: string, named: readonly Named[]): Named[] {
  const found: Named[] = [];
  for (const name of named) {
    const last = found.at(-1);
    const between = last && prose.slice(last.end, name.at);
    const strung = /^[*_]*(?:,|,?\s{0,3}and|,?\s{0,3}or|\s?&|\/)\s{0,3}[*_]*$/.test(between ?? '.');
    // In a contrast such as `Unlike Advisor A, Advisor B says “…”`, the quotation is Advisor B's alone, so do
    // not join the two names.
    if (last !== undefined && strung && (/\w/.test(between ?? '') || !isSpokenOf(prose, last)))
      found.splice(-1, 1, { at: last.at, end: name.end, seats: [...last.seats, ...name.seats] });
    else found.push(name);
  }
  return found;
}

/** Matches the end of a sentence, also if a quotation ends with the sentence's punctuation. */
const ENDS = /[.!?…]["”“»)\]*_]{0,4}\s{1,3}(?=["“„«([*_]{0,4}\p{Lu})/gu;
/** Matches words that attribute a quotation to the name after it, and what must follow the name then. */
const CREDITS =
  /^[*_]*,? ?(?:of|from|by|per|according to|(?:as )?(?:says?|said|writes?|wrote|argues?|argued|notes?|noted|warns?|warned|adds?|added|claims?|claimed|holds?|held|states?|stated|puts it))\s{1,3}[*_]*$/i;
const BRACKETED = /^[*_]*[.,;]? ?[([][*_]*$/;
const DASHED = /^[*_]* ?[-–—]+ ?[*_]*$/;
/** Matches words before the name of a seat that the sentence mentions without quoting the seat. */
const SPOKEN_OF =
  /(?:^|\s)(?:to|with|against|unlike|than|of|from|over|contradicts?|rejects?|answers?|opposes?|disputes?)\s{1,3}(?:the\s{1,3})?[*_]*$/i;

/** Returns the seats to which the sentence around a quotation attributes it; empty if it names none. */
function attributedSeats(
  quote: Quote,
  quotes: readonly Quote[],
  named: readonly Named[],
  prose: string,
): readonly string[] {
  const { at: from, end: to } = sentenceAround(prose, quote);
  const own = named.filter(({ at, end }) => at >= from && end <= to);
  const next = quotes.find(({ at }) => at >= quote.end)?.at ?? to;
  const behind = own.find(({ at }) => at >= quote.end && at < next);
  if (behind !== undefined && isCreditedTo(prose, quote, behind)) return behind.seats;
  const before = own.filter(({ end }) => end <= quote.at);
  const nearest = before.findLast((name) => !isSpokenOf(prose, name)) ?? before.at(-1);
  if (nearest !== undefined) return nearest.seats;
  if (own.length === 1 && behind !== undefined) return behind.seats;
  // A list item such as `- Advisor A: …` attributes a quotation in it to that advisor, if the sentence with the
  // quotation names no seat.
  const [label] = named;
  return own.length === 0 && label !== undefined && isLabel(prose, label) ? label.seats : [];
}

function isSpokenOf(prose: string, { at }: Named): boolean {
  return SPOKEN_OF.test(prose.slice(Math.max(0, at - 24), at));
}

function isLabel(prose: string, { at, end }: Named): boolean {
  return (
    /^[ \t>]*(?:[-+•*]|\d+[.)])?\s*[*_]*$/.test(prose.slice(0, at)) &&
    /^[*_]*:/.test(prose.slice(end, end + 4))
  );
}

function isCreditedTo(prose: string, quote: Quote, name: Named): boolean {
  const tie = prose.slice(quote.end, name.at);
  const after = prose.slice(name.end, name.end + 8);
  if (BRACKETED.test(tie)) return /^[*_]*[)\]]/.test(after);
  if (DASHED.test(tie)) return /^[*_]*(?:[.;,)]|\s*$)/.test(after);
  return CREDITS.test(tie) && !/^[*_]*['’:]/.test(after);
}

function sentenceAround(prose: string, quote: Span): Span {
  let at = 0;
  for (const { index, 0: sign } of prose.matchAll(ENDS)) {
    const end = index + sign.length;
    if (end <= quote.at) at = end;
    else if (index >= quote.end - 2) return { at, end };
  }
  return { at, end: prose.length };
}
