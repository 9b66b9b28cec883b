/**
 * What the stand-in says in each role. It knows nothing, and must not look as if it did: it speaks
 * of how one would find out, in the shape that its role would give to an answer, with the words of
 * the question in it.
 */
import type { Chance } from './chance.ts';
import type { Topic } from './topic.ts';

/** The last line of every text of the stand-in. */
export const REHEARSAL_LINE = '_Rehearsal: no model wrote this._';

type Speech = (topic: Topic, chance: Chance) => string[];

/** `tail` comes after all that is said, before the last line. */
export function prose(role: string, topic: Topic, chance: Chance, tail?: string): string {
  const slug = role.toLowerCase().replace(/[^a-z]+/g, '-');
  const speech = SPEECHES.get(slug) ?? generalist;
  const ending = tail === undefined ? [] : [tail];
  return [...speech(topic, chance), ...ending, REHEARSAL_LINE].join('\n\n');
}

/** A word of the question for a place in a sentence; they take turns where there are few. */
function word(topic: Topic, index: number): string {
  return topic.words[index % topic.words.length] ?? topic.words[0];
}

const advocate: Speech = (topic, chance) => [
  chance.pick([
    `**Yes.** “${topic.subject}” deserves to be tried now, because waiting has a price that nobody has put into the comparison.`,
    `**In favour.** The case for “${topic.subject}” is stronger than it looks, since most of the cost is paid once and most of the gain comes back every week.`,
    `**Yes, and soon.** What speaks for “${topic.subject}” can be checked within a month, which is more than can be said of most plans.`,
  ]),
  '## What it makes possible',
  chance
    .some(
      [
        `- **Shorter loops.** Whoever works on the ${word(topic, 0)} sees the effect of a change the same day. Measure it: hours from decision to result, before and after.`,
        `- **Room for people.** Two groups stop waiting for each other over the ${word(topic, 1)}. Measure it: the number of handovers in an ordinary week.`,
        `- **A smaller blast radius.** A mistake around the ${word(topic, 0)} stays where it was made. Measure it: how many others notice when something there fails.`,
        '- **Learning on purpose.** The first part done teaches what the later parts cost, while stopping is still cheap.',
        `- **A clear owner.** Today nobody can say who answers for the ${word(topic, 2)}; afterwards one name stands beside it.`,
      ],
      3,
    )
    .join('\n'),
  chance.pick([
    `The honest weakness is the transition. For a while both the old and the new arrangement have to be fed, and the ${word(topic, 1)} will feel slower before it feels faster. That is a reason for a short transition with a date at its end; it is no reason to stay.`,
    `There is a flaw, and it can be put to use. Starting with the ${word(topic, 0)} will show which of our habits rest on it. Each one found early costs an afternoon; each one found late costs a weekend.`,
  ]),
  '## What would change my mind',
  chance.pick([
    `If a first slice takes more than twice the time we give it, or if the people closest to the ${word(topic, 0)} cannot name one thing that got easier, I would stop and say so. Until then the burden of proof lies with standing still.`,
    `Show me that the ${word(topic, 1)} hardly changes from quarter to quarter, and the gain shrinks below the cost. I would want to see the record of the last year before giving way.`,
  ]),
];

const critic: Speech = (topic, chance) => {
  const flaws = chance.some(
    [
      `**The goal is not measurable.** “${topic.subject}” says what to do and leaves out what should be better afterwards. _Bites:_ at the first review, when everyone remembers another promise. _Test:_ ask three people for the number that has to move; three answers mean there is none.`,
      `**The cost sits elsewhere.** Whoever decides about the ${word(topic, 0)} is not the one who carries the work at night. _Bites:_ in the second month, as quiet overtime. _Test:_ list every recurring duty and write a name next to it; count the empty lines.`,
      `**The way back is missing.** Once the ${word(topic, 1)} has moved, the old state can hardly be restored. _Bites:_ at the worst moment. _Test:_ rehearse the return on a copy, with a clock.`,
      `**One hidden dependency breaks it.** Something that nobody mentioned relies on the ${word(topic, 0)} staying as it is. _Bites:_ on the first busy day. _Test:_ switch it off for an hour and watch who calls.`,
      `**Growth was assumed.** The plan pays off if the ${word(topic, 1)} becomes much larger. _Bites:_ slowly, as effort without return. _Test:_ do the sums again with half the growth.`,
    ],
    3,
  );
  return [
    chance.pick([
      `**Not as it stands.** “${topic.subject}” has three flaws, and the first of them is enough to stop it.`,
      `**No, unless the first point below is mended.** The idea may be sound; the plan around “${topic.subject}” is not.`,
      `**I would not approve this today.** What is said about “${topic.subject}” skips the parts that usually go wrong.`,
    ]),
    '## Flaws, worst first',
    flaws.map((flaw, index) => `${index + 1}. ${flaw}`).join('\n'),
    `**What is sound:** ${chance.pick([
      `the complaint behind it. Work on the ${word(topic, 0)} is slower than it should be, and saying so is overdue.`,
      `the wish for a decision. Leaving the ${word(topic, 0)} half settled helps nobody.`,
    ])}`,
    '## What would change my mind',
    chance.pick([
      'A trial small enough to throw away, with its stopping rule written down beforehand and signed by someone who would rather not use it. If the trial survives its own rule, I withdraw the first flaw.',
      `Evidence from one case like ours in which the ${word(topic, 1)} improved and stayed improved for a year. A story of success told by its seller does not count.`,
    ]),
  ];
};

const analyst: Speech = (topic, chance) => {
  const effort = chance.pick(['weeks', 'a quarter', 'two quarters']);
  return [
    chance.pick([
      `**The middle option leads, narrowly.** For “${topic.subject}” three courses are open, and two quantities decide between them.`,
      `**Undecided on the figures at hand, leaning to a partial step.** “${topic.subject}” is three questions in one; the table takes them apart.`,
    ]),
    '## Options',
    [
      '| option | cost now | cost later | can be undone |',
      '|---|---|---|---|',
      `| leave the ${word(topic, 0)} as it is | none | grows every month | yes |`,
      `| one part first | ${effort}, estimated | falls | mostly |`,
      `| all of “${topic.subject}” | several times that | lowest, if it works | hardly |`,
    ].join('\n'),
    '## What decides',
    chance
      .some(
        [
          `- **Rate of change.** How often does the ${word(topic, 0)} change? From the records of the last twelve months: below once a month the first option wins, above once a week the third comes into reach.`,
          '- **Waiting time.** How long does finished work lie around? Sample twenty pieces of work; half a day is noise, three days are a cost.',
          `- **Failures shared.** Of the last ten incidents, how many crossed the ${word(topic, 1)}? Fewer than two: no case for separation.`,
          `- **People.** Can two more take over the ${word(topic, 1)} without a month of reading? If not, the estimate above is too low by about half.`,
        ],
        2,
      )
      .join('\n'),
    chance.pick([
      'None of these figures is in front of us. Each can be had within a week, and the ranking changes with the first: that makes it the cheapest thing to do next.',
      `The estimate for the partial step has a range of a factor of two either way. It would take a wrong guess about the ${word(topic, 0)} on top of that to make the full step the better one.`,
    ]),
    '## Reading',
    `The partial step is favoured, by ${chance.pick(['a little', 'about as much as the uncertainty allows', 'enough to act, too little to boast'])}. The full step overtakes it only if both quantities come out high.`,
  ];
};

const devilsAdvocate: Speech = (topic, chance) => [
  `> The board will say: do a small part of “${topic.subject}”, carefully, and look again later.`,
  chance.pick([
    '**I argue that this is the worst of the answers.** A small step is how an organisation agrees to something without deciding it.',
    '**That answer is comfortable, and it is wrong.** It lets everyone be right and nobody be responsible.',
    '**Suppose the opposite is true:** half a step costs more than none and teaches less than a whole one.',
  ]),
  '## The case nobody wants to make',
  chance.pick([
    `Take the half measure seriously. From the day it begins there are two ways to handle the ${word(topic, 0)}, two sets of habits, two places to look when something is broken. The trial cannot fail, because nobody will say what failing would be. So it stays, and in a year it is called the architecture.`,
    `Look at who asks. “${topic.subject}” came up because the ${word(topic, 0)} hurts. But pain says where, seldom why. If the cause lies in how people hand work to each other, every arrangement of the ${word(topic, 1)} will hurt in the same place, and the next question to this board will be how to undo this one.`,
  ]),
  chance.pick([
    `And the option that is missing: **stop doing the thing that makes the ${word(topic, 0)} matter.** Which half of it does anybody still need? Remove that half, and the question may answer itself.`,
    `And the option that is missing: **do the whole of it, at once, with the old way closed behind us.** It is frightening, and it is the only variant in which the double cost never arises.`,
  ]),
  '## Evidence that is overlooked',
  chance
    .some(
      [
        '- Trials that were stopped on time. Most boards cannot name one of their own.',
        `- The people who left because of the ${word(topic, 1)}, and those who stayed because of it.`,
        '- What the same board recommended last time, and what came of it.',
        '- Those who solved it by writing less, and therefore have no talk to give about it.',
      ],
      2,
    )
    .join('\n'),
  chance.pick([
    'If you disagree, good: then name the date on which the small step is judged, and the result that ends it. Without these two my case stands.',
    `I would give way to one thing: a person who says, in writing, what they will have removed from the ${word(topic, 0)} by the end of the quarter.`,
  ]),
];

const expert: Speech = (topic, chance) => [
  chance.pick([
    `**Yes, under two conditions that are usually skipped.** Whether “${topic.subject}” works is settled by mechanism, not by taste.`,
    `**It depends on one thing, and that can be looked up.** “${topic.subject}” succeeds where the boundaries are already there and fails where they are drawn on a whiteboard.`,
  ]),
  '## How it works',
  chance.pick([
    `The ${word(topic, 0)} is held together by what changes together. Parts that change for the same reason belong in one place, whatever the diagram says; parts that change for different reasons get in each other’s way wherever they are put. Moving the line does not alter this. It only makes agreement or disagreement with it cheaper or dearer.`,
    `Two forces act on the ${word(topic, 0)}. Coordination costs grow with the number of people who must agree; separation costs grow with the number of lines that must be kept stable. There is a point where they cross, and it moves with the size of the group, not with fashion.`,
  ]),
  `**Commonly believed, and false:** ${chance.pick([
    `that the ${word(topic, 1)} gets simpler. It gets simpler in one place, and the difference turns up in the connections.`,
    'that one can find the right boundary by thinking. It is found in the history of changes, or by getting it wrong once.',
  ])}`,
  '## Look before deciding',
  [
    '```text',
    `1  list the last 50 changes that touched the ${word(topic, 0)}`,
    '2  mark which of them needed a second place changed as well',
    '3  group by that second place: the largest group is the real boundary',
    '```',
  ].join('\n'),
  '## Edge cases',
  chance
    .some(
      [
        '- One fact that two parts must agree on at the same instant. This is where most attempts stall.',
        `- A consumer of the ${word(topic, 1)} that cannot be changed, only served.`,
        '- The yearly event that nobody has seen twice.',
        '- Work that is half done at the moment of the switch.',
      ],
      3,
    )
    .join('\n'),
  chance.pick([
    'So far this is established. My judgement begins here: with fewer than about twenty people involved I would look for the boundary first and move nothing yet.',
    'Up to this point it is common knowledge in the field. Whether it holds here is my guess, and the three steps above would replace that guess with a count.',
  ]),
];

const generalist: Speech = (topic, chance) => [
  chance.pick([
    `**Try it where it is cheap to be wrong.** From outside the field, “${topic.subject}” looks like a question that other trades have had to answer as well.`,
    `**A small yes.** Put plainly, “${topic.subject}” asks whether we want more freedom at the price of more appointments.`,
  ]),
  '## Something like it',
  chance.pick([
    `A restaurant that opens a second kitchen does not cook faster. It stops the pastry cook from waiting for the grill, and from then on somebody has to see to it that both plates reach the table together. The ${word(topic, 0)} is the grill here. The comparison ends where plates can be made again, and some of our mistakes cannot.`,
    `Families that share a garden do well as long as they agree on the hedge. Once they do not, a fence helps, and from then on every ball that flies over it is an event. The ${word(topic, 0)} is the hedge here. The comparison ends where neighbours cannot move away, and we can.`,
    `An orchestra seats its players so that those who must hear each other can. Nobody asks whether the violins are too large; one asks who cannot hear whom. The same question fits the ${word(topic, 0)}. The comparison ends with the conductor: we have none.`,
  ]),
  '## In plain words',
  chance.pick([
    `Some of us wait for others because of the ${word(topic, 1)}. We could wait less if each had their own part, and we would then have to agree on the edges. Whether that is a good exchange depends on how often we wait today.`,
    `We are asked to spend effort now so that work on the ${word(topic, 1)} gets easier later. That is worth it if “later” comes soon and if the same people are still here.`,
  ]),
  '## Next week',
  chance
    .some(
      [
        '- [ ] Ask the three people who complain most what they waited for on their last working day.',
        `- [ ] Choose the smallest piece of the ${word(topic, 0)} that somebody would miss, and do only that.`,
        '- [ ] Write down, in one sentence, what would make us stop.',
        '- [ ] Tell those affected before they notice.',
        `- [ ] Put a date in the calendar on which the ${word(topic, 1)} is talked about again.`,
      ],
      3,
    )
    .join('\n'),
  chance.pick([
    'If after that week nobody can say what got better, leave it, and be glad that it cost only a week.',
    'A sensible person would do this much with what is there, and would not ask for permission to do the rest yet.',
  ]),
];

const SPEECHES: ReadonlyMap<string, Speech> = new Map([
  ['advocate', advocate],
  ['critic', critic],
  ['analyst', analyst],
  ['devils-advocate', devilsAdvocate],
  ['devil-s-advocate', devilsAdvocate],
  ['expert', expert],
  ['generalist', generalist],
]);
