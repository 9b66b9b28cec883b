/** What the stand-in says in each role. It knows nothing, and speaks of how one would find out. */
import { any, lines, type Words } from '../fill.ts';

const advocate: Words = [
  any([
    '**Yes.** “{subject}” deserves to be tried now, because waiting has a price that nobody has put into the comparison.',
    '**In favour.** The case for “{subject}” is stronger than it looks, since most of the cost is paid once and most of the gain comes back every week.',
    '**Yes, and soon.** What speaks for “{subject}” can be checked within a month, which is more than can be said of most plans.',
  ]),
  '## What it makes possible',
  lines(
    [
      '- **Shorter loops.** Whoever works on the {0} sees the effect of a change the same day. Measure it: hours from decision to result, before and after.',
      '- **Room for people.** Two groups stop waiting for each other over the {1}. Measure it: the number of handovers in an ordinary week.',
      '- **A smaller blast radius.** A mistake around the {0} stays where it was made. Measure it: how many others notice when something there fails.',
      '- **Learning on purpose.** The first part done teaches what the later parts cost, while stopping is still cheap.',
      '- **A clear owner.** Today nobody can say who answers for the {2}; afterwards one name stands beside it.',
    ],
    3,
  ),
  any([
    'The honest weakness is the transition. For a while both the old and the new arrangement have to be fed, and the {1} will feel slower before it feels faster. That is a reason for a short transition with a date at its end; it is no reason to stay.',
    'There is a flaw, and it can be put to use. Starting with the {0} will show which of our habits rest on it. Each one found early costs an afternoon; each one found late costs a weekend.',
  ]),
  '## What would change my mind',
  any([
    'If a first slice takes more than twice the time we give it, or if the people closest to the {0} cannot name one thing that got easier, I would stop and say so. Until then the burden of proof lies with standing still.',
    'Show me that the {1} hardly changes from quarter to quarter, and the gain shrinks below the cost. I would want to see the record of the last year before giving way.',
  ]),
];

const FLAWS = [
  '{at}. **The goal is not measurable.** “{subject}” says what to do and leaves out what should be better afterwards. _Bites:_ at the first review, when everyone remembers another promise. _Test:_ ask three people for the number that has to move; three answers mean there is none.',
  '{at}. **The cost sits elsewhere.** Whoever decides about the {0} is not the one who carries the work at night. _Bites:_ in the second month, as quiet overtime. _Test:_ list every recurring duty and write a name next to it; count the empty lines.',
  '{at}. **The way back is missing.** Once the {1} has moved, the old state can hardly be restored. _Bites:_ at the worst moment. _Test:_ rehearse the return on a copy, with a clock.',
  '{at}. **One hidden dependency breaks it.** Something that nobody mentioned relies on the {0} staying as it is. _Bites:_ on the first busy day. _Test:_ switch it off for an hour and watch who calls.',
  '{at}. **Growth was assumed.** The plan pays off if the {1} becomes much larger. _Bites:_ slowly, as effort without return. _Test:_ do the sums again with half the growth.',
];

const critic: Words = [
  any([
    '**Not as it stands.** “{subject}” has three flaws, and the first of them is enough to stop it.',
    '**No, unless the first point below is mended.** The idea may be sound; the plan around “{subject}” is not.',
    '**I would not approve this today.** What is said about “{subject}” skips the parts that usually go wrong.',
  ]),
  '## Flaws, worst first',
  lines(FLAWS, 3),
  any([
    '**What is sound:** the complaint behind it. Work on the {0} is slower than it should be, and saying so is overdue.',
    '**What is sound:** the wish for a decision. Leaving the {0} half settled helps nobody.',
  ]),
  '## What would change my mind',
  any([
    'A trial small enough to throw away, with its stopping rule written down beforehand and signed by someone who would rather not use it. If the trial survives its own rule, I withdraw the first flaw.',
    'Evidence from one case like ours in which the {1} improved and stayed improved for a year. A story of success told by its seller does not count.',
  ]),
];

const analyst: Words = [
  any([
    '**The middle option leads, narrowly.** For “{subject}” three courses are open, and two quantities decide between them.',
    '**A partial step, by the figures at hand, and only just.** “{subject}” is three questions in one; the table takes them apart.',
  ]),
  '## Options',
  lines([
    '| option | cost now | cost later | can be undone |',
    '|---|---|---|---|',
    '| leave the {0} as it is | none | grows every month | yes |',
    '| one part first | {weeks|a quarter|two quarters}, estimated | falls | mostly |',
    '| all of “{subject}” | several times that | lowest, if it works | hardly |',
  ]),
  '## What decides',
  lines(
    [
      '- **Rate of change.** How often does the {0} change? From the records of the last twelve months: below once a month the first option wins, above once a week the third comes into reach.',
      '- **Waiting time.** How long does finished work lie around? Sample twenty pieces of work; half a day is noise, three days are a cost.',
      '- **Failures shared.** Of the last ten incidents, how many crossed the {1}? Fewer than two: no case for separation.',
      '- **People.** Can two more take over the {1} without a month of reading? If not, the estimate above is too low by about half.',
    ],
    2,
  ),
  any([
    'None of these figures is in front of us. Each can be had within a week, and the ranking changes with the first: that makes it the cheapest thing to do next.',
    'The estimate for the partial step has a range of a factor of two either way. It would take a wrong guess about the {0} on top of that to make the full step the better one.',
  ]),
  '## Reading',
  'The partial step is favoured, by {a little|about as much as the uncertainty allows|enough to act, too little to boast}. The full step overtakes it only if both quantities come out high.',
];

const devilsAdvocate: Words = [
  '> The board will say: do a small part of “{subject}”, carefully, and look again later.',
  any([
    '**I argue that this is the worst of the answers.** A small step is how an organisation agrees to something without deciding it.',
    '**That answer is comfortable, and it is wrong.** It lets everyone be right and nobody be responsible.',
    '**Suppose the opposite is true:** half a step costs more than none and teaches less than a whole one.',
  ]),
  '## The case nobody wants to make',
  any([
    'Take the half measure seriously. From the day it begins there are two ways to handle the {0}, two sets of habits, two places to look when something is broken. The trial cannot fail, because nobody will say what failing would be. So it stays, and in a year it is called the architecture.',
    'Look at who asks. “{subject}” came up because the {0} hurts. But pain says where, seldom why. If the cause lies in how people hand work to each other, every arrangement of the {1} will hurt in the same place, and the next question to this board will be how to undo this one.',
  ]),
  any([
    'And the option that is missing: **stop doing the thing that makes the {0} matter.** Which half of it does anybody still need? Remove that half, and the question may answer itself.',
    'And the option that is missing: **do the whole of it, at once, with the old way closed behind us.** It is frightening, and it is the only variant in which the double cost never arises.',
  ]),
  '## Evidence that is overlooked',
  lines(
    [
      '- Trials that were stopped on time. Most boards cannot name one of their own.',
      '- The people who left because of the {1}, and those who stayed because of it.',
      '- What the same board recommended last time, and what came of it.',
      '- Those who solved it by writing less, and therefore have no talk to give about it.',
    ],
    2,
  ),
  any([
    'If you disagree, good: then name the date on which the small step is judged, and the result that ends it. Without these two my case stands.',
    'I would give way to one thing: a person who says, in writing, what they will have removed from the {0} by the end of the quarter.',
  ]),
];

const expert: Words = [
  any([
    '**Yes, under two conditions that are usually skipped.** Whether “{subject}” works is settled by mechanism, not by taste.',
    '**It depends on one thing, and that can be looked up.** “{subject}” succeeds where the boundaries are already there and fails where they are drawn on a whiteboard.',
  ]),
  '## How it works',
  any([
    'The {0} is held together by what changes together. Parts that change for the same reason belong in one place, whatever the diagram says; parts that change for different reasons get in each other’s way wherever they are put. Moving the line does not alter this. It only makes agreement or disagreement with it cheaper or dearer.',
    'Two forces act on the {0}. Coordination costs grow with the number of people who must agree; separation costs grow with the number of lines that must be kept stable. There is a point where they cross, and it moves with the size of the group, not with fashion.',
  ]),
  any([
    '**Commonly believed, and false:** that the {1} gets simpler. It gets simpler in one place, and the difference turns up in the connections.',
    '**Commonly believed, and false:** that one can find the right boundary by thinking. It is found in the history of changes, or by getting it wrong once.',
  ]),
  '## Look before deciding',
  lines([
    '```text',
    '1  list the last 50 changes that touched the {0}',
    '2  mark which of them needed a second place changed as well',
    '3  group by that second place: the largest group is the real boundary',
    '```',
  ]),
  '## Edge cases',
  lines(
    [
      '- One fact that two parts must agree on at the same instant. This is where most attempts stall.',
      '- A consumer of the {1} that cannot be changed, only served.',
      '- The yearly event that nobody has seen twice.',
      '- Work that is half done at the moment of the switch.',
    ],
    3,
  ),
  any([
    'So far this is established. My judgement begins here: with fewer than about twenty people involved I would look for the boundary first and move nothing yet.',
    'Up to this point it is common knowledge in the field. Whether it holds here is my guess, and the three steps above would replace that guess with a count.',
  ]),
];

const generalist: Words = [
  any([
    '**Try it where it is cheap to be wrong.** From outside the field, “{subject}” looks like a question that other trades have had to answer as well.',
    '**A small yes.** Put plainly, “{subject}” asks whether we want more freedom at the price of more appointments.',
  ]),
  '## Something like it',
  any([
    'A restaurant that opens a second kitchen does not cook faster. It stops the pastry cook from waiting for the grill, and from then on somebody has to see to it that both plates reach the table together. The {0} is the grill here. The comparison ends where plates can be made again, and some of our mistakes cannot.',
    'Families that share a garden do well as long as they agree on the hedge. Once they do not, a fence helps, and from then on every ball that flies over it is an event. The {0} is the hedge here. The comparison ends where neighbours cannot move away, and we can.',
    'An orchestra seats its players so that those who must hear each other can. Nobody asks whether the violins are too large; one asks who cannot hear whom. The same question fits the {0}. The comparison ends with the conductor: we have none.',
  ]),
  '## In plain words',
  any([
    'Some of us wait for others because of the {1}. We could wait less if each had their own part, and we would then have to agree on the edges. Whether that is a good exchange depends on how often we wait today.',
    'We are asked to spend effort now so that work on the {1} gets easier later. That is worth it if “later” comes soon and if the same people are still here.',
  ]),
  '## Next week',
  lines(
    [
      '- [ ] Ask the three people who complain most what they waited for on their last working day.',
      '- [ ] Choose the smallest piece of the {0} that somebody would miss, and do only that.',
      '- [ ] Write down, in one sentence, what would make us stop.',
      '- [ ] Tell those affected before they notice.',
      '- [ ] Put a date in the calendar on which the {1} is talked about again.',
    ],
    3,
  ),
  any([
    'If after that week nobody can say what got better, leave it, and be glad that it cost only a week.',
    'A sensible person would do this much with what is there, and would not ask for permission to do the rest yet.',
  ]),
];

/** By the role's slug; whoever has no words of their own speaks as the generalist. */
export const ROLES: Readonly<Record<string, Words>> = {
  advocate,
  critic,
  analyst,
  'devils-advocate': devilsAdvocate,
  'devil-s-advocate': devilsAdvocate,
  expert,
  generalist,
};
