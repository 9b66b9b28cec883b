/**
 * `owner.ts FILE [RUN]`: creates a run, or tries to take RUN over, and prints the result. An owner records
 * one fact at once and another at each line of its input, until it is killed.
 */

import { createInterface } from 'node:readline';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';

const [, , file = '', run] = process.argv;
const store = Store.open(file, FACTS);
try {
  const journal = run === undefined ? store.create('test') : store.own(run);
  const noteStart = (): unknown =>
    journal.note([
      fact('run.started', {
        protocol: 'test',
        question: 'Why?',
        seats: [],
        config: {},
        request: { kind: 'convene' },
      }),
    ]);
  noteStart();
  console.log(JSON.stringify({ run: journal.run, pid: process.pid }));
  setInterval(() => undefined, 60_000);
  for await (const _line of createInterface({ input: process.stdin })) noteStart();
} catch (error) {
  if (!(error instanceof DeliberateError)) throw error;
  const { code, message, next } = error;
  console.log(JSON.stringify({ code, message, next, name: error.name }));
  process.exit(error.exitCode);
}
