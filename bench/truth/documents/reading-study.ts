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

/** A test document about a study of reading, with statements of which it is known whether they are true. */
export const readingStudy = makeDocument(
  {
    name: 'reading-study.md',
    domain: 'research',
    question: 'Does this protocol allow a sound answer on whether the reading program works?',
  },
  `
# Reading aloud in second grade: a study protocol
## Aim
The program has children read aloud to a trained volunteer for 20 minutes, three times a week.
We want to know whether it raises fluency by the end of the school year.
Fluency is counted as words read correctly in one minute.
Children of second grade gain about 30 words in a year without any program.
## Schools
Twenty-four schools of the district have agreed; in each there are two classes of second grade.
One class of each school is drawn by lot to have the program, the other goes on as before.
Teachers of both classes share one staff room and often their materials.
Children who change school during the year are followed at the new one if it lies in the district.
Parents of 1,032 of 1,140 children have given their consent.
## Volunteers
A volunteer sees each child alone and can serve four children on a school day.
Ninety volunteers have been trained, and each of them comes on two days a week.
The classes with the program hold 520 children who are to be served three times a week each.
The number of volunteers covers all the sessions that the program asks for.
Training takes nine hours and ends with a reading that is watched by a trainer.
Volunteers are paid their bus fare and nothing else.
## Measures
All children are tested in September, in January and in June.
A test takes six minutes and uses three passages that children have not seen before.
The passages were tried with 200 children of another district and are equally hard within 4 words.
Tests are given by the children's own teachers, who know which class has the program.
Every test is given by somebody from outside who does not know to which group a child belongs.
A tenth of all tests is recorded and scored a second time.
Agreement of two scorers was 0.97 in the pilot.
## Delivery
Each session is entered by the volunteer in a notebook: date, text, minutes.
A child who had fewer than 40 sessions by June is said to have had the program in part.
The coordinator visits each school once a month.
Texts are chosen by the child from a box of 60 booklets at five levels.
## Analysis
Children are compared as they were drawn, whether they had the program or not.
The model has levels for child, class and school, and takes September's score into account.
An effect of 6 words would be seen with a power of 85 percent.
Children with a diagnosis of dyslexia are analyzed as a group of their own as well.
Missing June scores are filled in twenty times from what is known of the child.
The code for the analysis is published with made-up data before June.
## Ethics
The university's board approved the protocol in May under number 2025-118.
Children may end a session whenever they like.
Names do not leave the schools; data carry a number that the secretary gives.
Recordings of voices are deleted when both scores have been entered.
## Costs and dates
The foundation pays 186,000 euros for two years.
Results are given to schools in September and to journals by December.
The classes that went on as before get the booklets as a gift afterwards.
`,
  makeFlaw(
    'Volunteers are too few: ninety coming twice a week for four children serve 720 sessions, and 1,560 are needed.',
    'Ninety volunteers are enough to give all children of the program their weekly sessions.',
    'can serve four children on a school day.',
    'each of them comes on two days a week.',
    'hold 520 children who are to be served three times a week each.',
  ),
  makeFlaw(
    'About who tests, the protocol contradicts itself: informed teachers in one line, uninformed outsiders in the next.',
    'It is consistently laid down that testers do not know the groups.',
    "Tests are given by the children's own teachers, who know which class has the program.",
    'Every test is given by somebody from outside who does not know to which group a child belongs.',
  ),
  makeOmission(
    'Nothing keeps the program from leaking into the other class of the same school, nor is leaking measured.',
    'The protocol measures how much of the program leaks into comparison classes.',
    'contaminat',
    'spill',
    'leak',
  ),
  makeFact(
    'Around nine in ten families agreed to take part.',
    'Only about half of the families agreed to take part.',
    'Parents of 1,032 of 1,140 children have given their consent.',
  ),
  makeFact(
    'A child who skipped every session is still counted in the group that was drawn.',
    'Children who skip the sessions are moved to the comparison group.',
    'Children are compared as they were drawn, whether they had the program or not.',
  ),
  makeFact(
    'Volunteers do this without wages.',
    'Volunteers receive an hourly wage.',
    'Volunteers are paid their bus fare and nothing else.',
  ),
  makeFact(
    'Gaps in the final scores are filled by repeated estimation.',
    'Children lacking a final score are dropped from the analysis.',
    'Missing June scores are filled in twenty times',
  ),
  makeFact(
    'Analysis code becomes public ahead of the last test.',
    'The analysis code is kept back until the article appears.',
    'The code for the analysis is published with made-up data before June.',
  ),
  makeFact(
    'Nine tenths of the tests are scored only once.',
    'Two people score each and every test.',
    'A tenth of all tests is recorded and scored a second time.',
  ),
  makeRunnable(
    'true',
    'The published model converges on the made-up data within a minute.',
    'Fit it: Rscript fit.R --data made-up',
  ),
  makeRunnable(
    'false',
    'The power of 85 percent stands up if only 1,032 children in 48 classes are simulated.',
    'Simulate: Rscript power.R --children 1032 --classes 48 --effect 6',
  ),
  makeRunnable(
    'true',
    'The three passages differ by less than five words in the pilot file.',
    'Compute: Rscript passages.R pilot.csv',
  ),
  makeOpen('Volunteers will stay until June.', 'Count them in June.'),
  makeOpen(
    'Teachers of comparison classes will begin to read aloud more often themselves.',
    'Observe lessons in spring.',
  ),
  makeMissing(
    'true',
    'Children whose first language is another one are not mentioned.',
    'first language',
    'migrant',
    'bilingual',
    'mother tongue',
  ),
  makeMissing(
    'undecided',
    'The foundation will pay for a third year.',
    'third year',
    'extension',
    'renewal',
  ),
  makePadding('Texts are chosen by the child from a box of 60 booklets at five levels.'),
  makePadding('The coordinator visits each school once a month.'),
);
