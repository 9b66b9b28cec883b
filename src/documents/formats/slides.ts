/** Reads the text of a PowerPoint presentation slide by slide. */
import type { ReadText } from '../read-text.ts';
import { unpackZip, xmlOf } from './archive.ts';
import { type Input, UnreadableError } from './input.ts';
import { joinToText, Sections } from './sections.ts';
import { formatNumbers, tidyLines } from './words.ts';
import { readMetadata, readRelationships, walkXml } from './xml.ts';

const WANTED =
  /^(?:docProps\/core\.xml|ppt\/(?:_rels\/)?presentation\.xml(?:\.rels)?|ppt\/(?:slides|notesSlides)\/(?:_rels\/)?[^/]+\.(?:xml|rels))$/;

/**
 * Reads a PowerPoint presentation, each slide as a part.
 *
 * @throws UnreadableError if the presentation cannot be read or has no text
 */
export async function readSlides({ bytes }: Input): Promise<ReadText> {
  const files = unpackZip(bytes, (name) => WANTED.test(name));
  const relations = readRelationships(xmlOf(files, 'ppt/_rels/presentation.xml.rels'), 'ppt');
  const slides: string[] = [];
  walkXml(xmlOf(files, 'ppt/presentation.xml') ?? '', {
    open: (name, attributes) => {
      const path = name === 'p:sldId' ? relations.get(attributes['r:id'] ?? '') : undefined;
      if (path !== undefined) slides.push(path);
    },
  });
  const sections = new Sections();
  const hidden: number[] = [];
  const empty: number[] = [];
  for (const [at, path] of slides.entries()) {
    const slide = xmlOf(files, path) ?? '';
    if (/<p:sld\b[^>]*\sshow="(?:0|false)"/.test(slide)) hidden.push(at + 1);
    const lines = paragraphsIn(slide);
    const own = readRelationships(
      xmlOf(files, path.replace(/([^/]+)$/, '_rels/$1.rels')),
      'ppt/slides',
    );
    const notes = [...own.values()].find((target) => /notesSlide/.test(target));
    const spoken = notes === undefined ? [] : paragraphsIn(xmlOf(files, notes) ?? '', 'body');
    if (spoken.length > 0) lines.push('Speaker notes:', ...spoken);
    if (lines.length === 0) empty.push(at + 1);
    sections.add(`s${at + 1}`, lines);
  }
  if (sections.isEmpty) throw new UnreadableError('no-text', 'a presentation without text');
  return {
    kind: 'slides',
    ...joinToText(sections, [
      ...(empty.length > 0
        ? [
            `${formatNumbers('slide', empty)} no text, at most pictures; nothing of them can be cited`,
          ]
        : []),
      ...(hidden.length > 0
        ? [`${formatNumbers('slide', hidden, 'is', 'are')} hidden in the presentation`]
        : []),
    ]),
    ...readMetadata(xmlOf(files, 'docProps/core.xml')),
  };
}

/**
 * Returns the paragraphs and table rows of a slide. With `only`, paragraphs are taken from placeholders of
 * that type alone.
 */
function paragraphsIn(xml: string, only?: string): string[] {
  const lines: string[] = [];
  let text = '';
  let depth = 0;
  let type = '';
  let cells: string[] | undefined;
  walkXml(xml, {
    open: (name, attributes) => {
      if (name === 'p:sp') type = '';
      else if (name === 'p:ph') type = attributes.type ?? 'body';
      else if (name === 'a:t') depth += 1;
      else if (name === 'a:br') text += '\n';
      else if (name === 'a:tr') cells = [];
    },
    text: (data) => {
      if (depth > 0) text += data;
    },
    close: (name) => {
      if (name === 'a:t') depth -= 1;
      else if (name === 'a:tc') {
        cells?.push(text.trim());
        text = '';
      } else if (name === 'a:tr') {
        if (cells?.some((cell) => cell !== '')) lines.push(`| ${cells.join(' | ')} |`);
        cells = undefined;
      } else if (name === 'a:p') {
        if (cells !== undefined) text += ' ';
        else {
          if (only === undefined || type === only) lines.push(...text.split('\n'));
          text = '';
        }
      }
    },
  });
  return tidyLines(lines);
}
