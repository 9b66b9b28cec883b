/** Makes the stand-in's predictions and probabilities for a rehearsal. */
import { fillText, type Scene } from './scene.ts';

/** Templates of predictions on different subjects; more than a run can ask for. */
const SENTENCES = [
  'The pull request for {a} will have at least {3-9} review comments.',
  'On-call will be paged fewer than {2-6} times a week because of {b}.',
  'At least {2-5} tickets that name {c} will be open.',
  'The bill for hosting will stay below {4-9} hundred dollars a month.',
  'The nightly build will have failed no more than {2-4} times.',
  'Two customers will have asked in writing for the way back.',
  'The 95th percentile of response time will be under {200-400} ms.',
  'A second engineer will have deployed without help.',
  'The migration script will have run in under {10-50} minutes.',
  'The error budget will still have {20-60} percent left.',
] as const;

const PLACES = [
  'the list of tickets in the tracker, filtered by label',
  'the paging log of the last week',
  'the dashboard of the service, panel for latency',
  'the invoice of the month',
] as const;

const WHY = [
  'that is how it went the last two times',
  'nothing in the synthesis says who would do it',
  'the base rate of such changes is about that',
  'the deadline leaves little room',
] as const;

/** Makes the stand-in's answer to the task of drafting predictions. */
export function draftPredictions(scene: Scene): unknown {
  const { chance, items, about } = scene;
  const days = [items[0] ?? '', ...items.slice(1)] as [string, ...string[]];
  const count = about.count?.most ?? 3;
  return {
    predictions: chance.some(SENTENCES, count).map((sentence) => ({
      sentence: fillText(scene, sentence),
      date: chance.pick(days),
      look: chance.pick(PLACES),
      if: chance.next() < 0.6 ? 'recommended' : 'any',
      command: '',
    })),
  };
}

/** Makes the stand-in's answer to the task of giving probabilities for predictions. */
export function forecastPredictions(scene: Scene): unknown {
  const { chance, items } = scene;
  return {
    forecasts: items.map((prediction) => ({
      prediction,
      percent: chance.between(2, 18) * 5,
      why: chance.pick(WHY),
    })),
  };
}
