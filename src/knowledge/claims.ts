/**
 * Checks claims about code against the code. A claim is stale if its quotation no longer occurs in the
 * file, not if the file has merely changed; line numbers that moved are corrected.
 */
import { isAbsolute, resolve } from 'node:path';
import { RefusedFileError, readTextFile } from '../io/text-file.ts';
import { realPathOf } from '../platform/real-path.ts';
import { joinLines } from '../text/line.ts';
import type { Quotation } from './document.ts';
import type { StoredIndex } from './place.ts';

/** The largest source file in bytes. */
const LARGEST_SOURCE = 4 * 1024 * 1024;

type ClaimState =
  | { readonly state: 'stands' }
  /** The quotation occurs elsewhere in its file; of several places the nearest. */
  | { readonly state: 'moved'; readonly from: number; readonly to: number }
  /** `why` follows the claim's place in a message. */
  | { readonly state: 'stale'; readonly why: string };

/**
 * Looks up in the project's files the quotations on which `claims` (statements of documents about
 * the code) rest. Returns for each quotation, in their order, whether it `stands` at its lines, has
 * `moved` to other lines of its file, or is `stale`: no longer in the file, or in a file that cannot
 * be read. Writes nothing.
 */
export function checkClaimQuotations(project: string, claims: readonly Quotation[]): ClaimState[] {
  const files = new Map<string, QuotedFile | string>();
  return claims.map((claim) => {
    const file = files.get(claim.path) ?? openQuoted(project, claim.path);
    files.set(claim.path, file);
    return typeof file === 'string' ? { state: 'stale', why: file } : file.check(claim);
  });
}

/**
 * A claim of the index (a statement with a quotation from a file as its evidence), and the result
 * of its check.
 */
export interface CheckedClaim {
  /** The document that contains the claim. */
  readonly document: string;
  /** The line of the claim in the document. */
  readonly line: number;
  /** The statement, followed by its quotation as a quotation of Markdown. */
  readonly text: string;
  /** The quotation, with line numbers corrected if the quoted text has moved. */
  readonly quotation: Quotation;
  readonly check: ClaimState;
}

/**
 * Checks every claim of an index (a statement in a document's frontmatter, with a quotation from a
 * file of the project). Corrects the stored line numbers of quotations that moved. A claim whose
 * quotation is no longer found in its file is withheld: searches do not find it until a later check
 * finds the quotation again. Returns all claims, sorted by document.
 */
export function checkIndex(place: StoredIndex): CheckedClaim[] {
  const rows = place
    .sql(
      `SELECT chunk.id, document.path AS document, chunk.from_line AS line, chunk.text, said.path,
          said.from_line AS "from", said.to_line AS "to", said.quote
        FROM context_quotation said JOIN context_chunk chunk ON chunk.id = said.chunk_id
          JOIN context_document document ON document.id = chunk.document_id
        WHERE chunk.index_id = ? ORDER BY document.path, chunk.place`,
    )
    .all(place.id) as (Quotation & { id: number; document: string; line: number; text: string })[];
  const checks = checkClaimQuotations(place.project, rows);
  return place.write(() =>
    rows.map(({ id, document, line, text, path, quote, ...lines }, index) => {
      const check = checks[index] as ClaimState;
      const { from, to } = check.state === 'moved' ? check : lines;
      const why = check.state === 'stale' ? check.why : null;
      place
        .sql('UPDATE context_quotation SET from_line = ?, to_line = ?, why = ? WHERE chunk_id = ?')
        .run(from, to, why, id);
      place
        .sql('UPDATE context_chunk SET withheld = ? WHERE id = ?')
        .run(check.state === 'stale' ? 1 : 0, id);
      return { document, line, text, quotation: { path, from, to, quote }, check };
    }),
  );
}

/** Opens a quoted file. Returns the end of a sentence if it cannot be read. */
function openQuoted(project: string, path: string): QuotedFile | string {
  const parts = path.split('/');
  if (isAbsolute(path) || parts.includes('..')) return 'points outside the project';
  if (parts.includes('.git')) return 'points into .git';
  try {
    const within = realPathOf(project);
    const text = readTextFile(resolve(project, path), {
      most: LARGEST_SOURCE,
      links: false,
      within,
    });
    return text === undefined ? 'the file is gone' : new QuotedFile(text);
  } catch (error) {
    if (error instanceof RefusedFileError) return error.why;
    throw error;
  }
}

/** A file in which quotations are searched, regardless of line breaks and indentation. */
class QuotedFile {
  readonly #text: string;
  /** The offset and number of each line that is not blank. */
  readonly #lines: readonly { readonly start: number; readonly number: number }[];

  constructor(source: string) {
    const lines: { start: number; number: number }[] = [];
    const parts: string[] = [];
    let start = 0;
    for (const [index, line] of source.split(/\r\n?|\n/).entries()) {
      const words = joinLines(line);
      if (words === '') continue;
      lines.push({ start, number: index + 1 });
      parts.push(words);
      start += words.length + 1;
    }
    this.#text = parts.join(' ');
    this.#lines = lines;
  }

  check({ from, to, quote }: Quotation): ClaimState {
    const wanted = joinLines(quote);
    let nearest: { from: number; to: number } | undefined;
    for (let at = this.#find(wanted, 0); at >= 0; at = this.#find(wanted, at + 1)) {
      const place = { from: this.#lineAt(at), to: this.#lineAt(at + wanted.length - 1) };
      if (place.from >= from && place.to <= to) return { state: 'stands' };
      if (nearest === undefined || Math.abs(place.from - from) < Math.abs(nearest.from - from))
        nearest = place;
    }
    if (nearest !== undefined) return { state: 'moved', ...nearest };
    return { state: 'stale', why: 'its quotation is no longer there' };
  }

  #find(wanted: string, from: number): number {
    return wanted === '' ? -1 : this.#text.indexOf(wanted, from);
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#lines[low]?.number ?? 1;
  }
}
