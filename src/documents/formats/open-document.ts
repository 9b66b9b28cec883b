/** Reads OpenDocument files: a text as lines, a presentation by slides, a workbook by sheets. */
import type { ReadText } from '../read-text.ts';
import { unpackZip, xmlOf } from './archive.ts';
import { type Input, UnreadableError } from './input.ts';
import { joinToText, Sections } from './sections.ts';
import { cutText, formatCountWithVerb, tidyLines, wrapProse } from './words.ts';
import { readMetadata, walkXml } from './xml.ts';

/**
 * Maximum number of columns, and of empty or repeated rows in succession: a file may repeat cells and rows
 * any number of times.
 */
const MOST_COLUMNS = 256;
const MOST_EMPTY_ROWS = 500;

/** Elements whose text is not part of the document's own, with the names by which they are counted. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['office:annotation', 'comment'],
  ['text:tracked-changes', 'changes'],
  ['draw:image', 'picture'],
  ['math:math', 'formula'],
]);

/**
 * Reads an OpenDocument file.
 *
 * @param type the media type that the archive states; empty if it states none
 * @throws UnreadableError if the file cannot be read or has no text
 */
export async function readOpenDocument({ bytes }: Input, type: string): Promise<ReadText> {
  const files = unpackZip(bytes, (name) =>
    ['content.xml', 'meta.xml', 'META-INF/manifest.xml'].includes(name),
  );
  if (/<manifest:encryption-data/.test(xmlOf(files, 'META-INF/manifest.xml') ?? ''))
    throw new UnreadableError('password', 'it is protected with a password; save it without one');
  const content = xmlOf(files, 'content.xml') ?? '';
  const reading = new Content();
  walkXml(content, reading);
  reading.endPart();
  const about = readMetadata(xmlOf(files, 'meta.xml'));
  const notes = reading.notes();
  if (reading.parts.length > 0 && /spreadsheet|presentation/.test(type)) {
    const sections = new Sections();
    for (const { name, lines } of reading.parts) sections.add(name, lines);
    if (sections.isEmpty) throw new UnreadableError('no-text', 'a document without text');
    return { kind: 'open-document', ...joinToText(sections, notes), ...about };
  }
  const lines = [...reading.parts.flatMap((part) => part.lines), ...reading.lines];
  const { text, note } = cutText(
    wrapProse(
      lines
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    ),
  );
  if (text.trim() === '') throw new UnreadableError('no-text', 'a document without text');
  return {
    kind: 'open-document',
    text,
    parts: [],
    extractor: { name: 'deliberate', version: '1' },
    notes: [...notes, ...(note === undefined ? [] : [note])],
    ...about,
  };
}

/** Collects the text of `content.xml` while the XML is parsed. */
class Content {
  readonly parts: { name: string; lines: string[] }[] = [];
  lines: string[] = [];
  #text = '';
  /** Number of open elements whose content is skipped. */
  #left = 0;
  readonly #counts = new Map<string, number>();
  #cells: string[] | undefined;
  #repeat = 1;
  #rowRepeat = 1;
  #empty = 0;
  #name = '';
  #isSheet = false;
  #list = 0;
  #note = 0;

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    const left = LEFT_OUT.get(name);
    if (left !== undefined) {
      this.#left += 1;
      this.#counts.set(left, (this.#counts.get(left) ?? 0) + 1);
    }
    if (this.#left > 0) return;
    switch (name) {
      case 'draw:page':
        this.endPart();
        this.#name = `s${this.parts.length + 1}`;
        break;
      case 'office:spreadsheet':
        this.#isSheet = true;
        break;
      case 'table:table':
        if (!this.#isSheet) break;
        this.endPart();
        this.#name = attributes['table:name'] ?? `Sheet${this.parts.length + 1}`;
        this.#empty = 0;
        break;
      case 'table:table-row':
        this.#cells = [];
        this.#rowRepeat = Number(attributes['table:number-rows-repeated'] ?? 1) || 1;
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#text = '';
        this.#repeat = Number(attributes['table:number-columns-repeated'] ?? 1) || 1;
        break;
      case 'text:list':
        this.#list += 1;
        break;
      case 'text:h':
        this.#text = `${'#'.repeat(Math.min(6, Number(attributes['text:outline-level'] ?? 1) || 1))} `;
        break;
      case 'text:p':
        if (this.#note > 0) break;
        if (this.#cells === undefined) this.#text = this.#list > 0 ? '- ' : '';
        else if (this.#text !== '') this.#text += ' ';
        break;
      case 'text:s':
        this.#text += ' ';
        break;
      case 'text:tab':
        this.#text += '\t';
        break;
      case 'text:line-break':
        this.#text += this.#cells === undefined ? '\n' : ' ';
        break;
      case 'text:note':
        this.#note += 1;
        this.#text += ' [';
        break;
    }
  };

  readonly text = (data: string): void => {
    if (this.#left === 0) this.#text += data.replace(/\s+/g, ' ');
  };

  readonly close = (name: string): void => {
    if (LEFT_OUT.has(name)) this.#left -= 1;
    else if (this.#left > 0) return;
    else if (name === 'text:note') {
      this.#note -= 1;
      this.#text = `${this.#text.trimEnd()}]`;
    } else if (name === 'text:list') this.#list -= 1;
    else if (name === 'table:table-row') this.#endRow();
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      const text = tidyLines([this.#text]).join(' ').replaceAll('|', '/');
      const times = Math.min(this.#repeat, MOST_COLUMNS - (this.#cells?.length ?? 0));
      for (let at = 0; at < times; at += 1) this.#cells?.push(text);
      this.#text = '';
    } else if (this.#note > 0) this.#text += name === 'text:p' ? ' ' : '';
    else if ((name === 'text:p' || name === 'text:h') && this.#cells === undefined) {
      const lines = tidyLines([this.#text]).filter((line) => line !== '-');
      this.lines.push(...lines, ...(this.#list === 0 && this.#name === '' ? [''] : []));
      this.#text = '';
    }
  };

  endPart(): void {
    if (this.#name !== '') this.parts.push({ name: this.#name, lines: this.lines });
    if (this.#name !== '') this.lines = [];
    this.#name = '';
  }

  notes(): string[] {
    const getCount = (what: string): number => this.#counts.get(what) ?? 0;
    return [
      ...(getCount('changes') > 0
        ? ['it has tracked changes: what was inserted is taken, what was deleted is left out']
        : []),
      ...['comment', 'picture', 'formula'].flatMap((what) =>
        getCount(what) > 0 ? [`${formatCountWithVerb(getCount(what), what)} left out`] : [],
      ),
    ];
  }

  #endRow(): void {
    const cells = this.#cells ?? [];
    this.#cells = undefined;
    while (cells.at(-1) === '') cells.pop();
    if (cells.length === 0) {
      this.#empty += this.#isSheet ? this.#rowRepeat : 0;
      return;
    }
    for (; this.#empty > 0 && this.#empty < MOST_EMPTY_ROWS; this.#empty -= 1) this.lines.push('');
    this.#empty = 0;
    const times = Math.min(this.#rowRepeat, MOST_EMPTY_ROWS);
    for (let at = 0; at < times; at += 1) this.lines.push(`| ${cells.join(' | ')} |`);
  }
}
