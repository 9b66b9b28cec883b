/** Changes to the servers of a person's configuration file. Comments, order and everything else stay. */
import { realpathSync } from 'node:fs';
import { type Document, isMap, parseDocument } from 'yaml';
import { writeOwn } from '../../io/own-file.ts';
import { codeOf, lookAt, textOf, whyNot } from '../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';

/** No configuration is as long as this. In bytes. */
const LARGEST = 256 * 1024;

type Fields = Readonly<Record<string, string>>;

/** Writes a server into the file, which is made where it is missing. @throws UsageError if it cannot be changed */
export function writeServer(file: string, name: string, fields: Fields): void {
  change(file, (document) => {
    const entry = document.createNode(fields, { flow: true });
    const servers = document.get('servers', true);
    if (isMap(servers)) servers.set(name, entry);
    else document.set('servers', document.createNode({ [name]: entry }));
  });
}

/** Takes a server out of the file, and `servers` with the last one of them. */
export function deleteServer(file: string, name: string): void {
  change(file, (document) => {
    document.deleteIn(['servers', name]);
    const servers = document.get('servers', true);
    if (isMap(servers) && servers.items.length === 0) document.delete('servers');
  });
}

function change(file: string, edit: (document: Document) => void): void {
  const document = parseDocument(textOf(file, { most: LARGEST, links: true }) ?? '', {
    logLevel: 'error',
  });
  if (document.contents === null) document.contents = document.createNode({}) as never;
  if (!isMap(document.contents))
    throw new UsageError(`${file} is not a list of settings`, 'Edit it yourself.');
  // An empty `{}` would stay on one line.
  document.contents.flow = false;
  edit(document);
  const text = document.contents.items.length === 0 ? '' : document.toString({ lineWidth: 0 });
  try {
    // Who keeps this file elsewhere, behind a link, finds the change there.
    writeOwn(lookAt(file) === undefined ? file : realpathSync(file), text);
  } catch (error) {
    throw new DeliberateError('not-written', `${file} cannot be written: ${whyNot(codeOf(error))}`);
  }
}
