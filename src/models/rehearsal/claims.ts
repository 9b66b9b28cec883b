/** Claims of a rehearsed round: how many a seat raises, and sentences that could be wrong. */
import { entryOf } from '../../kernel/entry.ts';
import { Chance } from './chance.ts';
import type { Temper } from './temper.ts';
import type { Topic } from './topic.ts';

const PANEL = ['action', 'guardian', 'observer', 'critic'];

export interface Share {
  readonly round: number;
  readonly role: string;
  /** As the task says, and as many as the schema lets through. */
  readonly least: number;
  readonly most: number;
  readonly room: number;
  readonly absent: string | undefined;
}

/** How many claims this seat raises. Seats do not hear of each other, but agree by the run's seed. */
export function sharesOf(temper: Temper, seed: number, share: Share): number {
  const { round, role, least, most, room, absent } = share;
  const chance = new Chance('claims', seed, round);
  if (temper.mood === 'inflating') return room;
  // About one claim a round, from whoever it may be.
  if (temper.mood === 'starving')
    return chance.some(PANEL, chance.between(0, 2)).includes(role) ? 1 : 0;
  const present = PANEL.filter((one) => one !== absent);
  const all = 4 - present.length;
  const generous = chance.some(present, chance.between(1 + all, 3)).includes(role);
  return generous ? most : least;
}

export function claimsOf(
  role: string,
  topic: Topic,
  count: number,
  chance: Chance,
): { text: string; testable_as: string }[] {
  const theirs = entryOf(CLAIMS, role) ?? GENERAL;
  return chance.some([...theirs, ...GENERAL], count).map(({ text, seen }) => {
    const word = chance.pick(topic.words);
    const number = String(chance.between(2, 9));
    const filled = (sentence: string) => sentence.replaceAll('%', word).replaceAll('#', number);
    return { text: filled(text), testable_as: `Rehearsal: ${filled(seen)}` };
  });
}

/** Whether a claim says that something fails: it is then confirmed by what breaks. */
export function isAttack(text: string): boolean {
  return /\bfails?\b/i.test(text);
}

interface Pattern {
  readonly text: string;
  readonly seen: string;
}

const GENERAL: readonly Pattern[] = [
  {
    text: 'A first part of the % can be done within # weeks without touching the rest.',
    seen: 'start it on a Monday; after # weeks the rest still has its old description.',
  },
  {
    text: 'Nobody outside the group notices the change to the % in its first # days.',
    seen: 'count the questions that come in from outside; more than two refute it.',
  },
  {
    text: 'The way back from the % takes less than # hours.',
    seen: 'go back once, on a copy, with a clock.',
  },
];

const CLAIMS: Readonly<Record<string, readonly Pattern[]>> = {
  action: [
    {
      text: 'Every step that changes the % leaves a trace that tells who took it.',
      seen: 'pick # changes at random and name the person from the log alone.',
    },
    {
      text: 'The % ends in the same state whichever of # requests is settled first.',
      seen: 'settle them in both orders and compare.',
    },
  ],
  guardian: [
    {
      text: 'At any moment one place alone says how things stand with the %.',
      seen: 'ask # people at the same minute; two answers refute it.',
    },
    {
      text: 'Nothing promised about the % is withdrawn without a word for # weeks.',
      seen: 'compare the promises at the beginning and the end.',
    },
  ],
  observer: [
    {
      text: 'A newcomer gets something done with the % in # minutes without asking.',
      seen: 'watch one who has never seen it, in silence.',
    },
    {
      text: 'Whoever looks for the % first finds a page that is out of date, and the task fails there.',
      seen: 'search as a user would and open the first # results.',
    },
  ],
  critic: [
    {
      text: 'The % fails when the one who knows it is away for # days.',
      seen: 'send that person on leave and count unanswered requests.',
    },
    {
      text: 'With two changes to the % on one day, the second fails without being noticed.',
      seen: 'make both and look whether anybody speaks up within # hours.',
    },
    {
      text: 'Putting the % back fails once # requests have come in since.',
      seen: 'restore the copy after so many and look for what is missing.',
    },
  ],
};
