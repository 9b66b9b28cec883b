/**
 * How the stand-in plays a plan: by comparing words, without reasons. It selects specialists whose cards share
 * words with the topic, quotes the first sentence that it is shown, and reports a conflict between nearly equal
 * statements. Some model names make it fail: `blind` never reports a conflict, `yielding` accepts whatever
 * others say.
 */

import type { Quoted } from '../../kernel/model.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import type { Scene } from './scene.ts';
import { findMeaningfulWords } from './topic.ts';

/** The fewest words of a sentence that can serve as evidence. */
const LEAST_WORDS = 5;
/**
 * The share of common words at or above which two statements count as being about the same thing.
 */
const ALIKE = 0.9;
/** The share of a quotation's words that the sentence based on it must contain. */
const CARRIED = 0.6;

/**
 * Makes the stand-in's answer to the task of choosing specialists: the names of the clusters whose cards share words
 * with the topic, and search queries of these words. Code then calls in the specialists who have these clusters.
 */
export function chooseSpecialists({ heard, about }: Scene): unknown {
  const topic = stemsOf(about.question ?? '');
  const touched = heard.flatMap(({ from, text }) => {
    const shared = findMeaningfulWords(`${from} ${text}`).filter((word) =>
      topic.has(stemWord(word)),
    );
    return shared.length === 0 ? [] : [{ from, shared }];
  });
  const queries = touched.map(({ shared }) => shared.slice(0, 4).join(' '));
  const fallback =
    findMeaningfulWords(about.question ?? '')
      .slice(0, 4)
      .join(' ') || 'plan';
  return {
    queries: (queries.length === 0 ? [fallback] : queries).slice(0, 8),
    clusters: touched.map(({ from }) => from),
    // With an empty name, the plan's files are named after the topic.
    name: '',
  };
}

/** Makes the stand-in's answer to the task of asking questions about the project. */
export function askAboutProject({ items, about }: Scene): unknown {
  const word = findMeaningfulWords(about.question ?? '')[0] ?? 'it';
  return {
    questions: items.slice(0, 2).map((cluster) => ({
      question: `What holds for ${word} in ${cluster} today?`,
      why: 'Rehearsal: the stand-in asks this of every cluster.',
    })),
  };
}

/** Makes the stand-in's answer to the task of finding the answer to a question in documents. */
export function lookUp({ heard, items }: Scene): unknown {
  const wanted = stemsOf(items[0] ?? '');
  for (const { text } of heard) {
    const quotation = sentencesIn(text).find((sentence) =>
      [...stemsOf(sentence)].some((word) => wanted.has(word)),
    );
    if (quotation !== undefined) return { answered: 'wholly', quotation, missing: '' };
  }
  return { answered: 'not', quotation: '', missing: '' };
}

/**
 * Makes the stand-in's answer to a researcher's task. It quotes a line that the researcher's tools
 * have read. Such lines are recognized by their line numbers, as in `12: text`.
 */
export function research({ seen }: Scene): unknown {
  const lines = seen.flatMap((text) =>
    [...text.matchAll(/^\d+: (.+)$/gm)].map(([, line = '']) => line.trim()),
  );
  const quotation = lines.find(
    (line) => findMeaningfulWords(line).length >= LEAST_WORDS && !/:\d+:/.test(line),
  );
  const claims =
    quotation === undefined ? [] : [{ text: `The code says so itself: ${quotation}`, quotation }];
  return { claims, absent: [] };
}

/**
 * Makes the stand-in's answer to the task of judging whether quotations support statements. A quotation that
 * shares enough words with its statement counts as support.
 */
export function judgeSupport({ heard, items }: Scene): unknown {
  return {
    verdicts: heard.map(({ text }, at) => {
      const share = computeOverlap(stemsOf(items[at] ?? ''), stemsOf(text));
      return {
        number: at + 1,
        carries: share >= CARRIED,
        why: 'Rehearsal: by the words that they share.',
      };
    }),
  };
}

/** How many days different roles give to a first version, so that they disagree. */
const DAYS = [5, 10, 20] as const;

/** Makes the stand-in's answer to a specialist's task of stating what the plan needs. */
export function stateNeeds({ heard, items, chance }: Scene): unknown {
  const [domain = 'this'] = items;
  const piece = heard.find(({ text }) => sentencesIn(text).length > 0);
  const [quoted = ''] = piece === undefined ? [] : sentencesIn(piece.text);
  const plain = { title: '', must: false, because: '' };
  return {
    statements: withoutFalse([
      {
        ...plain,
        kind: 'section',
        title: `First step in ${domain}`,
        text: `Begin with the smallest part of ${domain}, and show it to those who work with it.`,
      },
      piece !== undefined && {
        ...plain,
        kind: 'constraint',
        text: `What is on record has to stay true: ${quoted}`,
        must: true,
        because: `It stands in ${piece.from}.`,
      },
      {
        ...plain,
        kind: 'constraint',
        text: `The first version takes ${chance.pick(DAYS)} days at most.`,
        because: 'Rehearsal: a figure that was drawn.',
      },
      {
        ...plain,
        kind: 'concern',
        text: `Nobody has said who looks after ${domain} once it is out.`,
      },
    ]),
  };
}

/**
 * Makes the stand-in's answer to the task of writing a contradiction to plant among statements. The
 * answer is an unchanged copy of a statement, so that the program makes the contradiction itself.
 */
export function writePlanControl({ heard }: Scene): unknown {
  const [first] = heard;
  const copy = { of: first?.from ?? '', text: first?.text ?? '', because: '', title: '' };
  // Answer in both forms: a request asks for a single control before edition 5 of the plan's rules, and for a list
  // of controls since then.
  return { ...copy, controls: [copy] };
}

/** Makes the stand-in's answer to the task of finding conflicts between statements. */
export function findPlanConflicts({ heard, model }: Scene): unknown {
  if (model === 'blind') return { conflicts: [] };
  const left = [...heard];
  const found = [];
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    const start = first;
    const alike = left.filter((other) => isAlike(start, other));
    const texts = new Set([start, ...alike].map(({ text }) => text));
    for (const statement of alike) left.splice(left.indexOf(statement), 1);
    // Report a conflict between statements that use nearly the same words but are not equal, such as statements that
    // differ in a number.
    if (texts.size > 1)
      found.push({
        question:
          `Which of them holds: ${[...texts].map((text) => text.replace(/\.$/, '')).join(', or: ')}?`.slice(
            0,
            400,
          ),
        statements: [start, ...alike].map(({ from }) => from),
        given: [],
        why: 'Their words are nearly the same, and they do not agree.',
        kind: 'contradiction',
      });
  }
  return { conflicts: found };
}

/** Makes the stand-in's answer to a specialist's task of responding to a conflict. */
export function answer({ items, heard, role, model, chance }: Scene): unknown {
  const texts = new Map(heard.map(({ from, text }) => [from, text]));
  return {
    answers: items.map((item) => {
      const [conflict = '', listed = ''] = item.split(': ');
      const options = listed.split(', ');
      const own = options.find((id) => id.startsWith(`${role}-`));
      const holds = model !== 'yielding' && own !== undefined && chance.next() < 0.1;
      // In a rehearsal, most seats accept the option with the smallest number, "5 days" and not "7 days", so that
      // these seats agree. A few seats, drawn by chance, insist on their own option.
      const least = [...options].sort((a, b) => figureIn(texts.get(a)) - figureIn(texts.get(b)))[0];
      const accepts = [holds ? own : (least ?? options[0] ?? '')];
      return {
        conflict,
        says: 'accepts',
        accepts,
        prefers: '',
        why: holds
          ? 'Rehearsal: it was drawn that this seat holds what it said.'
          : 'A smaller first part shows sooner whether it works.',
      };
    }),
    change: [],
    withdraw: [],
    add: [],
  };
}

/** Makes the stand-in's answer to the question whether a seat insists on its must; it is drawn at random. */
export function judgeMust({ chance }: Scene): unknown {
  return { holds: chance.next() < 0.5, why: 'Rehearsal: drawn, not thought.' };
}

/**
 * Makes the stand-in's answer to the task of checking whether statements were misread. It always
 * says that none was, because the stand-in cannot read.
 */
export function findNoMisreading({ heard }: Scene): unknown {
  return {
    readings: heard.map(({ text }, at) => {
      const [first = ''] = text.split('\n');
      return { number: at + 1, says: true, quotation: first, why: 'Rehearsal: not read.' };
    }),
  };
}

/**
 * Makes the stand-in's answer to the question which statements contradict a person's decision. It
 * always says that none does.
 */
export function findNoContradiction(): unknown {
  return { clashes: [] };
}

/**
 * Makes the stand-in's answer to the task of judging whether a part of the plan follows from the statements that it
 * cites: it does if the part contains enough words of one of them.
 */
export function judgeCitation({ heard, items }: Scene): unknown {
  const said = stemsOf(items[0] ?? '');
  const found = heard.find(({ text }) => computeOverlap(stemsOf(text), said) >= CARRIED);
  return found === undefined
    ? { carried: 'not', quotation: '', missing: 'Rehearsal: they share too few words.' }
    : { carried: 'wholly', quotation: found.text, missing: '' };
}

/**
 * Makes the stand-in's answer to the task of finding contradictions between the parts of a plan: only the planted
 * one, which the request names in its items. With the model name `blind`, the answer is empty.
 */
export function findPlantedContradiction({ heard, items, model }: Scene): unknown {
  const [planted, against] = items.map((id) => heard.find(({ from }) => from === id));
  if (model === 'blind' || planted === undefined || against === undefined)
    return { contradictions: [] };
  return {
    contradictions: [
      {
        one: planted.from,
        quotationOfOne: planted.text,
        other: against.from,
        quotationOfOther: against.text,
        why: 'Rehearsal: by their labels.',
      },
    ],
  };
}

/** Makes the stand-in's answer to the task of writing the plan. */
export function writePlan({ heard, topic }: Scene): unknown {
  const isConcern = ({ text }: Quoted): boolean => text.startsWith('Nobody ');
  const isStep = ({ text }: Quoted): boolean => text.startsWith('Begin ');
  const cite = ({ from, text }: Quoted): { text: string; from: string[] } => ({
    text,
    from: [from],
  });
  const steps = heard.filter(isStep);
  return {
    goal: `Rehearsal: what was asked for is done: ${topic.subject}.`,
    outOfScope: ['Whatever no specialist spoke of.'],
    decisions: heard.filter((statement) => !isConcern(statement) && !isStep(statement)).map(cite),
    interfaces: [],
    data: [],
    tasks: steps.map(({ from, text }, at) => ({
      title: text,
      files: [],
      from: [from],
      after: at === 0 ? [] : [at],
      test: 'A test that fails before this step and passes after it.',
      doneWhen: 'Those who work with it have seen it.',
    })),
    risks: heard.filter(isConcern).map(({ from, text }) => ({
      text: `${text} To be named before the first step is done.`,
      from: [from],
    })),
    openQuestions: [],
    fixes: [],
    notCarried: [],
  };
}

/** Returns whether statements of two seats use nearly the same words. Numbers are ignored. */
function isAlike(one: Quoted, other: Quoted): boolean {
  const [left, right] = [one, other].map(({ text }) => stemsOf(text.replace(/\d+/g, '')));
  if (left === undefined || right === undefined) return false;
  return (
    computeOverlap(left, right) >= ALIKE &&
    computeOverlap(right, left) >= ALIKE &&
    one.from !== other.from
  );
}

/** Returns the share of words that the other text contains, from 0 to 1. */
function computeOverlap(words: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => other.has(word)).length / words.size;
}

function stemsOf(text: string): Set<string> {
  return new Set(findMeaningfulWords(text).map(stemWord));
}

function stemWord(word: string): string {
  return word.toLowerCase().replace(/(?:ies|es|s)$/, '');
}

/** Returns sentences of prose, without headings. */
function sentencesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:#|---|>|\||```)/.test(line))
    .join(' ')
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/).length >= LEAST_WORDS && sentence.length <= 300);
}

function figureIn(text = ''): number {
  return Number(/\d+/.exec(text)?.[0] ?? Number.POSITIVE_INFINITY);
}
