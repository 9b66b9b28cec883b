/**
 * `indexer.ts DATABASE PROJECT FOLDER` indexes a folder. The script prints a line of JSON when it begins,
 * after every batch and at the end.
 */
import { writeSync } from 'node:fs';
import { openKnowledge } from '../../src/knowledge/knowledge.ts';

const [, , database = '', project = '', folder = ''] = process.argv;
const writeMessage = (word: unknown): void => void writeSync(1, `${JSON.stringify(word)}\n`);
const knowledge = openKnowledge(database, project, { create: true });
writeMessage({ began: true });
const update = knowledge.update({
  paths: [folder],
  onProgress: (done) => writeMessage({ done }),
});
writeMessage({ added: update.added.length });
knowledge.close();
