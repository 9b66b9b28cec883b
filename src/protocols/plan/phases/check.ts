/**
 * Has the finished plan read again by readers who see only what they judge: each part beside what it cites,
 * and all parts beside one another and beside withdrawn statements.
 */
import { shuffleItems } from '../../../kernel/chance.ts';
import { linesOfQuotation } from '../../../text/words/quotation.ts';
import { CHAIR, editionOf } from '../config.ts';
import type { PlanRun } from '../plan-run.ts';
import {
  carriedMessages,
  citationSchema,
  comparedMessages,
  comparedSchema,
} from '../prompts/checks.ts';
import {
  citedParts,
  findRestated,
  HOUSE_PAIR,
  listComparedTexts,
  type Part,
  type PlantedPart,
  plantCitation,
  plantPart,
} from '../rules/checks.ts';
import type {
  Checks,
  CitedPart,
  Contradiction,
  NotCarried,
  Spec,
  SpecBasis,
} from '../rules/spec.ts';

/**
 * What readers said of each part of a spec, by the part's text and citations: why the part does not count as
 * following from its citations, or undefined if it does. The first reader of a second draft skips the parts in this
 * map.
 */
export type SpecReading = Map<string, string | undefined>;

/**
 * Asks readers (models that see nothing but the text) to check a draft of the spec: whether its parts follow
 * from what they cite, and whether parts contradict each other or withdrawn statements.
 * @param key the key of the draft's step
 * @param read what readers found in an earlier draft. What they find in this draft is added, and findings of
 * readers that missed the planted part are removed (before edition 7 of the rules, only those of the first reader).
 */
export async function checkSpecDraft(
  plan: PlanRun,
  key: string,
  spec: Spec,
  basis: SpecBasis,
  read: SpecReading,
): Promise<Checks> {
  const parts = citedParts(spec);
  const carried = await readCarried(plan, key, parts, basis, read);
  const compared = await compareParts(plan, key, spec, basis);
  const restated = editionOf(plan.config) < 7 ? [] : findRestated(parts, basis.statements);
  const isNew = (part: NotCarried): boolean =>
    !carried.notCarried.some((other) => keyOf(other) === keyOf(part));
  return {
    ...carried,
    notCarried: [...carried.notCarried, ...restated.filter(isNew)],
    ...compared,
  };
}

/** Returns the models that read: the chair's, then another one if the plan has any. */
function readersOf(plan: PlanRun, key: string): string[] {
  const chair = plan.seat(CHAIR, key).model;
  return [chair, plan.roles.find(({ model }) => model !== chair)?.model ?? chair];
}

type Statements = readonly { readonly id: string; readonly text: string }[];

async function readCarried(
  plan: PlanRun,
  key: string,
  parts: readonly CitedPart[],
  { statements }: SpecBasis,
  read: SpecReading,
): Promise<CarriedChecks> {
  const isListed = editionOf(plan.config) >= 7;
  if (parts.length === 0)
    return { carried: 'none', notCarried: [], ...(isListed ? { notRead: [] } : {}) };
  const findCited = ({ from }: CitedPart): Statements =>
    statements.filter(({ id }) => from.includes(id));
  const planted = plantCitation(parts, statements, plan.config.seed);
  const house = { text: HOUSE_PAIR.text, cited: [{ id: 'request-1', text: HOUSE_PAIR.statement }] };
  let isSeen = false;
  for (const [index, model] of readersOf(plan, key).entries()) {
    const step = `${key}/carried-${index + 1}`;
    const control =
      index > 0 || planted === undefined
        ? house
        : { text: planted.text, cited: findCited(planted) };
    // A second reader is asked only if the first one missed the planted part, so forget what the first one found.
    if (index > 0) read.clear();
    const todo = parts.filter((part) => !read.has(keyOf(part)));
    const all = [...todo.map((part) => ({ text: part.text, cited: findCited(part) })), control];
    // Shuffle the parts, so that the steps' numbers do not show which part was planted.
    const verdicts = await Promise.all(
      shuffleItems(all, plan.config.seed, step).map(async (part, at) => ({
        one: part,
        why: await readPart(plan, `${step}/${at + 1}`, model, part),
      })),
    );
    const whyOf = (part: unknown) => verdicts.find((verdict) => verdict.one === part)?.why;
    todo.forEach((part, at) => {
      read.set(keyOf(part), whyOf(all[at]));
    });
    isSeen = whyOf(control) !== undefined && !isUnread(whyOf(control));
    if (isSeen) break;
  }
  const whys = parts.map((part) => ({ ...part, why: read.get(keyOf(part)) }));
  const found = whys.flatMap(({ why, ...part }): NotCarried[] =>
    why === undefined || (isListed && isUnread(why)) ? [] : [{ ...part, why }],
  );
  const carried = isSeen ? 'seen' : 'missed';
  if (!isListed) return { carried, notCarried: found };
  const notRead = whys.flatMap(({ why, ...part }): NotCarried[] =>
    isUnread(why)
      ? [{ ...part, why: why?.slice(UNREAD.length) ?? '' }]
      : isSeen || why !== undefined
        ? []
        : [{ ...part, why: MISSED }],
  );
  // Forget the parts that no reliable reader has read, so that they are read again with the second draft.
  for (const part of isSeen ? notRead : parts) read.delete(keyOf(part));
  return { carried, notCarried: found, notRead };
}

type CarriedChecks = Pick<Checks, 'carried' | 'notCarried' | 'notRead'>;

/** Why a part counts as unread although readers answered. */
const MISSED = 'no reader found what was planted';

function keyOf({ text, from }: CitedPart): string {
  return JSON.stringify([text, from]);
}

const UNREAD = 'nobody read it: ';

function isUnread(why: string | undefined): boolean {
  return why?.startsWith(UNREAD) === true;
}

/**
 * Asks a reader whether a part follows from what it cites. Returns why it does not; undefined if it does.
 */
async function readPart(
  plan: PlanRun,
  key: string,
  model: string,
  { text, cited }: { readonly text: string; readonly cited: Statements },
): Promise<string | undefined> {
  const asked = await plan.ask(key, {
    task: 'plan/carried',
    seat: CHAIR,
    model,
    about: {
      items: [text],
      heard: cited.map((statement) => ({ from: statement.id, text: statement.text })),
    },
    messages: carriedMessages(text, cited, plan.config.seed),
    schema: citationSchema,
  });
  if ('why' in asked) return `${UNREAD}${asked.why}`;
  const { carried, quotation, missing } = asked.value;
  if (carried !== 'wholly')
    return missing.trim() || `it follows from them ${carried === 'not' ? 'in nothing' : 'in part'}`;
  return cited.some((statement) => linesOfQuotation(quotation, statement) !== undefined)
    ? undefined
    : 'what was quoted as carrying it stands in none of them';
}

async function compareParts(
  plan: PlanRun,
  key: string,
  spec: Spec,
  basis: SpecBasis,
): Promise<ComparedChecks> {
  const parts = listComparedTexts(spec, basis);
  const made = parts.filter(({ isGivenUp }) => isGivenUp === undefined);
  const listUncompared = (why: string | undefined): Pick<ComparedChecks, 'notCompared'> =>
    editionOf(plan.config) < 7
      ? {}
      : {
          notCompared:
            why === undefined ? [] : made.map(({ text, from }) => ({ text, from: [...from], why })),
        };
  if (made.length === 0 || parts.length < 2)
    return { compared: 'none', contradictions: [], ...listUncompared(undefined) };
  let contradictions: Contradiction[] = [];
  let why = MISSED;
  for (const [index, model] of readersOf(plan, key).entries()) {
    const control = plantPart(parts, basis, plan.config.seed, index + 1);
    // If no contradiction can be planted in a spec, ask no reader to compare the parts of the spec: nothing would test
    // the reader.
    if (control === undefined)
      return {
        compared: 'missed',
        contradictions,
        ...listUncompared('no contradiction could be planted'),
      };
    const found = await compareOnce(plan, `${key}/compared-${index + 1}`, model, parts, control);
    // Keep the contradictions of every reader, even if the reader missed the planted contradiction: code has found
    // the words that the reader quotes from both parts.
    contradictions = [
      ...contradictions,
      ...found.contradictions.filter(
        ({ parts: these }) =>
          !contradictions.some(
            (contradiction) => contradiction.parts.join('\n') === these.join('\n'),
          ),
      ),
    ];
    if (found.isSeen) return { compared: 'seen', contradictions, ...listUncompared(undefined) };
    why = found.why ?? MISSED;
  }
  return { compared: 'missed', contradictions, ...listUncompared(why) };
}

type ComparedChecks = Pick<Checks, 'compared' | 'contradictions' | 'notCompared'>;

async function compareOnce(
  plan: PlanRun,
  key: string,
  model: string,
  parts: readonly Part[],
  control: PlantedPart,
): Promise<{ isSeen: boolean; contradictions: Contradiction[]; why?: string }> {
  const { part: planted, against } = control;
  // The reader is not shown the given-up statement that the planted part repeats: two equal texts would give the
  // planted part away.
  const rest = parts.filter(({ id, isGivenUp }) => !(isGivenUp && planted.from.includes(id)));
  const shown = relabelParts(shuffleItems([...rest, planted], plan.config.seed, key));
  const asked = await plan.ask(key, {
    task: 'plan/compared',
    seat: CHAIR,
    model,
    about: {
      // The stand-in of a rehearsal cannot find contradictions. So `items` names the planted part first, and after it
      // the parts that contradict the planted part.
      items: [planted, ...rest.filter(({ id }) => against.includes(id))].map((part) =>
        shown.labelOf(part),
      ),
      heard: shown.parts.map(({ id, text }) => ({ from: id, text })),
    },
    messages: comparedMessages(shown.parts, plan.config.seed, editionOf(plan.config)),
    schema: comparedSchema(shown.parts.map(({ id }) => id)),
  });
  if ('why' in asked) return { isSeen: false, contradictions: [], why: asked.why };
  const found = asked.value.contradictions.flatMap((contradiction) => {
    const [left, right] = [shown.partOf(contradiction.one), shown.partOf(contradiction.other)];
    if (left === undefined || right === undefined || left === right) return [];
    if (left.isGivenUp && right.isGivenUp) return [];
    // A spec follows the chosen option of a question, and so contradicts the option that was given up. Ignore such a
    // contradiction if the words quoted from the spec are words of the chosen option.
    if (
      isTaken(left, contradiction.quotationOfOne, right) ||
      isTaken(right, contradiction.quotationOfOther, left)
    )
      return [];
    const isQuoted =
      linesOfQuotation(contradiction.quotationOfOne, left) !== undefined &&
      linesOfQuotation(contradiction.quotationOfOther, right) !== undefined;
    return isQuoted ? [{ pair: [left, right], why: contradiction.why }] : [];
  });
  const touching = found.filter(({ pair }) => pair.includes(planted));
  const real = found.filter(({ pair }) => !pair.includes(planted));
  const isRight = touching.some(({ pair }) => pair.some(({ id }) => against.includes(id)));
  const isGuess = touching.length > Math.max(against.length + 1, rest.length / 3);
  const isSeen = isRight && !isGuess;
  return {
    isSeen,
    contradictions: real.map(({ pair, why }) => ({
      parts: pair.map(({ id, text, isGivenUp }) => (isGivenUp ? `${id}: ${text}` : text)),
      why,
    })),
  };
}

/** Returns whether a part's quotation is also in the option that was chosen in place of the other part. */
function isTaken({ isGivenUp }: Part, quotation: string, { taken }: Part): boolean {
  return (
    isGivenUp === undefined &&
    taken !== undefined &&
    linesOfQuotation(quotation, { text: taken }) !== undefined
  );
}

/**
 * Numbers the parts in the order in which they are shown, so that the planted part is not the last of its
 * kind.
 */
function relabelParts(parts: readonly Part[]) {
  const counts = new Map<string, number>();
  const labels = new Map<Part, string>();
  const byLabel = new Map<string, Part>();
  const shown = parts.map((part): Part => {
    const [letter = ''] = part.id.split('-');
    const number = (counts.get(letter) ?? 0) + 1;
    if (!part.isGivenUp) counts.set(letter, number);
    const label = part.isGivenUp ? part.id : `${letter}-${number}`;
    labels.set(part, label);
    byLabel.set(label, part);
    return { ...part, id: label };
  });
  const getSortKey = (part: Part): string =>
    ['D', 'I', 'C', 'T'].indexOf(part.id.split('-')[0] ?? '').toString();
  return {
    parts: shown.sort((one, other) => getSortKey(one).localeCompare(getSortKey(other))),
    labelOf: (part: Part): string => labels.get(part) ?? part.id,
    partOf: (label: string): Part | undefined => byLabel.get(label),
  };
}
