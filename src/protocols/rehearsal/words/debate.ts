/** The stand-in's texts for debates. */
import { joinTemplates } from '../fill.ts';

/** The placeholder text of an answer that a seat gives before it sees any other answer. */
export const ANSWERED = joinTemplates([
  'Rehearsal: I would {course}.',
  'What can be undone about the {0} within {n} weeks is worth a trial; what cannot be undone needs a reason first.',
  'I have counted nothing, so this rests on the {1} being as the question says.',
]);

/** Placeholder points of criticism of other answers. */
export const DISPUTES = [
  'Rehearsal: nothing here says who does it.',
  'Rehearsal: the same holds of the other course, so it decides nothing about the {0}.',
  'Rehearsal: this takes the {1} for given, and the question does not.',
] as const;

/** Placeholder replies to criticism. */
export const REPLIES = [
  'Rehearsal: I had left out that the {0} has an owner already.',
  'Rehearsal: it holds for the first {n} weeks, and I say so now.',
  'Rehearsal: that is right; nothing I said depends on it.',
] as const;

/** Placeholder assumptions behind an estimate. */
export const ASSUMPTIONS = [
  'Rehearsal: nobody is taken off the {0} while it lasts.',
  'Rehearsal: the {1} is as large as it was the last time.',
  'Rehearsal: one thing in {n} has to be done twice.',
] as const;

/** Placeholder criteria for options. */
export const CRITERIA = [
  'Little work to begin',
  'Easy to undo',
  'Holds for years',
  'Few people needed',
  'Known to the team',
] as const;

/** Placeholder ideas that a seat has alone. */
export const IDEAS = [
  'Rehearsal: leave the {0} out for {n} weeks and see who asks for it.',
  'Rehearsal: let somebody who has never seen the {1} try it first.',
  'Rehearsal: do the {0} by hand until it hurts.',
  'Rehearsal: give the {word} a price and let teams pay it.',
  'Rehearsal: turn the order around and begin with the {2}.',
  'Rehearsal: write down what the {word} is for, and stop what is not on the page.',
  'Rehearsal: borrow the {1} from another team for {n} weeks.',
  'Rehearsal: have {n} people do it at once, and keep the best {word}.',
] as const;

/** A placeholder idea that builds on another. */
export const BUILT =
  'Rehearsal: the same, for one {word} alone, and only while {n} people watch it.';

/** Placeholder claims, which the advocate questions. */
export const CLAIMS = [
  'Rehearsal: what can be undone is worth a trial.',
  'Rehearsal: nothing about the {1} has been counted.',
] as const;

/** Placeholder questions about a claim or a thesis. */
export const QUESTIONS = [
  'Rehearsal: what would have to be so for this to fail within {n} weeks?',
  'Rehearsal: who says that the {0} stays as it is while that happens?',
  'Rehearsal: what was measured here, and what was taken for given about the {1}?',
  'Rehearsal: where has this been tried, and how did the {2} come out?',
] as const;

/** Placeholder theses. */
export const THESES = [
  'Rehearsal: the {0} is worth changing in one place first.',
  'Rehearsal: whoever answers for the {1} decides when it is over.',
] as const;

/** Placeholder definitions that make a thesis clear. */
export const DEFINITIONS = [
  'Rehearsal: one place means whatever {n} people can put back within a week.',
  'Rehearsal: to change the {0} means that nobody can tell it from before by looking.',
] as const;

/** A placeholder thesis in other words. */
export const REWORDED =
  'Rehearsal: the {0} is worth changing in one place first, if it can be put back within {n} weeks.';

/** Placeholder arguments about a motion. */
export const ARGUED = [
  'Rehearsal: the {0} has an owner, so that somebody answers for what comes of it.',
  'Rehearsal: within {n} weeks it is known whether the {1} holds.',
  'Rehearsal: nobody has counted what the {2} takes as it is.',
  'Rehearsal: what is not tried now is tried later, with less time for the {word}.',
] as const;
