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

/** A test document about on-call duty, with statements of which it is known whether they are true. */
export const onCall = makeDocument(
  {
    name: 'on-call.md',
    domain: 'operations',
    question: 'Should we adopt this on-call scheme for the booking platform in October?',
  },
  `
# On call for the booking platform
## Where we are
The platform sells 52,000 tickets a day for trains and ferries.
Last year it was down 19 times, for 31 hours in all.
Eleven of these began between 22:00 and 06:00, and nobody noticed before the morning.
Today whoever sees a fault telephones whoever they know.
The works agreement asks for at least eleven hours of rest between two shifts of work.
It also forbids anybody to be on call for more than 90 nights in a year.
## Who
Three engineers have agreed to be on call: two from the web team and one from payments.
They take turns week by week, all year round, seven nights in each turn.
Everybody thus stays below the number of nights that the agreement allows.
Two more may join after their probation ends in spring, but they have not been asked.
A second person stands behind the first; in the beginning this is the head of the platform, always.
The person on call gets 40 euros a night and 60 for every call-out.
## How one is called
Checks run every 30 seconds from two places outside the company.
Three failed checks in a row make an alarm, so that an alarm comes after 90 seconds at the earliest.
An alarm rings the telephone of the person on call until it is acknowledged.
If nobody acknowledges within 15 minutes, the second person is called.
Alarms are of two kinds: red rings at any hour, yellow waits until eight in the morning.
Payments that fail above 3 percent are red; slow pages are yellow.
In August a trial gave 14 red alarms in four weeks, of which 9 needed nothing to be done.
## What one may do
The person on call may restart any service and may switch features off.
They may not change data, and may not deploy anything but the last version that ran.
Every red alarm is escalated to the second person at once, without waiting, so that two people look at it from the first minute.
Runbooks exist for 6 of the 17 services; the others are to be written by Christmas.
A laptop and a telephone with a contract of another company are handed over on Mondays at ten.
Access from home goes through the company's tunnel, which is one of the services that may be down.
## Afterwards
Whoever was called out at night begins work eleven hours after the call-out ended.
A review is held within five working days; it names causes and no culprits.
Reviews are kept in the wiki and read aloud in the monthly meeting.
An alarm that needed nothing to be done twice in a row is changed or deleted.
## Measures
We want a red alarm acknowledged within 5 minutes in nine of ten cases.
We want less than 12 hours of downtime in the first year.
Numbers are published every month on the intranet.
After six months the people on call are asked whether they would go on.
The scheme is reckoned at 41,000 euros a year.
It begins on the first of October, after a week of practice with invented alarms.
Holidays are swapped among the people on call, who tell the secretary.
The telephone company was chosen because it has reception in the ferry port.
`,
  makeFlaw(
    'Three people taking turns weekly are on call for about 121 nights each, more than the 90 that are allowed.',
    'Nobody in the rota comes near the limit of nights that the works agreement sets.',
    'Three engineers have agreed to be on call',
    'They take turns week by week, all year round, seven nights in each turn.',
    'It also forbids anybody to be on call for more than 90 nights in a year.',
  ),
  makeFlaw(
    'When the second person gets called is told in two ways: after a quarter of an hour without answer, and immediately.',
    'There is one rule, without contradiction, for calling the second person.',
    'If nobody acknowledges within 15 minutes, the second person is called.',
    'Every red alarm is escalated to the second person at once, without waiting',
  ),
  makeOmission(
    'Nothing is said about how passengers or ferry companies learn of an outage at night.',
    'The scheme lays down how passengers are informed during an outage.',
    'passenger',
    'customers',
    'status page',
    'announce',
  ),
  makeFact(
    'Most alarms in the August trial required no action.',
    'Most alarms in the August trial led to a repair.',
    'a trial gave 14 red alarms in four weeks, of which 9 needed nothing to be done.',
  ),
  makeFact(
    'More than half of the services still lack a runbook.',
    'A runbook is available for nearly every service already.',
    'Runbooks exist for 6 of the 17 services',
  ),
  makeFact(
    'An engineer at home could be locked out by the very fault that has to be mended.',
    'Access from home works independently of the company’s own services.',
    "goes through the company's tunnel, which is one of the services that may be down.",
  ),
  makeFact(
    'Correcting a wrong price in the database at night is not permitted to the engineer.',
    'The engineer on call may repair wrong records in the database.',
    'They may not change data',
  ),
  makeFact(
    'A slow page lets everyone sleep.',
    'Slow pages ring the telephone at night.',
    'slow pages are yellow.',
    'yellow waits until eight in the morning.',
  ),
  makeFact(
    'Over half of last year’s failures started at night.',
    'Only a handful of last year’s failures started at night.',
    'Eleven of these began between 22:00 and 06:00',
  ),
  makeRunnable(
    'true',
    'An alarm that is raised by hand rings the telephone within two minutes.',
    'Raise one: ./alarm --test red --measure',
  ),
  makeRunnable(
    'false',
    'The external checks notice a payment service that answers with empty pages.',
    'Serve empty pages: ./faults empty-page --service payments',
  ),
  makeRunnable(
    'true',
    'Restarting the fare service loses no open booking.',
    'Restart it under load: ./drill restart fares --bookings 500',
  ),
  makeOpen('The three engineers will still be willing after half a year.', 'Ask them in April.'),
  makeOpen(
    'Published numbers will make the teams build more carefully.',
    'Compare faults before and after over two years.',
  ),
  makeMissing(
    'true',
    'A budget for training those on call is not mentioned.',
    'training',
    'course',
    'workshop',
  ),
  makeMissing(
    'undecided',
    'The ferry companies demand compensation for last year’s failures.',
    'compensation',
    'lawsuit',
    'penalt',
  ),
  makePadding('Today whoever sees a fault telephones whoever they know.'),
  makePadding('A review is held within five working days; it names causes and no culprits.'),
);
