import {
  makeDocument,
  makeFact,
  makeFlaw,
  makeMissing,
  makeOmission,
  makeOpen,
  makePadding,
  makeRunnable,
} from '../document.ts';

/** A test document about a trial about sleep, with statements of which it is known whether they are true. */
export const sleepTrial = makeDocument(
  {
    name: 'sleep-trial.md',
    domain: 'research',
    question: 'Should the ethics board let this trial of evening light and sleep begin?',
  },
  `
# A trial of evening light in student housing
## Question
Do people sleep longer if the lamps of their rooms turn warm and dim from nine in the evening on?
Earlier studies with 12 to 30 people found between 8 and 25 minutes more sleep.
None of them lasted longer than two weeks.
## Who takes part
We ask students in two houses, with 140 rooms altogether, one person in each.
Whoever works at night or takes sleeping pills is left out.
From a questionnaire of last year we expect that 70 percent of those asked will join.
To find a difference of 15 minutes with a power of 80 percent, 64 people are needed in each group, 128 in all.
Those who join, about 98, are therefore as many as the calculation asks for.
Each gets 60 euros at the end, and 20 if they stop before.
## Groups
A computer draws by lot who gets the warm lamps and who gets lamps that do not change.
The draw is made separately for each house, so that both groups are equally strong in each.
Neither participants nor those who analyze the data know who belongs to which group.
The lamps of the first group visibly turn orange at nine, and participants are told beforehand what this is meant to do.
The list of groups is kept by a secretary who has no other part in the trial.
## What is measured
A band at the wrist records movement; from it a program works out when somebody sleeps.
Against measurements in a laboratory the program was wrong by 11 minutes on average.
The main result is the mean length of sleep in weeks 3 to 6.
Second results are the time of falling asleep and a questionnaire of ten items each Sunday.
Light in the room is measured by a sensor beside the bed.
## Course
The trial lasts six weeks, from the middle of October to the end of November.
The clocks are changed in the second week, and that week is not analyzed.
Bands are read out every Friday in the common room.
A band that was worn on fewer than four nights of a week counts as missing for that week.
Participants may switch the lamps by hand; each such switch is recorded.
## Analysis
The analysis plan is registered before the first person is asked.
Groups are compared by a linear model with house and earlier length of sleep as further terms.
A difference counts as found where the interval of 95 percent leaves out zero.
One analysis is planned, at the end, and no look at the results before it.
Ten secondary comparisons are made and reported all of them, without a correction.
## Data
Names are replaced by numbers when somebody joins.
The table of names and numbers is destroyed on the last day of the trial.
Movements are kept for ten years on a server of the university.
Everything but the movements is published with the article.
## Harm and consent
Nobody is known to have been harmed by dim lamps.
A participant who sleeps worse may stop on any day, without giving a reason.
The form of consent has two pages and was read by five students, who understood it.
Minors are not admitted.
## Means
Lamps cost 9,800 euros and remain in the houses.
Two doctoral students spend half of their time on it for five months.
The maker of the lamps gives them at half price and does not see the article before it is printed.
`,
  makeFlaw(
    'The sample is too small: about 98 people join, while the power calculation asks for 128.',
    'With those expected to join, the trial reaches the power that was aimed at.',
    '64 people are needed in each group, 128 in all.',
    'Those who join, about 98',
  ),
  makeFlaw(
    'Participants cannot be blind as claimed, because they see their lamps turn orange and know the purpose.',
    'Nobody taking part can guess which of the two kinds of lamp they live with.',
    'Neither participants nor those who analyze the data know who belongs to which group.',
    'visibly turn orange at nine, and participants are told beforehand',
  ),
  makeOmission(
    'How people who drop out or lose their band enter the comparison is not laid down.',
    'The treatment of dropouts in the comparison has been laid down beforehand.',
    'imput',
    'dropout',
    'drop out',
    'intention to treat',
  ),
  makeFact(
    'The instrument’s own error is nearly as large as the difference that is looked for.',
    'The instrument errs by no more than a minute or two.',
    'the program was wrong by 11 minutes on average.',
  ),
  makeFact(
    'The week with the change to winter time is left out.',
    'The week in which clocks are changed is analyzed like any other.',
    'The clocks are changed in the second week, and that week is not analyzed.',
  ),
  makeFact(
    'After the trial nobody can link movements to a name.',
    'Names remain linked to the data for ten years.',
    'The table of names and numbers is destroyed on the last day of the trial.',
  ),
  makeFact(
    'Results are not looked at while the trial is going on.',
    'Halfway through there is a first look at the results.',
    'no look at the results before it.',
  ),
  makeFact(
    'The manufacturer cannot change the article in advance.',
    'The manufacturer reviews the manuscript before publication.',
    'does not see the article before it is printed.',
  ),
  makeFact(
    'One who stops early still receives some money.',
    'Stopping early means going without any payment.',
    'and 20 if they stop before.',
  ),
  makeRunnable(
    'false',
    'The program tells sleep from lying still with an error below 8 minutes in the pilot recordings.',
    'Score the pilot: ./score --pilot --against lab',
  ),
  makeRunnable(
    'true',
    'The registered model recovers a planted difference of 15 minutes in simulated data.',
    'Simulate: Rscript recover.R --effect 15 --n 128',
  ),
  makeRunnable(
    'true',
    'Drawing lots by house gives groups whose sizes differ by at most two.',
    'Draw a thousand times: Rscript draw.R --times 1000',
  ),
  makeOpen(
    'Students will wear the band at parties as well.',
    'Ask them anonymously after the trial.',
  ),
  makeOpen(
    'A longer trial over a whole winter would show a larger effect.',
    'Repeat it for five months.',
  ),
  makeMissing(
    'true',
    'Whether caffeine or alcohol is recorded cannot be learnt from the plan.',
    'caffeine',
    'coffee',
    'alcohol',
    'drink',
  ),
  makeMissing(
    'undecided',
    'Another university is running the same trial this autumn.',
    'another university',
    'replicat',
    'parallel trial',
  ),
  makePadding('Whoever works at night or takes sleeping pills is left out.'),
  makePadding('The list of groups is kept by a secretary who has no other part in the trial.'),
);
