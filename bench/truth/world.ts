/**
 * The truth of a simulated run: for every sentence that can be raised, whether the document makes it true,
 * makes it false or leaves it open. Simulated models consult it before their draws; the protocol never sees it.
 */

import { makeExam } from '../../src/protocols/entrance/entrance.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import {
  collectWordTriples,
  computeTripleShare,
} from '../../src/protocols/rounds/records/documents.ts';
import { ROLES, type Role } from '../../src/protocols/rounds/records/types.ts';
import type { Document, Key, Statement } from './document.ts';
import type { MemoryJournal } from './journal.ts';

/** A claim as a simulated seat raises it. */
export interface Claimable {
  readonly text: string;
  /** Whether the claim says that something holds or that something fails. */
  readonly says: 'holds' | 'fails';
  /** Whether the claim is about the test document, about the plan under discussion, or about both. */
  readonly about: 'document' | 'plan' | 'both';
  /** What decides the claim: reading the document, running a command, or asking a person. */
  readonly decidedBy: 'reading' | 'running' | 'asking';
  /** How the claim can be tested, in words. */
  readonly test: string;
}

/** What is true of a sentence in a simulated run. */
export interface Truth {
  /** What the document says about the sentence. */
  readonly key: Key;
  /** The words of the document that decide the sentence; empty if none do. */
  readonly quotes: readonly string[];
  /** Words that the document lacks and that a reader has to look for; empty if nothing is missing. */
  readonly sought: readonly string[];
  /** What a flawless argument or command would show. */
  readonly beyond: Key;
  /** The document's statement with this text, if there is one. */
  readonly statement?: Statement | undefined;
}

/** What a simulated seat raises a claim about: one statement, or a statement and the one that denies it. */
export type Topic = readonly [Statement, ...Statement[]];

const ABOUT = { reading: 'document', absence: 'document', padding: 'document' } as const;
const PLAN_PARTS = [
  'the first week of the work',
  'the hand-over to those who keep it',
  'the second half of the budget',
  'the smallest of the three teams',
  'the day after the change',
  'a newcomer who was not in the room',
  'the busiest hour of the quarter',
  'the order of the last four steps',
];
const HOLDS = [
  'passes without anybody working late',
  'needs no more than two extra people',
  'survives one absence at the worst moment',
  'can be shortened by a fifth without harm',
  'leaves nobody waiting for longer than an hour',
  'is understood at the first reading',
];
const FAILS = [
  'breaks as soon as two things go wrong at once',
  'takes twice as long as our proposal reckons',
  'cannot be finished with the money that is set aside',
  'stops when its one expert is away',
  'hides an error until it is too late to mend',
  'asks more of people than they have agreed to',
];

/** What is true in a simulated run, and what each simulated seat has raised so far. */
export class World {
  readonly document: Document;
  readonly seed: number;
  readonly journal: MemoryJournal;
  readonly #byText: ReadonlyMap<string, Statement>;
  readonly #exam: ReadonlyMap<string, Key>;
  readonly #sentences: readonly string[];
  readonly #known = new Map<string, Truth>();
  readonly #lots: ReadonlyMap<Role, Topic[]>;
  readonly #done = new Map<string, unknown>();
  /** What each seat raised first, by round, which is what the checks are about. */
  readonly #subjects = new Map<string, Claimable>();

  constructor(document: Document, seed: number, journal: MemoryJournal) {
    this.document = document;
    this.seed = seed;
    this.journal = journal;
    this.#byText = new Map(document.statements.map((statement) => [statement.text, statement]));
    this.#exam = new Map(makeExam(seed).items.map(({ text, key }) => [text, key]));
    this.#sentences = document.text.split('\n').filter((line) => line !== '' && line[0] !== '#');
    this.#lots = lotsOf(document, seed);
  }

  /** Returns the next topic that a seat may raise, and removes it; undefined if the seat has none left. */
  draw(role: Role): Topic | undefined {
    return this.#lots.get(role)?.shift();
  }

  /** Returns what `make` returned when it was first called under this name. */
  once<T>(name: string, make: () => T): T {
    if (!this.#done.has(name)) this.#done.set(name, make());
    return this.#done.get(name) as T;
  }

  /** Returns a claim about the plan under discussion that the document does not decide. */
  plan(role: Role, round: number, turn: number): Claimable {
    const chance = new Chance('plan', this.seed, role, round, turn);
    const fails = chance.next() < (role === 'critic' ? 0.8 : 0.3);
    const says = chance.some(fails ? FAILS : HOLDS, 1)[0] ?? '';
    const part = chance.some(PLAN_PARTS, 1)[0] ?? '';
    const cases = chance.between(3, 97);
    return {
      text: `By what round ${round} proposes, ${part} ${says}, with ${cases} cases to show for it.`,
      says: fails ? 'fails' : 'holds',
      about: 'plan',
      decidedBy: chance.next() < 0.6 ? 'running' : 'asking',
      test: `Try ${part} on ${cases} cases as round ${round} has it, and write down what the ${role} sees.`,
    };
  }

  /** Returns the claim by which a seat raises a statement. */
  claimable(statement: Statement): Claimable {
    const { text, says, kind, test } = statement;
    const decidedBy = kind === 'running' ? 'running' : kind === 'open' ? 'asking' : 'reading';
    const about = kind === 'running' ? 'both' : kind === 'open' ? 'plan' : ABOUT[kind];
    return { text, says, about, decidedBy, test };
  }

  /** Returns the truth of any sentence. What nothing decides is left open by the document, and true or not by lot. */
  truthOf(text: string): Truth {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = this.#look(text);
    this.#known.set(text, found);
    return found;
  }

  /** Returns the document's statement with this text, if there is one. */
  statement(text: string): Statement | undefined {
    return this.#byText.get(text);
  }

  /** Returns the first claim that a seat handed in in a round; undefined if it has handed in none yet. */
  subject(role: Role, round: number): Claimable | undefined {
    return this.#subjects.get(`${round}/${role}`);
  }

  /** Stores the first claim that a seat hands in in a round. */
  handIn(role: Role, round: number, claim: Claimable): void {
    this.#subjects.set(`${round}/${role}`, claim);
  }

  /** Returns a sentence of the document, for a model that has nothing to quote. */
  sentence(chance: Chance): string {
    return this.#sentences[chance.between(0, this.#sentences.length - 1)] ?? '';
  }

  /** Returns text of about this many words without new content. */
  prose(chance: Chance, words: number): string {
    const said: string[] = [];
    for (let count = 0; count < words; ) {
      const sentence = this.sentence(chance);
      said.push(sentence);
      count += sentence.split(' ').length;
    }
    return said.join(' ');
  }

  #look(text: string): Truth {
    const statement = this.#byText.get(text);
    if (statement !== undefined) {
      const { key, quotes, sought, outcome } = statement;
      return { key, quotes, sought, beyond: outcome ?? key, statement };
    }
    const exam = this.#exam.get(text);
    if (exam !== undefined) return { key: exam, quotes: [], sought: [], beyond: exam };
    return this.#control(text) ?? { ...OPEN, beyond: this.#latent(text) };
  }

  /** Returns the truth of a sentence that code made from the document: true if unchanged, false if altered. */
  #control(text: string): Truth | undefined {
    if (this.document.text.includes(text))
      return { key: 'true', quotes: [text], sought: [], beyond: 'true' };
    const near = runsIn(this.document, this.#sentences)
      .map(({ sentence, runs }) => ({ sentence, share: computeTripleShare(text, runs) }))
      .reduce((best, candidate) => (candidate.share > best.share ? candidate : best), {
        sentence: '',
        share: 0,
      });
    if (near.share < ALTERED) return undefined;
    return { key: 'false', quotes: [near.sentence], sought: [], beyond: 'false' };
  }

  #latent(text: string): Key {
    const drawn = new Chance('latent', this.seed, text).next();
    return drawn < 0.4 ? 'true' : drawn < 0.7 ? 'false' : 'undecided';
  }
}

interface Runs {
  readonly sentence: string;
  readonly runs: ReadonlySet<string>;
}
const RUNS = new Map<Document, readonly Runs[]>();

/** Returns the sentences of a document with their sequences of three words, computed once for all runs. */
function runsIn(document: Document, sentences: readonly string[]): readonly Runs[] {
  const known = RUNS.get(document);
  if (known !== undefined) return known;
  const made = sentences.map((sentence) => ({ sentence, runs: collectWordTriples(sentence) }));
  RUNS.set(document, made);
  return made;
}

/**
 * The least share of three-word sequences that a sentence with one changed word has in common with the
 * document.
 */
const ALTERED = 0.5;
const OPEN = { key: 'undecided', quotes: [], sought: [] } as const;

/** Distributes the document's topics to the four seats, without copied sentences. */
function lotsOf({ statements }: Document, seed: number): Map<Role, Topic[]> {
  const topics = new Map<string, [Statement, ...Statement[]]>();
  for (const statement of statements) {
    if (statement.kind === 'padding') continue;
    const before = statement.contrary === undefined ? undefined : topics.get(statement.contrary);
    if (before === undefined) topics.set(statement.text, [statement]);
    else before.push(statement);
  }
  const dealt = new Chance('lots', seed).some([...topics.values()], topics.size);
  return new Map(
    ROLES.map((role, seat) => [role, dealt.filter((_, index) => index % ROLES.length === seat)]),
  );
}
