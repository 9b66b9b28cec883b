/**
 * The facts of a plan: four specialists called in and three heard, a question that was researched, three
 * conflicts (one settled by agreement, one decided by the person, one open), and a control that was missed
 * once and then found.
 */
import type { Seat } from '../../src/kernel/model.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import type { PlanConfig } from '../../src/protocols/plan/config.ts';
import { type FactBody, type FactOf, fact } from '../../src/protocols/plan/facts.ts';
import {
  EMPTY_PLAN,
  findSeatsNotHeard,
  foldPlan,
  planOf,
  takeFound,
} from '../../src/protocols/plan/fold.ts';
import { checkDraft, type Draft } from '../../src/protocols/plan/rules/spec.ts';
import { renderSpec } from '../../src/protocols/plan/spec-lines.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { FakeRun, makeFakeSeat } from '../console/fake-run.ts';

/** The text of the plan's topic. */
export const TOPIC =
  'Add a Fischer increment to the chess clock\n\nPlayers keep running out of time in won positions.';
const TITLE = 'Add a Fischer increment to the chess clock';

/** The chair, the researcher and five specialists, of which one, `sound`, is never called in. */
export const SEATS: readonly Seat[] = [
  makeFakeSeat('chair', 'Chair', 'anthropic/claude-sonnet-5-5'),
  makeFakeSeat('researcher', 'Researcher', 'ollama/qwen3:8b'),
  makeFakeSeat('engine', 'Engine', 'anthropic/claude-haiku-4-5'),
  makeFakeSeat('interface', 'Interface', 'ollama/qwen3:8b'),
  makeFakeSeat('storage', 'Storage', 'ollama/llama3.2:3b'),
  makeFakeSeat('release', 'Release', 'ollama/llama3.2:3b'),
  makeFakeSeat('sound', 'Sound', 'ollama/llama3.2:3b'),
];

/** The settings of the plan: three rounds, and a person who decides what the seats do not settle. */
export const CONFIG: PlanConfig = {
  roles: {
    engine: { clusters: ['clock', 'protocol'] },
    interface: { clusters: ['screens'] },
    storage: { clusters: ['saved-games'] },
    release: { clusters: ['shipping'] },
    sound: { clusters: ['audio'] },
  },
  cards: [
    { name: 'clock', line: 'How time is kept and taken off.' },
    { name: 'protocol', line: 'What clients send each other.' },
    { name: 'screens', line: 'What players see and press.' },
    { name: 'saved-games', line: 'How games are kept.' },
    { name: 'shipping', line: 'How versions reach players.' },
    { name: 'audio', line: 'Sounds and when they play.' },
    { name: 'tournaments', line: 'Rules of play in tournaments.' },
  ],
  rounds: 3,
  gateTokens: 4_000,
  researchers: 3,
  commit: { hash: '4f1c2d9', dirty: false },
  seed: 7,
  documents: { root: 'repository', index: 'main' },
  person: true,
  output: {
    slug: 'fischer-increment',
    topics: 'docs/planning',
    specs: 'docs/roadmap',
    fixes: 'docs/fixes',
    research: 'docs/research',
    topic: 'docs/planning/clock/topic.md',
  },
};

const ONE_BYTE = 'const increment = view.getUint8(4);';

const STAFFED = fact('plan.staffed', {
  queries: [
    { query: 'how the clock takes time off', clusters: ['clock', 'screens'] },
    { query: 'what a saved game holds', clusters: ['saved-games'] },
    { query: 'rules for time controls', clusters: ['tournaments'] },
  ],
  named: ['protocol', 'shipping'],
  seats: [
    { seat: 'engine', by: ['clock', 'protocol'] },
    { seat: 'interface', by: ['screens'] },
    { seat: 'storage', by: ['saved-games'] },
    { seat: 'release', by: ['shipping'] },
  ],
  unowned: ['tournaments'],
});

const LOOKED_UP: readonly FactBody[] = [
  fact('question.looked-up', {
    seat: 'engine',
    id: 'engine?1',
    question: 'When does the clock take time off today?',
    answer: {
      place: 'docs/clock.md#L10-L14',
      quotation: 'Time is taken off when a legal move reaches the server.',
    },
  }),
  fact('question.looked-up', {
    seat: 'engine',
    id: 'engine?2',
    question: 'Which field carries the increment on the wire, and how wide is it?',
    why: 'no document answers it',
  }),
  fact('question.looked-up', {
    seat: 'interface',
    id: 'interface?1',
    question: 'Which time controls can a player choose today?',
    why: 'no document answers it',
  }),
  fact('question.looked-up', {
    seat: 'storage',
    id: 'storage?1',
    question: 'In which unit are times saved?',
    answer: { place: 'docs/saving.md#L3', quotation: 'Times are saved in whole milliseconds.' },
  }),
  fact('question.looked-up', {
    seat: 'release',
    id: 'release?1',
    question: 'How long do older clients stay in use?',
    why: 'its clusters have no document that says anything of it',
  }),
];

const RESEARCHED: readonly FactBody[] = [
  fact('question.researched', {
    id: 'engine?2',
    found: [
      {
        text: 'The increment is read from one byte, so it cannot be more than 255 seconds.',
        place: 'src/net/message.ts#L40-L41',
        quotation: ONE_BYTE,
      },
    ],
    absent: [{ text: 'No test sends an increment.', pattern: 'increment', paths: ['test/net'] }],
    dropped: [
      {
        text: 'Clients ignore an increment of zero.',
        why: 'its quotation stands in no file that was read',
      },
    ],
  }),
  fact('question.researched', {
    id: 'interface?1',
    found: [],
    dropped: [],
    why: 'the model did not answer within 300 s',
  }),
];

const GATED: readonly FactBody[] = [
  fact('context.gated', {
    seat: 'engine',
    round: 1,
    shown: [
      {
        path: 'src/net/message.ts',
        from: 40,
        to: 41,
        heading: 'Which field carries the increment on the wire, and how wide is it?',
        text: `The increment is read from one byte, so it cannot be more than 255 seconds.\n> ${ONE_BYTE}`,
        tokens: 38,
        clusters: [],
        unconfirmed: true,
      },
      {
        path: 'docs/clock.md',
        from: 10,
        to: 24,
        heading: 'The clock › Taking time off',
        text: 'Time is taken off when a legal move reaches the server.\n\nA move that is taken back gives its time back.',
        tokens: 310,
        clusters: ['clock'],
      },
    ],
    withheld: [
      {
        path: 'docs/saving.md',
        heading: 'Saved games › Times',
        tokens: 220,
        clusters: ['saved-games'],
      },
    ],
    cut: [{ path: 'docs/clock.md', heading: 'The clock › History', tokens: 3_900 }],
    notKnown: [],
  }),
  fact('context.gated', {
    seat: 'interface',
    round: 1,
    shown: [
      {
        path: 'docs/screens.md',
        from: 30,
        to: 52,
        heading: 'Screens › New game',
        text: 'The dialog has one row for the time control.',
        tokens: 180,
        clusters: ['screens'],
      },
    ],
    withheld: [
      { path: 'docs/clock.md', heading: 'The clock', tokens: 310, clusters: ['clock'] },
      {
        path: 'docs/saving.md',
        heading: 'Saved games › Times',
        tokens: 220,
        clusters: ['saved-games'],
      },
    ],
    cut: [],
    notKnown: ['Which time controls can a player choose today?'],
  }),
  fact('context.gated', {
    seat: 'storage',
    round: 1,
    shown: [
      {
        path: 'docs/saving.md',
        from: 1,
        to: 20,
        heading: 'Saved games › Times',
        text: 'Times are saved in whole milliseconds.',
        tokens: 220,
        clusters: ['saved-games'],
      },
    ],
    withheld: [{ path: 'docs/clock.md', heading: 'The clock', tokens: 310, clusters: ['clock'] }],
    cut: [],
    notKnown: [],
  }),
  fact('context.gated', {
    seat: 'release',
    round: 1,
    shown: [],
    withheld: [],
    cut: [],
    notKnown: ['How long do older clients stay in use?'],
  }),
];

const NOTHING = { change: [], withdraw: [] };

const SAID: readonly FactBody[] = [
  fact('statements.made', {
    role: 'engine',
    round: 1,
    ...NOTHING,
    add: [
      {
        kind: 'section',
        title: 'Where time is added',
        text: 'The server adds the increment to the mover’s time in the same step that accepts the move.',
        because: 'Time is taken off there too (docs/clock.md), so the two cannot drift apart.',
      },
      {
        kind: 'constraint',
        text: 'The increment is at most 60 seconds.',
        must: true,
        because: 'src/net/message.ts reads it from one byte that older clients halve.',
      },
      { kind: 'constraint', text: 'All times are kept in milliseconds.' },
      {
        kind: 'constraint',
        text: 'A move that was entered in advance earns no increment.',
        because: 'It takes no time, so it would make the clock run up.',
      },
    ],
  }),
  fact('statements.made', {
    role: 'interface',
    round: 1,
    ...NOTHING,
    add: [
      {
        kind: 'section',
        title: 'Choosing an increment',
        text: 'The new-game dialog offers 0, 2, 5, 10 and 30 seconds beside the base time.',
      },
      {
        kind: 'constraint',
        text: 'Players may enter an increment of up to 180 seconds.',
        because: 'Correspondence players ask for it.',
      },
      {
        kind: 'constraint',
        text: 'A move that was entered in advance counts as any other move.',
        because: 'Players do not see the difference on the screen.',
      },
    ],
  }),
  fact('statements.made', {
    role: 'storage',
    round: 1,
    ...NOTHING,
    add: [
      {
        kind: 'section',
        title: 'Saved games',
        text: 'A saved game keeps its increment in seconds beside the base time.',
      },
      { kind: 'constraint', text: 'Games saved before load with an increment of zero.' },
      { kind: 'concern', text: 'A game that is saved between two moves could lose an increment.' },
    ],
  }),
  fact('seat.unheard', {
    role: 'release',
    round: 1,
    why: 'the model did not answer within 600 s',
  }),
];

const MISSED = makeSearchFact({
  round: 1,
  model: 'anthropic/claude-sonnet-5-5',
  found: [],
  control: {
    planted: 'storage-4',
    of: 'engine-2',
    text: 'The increment is at most 420 seconds.',
    seen: false,
  },
});

const FOUND = makeSearchFact({
  round: 1,
  model: 'anthropic/claude-haiku-4-5',
  found: [
    {
      question: 'In which unit is the increment kept?',
      statements: ['engine-3', 'storage-1'],
      why: 'One says milliseconds, the other seconds.',
      kind: 'contradiction',
    },
    {
      question: 'How long may an increment be?',
      statements: ['engine-2', 'interface-2'],
      why: 'No increment is both at most 60 and up to 180 seconds.',
      kind: 'contradiction',
    },
    {
      question: 'Does a move that was entered in advance earn the increment?',
      statements: ['engine-4', 'interface-3'],
      why: 'It either earns it or it does not; each way costs some players something.',
      kind: 'trade-off',
    },
  ],
  control: {
    planted: 'interface-4',
    of: 'engine-3',
    text: 'It is not so that all times are kept in milliseconds.',
    seen: true,
  },
});

const ANSWERED: readonly FactBody[] = [
  fact('conflicts.answered', {
    role: 'engine',
    round: 2,
    answers: [
      {
        conflict: 'Q-1',
        accepts: ['engine-3'],
        prefers: 'engine-3',
        why: 'Seconds lose what a late packet costs.',
      },
      { conflict: 'Q-2', accepts: ['interface-2'], why: 'Fine.' },
      {
        conflict: 'Q-3',
        accepts: ['engine-4'],
        why: 'A clock that runs up never ends the game.',
      },
    ],
  }),
  fact('statements.made', { role: 'engine', round: 2, ...NOTHING, add: [] }),
  fact('conflicts.answered', {
    role: 'interface',
    round: 2,
    answers: [
      {
        conflict: 'Q-2',
        accepts: ['interface-2'],
        prefers: 'interface-2',
        why: 'Correspondence players need three minutes.',
      },
      {
        conflict: 'Q-3',
        accepts: ['interface-3'],
        why: 'Two rules for one gesture cannot be explained on a screen.',
      },
    ],
  }),
  fact('statements.made', {
    role: 'interface',
    round: 2,
    add: [],
    withdraw: [],
    change: [
      {
        id: 'interface-1',
        text: 'The new-game dialog offers 0, 2, 5 and 10 seconds, and a field for any other.',
      },
    ],
  }),
  fact('conflicts.answered', {
    role: 'storage',
    round: 2,
    answers: [
      {
        conflict: 'Q-1',
        accepts: ['engine-3'],
        why: 'Times are saved in milliseconds already, so seconds were a slip.',
      },
    ],
  }),
  fact('statements.made', {
    role: 'storage',
    round: 2,
    ...NOTHING,
    add: [
      {
        kind: 'section',
        title: 'Saved games',
        text: 'A saved game keeps its increment in milliseconds beside the base time.',
      },
    ],
  }),
  makeSearchFact({
    round: 2,
    model: 'anthropic/claude-sonnet-5-5',
    found: [],
    control: {
      planted: 'storage-5',
      of: 'storage-2',
      text: 'Games saved before never load with an increment of zero.',
      seen: true,
    },
  }),
];

const AGREED = fact('conflict.decided', {
  round: 3,
  conflict: 'Q-1',
  option: 'engine-3',
  by: 'agreement',
});

const MUST = fact('must.asked', {
  role: 'engine',
  conflict: 'Q-2',
  statement: 'engine-2',
  holds: true,
  why: 'Older clients halve the byte: from 128 seconds on they would show a negative increment.',
});

/** The key of the step in which the person decides question Q-2. */
export const GATE = 'decide/Q-2';
const OPENED = fact('gate.opened', {
  step: GATE,
  prompt: [
    'Q-2: How long may an increment be?',
    'You are asked because all accept interface-2, but engine-2 is a must that would fall.',
    'engine-2, Engine, a must, accepted by nobody: The increment is at most 60 seconds.',
    'interface-2, Interface, accepted by Engine, Interface: Players may enter an increment of up to 180 seconds.',
    'Asked alone, Engine holds engine-2: Older clients halve the byte.',
  ].join('\n'),
  options: [
    { value: 'engine-2', label: 'engine-2 The increment is at most 60 seconds.' },
    { value: 'interface-2', label: 'interface-2 Players may enter an increment of up to 180 se…' },
    { value: 'open', label: 'leave it open' },
  ],
  default: 'open',
});

const DECIDED: readonly FactBody[] = [
  fact('gate.answered', { step: GATE, answer: 'engine-2', by: 'person' }),
  fact('conflict.decided', { round: 3, conflict: 'Q-2', option: 'engine-2', by: 'person' }),
  fact('conflict.decided', { round: 3, conflict: 'Q-3', by: 'default' }),
];

const DRAFT: Draft = {
  goal: 'Players choose an increment when they begin a game, and the clock adds it after each of their moves.',
  outOfScope: ['Delays, and other kinds of time controls.'],
  decisions: [
    {
      text: 'The server adds the increment in the step that accepts a move.',
      from: ['engine-1'],
    },
    {
      text: 'An increment is at most 60 seconds, and kept in milliseconds.',
      from: ['engine-2', 'engine-3'],
    },
    { text: 'Players may enter up to 180 seconds.', from: ['interface-2'] },
  ],
  interfaces: [{ text: 'The new-game dialog gets a field.', from: ['interface-1'] }],
  data: [{ text: 'A saved game gets `increment_ms`.', from: ['storage-4'] }],
  tasks: [
    {
      title: 'Add the increment on the server',
      files: [
        { path: 'src/clock/clock.ts', isNew: false },
        { path: 'src/clock/increment.ts', isNew: true },
      ],
      from: ['engine-1', 'engine-2'],
      after: [],
      test: 'A move made in 3 s with an increment of 5 s leaves 2 s more.',
      doneWhen: 'A game with an increment of 5 s can be played to its end.',
    },
    {
      title: 'Save and load it',
      files: [{ path: 'src/saving/format.ts', isNew: false }],
      from: ['storage-2', 'storage-4'],
      after: [1],
      test: 'A game saved by the version before loads with zero.',
      doneWhen: 'A saved game shows its increment.',
    },
  ],
  risks: [{ text: 'Saving between two moves: the increment is saved with the move.', from: [] }],
  openQuestions: [],
  fixes: [
    {
      title: 'The increment is read without a limit',
      path: 'src/net/message.ts',
      from: 40,
      to: 41,
      quotation: ONE_BYTE,
      problem: 'A client may send 255.',
      change: 'Refuse what is over 60.',
    },
  ],
  notCarried: [],
};

function makeWrittenFacts(before: readonly FactBody[]): FactBody[] {
  const view = planOf(numberFacts(before));
  const basis = {
    statements: view.statements,
    conflicts: view.conflicts,
    standings: deriveStandings(view),
    notHeard: findSeatsNotHeard(view),
    musts: view.musts,
  };
  const spec = checkDraft(DRAFT, basis, (path) => path !== 'src/saving/format.ts');
  return [
    fact('plan.written', { state: 'open', title: TITLE, spec }),
    fact('synthesis.completed', {
      version: 1,
      model: 'anthropic/claude-sonnet-5-5',
      text: renderSpec(spec, basis, TITLE).join('\n\n'),
      included: ['engine', 'interface', 'storage'],
      excluded: [{ seat: 'release', reason: 'failed' }],
      labels: {},
      missing: [],
      rehearsal: false,
    }),
  ];
}

function asFact(body: FactBody, index: number): AnyFact {
  return { run: 'plan', seq: index + 1, at: '2026-03-01T10:00:00.000Z', ...body };
}

const STARTED = fact('run.started', {
  protocol: 'plan',
  question: TOPIC,
  seats: [...SEATS],
  config: { ...CONFIG },
  request: { kind: 'convene' },
});

const TO_GATE: readonly FactBody[] = [STARTED, STAFFED, ...LOOKED_UP, ...RESEARCHED, ...GATED];
const TO_FOUND: readonly FactBody[] = [...TO_GATE, ...SAID, MISSED, FOUND];
const TO_ASKED: readonly FactBody[] = [...TO_FOUND, ...ANSWERED, AGREED, MUST, OPENED];
const TO_DECIDED: readonly FactBody[] = [...TO_ASKED, ...DECIDED];

/**
 * The facts of the run up to several points: its start, the documents that seats are shown, the first
 * conflicts, the question to the person, and the end.
 */
export const STAGES = {
  started: [STARTED],
  /** Every seat has been shown its documents, and no statement has been made. */
  gate: TO_GATE,
  /** Three conflicts have been found after the first round and are open. */
  found: withConflicts(TO_FOUND),
  /** The person has been asked to decide a conflict and has not answered. */
  asked: withConflicts(TO_ASKED),
  done: withConflicts([
    ...TO_DECIDED,
    ...makeWrittenFacts(TO_DECIDED),
    fact('run.ended', { status: 'done' }),
  ]),
} as const satisfies Record<string, readonly FactBody[]>;

/**
 * Returns facts with a run id, a time and numbers from 1 on, as a journal would give them. In a fact that
 * records a search for conflicts, the conflicts are replaced by those that the program derives from the
 * reader's findings.
 */
export function numberFacts(bodies: readonly FactBody[]): AnyFact[] {
  return withConflicts(bodies).map(asFact);
}

type Looked = Omit<FactOf<'conflicts.examined'>, 'v' | 'type' | 'conflicts' | 'refused'>;

/**
 * Returns the fact of a search for conflicts with the reader's findings, but without the conflicts that the
 * program derives from them. `withConflicts` adds those conflicts.
 */
export function makeSearchFact(looked: Looked): FactBody {
  return fact('conflicts.examined', { ...looked, conflicts: [], refused: [] });
}

/**
 * Returns the same facts. Each search for conflicts gets the conflicts that the program derives from the
 * search's findings and all earlier facts, and the findings that it refuses.
 */
export function withConflicts(bodies: readonly FactBody[]): FactBody[] {
  let view = EMPTY_PLAN;
  return bodies.map((body, at) => {
    const whole = body.type === 'conflicts.examined' ? { ...body, ...takeFound(view, body) } : body;
    view = foldPlan(view, asFact(whole, at));
    return whole;
  });
}

const USAGE = { input: 1_900, output: 420, cached: 0, cacheWritten: 0, thinking: 0 };

/**
 * A plan's run as a console follows it, made of facts that a test records. Its clock moves when facts are
 * recorded or a test moves it.
 */
export class FakePlan extends FakeRun {
  #calls = 0;

  /** Records facts one second apart and sends them to the console. */
  record(...bodies: readonly FactBody[]): this {
    for (const body of bodies) {
      this.wait(1_000);
      const at = new Date(this.time).toISOString();
      const made = { run: this.id, seq: this.facts.length + 1, at, ...body };
      this.facts.push(made as never);
      this.bus.facts([made]);
    }
    return this;
  }

  /** Records that a call begins, and returns the id of its attempt. */
  begin(step: string, seat: string, task: string): string {
    this.#calls += 1;
    const attempt = `call-${this.#calls}`;
    const model = SEATS.find(({ id }) => id === seat)?.model ?? 'test/m';
    this.tell('step.started', { step, attempt, kind: 'call', task, seat, model });
    return attempt;
  }

  /** Sends a part of the text of a running call to the console. `call` is the id that `begin` returned. */
  stream(step: string, seat: string, call: string, text: string): this {
    this.bus.live({ type: 'text', text, step, seat, call });
    this.bus.flush();
    return this;
  }

  /** Records a call from its beginning to its end. `value` is the answer in the form of the task's schema. */
  answer(step: string, seat: string, task: string, value: unknown): this {
    const attempt = this.begin(step, seat, task);
    this.wait(1_400);
    this.tell('call.completed', {
      step,
      attempt,
      seat,
      role: seat,
      model: 'ollama/qwen3:8b',
      text: JSON.stringify(value),
      value,
      thinking: '',
      usage: USAGE,
      costUsd: 0.004,
      latencyMs: 1_400,
      attempts: 1,
      notes: [],
      rehearsal: false,
    });
    return this.tell('step.completed', { step, attempt });
  }
}

/** Returns a run with the facts of this file up to one of the stages, as a console follows it. */
export function makePlanRun(stage: keyof typeof STAGES): FakePlan {
  return new FakePlan().record(...STAGES[stage]);
}
