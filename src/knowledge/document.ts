/**
 * Parses a document for the index: the clusters and claims in its frontmatter, and its chunks. A claim is a
 * chunk of its own, so that a stale claim can be withheld alone.
 */
import { extname } from 'node:path';
import * as z from 'zod';
import { BadFile, readYaml } from '../io/yaml-file.ts';
import { computeDigest } from '../kernel/digest.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { formatPartName, type Part as Page } from '../text/documents/parts.ts';
import { type Chunk, chunksIn, frontmatterIn } from './split.ts';

const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.mdx']);
const PLAIN = new Set(['.txt', '.text', '.rst', '.adoc', '.org']);
const BINARY = new Set(['.pdf', '.docx', '.odt', '.pptx', '.odp', '.xlsx', '.ods']);

/** Returns whether a file is indexed, judged by its name. */
export function isDocument(name: string): boolean {
  const ending = extname(name).toLowerCase();
  return MARKDOWN.has(ending) || PLAIN.has(ending) || BINARY.has(ending);
}

/**
 * Returns whether a file is a binary document from which text has to be extracted, such as a PDF,
 * judged by its name.
 */
export function isBinary(name: string): boolean {
  return BINARY.has(extname(name).toLowerCase());
}

/** The shortest quotation in characters; shorter ones occur everywhere. */
const LEAST_QUOTE = 8;

const PLACE = /^(?<path>[^#\n]+)#L(?<from>\d{1,7})(?:-L?(?<to>\d{1,7}))?$/;

const claimSchema = z.object({
  claim: z.string().min(1).describe('What the document says about the code.'),
  at: z
    .string()
    .regex(PLACE, 'expected a place such as src/clock.ts#L10-L12')
    .describe('Where the code says it: src/clock.ts#L10-L12.'),
  quote: z
    .string()
    .refine((text) => text.replace(/\s/g, '').length >= LEAST_QUOTE, {
      error: `a quotation needs at least ${LEAST_QUOTE} visible characters`,
    })
    .describe('The words that stand there; how they are broken into lines does not matter.'),
});

const oneOrMore = z.union([z.string(), z.array(z.string())]).optional();

/**
 * The schema of the fields that are read from a document's frontmatter; other fields are ignored.
 */
export const documentSchema = z.looseObject({
  cluster: oneOrMore.describe('The cluster, or clusters, that all of the document belongs to.'),
  clusters: oneOrMore.describe('The same.'),
  claims: z
    .array(claimSchema)
    .describe('Claims about the code, each with its quotation. Stale ones are withheld.')
    .optional(),
});

/** A quotation from a file of the project, with its lines. */
export interface Quotation {
  /** The path relative to the project's folder. */
  readonly path: string;
  /** The first line, from 1. */
  readonly from: number;
  /** The last line. */
  readonly to: number;
  readonly quote: string;
}

/** A part of a document that is indexed: a chunk of a section, or a claim. */
export interface Part extends Chunk {
  readonly kind: 'section' | 'claim';
  /** The hash of heading and text. Data stored for the part is valid until the hash changes. */
  readonly hash: string;
  /** The estimated number of tokens. */
  readonly tokens: number;
  /** The evidence of a claim; absent for a section. */
  readonly quotation?: Quotation;
  /** The page, slide or sheet that contains the part; absent in a document without pages. */
  readonly page?: Page;
}

/** A document, split for indexing. */
export interface ParsedDocument {
  /** The clusters that the frontmatter names, whether they exist or not. */
  readonly clusters: readonly string[];
  readonly parts: readonly Part[];
  /** The problems of the frontmatter, each with file and line. */
  readonly problems: readonly string[];
}

/**
 * Splits a document into the parts that are indexed. Errors in the frontmatter are returned in
 * `problems`, not thrown; the frontmatter is then ignored as a whole.
 *
 * @param path the document's path, whose ending tells whether the text is Markdown
 * @param text the document's text; of a binary document, the text that was extracted from it
 * @param pages pages, slides or sheets; the name of each becomes the top heading of its chunks
 */
export function parseDocument(
  path: string,
  text: string,
  pages: readonly Page[] = [],
): ParsedDocument {
  if (pages.length > 0) return { clusters: [], parts: pagesIn(text, pages), problems: [] };
  // Split the text of a binary document without pages as Markdown with headings, the form in which
  // the text of a Word document is extracted.
  if (isBinary(path))
    return {
      clusters: [],
      parts: chunksIn(text, true).map((chunk) => partOf('section', chunk)),
      problems: [],
    };
  const isMarkdown = MARKDOWN.has(extname(path).toLowerCase());
  const sections = chunksIn(text, isMarkdown).map((chunk) => partOf('section', chunk));
  const front = isMarkdown ? frontmatterIn(text) : undefined;
  if (front === undefined) return { clusters: [], parts: sections, problems: [] };
  try {
    const { value, place } = readYaml(path, front, documentSchema, 2);
    const claims = (value.claims ?? []).map((claim, index) => {
      const at = Number(/:(\d+)$/.exec(place(['claims', index]))?.[1] ?? 1);
      return claimPart(claim, at);
    });
    const clusters = [value.cluster ?? [], value.clusters ?? []].flat();
    return { clusters: [...new Set(clusters)], parts: [...sections, ...claims], problems: [] };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return { clusters: [], parts: sections, problems: error.problems };
  }
}

/**
 * Splits a web page in Markdown into the parts that are indexed. A frontmatter is left out and not parsed, so that a
 * stranger's page cannot add claims or define clusters.
 */
export function parsePage(text: string): ParsedDocument {
  const parts = chunksIn(text, true).map((chunk) => partOf('section', chunk));
  return { clusters: [], parts, problems: [] };
}

/** Splits each page into chunks, with their line numbers in the whole text. */
function pagesIn(text: string, pages: readonly Page[]): Part[] {
  const lines = text.split('\n');
  return pages.flatMap((page, at) => {
    const { name, from } = page;
    const pageText = lines
      .slice(from - 1, (pages[at + 1]?.from ?? lines.length + 1) - 1)
      .join('\n');
    return chunksIn(pageText, false).map((chunk) => ({
      ...partOf('section', {
        ...chunk,
        heading: [formatPartName(name), ...chunk.heading],
        from: chunk.from + from - 1,
        to: chunk.to + from - 1,
      }),
      page,
    }));
  });
}

function claimPart({ claim, at, quote }: z.infer<typeof claimSchema>, line: number): Part {
  const { path = '', from = '1', to } = PLACE.exec(at)?.groups ?? {};
  const quotation = {
    path: path.replace(/^\.\//, ''),
    from: Number(from),
    to: Math.max(Number(from), Number(to ?? from)),
    quote,
  };
  const text = `${claim.trim()}\n\n> ${quote.trim().replace(/\r\n?|\n/g, '\n> ')}`;
  return { ...partOf('claim', { heading: [], from: line, to: line, text }), quotation };
}

function partOf(kind: Part['kind'], chunk: Chunk): Part {
  return { kind, ...chunk, hash: hashChunk(chunk), tokens: estimateTokens(chunk.text) };
}

/** Returns the hash of a chunk's heading and text, which identifies the chunk. */
export function hashChunk({ heading, text }: Pick<Chunk, 'heading' | 'text'>): string {
  return computeDigest([heading, text]);
}
