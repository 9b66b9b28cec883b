/**
 * A document with known truths, against which `bench/truth` measures. Its statements can be decided by reading,
 * by a command, or not at all; each has the words that decide it.
 */
import {
  collectWordTriples,
  computeTripleShare,
  findQuotation,
} from '../../src/protocols/rounds/records/documents.ts';

/** What a careful reader of the document concludes about a statement. */
export type Key = 'true' | 'false' | 'undecided';

/** A statement about a test document, with its known truth. */
export interface Statement {
  readonly text: string;
  /** What the document says about the statement. */
  readonly key: Key;
  /**
   * What decides the statement: words of the document (`reading`), words that the document lacks (`absence`), a
   * command (`running`), or nothing (`open`). A `padding` statement is a copied sentence of the document.
   */
  readonly kind: 'reading' | 'absence' | 'running' | 'open' | 'padding';
  /** The words of the document that decide the statement; empty if none do. */
  readonly quotes: readonly string[];
  /** Words that would be in the document if the missing thing were there. */
  readonly sought: readonly string[];
  /** Whether a command shows the statement to be true; set only for statements that only a command decides. */
  readonly outcome?: 'true' | 'false';
  /** How the statement can be tested, in words. */
  readonly test: string;
  /** Whether the statement says that something holds or that something fails. */
  readonly says: 'holds' | 'fails';
  /** The planted flaw that the statement finds or denies: the flaw's number within the document, from 1. */
  readonly flaw?: { readonly number: number; readonly finds: boolean };
  /** The text of the statement that says the opposite. */
  readonly contrary?: string;
}

/** A test document, with statements about it of which it is known whether they are true. */
export interface Document {
  readonly name: string;
  readonly domain: 'software' | 'operations' | 'research' | 'household';
  readonly question: string;
  readonly text: string;
  readonly statements: readonly Statement[];
}

type Draft = Omit<Statement, 'flaw'> & { readonly finds?: boolean };

/** Makes a true and a false statement about the same thing, with the words that decide both. */
export function makeFact(holds: string, wrong: string, ...quotes: string[]): Draft[] {
  const common = { kind: 'reading', quotes, sought: [], says: 'holds' } as const;
  const test = `what stands around "${quotes[0]}".`;
  return [
    { ...common, text: holds, key: 'true', contrary: wrong, test: `Read ${test}` },
    { ...common, text: wrong, key: 'false', contrary: holds, test: `Hold it against ${test}` },
  ];
}

/** Makes a planted flaw: a statement that finds it, one that denies it, and the words that decide. */
export function makeFlaw(finds: string, denies: string, ...quotes: string[]): Draft[] {
  return makeFact(finds, denies, ...quotes).map((draft, index) => ({
    ...draft,
    says: index === 0 ? 'fails' : 'holds',
    finds: index === 0,
  }));
}

/**
 * Makes a planted flaw that is an omission: a true statement that finds it and a false one that denies it.
 * @param sought words that the document lacks
 */
export function makeOmission(finds: string, denies: string, ...sought: string[]): Draft[] {
  return [...makeMissing('true', finds, ...sought), ...makeMissing('false', denies, ...sought)].map(
    (draft, index) => ({
      ...draft,
      contrary: index === 0 ? denies : finds,
      finds: index === 0,
    }),
  );
}

/**
 * Makes a list with one statement about something that the document does not mention.
 * @param key `true` if the statement says that the thing is missing, `false` if it says that the thing is there
 * @param sought the words to look for in vain
 */
export function makeMissing(key: Key, text: string, ...sought: string[]): Draft[] {
  const test = `Look for ${sought.join(', ')}${key === 'true' ? ' in vain' : ''}.`;
  const says = key === 'true' ? 'fails' : 'holds';
  return [{ text, key, kind: 'absence', quotes: [], sought, test, says }];
}

/** Makes a list with one statement that only a command can decide. */
export function makeRunnable(outcome: 'true' | 'false', text: string, test: string): Draft[] {
  const common = { kind: 'running', quotes: [], sought: [], says: 'holds' } as const;
  return [{ ...common, text, key: 'undecided', outcome, test }];
}

/** Makes a list with one statement that nothing can decide. */
export function makeOpen(text: string, test: string): Draft[] {
  return [{ text, key: 'undecided', kind: 'open', quotes: [], sought: [], test, says: 'holds' }];
}

/**
 * Makes a list with one true statement that is a sentence of the document. Careless models copy such a sentence
 * instead of raising a claim of their own.
 */
export function makePadding(text: string): Draft[] {
  const test = 'See that it stands there.';
  return [{ text, key: 'true', kind: 'padding', quotes: [text], sought: [], test, says: 'holds' }];
}

/**
 * Makes a test document from its text and statements.
 * @param parts the statements, as `makeFact` and the functions beside it make them; flaws get the numbers 1, 2, …
 * in this order
 */
export function makeDocument(
  { name, domain, question }: Pick<Document, 'name' | 'domain' | 'question'>,
  text: string,
  ...parts: Draft[][]
): Document {
  let number = 0;
  const statements = parts.flatMap((part) => {
    if (part.some(({ finds }) => finds !== undefined)) number += 1;
    return part.map(({ finds, ...draft }) =>
      finds === undefined ? draft : { ...draft, flaw: { number, finds } },
    );
  });
  return { name, domain, question, text: `${text.trim()}\n`, statements };
}

/** Returns the reasons why a test document is unfit for measurement, such as a missing quotation; none if it is fit. */
export function faultsOf({ name, text, statements }: Document): string[] {
  const lines = text.trimEnd().split('\n').length;
  const low = text.toLowerCase();
  const runs = collectWordTriples(text);
  const flaws = new Set(statements.flatMap((statement) => statement.flaw?.number ?? []));
  return [
    ...(lines < 40 || lines > 70 ? [`it has ${lines} lines`] : []),
    ...(statements.length < 12 ? [`it has ${statements.length} statements`] : []),
    ...(flaws.size < 2 || flaws.size > 3 ? [`it has ${flaws.size} flaws`] : []),
    ...statements.flatMap(({ text: said, quotes, sought, kind }) => [
      ...quotes
        .filter((quote) => findQuotation(quote, [{ name, text }]) === undefined)
        .map((quote) => `not in it: ${quote}`),
      ...sought.filter((word) => low.includes(word.toLowerCase())).map((word) => `in it: ${word}`),
      ...(kind === 'absence' && sought.length < 3 ? [`too few words to look for: ${said}`] : []),
      ...(kind === 'padding' || computeTripleShare(said, runs) < COPIED ? [] : [`copied: ${said}`]),
    ]),
    ...statements
      .map((statement) => statement.text)
      .filter((sentence, index, all) => all.indexOf(sentence) !== index)
      .map((sentence) => `twice: ${sentence}`),
  ].map((fault) => `${name}: ${fault}`);
}

/** The share of common words from which a claim counts as copied; statements stay well below. */
const COPIED = 0.3;
