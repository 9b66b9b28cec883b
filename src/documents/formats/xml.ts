/**
 * Parses XML as a sequence of events, without building a tree. Entities other than XML's own five stay as
 * they are written.
 */
import { Parser } from 'htmlparser2';

interface Handlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/**
 * Parses XML, and calls a handler for each start tag (`open`), end tag (`close`) and text, in
 * order.
 */
export function walkXml(xml: string, { open, close, text }: Handlers): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(name, attributes),
      onclosetag: (name) => close?.(name),
      ontext: (data) => text?.(data),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}

/**
 * Reads a file of an office document's archive that lists references to other files of the archive.
 * @param xml the content of that file; undefined if it does not exist
 * @param folder the folder from which relative paths start
 * @returns the path of each file from the archive's root, by the id that other files refer to it
 *   with
 */
export function readRelationships(xml: string | undefined, folder: string): Map<string, string> {
  const relations = new Map<string, string>();
  walkXml(xml ?? '', {
    open: (name, { Id, Target = '', TargetMode }) => {
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return;
      relations.set(Id, Target.startsWith('/') ? Target.slice(1) : pathIn(folder, Target));
    },
  });
  return relations;
}

function pathIn(folder: string, target: string): string {
  const steps = folder.split('/');
  for (const step of target.split('/'))
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  return steps.join('/');
}

/**
 * Reads the title and the date of the last change from a document's metadata. What the metadata
 * does not state is absent.
 * @param xml the metadata; undefined if the document has none
 */
export function readMetadata(xml: string | undefined): { title?: string; date?: string } {
  const found = new Map<string, string>();
  let inside = '';
  walkXml(xml ?? '', {
    open: (name) => {
      inside = name;
    },
    text: (text) => {
      if (inside !== '') found.set(inside, (found.get(inside) ?? '') + text);
    },
    close: () => {
      inside = '';
    },
  });
  const title = found.get('dc:title')?.trim().slice(0, 300);
  const date = (found.get('dcterms:modified') ?? found.get('dc:date'))?.slice(0, 10);
  return {
    ...(title === undefined || title === '' ? {} : { title }),
    ...(date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? { date } : {}),
  };
}
