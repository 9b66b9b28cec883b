/**
 * `attempt.ts FILE PROTOCOL ROUNDS [KILL]`: resumes the run in a database, or begins one, with the real
 * store and the models behind OLLAMA_HOST. ROUNDS is the number of rounds, for the protocol `rounds` only.
 * KILL is a time at which this process kills itself: `note:3:before` is before the third note of the
 * journal, and `commit:2:after` is after its second commit.
 */
import { RunStopped } from '../../src/kernel/errors.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { Session } from '../../src/kernel/session.ts';
import { createModels } from '../../src/models/gateway.ts';
import { board } from '../../src/protocols/board/board.ts';
import { makeRoundsSeats } from '../../src/protocols/rounds/cast.ts';
import { LATEST } from '../../src/protocols/rounds/config.ts';
import { rounds } from '../../src/protocols/rounds/rounds.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';

const [, , file = '', name = 'board', count = '3', kill = ''] = process.argv;
const store = Store.open(file, FACTS);
const [known] = store.list();
const journal = known === undefined ? store.create(name) : store.own(known.id);
const session = new Session({
  journal: kill === '' ? journal : makeDeadlyJournal(journal, kill),
  models: createModels({ env: process.env, retry: { attempts: 1 } }),
  protocol: (name === 'rounds' ? rounds : board) as Protocol,
  answer: () => Promise.reject(new RunStopped('gate', 'nobody is here')),
});
// A run that was killed before its first fact was recorded begins now.
const begun = journal.facts().length > 0;
const ending = begun
  ? await session.resume({ kind: 'convene' })
  : await session.begin(name === 'rounds' ? roundsOpening() : boardOpening());
await session.close();
store.close();
process.stdout.write(`${JSON.stringify(ending)}\n`);

function makeDeadlyJournal(real: Journal, plan: string): Journal {
  const [method, which = '', when] = plan.split(':');
  let calls = 0;
  const killAround = <T>(called: string, work: () => T): T => {
    const due = called === method && ++calls === Number(which);
    if (due && when === 'before') process.kill(process.pid, 'SIGKILL');
    const done = work();
    if (due) process.kill(process.pid, 'SIGKILL');
    return done;
  };
  return {
    run: real.run,
    recall: (step, hash) => real.recall(step, hash),
    facts: (after) => real.facts(after),
    forget: (step) => real.forget(step),
    keep: (chunks) => real.keep(chunks),
    release: () => real.release(),
    note: (facts) => killAround('note', () => real.note(facts)),
    commit: (record, facts) => killAround('commit', () => real.commit(record, facts)),
  };
}

function boardOpening() {
  const makeSeat = (id: string, model: string) => ({
    id,
    role: id,
    title: id,
    model: `ollama/${model}`,
    brief: `You are the ${id}.`,
  });
  return {
    question: 'Should we split the monolith?',
    seats: [makeSeat('advocate', 'a'), makeSeat('critic', 'b'), makeSeat('analyst', 'c')],
    config: { synthesizer: 'ollama/a', open: false, seed: 7, attachments: [] },
  };
}

function roundsOpening() {
  return {
    question: 'Should we split the monolith?',
    seats: makeRoundsSeats(
      { action: 'engineer', guardian: 'keeper', observer: 'operator', critic: 'red team' },
      { action: 'ollama/a', guardian: 'ollama/b', observer: 'ollama/c', critic: 'ollama/a' },
    ),
    config: {
      verifier: 'ollama/b',
      rounds: Number(count),
      stress: { 2: 'observer' },
      driftEvery: 3,
      stopAt: 'never',
      respond: 'report',
      seed: 7,
      ...LATEST,
      attachments: [],
    },
  };
}
