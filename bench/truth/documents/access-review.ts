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

/** A test document about a review of access rights, with statements of which it is known whether they are true. */
export const accessReview = makeDocument(
  {
    name: 'access-review.md',
    domain: 'operations',
    question: "Is this plan for access rights good enough to be put before the bank's auditors?",
  },
  `
# Who may enter which system
## Reason
The bank has 1,840 employees and 96 systems.
An inspection found 212 accounts of people who had left.
Nobody could say for 37 of the systems who decides on access to them.
The inspectors come again in eleven months.
## Rules
Every system has an owner, named by its department, who decides who may enter.
A right is given for a task, and for no longer than the task lasts.
Rights of administrators are given for eight hours at a time and end by themselves.
Accounts are closed on the day on which somebody leaves.
Passwords have at least 14 characters and need not be changed without a reason.
A second factor is asked for everywhere but in the six oldest systems, which cannot do it.
Shared accounts are forbidden; the 54 that exist are to be gone by June.
## The review
Each quarter all rights are reviewed: an owner says of every single right whether it stays.
There are 74,000 rights today, about 770 for each system.
To decide on a right takes an owner one minute on average, as a trial with 400 rights has shown.
An owner has two working days each quarter for the review, that is 960 minutes.
The six departments with the largest systems hold 60 percent of all rights in 12 systems.
The time that is set aside is therefore enough for every owner.
A right that has not been confirmed by the end of the quarter is withdrawn.
## Keys of machines
Programs talk to each other with 1,300 keys.
A key is valid for 90 days and is renewed by a program in its last ten days.
Old programs that cannot take a new key by themselves are listed; there are 71.
Keys of these 71 programs do not expire, so that nothing stops at night.
No key in the bank is older than 90 days; this can be promised to the auditors without exception.
Keys are kept in a vault with two machines, one in each data center.
## Watching
Each use of administrators' rights is recorded and can be seen by the security office.
Records are kept for one year; they cannot be changed afterwards by anybody.
An alarm is raised if somebody uses a right at night who has never done so before.
In the trial this gave three alarms a week, one of which was worth looking at.
## Joining and leaving
The personnel office reports who comes, moves and leaves, by ten o'clock each day.
Outside workers, about 260 of them, are reported by the department that they work for.
A person who moves keeps the old rights for 20 working days, to hand over.
Rights for the first day are given in packages; there are 31 packages.
## Work and cost
Four people build it in nine months; two are bought in.
Owners are taught for half a day.
The program for the review costs 118,000 euros a year.
The works council has agreed, provided that nobody's working hours are read from the records.
Systems are taken in by groups: 20 in spring, 40 in summer, the others in autumn.
The six oldest systems are taken in last.
A report to the board is made each quarter and has two pages.
`,
  makeFlaw(
    'The largest systems cannot be reviewed in time: their 12 owners have about 3,700 rights each and minutes for 960.',
    'Two days a quarter suffice for each owner, also for those of the big systems.',
    'hold 60 percent of all rights in 12 systems.',
    'There are 74,000 rights today',
    'that is 960 minutes.',
  ),
  makeFlaw(
    'What is promised about the age of keys is untrue, since 71 programs have keys that never run out.',
    'Auditors may safely be told that all keys are younger than a quarter.',
    'Keys of these 71 programs do not expire',
    'No key in the bank is older than 90 days',
  ),
  makeOmission(
    'How somebody gets in when the vault or the approval program itself is down is not foreseen.',
    'An emergency entrance is described for the case that the vault is down.',
    'emergency',
    'break-glass',
    'break glass',
    'sealed',
  ),
  makeFact(
    'An administrator’s right lapses after eight hours without anybody acting.',
    'Administrators keep their rights until somebody withdraws them.',
    'Rights of administrators are given for eight hours at a time and end by themselves.',
  ),
  makeFact(
    'Some systems go without a second factor.',
    'A second factor guards each of the 96 systems.',
    'A second factor is asked for everywhere but in the six oldest systems',
  ),
  makeFact(
    'After a change of department the former rights live on for some weeks.',
    'On changing departments one loses the former rights the same day.',
    'A person who moves keeps the old rights for 20 working days',
  ),
  makeFact(
    'Silence by an owner takes rights away.',
    'Rights that an owner says nothing about carry on.',
    'A right that has not been confirmed by the end of the quarter is withdrawn.',
  ),
  makeFact(
    'Two thirds of the night alarms in the trial were not worth the effort.',
    'The night alarms of the trial were mostly worth pursuing.',
    'this gave three alarms a week, one of which was worth looking at.',
  ),
  makeFact(
    'For over a third of systems nobody knew who was to decide.',
    'For all systems the deciding person was already known.',
    'Nobody could say for 37 of the systems who decides on access to them.',
  ),
  makeRunnable(
    'false',
    'No account of a former employee can log in today.',
    'Compare: ./accounts --left --active',
  ),
  makeRunnable(
    'true',
    'The vault goes on answering while one of its machines is switched off.',
    'Switch one off: ./vaultctl stop --node 1 && ./vaultctl probe --seconds 60',
  ),
  makeRunnable(
    'true',
    'Renewing all renewable keys in one night breaks none of the programs in the test center.',
    'Renew them: ./keys renew --all --env test',
  ),
  makeOpen(
    'Owners will look closely instead of confirming everything.',
    'Plant ten wrong rights in a later quarter.',
  ),
  makeOpen(
    'The inspectors will be content with two quarters of evidence.',
    'Wait for their report.',
  ),
  makeMissing(
    'true',
    'It is not told where an employee may complain about a refused right.',
    'complain',
    'appeal',
    'object to',
  ),
  makeMissing(
    'undecided',
    'A second bank uses the same review program with success.',
    'other bank',
    'second bank',
    'reference',
  ),
  makePadding('Every system has an owner, named by its department, who decides who may enter.'),
  makePadding('Records are kept for one year; they cannot be changed afterwards by anybody.'),
);
