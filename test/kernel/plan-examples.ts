/** One example of each type of fact of a plan, with optional fields. */
import { fact } from '../../src/protocols/plan/facts.ts';

const PIECE = { path: 'docs/clock.md', heading: 'Increment', tokens: 90 };

/** An example of each type of fact of a plan, by type. Most have optional fields, too. */
export const PLAN_EXAMPLES = {
  'plan.staffed': fact('plan.staffed', {
    queries: [{ query: 'clock', clusters: ['clock'] }],
    named: ['peers'],
    seats: [{ seat: 'engine', by: ['clock'] }],
    unowned: ['sound'],
    kept: true,
  }),
  'question.looked-up': fact('question.looked-up', {
    seat: 'engine',
    id: 'engine?1',
    question: 'Who owns the timer?',
    answer: { place: 'docs/clock.md#L1-L3', quotation: 'The engine owns it.' },
    why: 'no document answers it',
  }),
  'question.researched': fact('question.researched', {
    id: 'engine?1',
    found: [{ text: 'It adds nothing.', place: 'src/clock.ts#L3', quotation: 'return left' }],
    absent: [{ text: 'There is no increment.', pattern: 'increment', paths: ['src'] }],
    dropped: [{ text: 'It rounds.', why: 'its quotation does not carry it' }],
    why: 'nothing could be read',
  }),
  'context.gated': fact('context.gated', {
    seat: 'engine',
    round: 1,
    shown: [
      { ...PIECE, from: 1, to: 3, text: 'The clock.', clusters: ['clock'], unconfirmed: true },
    ],
    withheld: [{ ...PIECE, clusters: ['peers'] }],
    cut: [PIECE],
    notKnown: ['Who owns the timer?'],
  }),
  'statements.made': fact('statements.made', {
    role: 'engine',
    round: 2,
    add: [{ kind: 'constraint', title: 'Clock', text: 'It counts.', must: true, because: 'rules' }],
    change: [{ id: 'engine-1', text: 'It counts down.' }],
    withdraw: [{ id: 'engine-2', why: 'peers know better', conflict: 'Q-1' }],
  }),
  'conflicts.examined': fact('conflicts.examined', {
    round: 1,
    model: 'test/m',
    found: [
      {
        question: 'Which figure?',
        statements: ['engine-1', 'peers-1'],
        given: ['peers-2'],
        why: 'they differ',
        kind: 'contradiction',
      },
    ],
    conflicts: [
      {
        id: 'Q-1',
        question: 'Which figure?',
        kind: 'contradiction',
        why: 'they differ',
        round: 1,
        options: ['engine-1', 'peers-1'],
        given: ['peers-2'],
        alsoAsked: ['How many?'],
      },
    ],
    refused: [{ question: 'Which?', why: 'it names no statement' }],
    why: 'the call failed',
    control: { planted: 'peers-9', of: 'engine-1', text: 'It counts up.', seen: true },
  }),
  'conflicts.answered': fact('conflicts.answered', {
    role: 'engine',
    round: 2,
    answers: [
      { conflict: 'Q-1', accepts: ['peers-1'], prefers: 'peers-1', why: 'it can be built' },
      { conflict: 'Q-2', compatible: 'one after the other' },
    ],
  }),
  'conflict.decided': fact('conflict.decided', {
    round: 3,
    conflict: 'Q-1',
    option: 'peers-1',
    by: 'person',
  }),
  'conflict.reread': fact('conflict.reread', {
    round: 2,
    conflict: 'Q-1',
    isMisread: true,
    why: 'it speaks of saved games alone',
  }),
  'must.asked': fact('must.asked', {
    role: 'engine',
    conflict: 'Q-1',
    statement: 'engine-1',
    holds: true,
    why: 'games would differ',
  }),
  'seat.unheard': fact('seat.unheard', { role: 'peers', round: 1, why: 'timed out' }),
  'files.written': fact('files.written', {
    files: [{ path: 'docs/roadmap/increment.spec.md', sha256: '0'.repeat(64) }],
  }),
  'plan.written': fact('plan.written', {
    state: 'open',
    title: 'Increment',
    spec: {
      goal: 'Clocks add seconds.',
      outOfScope: ['Sound.'],
      decisions: [{ text: 'It is 5 seconds.', from: ['peers-1'] }],
      interfaces: [{ text: 'A message more.', from: ['peers-1'] }],
      data: [{ text: 'A column more.', from: ['engine-1'] }],
      tasks: [
        {
          title: 'Add it',
          files: [{ path: 'src/clock.ts', isNew: false }],
          from: ['engine-1'],
          after: [1],
          test: 'a game of two moves',
          doneWhen: 'both clocks agree',
        },
      ],
      risks: [{ text: 'Drift.', from: ['engine-1'] }],
      openQuestions: [{ text: 'Who tells it?', from: ['engine-1'] }],
      notCarried: [{ id: 'engine-2', why: 'not now' }],
      forgotten: ['engine-3'],
      refused: [{ text: 'Sound.', why: 'it rests on no statement' }],
      missingFiles: [{ task: 1, path: 'src/clock.ts' }],
      fixes: [
        {
          title: 'Rounding',
          path: 'src/clock.ts',
          from: 1,
          to: 3,
          quotation: 'return left',
          problem: 'It rounds down.',
          change: 'Keep milliseconds.',
        },
      ],
    },
  }),
} as const;
