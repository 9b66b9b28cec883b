/**
 * Full-text search over questions and answers. People type words, not a query language: every word must
 * occur somewhere in the run, also as part of a longer word, without regard to case and accents. A query
 * therefore matches while its last word is still being typed.
 *
 * The index contains groups of three characters. Shorter words are searched in the text itself, which is
 * slower but is the only way to find 犬 or "%".
 */
import type Database from 'better-sqlite3';

/** The shortest word that the index can find, in characters. */
const INDEXED = 3;
/** The most words of a query; the rest of a pasted text is ignored, as it would only take time. */
const MOST_WORDS = 16;
/** Characters of context on either side of the first match. */
const BEFORE = 32;
const AFTER = 110;

/** A run that contains all the words, and its best passage. */
interface Hit {
  readonly run: string;
  /** The passage around its first match, on one line; omitted text is marked by `…`. */
  readonly snippet: string;
}

/** Splits a query into at most 16 different words. */
export function splitQuery(query: string): string[] {
  // Replace U+0000 in the query, because SQLite ends a string there and JavaScript does not.
  const text = query.normalize('NFC').replaceAll('\0', ' ');
  const words = text.split(/\s+/u).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/**
 * Returns at most `limit` runs that match the query, the best matches first; among equally good ones, and if no
 * word has three characters, the newest first. Returns an empty list if the query has no word.
 */
export function searchRuns(db: Database.Database, query: string, limit: number): Hit[] {
  const words = splitQuery(query);
  if (words.length === 0) return [];
  const long = words.filter((word) => [...word].length >= INDEXED);
  const short = words.filter((word) => !long.includes(word));
  const has = [
    ...long.map(
      () => `run.id IN (SELECT run_id FROM passage
        WHERE id IN (SELECT rowid FROM passage_index WHERE passage_index MATCH ?))`,
    ),
    ...short.map(
      () => `EXISTS (SELECT 1 FROM passage_text
        WHERE run_id = run.id AND instr(lower(text), lower(?)) > 0)`,
    ),
  ];
  const bind: (string | number)[] = [...long.map(quoteWord), ...short];
  // SQLite ranks a passage by a sum over the query's words in the passage (bm25). A passage with more of the
  // query's words usually comes first.
  const runs =
    long.length > 0
      ? db
          .prepare<(string | number)[], { run: string; passage: number }>(
            `SELECT run.id AS run, passage.id AS passage, min(hit.rank) AS best
              FROM (SELECT rowid, rank FROM passage_index WHERE passage_index MATCH ?) hit
              JOIN passage ON passage.id = hit.rowid JOIN run ON run.id = passage.run_id
              WHERE ${has.join(' AND ')}
              GROUP BY run.id ORDER BY best, run.arrived DESC LIMIT ?`,
          )
          .all(long.map(quoteWord).join(' OR '), ...bind, limit)
      : db
          .prepare<(string | number)[], { run: string; passage: number }>(
            `SELECT run.id AS run, (SELECT min(id) FROM passage_text
                WHERE run_id = run.id AND instr(lower(text), lower(?)) > 0) AS passage
              FROM run WHERE ${has.join(' AND ')} ORDER BY run.arrived DESC LIMIT ?`,
          )
          .all(words[0] ?? '', ...bind, limit);
  const text = db
    .prepare<[number], string | null>('SELECT text FROM passage_text WHERE id = ?')
    .pluck();
  return runs.map(({ run, passage }) => ({
    run,
    snippet: snippetOf(text.get(passage) ?? '', words),
  }));
}

/** Quotes a word for the index, so that nothing in it is syntax. */
function quoteWord(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/**
 * Returns the part of the text around a match: the first occurrence of the longest of the words
 * that the text contains.
 */
export function snippetOf(text: string, words: readonly string[]): string {
  const flat = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const { letters, places } = foldCase(flat);
  const found = words
    .toSorted((left, right) => right.length - left.length)
    .map((word) => letters.indexOf(foldCase(word).letters))
    .find((index) => index >= 0);
  const at = found === undefined ? 0 : (places[found] ?? 0);
  const from = at <= BEFORE ? 0 : wordStart(flat, at - BEFORE, at);
  const to = at + AFTER >= flat.length ? flat.length : wordEnd(flat, at + AFTER);
  return `${from > 0 ? '… ' : ''}${flat.slice(from, to).trim()}${to < flat.length ? ' …' : ''}`;
}

/**
 * Returns the text without case and accents, and for each of its characters the position in the original.
 */
function foldCase(text: string): { letters: string; places: number[] } {
  const letters: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < plain.length; unit++) places.push(place);
    letters.push(plain);
    place += character.length;
  }
  return { letters: letters.join(''), places };
}

/**
 * Returns the start of the first whole word from `from` on, if it begins before `limit`; else the nearest
 * character boundary.
 */
function wordStart(text: string, from: number, limit: number): number {
  const space = text.indexOf(' ', from);
  return space >= 0 && space < limit ? space + 1 : toCharacterBoundary(text, from);
}

function wordEnd(text: string, to: number): number {
  const space = text.lastIndexOf(' ', to);
  return space > to - BEFORE ? space : toCharacterBoundary(text, to);
}

/** Moves a position out of the middle of a surrogate pair. */
function toCharacterBoundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
