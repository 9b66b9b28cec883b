/** What the stand-in says in a debate. */
import { lines } from '../fill.ts';

export const ANSWERED = lines([
  'Rehearsal: I would {course}.',
  'What can be undone about the {0} within {n} weeks is worth a trial; what cannot be undone needs a reason first.',
  'I have counted nothing, so this rests on the {1} being as the question says.',
]);

export const DISPUTES = [
  'Rehearsal: nothing here says who does it.',
  'Rehearsal: the same holds of the other course, so it decides nothing about the {0}.',
  'Rehearsal: this takes the {1} for given, and the question does not.',
] as const;

export const REPLIES = [
  'Rehearsal: I had left out that the {0} has an owner already.',
  'Rehearsal: it holds for the first {n} weeks, and I say so now.',
  'Rehearsal: that is right; nothing I said depends on it.',
] as const;

export const ASSUMPTIONS = [
  'Rehearsal: nobody is taken off the {0} while it lasts.',
  'Rehearsal: the {1} is as large as it was the last time.',
  'Rehearsal: one thing in {n} has to be done twice.',
] as const;

export const CRITERIA = [
  'Little work to begin',
  'Easy to undo',
  'Holds for years',
  'Few people needed',
  'Known to the team',
] as const;

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

export const BUILT =
  'Rehearsal: the same, for one {word} alone, and only while {n} people watch it.';
