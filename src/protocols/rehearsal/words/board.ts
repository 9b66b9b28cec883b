/** The stand-in's texts for boards and agents, besides its speeches. */
import { chooseOne, type Template } from '../fill.ts';

/** An option of a ballot, and what a seat would do if it was taken. */
type Option = readonly [option: string, course: string];
/** Placeholder options for ballots, each with what a seat would do if it was taken. */
export const OPTIONS: readonly [Option, ...Option[]] = [
  [
    'Start with one small part',
    'begin with the {0} in one place, for {n} weeks, and judge it on the day agreed',
  ],
  ['Measure first, then decide', 'leave the {0} as it is until {n} weeks have been counted'],
  ['Change it all at once', 'change the {0} in one go, with {n} people and a way back'],
];

/** Placeholder points for a table of positions. */
export const POINTS = [
  'Rehearsal: the {0} can be changed in small parts.',
  'Rehearsal: what is said about the {1} can be counted before anything is decided.',
  'Rehearsal: the price of waiting is higher than that of the {2}.',
  'Rehearsal: somebody can be named who answers for the {0}.',
];
/** The sides of a point, from which the stand-in draws at random. */
export const SIDES = ['for', 'for', 'against', 'partly'] as const;

/**
 * Placeholder recommendations of a synthesis. `{first}` is replaced by the first seat in the
 * synthesis.
 */
export const RECOMMENDATION = chooseOne([
  'Begin with the smallest part of the {0} that can be undone within a week, and set the day on which it is judged.',
  'Gather the one figure about the {0} that the answers ask for, and decide when it is there.',
  'Take the condition that {first} names as the stopping rule, write it down, and start.',
]);

/**
 * The placeholder answer of a router (the agent that chooses who answers): a reason, and a message
 * to the chosen agent.
 */
export const ROUTED: Template = {
  reason: 'Rehearsal: of those who are offered, it could be about the {0}.',
  message: 'Rehearsal: begin with the {word}.',
};
/** A placeholder message of a supervisor to its team. */
export const BROADCAST =
  'Rehearsal: settled is that the {0} needs an owner; open is when. Each of you: name one day.';
/** A placeholder report of a supervisor. */
export const REPORT =
  '## Report\n\nRehearsal: {names} spoke in {cycle} cycles. The stand-in weighs nothing; it would begin with {the smallest part|what can be undone|a count}.';
/**
 * The placeholder text for the model name `looping`, with which the stand-in always repeats itself.
 */
export const AGAIN =
  'Rehearsal: about the {0} I say what I have said before, and shall say it again.';
