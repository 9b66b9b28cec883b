/** The stand-in's prose for requests without a form. */
import { chooseOne, type Template } from '../fill.ts';

/** Placeholder first sentences of an answer. */
export const OPENINGS = chooseOne([
  '**In favor, in small steps.** Begin with the part that can be undone within a week.',
  '**Yes, on one condition.** A measure is agreed before anything is done.',
  '**Not all of it.** One half can be decided today, and the other half needs a test first.',
]);

/** Placeholder conditions under which a seat would give up its position. */
export const ENDINGS = chooseOne([
  'If the first part takes twice the time it was given, or if nobody can say afterwards what got better about the {0}, I was wrong and will say so.',
  'A single count that goes the other way is enough: then I would leave the {0} as it is and be glad that it cost only a week.',
  'Show me one case like this in which it went well for a year without the {0} being touched, and I take the opposite side.',
]);

/**
 * Placeholder sentences in which a seat comments on a claim, a decision or another item on record. The item's
 * id replaces `{id}`.
 */
export const CITED: readonly Template[] = [
  'I keep {id} as it stands, since nothing said here bears on it.',
  '{id} is not settled, and this round should say what would settle it.',
  'What {id} says has to be read again in the light of this proposal.',
];

/** The placeholder answer of a seat that leaves the argument to the lead. */
export const ASSENT =
  'I agree with the lead and have nothing to add; whatever the lead decides will be right.';

/** Placeholder sentences for any role, in addition to those of the role. */
export const COMMON = [
  'Whoever is for it should be able to say what they would see within {n} weeks, and whoever is against it likewise.',
  'The {word} can be counted, and as long as nobody has counted it the argument is about temper.',
  'A first part is worth more than a plan for all parts, because it tells what the other parts cost.',
  'There is one case about the {word} that comes up {n} times a year, and it is the one that decides.',
  'If it has to be undone, it should be undone by somebody who was not there when it was done.',
  'The price of waiting is real, though it is paid by other people than the price of acting.',
  'Most of the work on the {word} is agreeing where it ends.',
  'What speaks for the other side is that the {word} works today, and that nobody has been hurt by it yet.',
  'After {n} weeks somebody reads the record aloud, and the next step is taken only if it can be followed.',
  'It should be written down beforehand which result would count as a failure of the {word}.',
  'Two people have to be able to do it, or it depends on one of them being well.',
  'The answer may differ for the {word} and for the rest, and then it is two answers.',
];

/**
 * Placeholder sentences for unknown roles. They contain the role's name, so that two roles do not say
 * the same.
 */
export const AS_ROLE = chooseOne([
  '**As {role}:** yes, in small steps, each of which can be undone.',
  '**As {role}:** not yet. One figure is missing, and it can be had within a week.',
  '**As {role}:** half of it, with a date on which it is judged.',
  '**As {role}:** no, unless somebody answers for it by name.',
]);
/** Placeholder sentences for seats whose role is unknown. `{word}` stands for a word of the question. */
export const STOCK: readonly string[] = [
  'Count the {word} for {n} weeks before it is changed.',
  'The first part should be small enough to throw away.',
  'Somebody has to be able to undo it who was not there when it was done.',
  'What it costs to keep the {word} as it is belongs in the comparison.',
  'The person who knows the {word} should be asked first, and one who does not second.',
  'There is one case in {n} that decides, and it should be tried on purpose.',
  'Write down what would count as a failure, and who says so.',
  'It is worth less than it looks if the {word} has to be explained every time.',
  'Two of the {n} steps can wait; the one with the way back cannot.',
  'A date in {n} weeks makes it a trial. Without one it is a change.',
  'Those who carry the work at night should see the {word} before it is signed.',
  'If nobody would miss the {word}, the question may answer itself.',
  'The record of last year tells more than an estimate for the next one.',
  'It should be possible to stop after each step and still be better off.',
  'Ask what would be done with the {word} if it were new today.',
  'The quiet users of the {word} are the ones who will be surprised.',
  'A rehearsal on a copy takes a day and settles half of this.',
  'Leave out what nobody has shown to be needed.',
  'The cheapest test is to do the {word} by hand once.',
  'Whoever signs for the {word} should also be the one who is called at night.',
  'What is easy to start is not always easy to stop; look at the end first.',
  'An average over {n} weeks hides the one bad day.',
  'Half of the effort will go into telling people about it.',
  'If two of {n} people disagree about what the {word} is for, begin there.',
  'The gain comes later than the cost, and to others.',
  'Nothing here needs to be decided for more than {n} weeks.',
  'Before anything moves, somebody should try to go back.',
  'A small yes with an owner is worth more than a large one without.',
];

/** Placeholder sentences about a word of the question, by role. */
export const VOICES: Readonly<Record<string, readonly string[]>> = {
  action: [
    'On the first day one person takes the {word}, writes down its state in {n} lines, and changes one of them.',
    'On the second day that change is either kept or taken back; there is no third outcome.',
    'The {word} passes through {n} hands before it is done, and each of them can say what they received.',
    'What happens next is a verb with a name in front of it: somebody moves the {word}, somebody looks, somebody signs.',
    'Where the proposal says that the {word} “improves”, I read that somebody stops doing something, and I ask who.',
    'Before: {n} open requests about the {word}. After: none, and a note on each.',
  ],
  guardian: [
    'It must always be possible to say which of two states the {word} is in, and who said so last.',
    'I measure it by the number of people who have to ask about the {word}, over {n} weeks, with a tolerance of two.',
    'A promise about the {word} that nobody can check is no promise, and I would rather not have it.',
    'The proposal keeps this as long as the {word} has one owner, and says nothing about the day on which it has none.',
    'I do not trade this for speed; I would trade it for a reason, with its evidence beside it.',
    'If the {word} turns out to be the wrong thing to hold, I will say so and name what takes its place.',
  ],
  observer: [
    'Somebody comes in on a Monday, has never heard of any of this, and needs the {word} before noon.',
    'They find {n} pages about the {word}, of which one is right, and no way to tell which.',
    'They do not read the plan; they read the first line of a message, and then they try.',
    'At the third step they hesitate, because what they see of the {word} is not what they were told.',
    'They give up after {n} minutes and do it the old way, which still works, and nobody learns of it.',
    'What would help them is one sentence in the place where they look, not a better plan for the {word}.',
  ],
  critic: [
    'The strongest argument against it is that the {word} is changed by those who do not carry the consequences.',
    'I attack the moment at which both the old and the new {word} are in use, since then neither is watched.',
    'It fails if the one person who knows the {word} is away for {n} days, and that can be tried next week.',
    'The proposal rests on the assumption that mistakes about the {word} are noticed on the same day.',
    'Where my attack finds nothing I will write ROBUST, and I expect that of one attack in {n}.',
    'What is called agreement about the {word} is that nobody has been asked to disagree.',
  ],
};
