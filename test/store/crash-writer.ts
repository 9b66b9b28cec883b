/**
 * `crash-writer.ts FILE [RUN]`: records steps as fast as it can until it is killed. It prints the number of
 * each step only after the step is recorded.
 */
import { writeSync } from 'node:fs';
import { StoreError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { makeSynthesisFact } from './bodies.ts';

const [, , file = '', run] = process.argv;
const store = Store.open(file, FACTS);
const journal = run === undefined ? store.create('test') : store.own(run);
const say = (word: unknown): void => void writeSync(1, `${JSON.stringify(word)}\n`);
say({ run: journal.run });

let number = journal.facts().filter((fact) => fact.type === 'step.completed').length;
for (;;) {
  const step = `step-${++number}`;
  journal.note([fact('step.started', { step, attempt: 'x', kind: 'work' })]);
  if (number % 3 === 0) keepText(step);
  journal.commit({ step, hash: 'h', result: number }, [
    makeSynthesisFact(number, 'x'.repeat(number % 5_000)),
    fact('step.completed', { step, attempt: 'x' }),
  ]);
  say({ number });
}

/**
 * Keeps the text of a running call as an attempt does: if other work on the database takes too long, the
 * text is dropped.
 */
function keepText(step: string): void {
  try {
    journal.keep([{ step, attempt: 'x', text: 'so far', thinking: '' }]);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}
