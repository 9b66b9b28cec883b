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
