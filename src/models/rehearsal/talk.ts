/**
 * What a seat of a rehearsed deliberation says where words and no form are asked for: as many as the
 * task wants, from its role, with what stands on record by its id.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { Chance } from './chance.ts';
import { REHEARSAL_LINE } from './prose.ts';
import type { Topic } from './topic.ts';

/** The task's own measure: `in 600 to 800 words`. */
export function lengthIn(task: string): number | undefined {
  const asked = /(\d+) to (\d+) words/.exec(task);
  return asked ? Math.round((Number(asked[1]) + Number(asked[2])) / 2) : undefined;
}

/** Parts of it: how much of the length each takes. */
const PARTS: readonly (readonly [string, number])[] = [
  ['Position', 0.33],
  ['How it goes', 0.35],
  ['How one would find out', 0.25],
];
const LAST_PART = 'Where I give up';

/** `ids` are those on record, newest last. */
export function talk(
  role: string,
  topic: Topic,
  length: number,
  ids: readonly string[],
  chance: Chance,
): string {
  const stock = chance.some(sentencesFor(role, topic, ids, chance), Number.POSITIVE_INFINITY);
  const opening = chance.pick(OPENINGS).replaceAll('%', topic.subject);
  const parts = PARTS.map(([heading, share], index) => {
    const said = index === 0 ? [opening] : [];
    const wanted = share * length;
    while (wordsIn(said) < wanted && stock.length > 0) said.push(stock.pop() ?? '');
    return headed(heading, said.join(' '), length);
  });
  const ending = chance.pick(ENDINGS).replaceAll('%', topic.words[0]);
  return [...parts, headed(LAST_PART, ending, length), REHEARSAL_LINE].join('\n\n');
}

/** Short texts stand without headings. */
function headed(heading: string, text: string, length: number): string {
  return length < 400 ? text : `## ${heading}\n\n${text}`;
}

/** For a seat that has handed the argument over to the lead. */
export function assent(topic: Topic): string {
  return `I agree with the lead on “${topic.subject}” and have nothing to add; whatever the lead decides will be right.\n\n${REHEARSAL_LINE}`;
}

function wordsIn(sentences: readonly string[]): number {
  return sentences.reduce((total, one) => total + one.split(' ').length, 0);
}

const OPENINGS = [
  '**In favour, in small steps.** “%” should begin with the part that can be undone within a week.',
  '**Yes, on one condition.** “%” stands or falls with a measure that is agreed before anything is done.',
  '**Not all of it.** Of “%” one half can be decided today, and the other half needs a test first.',
] as const;

const ENDINGS = [
  'If the first part takes twice the time it was given, or if nobody can say afterwards what got better about the %, I was wrong and will say so.',
  'A single count that goes the other way is enough: then I would leave the % as it is and be glad that it cost only a week.',
  'Show me one case like this in which it went well for a year without the % being touched, and I take the opposite side.',
] as const;

/** Each sentence once for every word that it could be about. */
function sentencesFor(
  role: string,
  topic: Topic,
  ids: readonly string[],
  chance: Chance,
): string[] {
  const theirs = entryOf(VOICES, role) ?? [];
  const recent = ids.slice(-12);
  const cited = chance
    .some(recent, 3)
    .map((id) =>
      chance.pick([
        `I keep ${id} as it stands, since nothing said here bears on it.`,
        `${id} is not settled, and this round should say what would settle it.`,
        `What ${id} says has to be read again in the light of this proposal.`,
      ]),
    );
  const words = topic.words.slice(0, 5);
  return [
    ...cited,
    ...[...theirs, ...COMMON].flatMap((sentence) =>
      chance
        .some(words, sentence.includes('%') ? 3 : 1)
        .map((word) =>
          sentence.replaceAll('%', word).replaceAll('#', String(chance.between(2, 9))),
        ),
    ),
  ];
}

const COMMON = [
  'Whoever is for it should be able to say what they would see within # weeks, and whoever is against it likewise.',
  'The % can be counted, and as long as nobody has counted it the argument is about temper.',
  'A first part is worth more than a plan for all parts, because it tells what the other parts cost.',
  'There is one case about the % that comes up # times a year, and it is the one that decides.',
  'If it has to be undone, it should be undone by somebody who was not there when it was done.',
  'The price of waiting is real, though it is paid by other people than the price of acting.',
  'Most of the work on the % is agreeing where it ends.',
  'What speaks for the other side is that the % works today, and that nobody has been hurt by it yet.',
  'After # weeks somebody reads the record aloud, and the next step is taken only if it can be followed.',
  'It should be written down beforehand which result would count as a failure of the %.',
  'Two people have to be able to do it, or it depends on one of them being well.',
  'The answer may differ for the % and for the rest, and then it is two answers.',
] as const;

const VOICES: Readonly<Record<string, readonly string[]>> = {
  action: [
    'On the first day one person takes the %, writes down its state in # lines, and changes one of them.',
    'On the second day that change is either kept or taken back; there is no third outcome.',
    'The % passes through # hands before it is done, and each of them can say what they received.',
    'What happens next is a verb with a name in front of it: somebody moves the %, somebody looks, somebody signs.',
    'Where the proposal says that the % “improves”, I read that somebody stops doing something, and I ask who.',
    'Before: # open requests about the %. After: none, and a note on each.',
  ],
  guardian: [
    'It must always be possible to say which of two states the % is in, and who said so last.',
    'I measure it by the number of people who have to ask about the %, over # weeks, with a tolerance of two.',
    'A promise about the % that nobody can check is no promise, and I would rather not have it.',
    'The proposal keeps this as long as the % has one owner, and says nothing about the day on which it has none.',
    'I do not trade this for speed; I would trade it for a reason, with its evidence beside it.',
    'If the % turns out to be the wrong thing to hold, I will say so and name what takes its place.',
  ],
  observer: [
    'Somebody comes in on a Monday, has never heard of any of this, and needs the % before noon.',
    'They find # pages about the %, of which one is right, and no way to tell which.',
    'They do not read the plan; they read the first line of a message, and then they try.',
    'At the third step they hesitate, because what they see of the % is not what they were told.',
    'They give up after # minutes and do it the old way, which still works, and nobody learns of it.',
    'What would help them is one sentence in the place where they look, not a better plan for the %.',
  ],
  critic: [
    'The strongest argument against it is that the % is changed by those who do not carry the consequences.',
    'I attack the moment at which both the old and the new % are in use, since then neither is watched.',
    'It fails if the one person who knows the % is away for # days, and that can be tried next week.',
    'The proposal rests on the assumption that mistakes about the % are noticed on the same day.',
    'Where my attack finds nothing I will write ROBUST, and I expect that of one attack in #.',
    'What is called agreement about the % is that nobody has been asked to disagree.',
  ],
};
