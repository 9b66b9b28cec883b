/**
 * The four artifacts of a rehearsed round, each in the shape of its role and none with an idea: what
 * they speak of are the words of the question and the steps that anything takes.
 */
import type { Chance } from './chance.ts';
import type { Topic } from './topic.ts';

export function traceSet(topic: Topic, chance: Chance): Record<string, unknown> {
  const [first, second, third] = threeWords(topic, chance);
  const kinds = ['happy', 'edge', 'cross-round'] as const;
  const names = [
    `the ${first} on an ordinary day`,
    `the ${second} when two people act at once`,
    `the ${third} under what was decided before`,
  ];
  return {
    title: `Rehearsal: traces of “${topic.subject}”`,
    traces: kinds.map((kind, index) => {
      const word = [first, second, third][index] ?? first;
      const load = chance.between(2, 9) * 10;
      return {
        kind,
        name: names[index] ?? kind,
        initial_state: [
          { variable: `${word} in use`, value: `${load} a day` },
          { variable: 'open requests', value: String(chance.between(0, 6)) },
          {
            variable: 'who is responsible',
            value: chance.pick(['one person', 'a pair', 'nobody']),
          },
          { variable: 'way back', value: chance.pick(['rehearsed', 'written down', 'none']) },
        ],
        steps: numbered(chance, STEPS, chance.between(10, 11)).map(([does, delta]) => ({
          action: does.replaceAll('%', word),
          state_delta: delta.replaceAll('%', word),
        })),
        outcome: chance.pick([
          `The ${word} is used ${load + chance.between(1, 9)} times by evening and the list of open requests is empty.`,
          `One request about the ${word} is answered a day late; the log shows which, and why.`,
          `The ${word} is back where it began, and ${chance.between(2, 9)} notes tell what was tried.`,
        ]),
      };
    }),
    self_score: chance.between(2, 4),
  };
}

const STEPS: readonly (readonly [string, string])[] = [
  ['A request about the % comes in', 'open requests +1'],
  ['Somebody reads it and looks up who is responsible', 'the request has a name on it'],
  ['The current state of the % is copied aside', 'way back: rehearsed'],
  ['The smallest part of the % is changed', 'one part differs from its copy'],
  ['A second person looks at the change', 'seen by two'],
  ['The change is put in front of a tenth of the users', 'a tenth see the new %'],
  ['The counter is read after an hour', 'one more reading in the log'],
  ['A second request arrives meanwhile', 'open requests +1'],
  ['The two requests are found to touch the same %', 'both wait for one answer'],
  ['The older request is settled first', 'open requests -1'],
  ['The rest of the users follow', 'everybody sees the new %'],
  ['The copy is kept for a week', 'way back: written down'],
  ['The person who asked is told', 'the request is closed'],
  ['The log is read by somebody who was not there', 'one question about it'],
];

export function invariantCheck(
  topic: Topic,
  quotes: readonly { from: string; text: string }[],
  chance: Chance,
): Record<string, unknown> {
  const [first, second] = threeWords(topic, chance);
  const days = chance.between(2, 14);
  return {
    title: `Rehearsal: what must stay true of the ${first}`,
    invariant: chance.pick([
      `Whoever relies on the ${first} can still do tomorrow what they did yesterday, without asking.`,
      `At any moment exactly one place says how things stand with the ${first}.`,
      `Nothing that was promised about the ${second} is withdrawn without being said.`,
    ]),
    measured_by: `Count, over ${days} days, how often somebody has to ask about the ${first} who did not have to ask before.`,
    tolerance: `At most ${chance.between(1, 4)} in ${days} days; none twice for the same reason.`,
    verdict: chance.pick(['PASS', 'CONDITIONAL_PASS', 'CONDITIONAL_PASS', 'FAIL', 'INCONCLUSIVE']),
    evidence: (quotes.length > 0
      ? chance.some(quotes, 3)
      : [{ from: 'the question', text: topic.question }]
    ).map(({ from, text }) => ({
      quote: text,
      source: from,
      bears: chance.pick([
        `It names the ${first} and leaves open who answers for it.`,
        'It can be counted, and so the tolerance can be missed.',
        `It holds only as long as the ${second} stays as it is.`,
      ]),
    })),
    confidence: chance.between(2, 4),
  };
}

export function walkthrough(topic: Topic, chance: Chance): Record<string, unknown> {
  const [first, second] = threeWords(topic, chance);
  const [name, trade] = chance.pick([
    ['Noor', 'who came back from leave on Monday'],
    ['Tomasz', 'who covers for a colleague this week'],
    ['Ines', 'who has done this once, a year ago'],
    ['Bram', 'who reads instructions only when something fails'],
  ]);
  const steps = numbered(chance, DOINGS, chance.between(9, 11));
  const hard = chance.some(
    steps.map((_, index) => index + 1),
    chance.between(2, 3),
  );
  return {
    title: `Rehearsal: ${name} and the ${first}`,
    persona: `${name}, ${trade}; knows the ${first} by name only and has twenty minutes.`,
    goal: `Get one thing about the ${second} done before noon.`,
    starting_context: `A message says that “${topic.subject}” has been decided. Nothing else has reached ${name}.`,
    steps: steps.map(([does, outcome]) => ({
      does: does.replaceAll('%', first).replaceAll('@', name),
      outcome: outcome.replaceAll('%', first).replaceAll('@', name),
    })),
    friction: hard
      .toSorted((left, right) => left - right)
      .map((step) => ({
        step,
        point: chance.pick([
          `Two places tell different things about the ${second}; ${name} takes the first.`,
          `It is not said what happens to the ${first} if this is left half done.`,
          `${name} waits for an answer that nobody knows they owe.`,
        ]),
        severity: chance.between(2, 4),
      })),
    goal_reached: chance.pick(['yes', 'partially', 'partially', 'no']),
  };
}

const DOINGS: readonly (readonly [string, string])[] = [
  ['Opens the message and looks for what to do first', 'Finds a link to the %'],
  ['Follows the link', 'Sees a page that was last changed a month ago'],
  ['Looks for a name to ask', 'Finds two'],
  ['Asks the first of them', 'Gets an answer after six minutes'],
  ['Tries the smallest step on the %', 'It works, without saying so'],
  ['Tries it again to be sure', 'It is refused, and the reason is a number'],
  ['Looks the number up', 'Finds it under another name'],
  ['Writes down what was done so far', 'Has three lines to show'],
  ['Goes on to the next step', 'The % now looks as the message promised'],
  ['Checks with the person next door', 'They see something else'],
  ['Reloads, as everybody does', 'Both see the same'],
  ['Reports it as done', '@ is thanked, and asked what exactly was done'],
];

export function attackCase(
  topic: Topic,
  earlier: readonly string[],
  chance: Chance,
): Record<string, unknown> {
  const [first, second] = threeWords(topic, chance);
  const target = chance.pick([
    `the step at which the ${first} changes hands`,
    `the promise that the ${second} can be put back`,
    earlier[0] === undefined
      ? `the first week of the ${first}`
      : `what ${earlier[0]} takes for granted`,
  ]);
  return {
    title: `Rehearsal: an attack on ${target}`,
    target,
    hypothesis: `If the two people who know the ${first} are away on the same day, ${target} fails and nobody notices until evening.`,
    preconditions: [
      `The ${first} is changed on a ${chance.pick(['Friday', 'Monday', 'public holiday'])}.`,
      chance.pick([
        `Somebody works from a copy of the ${second} that is a day old.`,
        'A request comes in while the change is under way.',
      ]),
    ],
    attack_steps: numbered(chance, ATTACKS, chance.between(5, 7)).map(([step, expected]) => ({
      step: step.replaceAll('%', first),
      expected: expected.replaceAll('%', first),
    })),
    load_bearing_assumption: `Whoever changes the ${first} also reads what was written about the ${second}.`,
    verdict: chance.pick(['BROKEN', 'BROKEN', 'ROBUST', 'UNCLEAR']),
    confidence: chance.between(2, 4),
  };
}

const ATTACKS: readonly (readonly [string, string])[] = [
  ['Begin the change to the % and stop halfway', 'Half of it is new, and nothing says so'],
  ['Let a second person begin the same change', 'Both believe to be alone'],
  ['Take the one who knows away', 'Questions go unanswered for an hour'],
  ['Repeat yesterday’s request unchanged', 'It is carried out twice'],
  ['Undo the first half only', 'The % matches neither the old nor the new description'],
  ['Ask a user what they see', 'The answer differs from the log'],
  ['Restore the copy', 'What happened since is gone'],
  ['Read the log from the beginning', 'The moment of the mistake is not in it'],
];

function threeWords(topic: Topic, chance: Chance): [string, string, string] {
  const [first = topic.words[0], second = first, third = second] = chance.some(topic.words, 3);
  return [first, second, third];
}

/** `count` of the pairs, in the order in which they stand. */
function numbered(
  chance: Chance,
  pairs: readonly (readonly [string, string])[],
  count: number,
): (readonly [string, string])[] {
  const kept = new Set(chance.some(pairs, count));
  return pairs.filter((pair) => kept.has(pair));
}
