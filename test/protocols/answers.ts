/**
 * Answers that a deliberation in rounds can use, computed from the request alone: claims that can be tested,
 * verdicts that cite both sides, and effects of verdicts that agree with what code computes. The same request
 * gets the same answer, so that a run that was interrupted ends as it would have ended.
 */

import { makeExam } from '../../src/protocols/entrance/entrance.ts';
import type { Chance } from '../../src/protocols/rehearsal/chance.ts';

/** A request as far as its answer depends on it. */
export interface AnswerRequest {
  /** The JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The text of all messages. */
  readonly text: string;
  /** The seed of the request, from which the program makes a reader's entrance test. */
  readonly seed: number;
}

/**
 * Returns the fenced blocks of a prompt in their order: the name of the tag without its random part, who said
 * the text, and the text.
 */
export function blocksIn(
  text: string,
): { readonly tag: string; readonly from: string; readonly text: string }[] {
  const blocks = text.matchAll(
    /<(\w+)-[0-9a-f]{8} from="([^"\n]*)">\n([\s\S]*?)\n<\/\1-[0-9a-f]{8}>/g,
  );
  return [...blocks].map(([, tag = '', from = '', said = '']) => ({ tag, from, text: said }));
}

/**
 * Returns the numbered lines after the last heading `Statements:` of a prompt, or those of the whole prompt if
 * it has no such heading.
 */
export function statementsIn(text: string): string[] {
  const list = text.split('Statements:\n').at(-1) ?? '';
  return [...list.matchAll(/^\d+\. (.*)$/gm)].map(([, said = '']) => said);
}

/** Returns the number of the check that a prompt asks for; 0 if it asks for no check. */
export function checkIn(text: string): number {
  return Number(/^Check (\d): /m.exec(text)?.[1] ?? 0);
}

/**
 * Returns the places (`FILE#ANCHOR`) that a check may cite, from the list in its prompt. Returns one empty
 * text if the prompt has no such list.
 */
export function placesIn(text: string): string[] {
  const [, list = ''] = text.split(/and nothing else:\n+/);
  return (list.split('\n\n')[0] ?? '').split('\n').flatMap((line) => {
    const [first = '', more = ''] = line.replace(/^- /, '').split(', and in the same file ');
    const [file = ''] = first.split('#');
    return [first, ...(more === '' ? [] : more.split(', ').map((anchor) => `${file}${anchor}`))];
  });
}

/**
 * Returns the fields of an answer that must make sense, and not only fit the schema. Returns an empty object
 * if any values will do. `chance` makes the choices that the request leaves open.
 */
export function makeSoundAnswer(
  { schema, text, seed }: AnswerRequest,
  chance: Chance,
): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, unknown>;
  const hasProperty = (name: string): boolean => Object.hasOwn(properties, name);
  if (hasProperty('answers')) return sitExam(seed);
  if (hasProperty('findings')) return readVerbatim(text);
  if (hasProperty('looks')) return lookVerbatim(text);
  if (hasProperty('evidence_refs'))
    return {
      result: chance.pick(['BROKEN', 'ROBUST', 'UNCLEAR']),
      evidence_refs: placesFrom(text, chance),
    };
  if (hasProperty('bearings')) return weighVerdicts(text);
  if (hasProperty('decisions')) return makeDecision(text, schema, chance);
  if (hasProperty('deviation_score')) return { verdict: 'PASS', deviation_score: 1 };
  if (hasProperty('concedes'))
    return {
      ...(hasProperty('friction')
        ? { friction: [{ step: 1, point: 'It waits.', severity: 2 }] }
        : {}),
      ...(hasProperty('invariant') ? { evidence: [questionQuoted(text)] } : {}),
      ...makeClaims(text, chance),
    };
  return {};
}

function sitExam(seed: number) {
  const finding = { true: 'true_in_text', false: 'false_in_text', undecided: 'absent' } as const;
  return {
    answers: makeExam(seed).items.map(({ key }, at) => ({ item: at + 1, finding: finding[key] })),
  };
}

/** Returns the thing that a claim made by `makeClaims` is about; undefined for other statements. */
function thingIn(statement: string): string | undefined {
  return /^In case \d+ the (\w+) /.exec(statement)?.[1];
}

/**
 * Returns a reader's findings. A statement is true if an attachment contains it word for word, or has a line
 * about the same thing; any other statement needs a test.
 */
function readVerbatim(text: string) {
  const lines = blocksIn(text)
    .filter(({ tag }) => tag === 'attachment')
    .flatMap((block) => block.text.split('\n').map((line) => line.replace(/^\d+: ?/, '')));
  return {
    findings: statementsIn(text).map((statement, at) => {
      const thing = thingIn(statement);
      const line =
        lines.find((line) => line.includes(statement)) ??
        lines.find((line) => thing !== undefined && line.startsWith(`The ${thing} `));
      const quotes = line === undefined ? [] : [line.includes(statement) ? statement : line];
      return {
        item: at + 1,
        finding: line === undefined ? 'needs_a_test' : 'true_in_text',
        quotes,
        sought: [],
        absence_makes_it: 'undecided',
        covered: '',
        why: 'it was compared',
      };
    }),
  };
}

function lookVerbatim(text: string) {
  const items = text.split(/^(?=\d+\. )/m).filter((part) => /^\d+\. /.test(part));
  return {
    looks: items.map((item, at) => {
      const statement = /^\d+\. (.*)$/m.exec(item)?.[1] ?? '';
      const same = item.includes(`The text says: "The ${thingIn(statement) ?? statement}`);
      return { item: at + 1, verdict: same ? 'true' : 'undecided', why: 'it was compared' };
    }),
  };
}

/** Returns places of two files, one of each; two places if there is only one file. */
function placesFrom(text: string, chance: Chance): string[] {
  const files = [...Map.groupBy(placesIn(text), (place) => place.split('#')[0]).values()];
  return files.length > 1
    ? chance.some(files, 2).flatMap((places) => chance.some(places, 1))
    : chance.some(files[0] ?? [], 2);
}

/**
 * Returns an effect of a verdict on each open claim, the one that code computes from the verdict and the
 * claim.
 */
function weighVerdicts(text: string) {
  const blocks = blocksIn(text);
  const verdicts = blocks.filter(({ from }) => from.startsWith('V-'));
  const open = blocks.filter(({ from }) => from.startsWith('C-'));
  return {
    bearings: open.flatMap(({ from: claim, text: said }, at) => {
      const verdict = verdicts[at % Math.max(1, verdicts.length)];
      if (verdict === undefined) return [];
      const holds = /^\w+: ROBUST/.test(verdict.text);
      const fails = /\bfails; about: \w+\)$/.test(said);
      return [
        {
          verification: verdict.from,
          claim,
          makes: holds === fails ? 'makes_false' : 'makes_true',
          covered: said.split('\n')[0],
          speaks_of: 'both',
          why: 'it was tested',
        },
      ];
    }),
  };
}

/**
 * Returns one decision, which rests on the first claim in the state of the record and on the last verdict.
 * Returns no decision if there is neither.
 */
function makeDecision(text: string, schema: unknown, chance: Chance) {
  const said =
    blocksIn(text).findLast(({ from }) => from.startsWith('the state of the record'))?.text ?? '';
  const standing = [...said.matchAll(/^- (C-\d+-\d+) \(\w+\)( confirmed| refuted)?[,:]/gm)];
  const [claim] = standing.map(([, id = '', status = '']) => ({
    id,
    relation: 'based-on',
    takes_as: status === ' refuted' ? 'false' : 'true',
  }));
  const verdict = idsIn(schema).findLast((id) => id.startsWith('V-'));
  const cites = [
    ...(claim === undefined ? [] : [claim]),
    ...(verdict === undefined ? [] : [{ id: verdict, relation: 'supported-by', takes_as: 'true' }]),
  ];
  const course = `Keep what was tested, in case ${chance.between(100, 999)}.`;
  return {
    decisions:
      cites.length === 0 ? [] : [{ text: course, cites, conditions: [], made_by: 'consensus' }],
    tensions: ['Who begins?'],
    architecture_impact: 'The ledger moves.',
    answer: `Keep it, for reason ${chance.between(100, 999)}.`,
  };
}

/** Returns the ids of claims, verdicts and decisions that a schema allows. */
export function idsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = 'enum' in schema && Array.isArray(schema.enum) ? (schema.enum as string[]) : [];
  return [
    ...own.filter((id) => /^[CVD]-\d/.test(id)),
    ...Object.values(schema).flatMap((part) => idsIn(part)),
  ];
}

function questionQuoted(text: string) {
  const question = /^A structured deliberation on this question:\n\n(.*)$/m.exec(text)?.[1] ?? '';
  return { quote: question, source: 'the question', bears: 'It is what was asked.' };
}

const WORDS = ['ledger', 'login', 'queue', 'standby', 'schema', 'backlog', 'mirror'] as const;

/** Returns as many claims as the prompt asks for, all different. */
function makeClaims(text: string, chance: Chance) {
  const asked = /state (?:exactly (\d)|(\d) to (\d)) claim/.exec(text);
  const least = Number(asked?.[1] ?? asked?.[2] ?? 1);
  const most = Number(asked?.[1] ?? asked?.[3] ?? 1);
  return {
    claims: Array.from({ length: chance.between(least, most) }, () => {
      const [word, number] = [chance.pick(WORDS), chance.between(1_000, 999_999)];
      const says = chance.pick(['holds', 'fails']);
      return {
        text: `In case ${number} the ${word} ${says} at ${chance.between(1_000, 9_999)} a second.`,
        testable_as: `Count case ${number} of the ${word} and compare.`,
        decided_by: 'running',
        says,
        about: 'plan',
        if_false: `The ${word} would be left alone.`,
        replaces: '',
      };
    }),
    concedes: [],
    disputes: [],
  };
}
