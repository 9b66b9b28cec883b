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

/** A test document about a day of vaccinations, with statements of which it is known whether they are true. */
export const vaccinationDay = makeDocument(
  {
    name: 'vaccination-day.md',
    domain: 'household',
    question: 'Can our practice hold the vaccination Saturday as it is planned here?',
  },
  `
# The vaccination Saturday of our practice
## What it is about
On one Saturday in October we want to vaccinate patients over 60 against influenza.
The practice looks after 2,900 people, of whom 870 are over 60.
Last year 410 of them were vaccinated, spread over nine weeks.
On ordinary days each vaccination took eleven minutes, most of which were waiting and papers.
## The day
We open at eight and close at two in the afternoon, without a break.
Four hundred and fifty people are invited, each with a time of their own.
Two rooms are used, with one vaccination every four minutes in each of them.
All who are invited can be served in these hours.
In the waiting room there are chairs for 18 people.
Patients come in by the front door and leave by the yard.
People with walkers get a time before ten o'clock.
The pharmacy opposite has agreed to stay open until three.
## Who works
Doctor Amsel and Doctor Brandt are there, four assistants, and one student at the door.
A doctor speaks with each patient for about a minute; assistants give the injection.
Assistants get a day off for it in November.
The telephone is answered by a tape that day.
## Vaccine
The vaccine is ordered for 480 people and comes on Thursday in two boxes.
It must lie between 2 and 8 degrees all the time, and what was warmer must be thrown away.
The refrigerator in the laboratory has a thermometer that writes down the lowest and the highest value.
It holds 300 syringes; the other 180 stay in the cool cellar, where it is between 11 and 13 degrees.
Two syringes of every hundred are lost by experience.
What is left over is used in the following week.
## Papers
Consent is signed at home; the form comes with the invitation.
A sticker with the number of the batch goes into the card and onto a list.
Insurance cards are read at the door.
Patients without a form get one from the student.
Every evening the list is typed into the register, which takes about a minute for each entry.
## Invitations
Letters are sent on the second of October, three weeks before the day.
Whoever cannot come may telephone until the Wednesday before.
In similar practices eight of ten people who were invited came.
A poster hangs in the stairwell, and the parish paper prints a note.
Relatives may come along, but are not vaccinated on that day.
## Money
The insurance pays 9.40 euros for each vaccination, and the vaccine itself.
Letters cost 380 euros, wages are not paid extra, and the rented chairs cost 45.
If 360 people come, there are about 2,900 euros left for the practice.
## Rooms and hygiene
Both rooms have a basin, and gloves are changed for each patient.
Sharps go into yellow boxes, of which six are there.
The floor is mopped at eleven and at the end.
If it rains, a tent is put up in front of the door; it belongs to the fire brigade.
A neighbor lets us use her yard for wheelchairs.
`,
  makeFlaw(
    'Not everybody invited can be served: two rooms at four minutes each manage 180 people in six hours, not 450.',
    'The hours and rooms are sufficient for everyone who receives an invitation.',
    'We open at eight and close at two in the afternoon, without a break.',
    'Four hundred and fifty people are invited',
    'Two rooms are used, with one vaccination every four minutes in each of them.',
  ),
  makeFlaw(
    'Nearly two fifths of the vaccine would spoil, since the cellar is warmer than the eight degrees that are allowed.',
    'All of the vaccine is stored at a permitted temperature until Saturday.',
    'It must lie between 2 and 8 degrees all the time',
    'the other 180 stay in the cool cellar, where it is between 11 and 13 degrees.',
  ),
  makeOmission(
    'What is done when a patient collapses or reacts badly after the injection is not provided for.',
    'A place and a person are set apart for those who react badly to the injection.',
    'reaction',
    'collapse',
    'adrenaline',
    'observation',
    'ambulance',
  ),
  makeFact(
    'Fewer than half of the older patients were vaccinated by the practice last year.',
    'More than two thirds of the older patients were vaccinated by the practice last year.',
    'of whom 870 are over 60.',
    'Last year 410 of them were vaccinated',
  ),
  makeFact(
    'A daughter who accompanies her father goes home unvaccinated.',
    'Accompanying relatives are vaccinated as well if there is vaccine left.',
    'Relatives may come along, but are not vaccinated on that day.',
  ),
  makeFact(
    'Typing three hundred entries takes about five hours of an evening.',
    'The evening’s typing is done within half an hour for three hundred entries.',
    'which takes about a minute for each entry.',
  ),
  makeFact(
    'Somebody who calls the practice that Saturday reaches a recording.',
    'An assistant answers the telephone throughout that Saturday.',
    'The telephone is answered by a tape that day.',
  ),
  makeFact(
    'The injection itself is not given by the doctors.',
    'Doctors give each injection themselves.',
    'assistants give the injection.',
  ),
  makeFact(
    'People using walkers are asked to come early.',
    'People using walkers are asked to come last.',
    "People with walkers get a time before ten o'clock.",
  ),
  makeRunnable(
    'true',
    'The laboratory’s refrigerator stays below eight degrees when it is opened every four minutes.',
    'Open it so for an hour and read the thermometer.',
  ),
  makeRunnable(
    'false',
    'Reading a card and checking a form at the door is done in forty seconds.',
    'Time twenty patients on a Monday.',
  ),
  makeRunnable(
    'true',
    'The register accepts a list of three hundred entries as one file.',
    'Import a test file: ./register import --dry-run list.csv',
  ),
  makeOpen('Older patients like a Saturday better than a weekday.', 'Ask fifty of them.'),
  makeOpen('The assistants would do it again next year.', 'Ask them in November.'),
  makeMissing(
    'true',
    'Patients who cannot leave their beds do not occur in the plan.',
    'home visit',
    'bedridden',
    'nursing home',
  ),
  makeMissing(
    'undecided',
    'The practice next door holds such a day as well.',
    'practice next door',
    'other practices in town',
    'cooperat',
  ),
  makePadding('The pharmacy opposite has agreed to stay open until three.'),
  makePadding('Both rooms have a basin, and gloves are changed for each patient.'),
);
