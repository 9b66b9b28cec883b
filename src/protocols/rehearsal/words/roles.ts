/**
 * The stand-in's texts for each role: a few plain sentences in the form that the role gives to an answer. They
 * claim no knowledge of the question.
 */
import { chooseOne, joinTemplates, type Template } from '../fill.ts';

const advocate: Template = [
  chooseOne([
    '**Yes.** Waiting has a price, and nobody has put it into the comparison.',
    '**In favor.** Most of the cost is paid once, and most of the gain comes back every week.',
    '**Yes, and soon.** What speaks for it can be checked within a month.',
  ]),
  '## What it makes possible',
  joinTemplates(
    [
      '- **Shorter loops.** Whoever changes the {0} sees the effect on the same day. Count the hours from decision to result.',
      '- **Less waiting.** Two groups stop waiting for each other over the {1}. Count the handovers in an ordinary week.',
      '- **Smaller mistakes.** What goes wrong with the {0} stays where it was made. Count who else notices.',
      '- **Learning early.** The first part shows what the later parts cost, while stopping is still cheap.',
      '- **A clear owner.** Today nobody answers for the {2}; afterwards one name stands beside it.',
    ],
    3,
  ),
  chooseOne([
    'The weak spot is the transition: for some weeks the old way and the new one both have to be fed. It needs a date at its end.',
    'There is a flaw: starting with the {0} will show which habits rest on it. Found early, each costs an afternoon.',
  ]),
  '## What would change my mind',
  chooseOne([
    'A first part that takes twice the time it was given.',
    'A record of last year that shows how seldom the {1} changes.',
  ]),
];

const FLAWS = [
  '{at}. **No measure.** It is not said what should be better afterwards. _Test:_ ask three people for the number that has to move.',
  '{at}. **The cost sits elsewhere.** Whoever decides about the {0} does not carry the work at night. _Test:_ write a name beside every recurring duty.',
  '{at}. **No way back.** Once the {1} has moved, the old state is hard to restore. _Test:_ go back once, on a copy, with a clock.',
  '{at}. **A hidden dependency.** Something that nobody named relies on the {0}. _Test:_ switch it off for an hour and see who calls.',
  '{at}. **Growth was assumed.** It pays off only if the {1} becomes much larger. _Test:_ do the sum again with half the growth.',
];

const critic: Template = [
  chooseOne([
    '**Not as it stands.** Of three flaws the first is enough to stop it.',
    '**No, unless the first point is mended.** The idea may be sound; the plan is not.',
    '**I would not approve this today.** It skips the parts that usually go wrong.',
  ]),
  '## Flaws, worst first',
  joinTemplates(FLAWS, 3),
  chooseOne([
    '**What is sound:** the complaint behind it. Work on the {0} is slower than it should be.',
    '**What is sound:** the wish for a decision. A half-settled {0} helps nobody.',
  ]),
  '## What would change my mind',
  chooseOne([
    'A trial that is small enough to throw away, with its stopping rule written down first.',
    'One case like ours in which the {1} improved and stayed improved for a year.',
  ]),
];

const analyst: Template = [
  chooseOne([
    '**The middle option leads, narrowly.** Three courses are open, and two quantities decide between them.',
    '**A partial step, and only just.** The figures favor it by less than their own range.',
  ]),
  '## Options',
  joinTemplates([
    '| option | cost now | cost later | can be undone |',
    '|---|---|---|---|',
    '| leave the {0} as it is | none | grows every month | yes |',
    '| one part first | {weeks|a quarter|two quarters}, estimated | falls | mostly |',
    '| all of it | several times that | lowest, if it works | hardly |',
  ]),
  '## What decides',
  joinTemplates(
    [
      '- **Rate of change.** How often does the {0} change? Once a month favors the first option, once a week the third.',
      '- **Waiting time.** How long does finished work lie around? Half a day is noise, three days are a cost.',
      '- **Shared failures.** How many of the last ten incidents touched the {1}? Fewer than two is no case for change.',
      '- **People.** Can two more take over the {1} within a month? If not, the estimate is too low by half.',
    ],
    2,
  ),
  chooseOne([
    'Neither figure is here. Each can be had within a week, which makes that the cheapest next step.',
    'The estimate has a range of a factor of two either way, so the full step could still be the better one.',
  ]),
];

const devilsAdvocate: Template = [
  '> The board will say: do a small part, carefully, and look again later.',
  chooseOne([
    '**That is the worst of the answers.** A small step is how people agree to something without deciding it.',
    '**That answer is comfortable, and wrong.** Everyone is right and nobody is responsible.',
    '**Suppose the opposite:** half a step costs more than none and teaches less than a whole one.',
  ]),
  '## The case nobody wants to make',
  chooseOne([
    'From the first day there are two ways to handle the {0}, and two places to look when something breaks. The trial cannot fail, because nobody says what failing would be. So it stays.',
    'The {0} hurts, and pain says where, seldom why. If the cause is how people hand work to each other, the {1} will hurt in the same place afterwards.',
  ]),
  chooseOne([
    'The missing option: **drop the half of the {0} that nobody needs.**',
    'The missing option: **do all of it at once, and close the old way behind us.**',
  ]),
  '## Evidence that is overlooked',
  joinTemplates(
    [
      '- Trials that were stopped on time.',
      '- The people who left because of the {1}.',
      '- What this board recommended last time, and what came of it.',
      '- Those who solved it by doing less.',
    ],
    2,
  ),
  'I give way to a date on which the small step is judged, and a result that ends it.',
];

const expert: Template = [
  chooseOne([
    '**Yes, under two conditions that are usually skipped.** This is settled by mechanism, not by taste.',
    '**It depends on one thing that can be looked up.** It works where the boundaries exist already.',
  ]),
  '## How it works',
  chooseOne([
    'What changes for the same reason belongs in one place. Moving the line does not alter that; it makes agreement about the {0} cheaper or dearer.',
    'Coordination costs grow with the people who must agree, separation costs with the lines that must stay stable. Where they cross depends on the size of the group.',
  ]),
  '**Commonly believed, and false:** that the {1} gets simpler. It gets simpler in one place, and the difference turns up in the connections.',
  '## Look before deciding',
  joinTemplates([
    '```text',
    '1  list the last 50 changes to the {0}',
    '2  mark those that needed a second place changed',
    '3  the largest group of second places is the real boundary',
    '```',
  ]),
  '## Edge cases',
  joinTemplates(
    [
      '- Two parts that must agree at the same instant.',
      '- A user of the {1} that cannot be changed, only served.',
      '- The yearly event that nobody has seen twice.',
      '- Work that is half done at the moment of the switch.',
    ],
    3,
  ),
  'So far this is common knowledge. Whether it holds here is a guess that the three steps would replace with a count.',
];

const generalist: Template = [
  chooseOne([
    '**Try it where it is cheap to be wrong.** Other trades have had to answer this as well.',
    '**A small yes.** It asks for more freedom at the price of more appointments.',
  ]),
  '## Something like it',
  chooseOne([
    'A second kitchen does not cook faster. It stops the pastry cook from waiting for the grill, and then somebody has to bring both plates to the table together.',
    'Families that share a garden do well while they agree on the hedge. A fence helps, and makes every ball that flies over it an event.',
    'An orchestra seats those together who must hear each other. Nobody asks whether the violins are too large.',
  ]),
  '## In plain words',
  chooseOne([
    'Some wait for others because of the {1}. Whether less waiting is worth more agreements depends on how often that happens.',
    'We spend effort now so that work on the {1} gets easier later. It is worth it if later comes soon.',
  ]),
  '## Next week',
  joinTemplates(
    [
      '- [ ] Ask three people what they waited for on their last working day.',
      '- [ ] Choose the smallest piece of the {0} that somebody would miss, and do only that.',
      '- [ ] Write down, in one sentence, what would make us stop.',
      '- [ ] Tell those affected before they notice.',
      '- [ ] Set the day on which the {1} is talked about again.',
    ],
    3,
  ),
  'If nobody can say after that week what got better, leave it.',
];

/** The placeholder texts for answers of known roles, by the role's slug. */
export const ROLES: Readonly<Record<string, Template>> = {
  advocate,
  critic,
  analyst,
  'devils-advocate': devilsAdvocate,
  'devil-s-advocate': devilsAdvocate,
  expert,
  generalist,
};
