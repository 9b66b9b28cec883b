/** Converts a Word document to Markdown. */
import { zipSync } from 'fflate';
import { parseHTML } from 'linkedom';
import mammoth from 'mammoth';
import type { ReadText } from '../read-text.ts';
import { unpackZip, xmlOf } from './archive.ts';
import type { Page } from './dom.ts';
import { type Input, UnreadableError } from './input.ts';
import { toMarkdown } from './markdown.ts';
import { hiddenStylesIn, withoutHidden } from './word-hidden.ts';
import { cutText, formatCountWithVerb } from './words.ts';
import { readMetadata, walkXml } from './xml.ts';

const BODY = 'word/document.xml';
/** The files whose text is read. */
const WITH_TEXT = [BODY, 'word/footnotes.xml', 'word/endnotes.xml'];
const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/(?:_rels\/)?[^/]+\.(?:xml|rels))$/;

/**
 * Converts a Word document to Markdown, without its hidden text.
 *
 * @throws UnreadableError if the document cannot be read or has no text
 */
export async function readWord({ bytes }: Input): Promise<ReadText> {
  const files = unpackZip(bytes, (name) => WANTED.test(name));
  for (const name of files.keys()) xmlOf(files, name);
  const hidden = removeHidden(files);
  // Make an archive of only the files that were unpacked within the limits, so that mammoth reads no others.
  const buffer = Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  );
  const html = `<!doctype html><html><head></head><body>${value}</body></html>`;
  const { body } = parseHTML(html).document as unknown as Page;
  const { text, note } = cutText(body === null ? '' : toMarkdown(body));
  if (text.trim() === '') throw new UnreadableError('no-text', 'a Word document without text');
  return {
    kind: 'word',
    text,
    parts: [],
    extractor: { name: 'mammoth', version: '1.13.0' },
    notes: [...listNotes(files), ...formatHidden(hidden), ...(note === undefined ? [] : [note])],
    ...readMetadata(xmlOf(files, 'docProps/core.xml')),
  };
}

/** Removes hidden text from the files that hold text. Returns the number of words that were removed. */
function removeHidden(files: Map<string, Uint8Array>): number {
  const styles = hiddenStylesIn(xmlOf(files, 'word/styles.xml'));
  let words = 0;
  for (const name of WITH_TEXT) {
    const xml = xmlOf(files, name);
    if (xml === undefined) continue;
    const shown = withoutHidden(xml, styles);
    if (shown.xml === xml) continue;
    words += shown.words;
    files.set(name, Buffer.from(shown.xml.replace(/^(<\?xml[^>]*) encoding=(["'])[^"']*\2/, '$1')));
  }
  return words;
}

function formatHidden(words: number): string[] {
  return words === 0 ? [] : [`${formatCountWithVerb(words, 'hidden word')} left out`];
}

/** Returns remarks on what a Word document has beside its text, such as comments and pictures. */
function listNotes(files: ReadonlyMap<string, Uint8Array>): string[] {
  const counts = new Map<string, number>();
  const addCount = (name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  walkXml(xmlOf(files, BODY) ?? '', { open: addCount });
  walkXml(xmlOf(files, 'word/comments.xml') ?? '', {
    open: (name) => name === 'w:comment' && addCount(name),
  });
  for (const name of files.keys())
    if (/^word\/(?:header|footer)\d*\.xml$/.test(name))
      walkXml(xmlOf(files, name) ?? '', {
        text: (text) => text.trim() !== '' && addCount('margins'),
      });
  const sumCounts = (...names: string[]): number =>
    names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const notes: string[] = [];
  if (sumCounts('w:ins', 'w:del', 'w:moveFrom', 'w:moveTo') > 0)
    notes.push('it has tracked changes: what was inserted is taken, what was deleted is left out');
  if (sumCounts('w:comment') > 0)
    notes.push(`${formatCountWithVerb(sumCounts('w:comment'), 'comment')} left out`);
  if (sumCounts('w:drawing', 'w:pict') > 0)
    notes.push(
      `${formatCountWithVerb(sumCounts('w:drawing', 'w:pict'), 'picture or drawing', 'pictures or drawings')} left out`,
    );
  if (sumCounts('m:oMath') > 0)
    notes.push(`${formatCountWithVerb(sumCounts('m:oMath'), 'formula')} left out`);
  if (sumCounts('margins') > 0) notes.push('headers and footers of its pages were left out');
  if (sumCounts('w:footnoteReference', 'w:endnoteReference') > 0)
    notes.push('its footnotes stand at the end of the text');
  return notes;
}
