/**
 * A document as the index takes it: what its frontmatter says of clusters and claims, and its chunks. A
 * claim is a chunk of its own, so that one that has become stale can be withheld alone.
 */
import { extname } from 'node:path';
import * as z from 'zod';
import { BadFile, readYaml } from '../io/yaml-file.ts';
import { digest } from '../kernel/digest.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { type Part as Page, partWords } from '../text/documents/parts.ts';
import { type Chunk, chunksIn, frontmatterIn } from './split.ts';

const MARKDOWN = new Set(['.md', '.markdown', '.mdown', '.mdx']);
const PLAIN = new Set(['.txt', '.text', '.rst', '.adoc', '.org']);
const BINARY = new Set(['.pdf', '.docx', '.odt', '.pptx', '.odp', '.xlsx', '.ods']);

/** Whether a file is one that is indexed, by its name. */
export function isDocument(name: string): boolean {
  const ending = extname(name).toLowerCase();
  return MARKDOWN.has(ending) || PLAIN.has(ending) || BINARY.has(ending);
}

/** Whether a text has to be made of it before it can be indexed, by its name. */
export function isBinary(name: string): boolean {
  return BINARY.has(extname(name).toLowerCase());
}

/** Shorter words stand everywhere, and say nothing of the place. */
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

/** What of a document's frontmatter is read; it may say anything else, to other programs. */
export const documentSchema = z.looseObject({
  cluster: oneOrMore.describe('The cluster, or clusters, that all of the document belongs to.'),
  clusters: oneOrMore.describe('The same.'),
  claims: z
    .array(claimSchema)
    .describe('Claims about the code, each with its quotation. Stale ones are withheld.')
    .optional(),
});

/** A quotation of a file of the project, and the lines in which it was found. */
export interface Quotation {
  /** From the project's folder. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly quote: string;
}

/** A chunk on its way into the index. */
export interface Part extends Chunk {
  readonly kind: 'section' | 'claim';
  /** Of heading and text: what is kept of a chunk is kept as long as this stays. */
  readonly hash: string;
  readonly tokens: number;
  readonly quotation?: Quotation;
}

export interface ParsedDocument {
  /** As its frontmatter names them; whether there are such clusters is not known here. */
  readonly clusters: readonly string[];
  readonly parts: readonly Part[];
  /** What is wrong with its frontmatter, each with file and line. */
  readonly problems: readonly string[];
}

/**
 * `path`: as it is named to people. Nothing is thrown: a document with a bad frontmatter is still a text.
 *
 * @param pages pages, slides or sheets: each stands as a heading above its chunks
 */
export function parseDocument(
  path: string,
  text: string,
  pages: readonly Page[] = [],
): ParsedDocument {
  if (pages.length > 0) return { clusters: [], parts: pagesIn(text, pages), problems: [] };
  // Texts that were made of Word documents have headings.
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
    const claims = (value.claims ?? []).map((one, index) => {
      const at = Number(/:(\d+)$/.exec(place(['claims', index]))?.[1] ?? 1);
      return claimPart(one, at);
    });
    const clusters = [value.cluster ?? [], value.clusters ?? []].flat();
    return { clusters: [...new Set(clusters)], parts: [...sections, ...claims], problems: [] };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    return { clusters: [], parts: sections, problems: error.problems };
  }
}

/** The chunks of each page, with the lines that they have in the whole text. */
function pagesIn(text: string, pages: readonly Page[]): Part[] {
  const lines = text.split('\n');
  return pages.flatMap(({ name, from }, at) => {
    const page = lines.slice(from - 1, (pages[at + 1]?.from ?? lines.length + 1) - 1).join('\n');
    return chunksIn(page, false).map((chunk) =>
      partOf('section', {
        ...chunk,
        heading: [partWords(name), ...chunk.heading],
        from: chunk.from + from - 1,
        to: chunk.to + from - 1,
      }),
    );
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
  return { kind, ...chunk, hash: chunkHash(chunk), tokens: estimateTokens(chunk.text) };
}

/** What makes two chunks the same. */
export function chunkHash({ heading, text }: Pick<Chunk, 'heading' | 'text'>): string {
  return digest([heading, text]);
}
