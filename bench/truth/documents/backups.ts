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

/** A test document about backups, with statements of which it is known whether they are true. */
export const backups = makeDocument(
  {
    name: 'backups.md',
    domain: 'operations',
    question: 'Can the town administration rely on this backup plan from next year on?',
  },
  `
# Backups of the town administration
## What is to be kept
The administration has 14 offices and 430 workplaces.
Its files take 38 terabytes on two storage machines in the cellar of the town hall.
The register of residents and the payroll run on databases of 900 gigabytes together.
Mail is kept by an outside company and is no part of this plan.
About 1.1 percent of all files change on a working day.
The council wants any file back within one working day, and everything within three days.
## How copies are made
A full copy of all files is made on the first Saturday of each month.
On every working night the changed files are copied.
Databases are dumped at 23:00 and their logs are copied every ten minutes.
Copies go over a line of 1 gigabit to a machine in the fire station, 2.4 kilometers away.
They are compressed on the way and arrive at about 60 percent of their size.
Copies are encrypted with a key of 256 bits before they leave the town hall.
The key lies on the storage machine in the cellar, beside the data that it protects, and nowhere else.
One set a month is written to tape and taken to the bank by a clerk.
Tapes are kept for seven years because the tax law asks for it.
## How long it takes to bring things back
Single files are found by name and date in a catalog and come back within minutes.
For everything, the line brings back at most 100 megabytes a second, counted after decompression.
At that rate the whole of the files is back in place well within three days.
Databases are restored first and need about three hours.
The order in which offices are served is: residents, payroll, social services, then all others.
## What we protect against
Plan A is a disk that fails: the storage machines mirror every disk.
Plan B is a fire or flood in the town hall, after which nothing in its cellar can be used.
After Plan B everything is restored from the fire station, to machines that are rented within 48 hours.
Plan C is a program that encrypts files for ransom; copies of the last 90 days cannot be overwritten by anybody.
Nobody in the offices can delete a copy, and of the four administrators only two can.
## Checks
The program reports each morning which copies failed; in the last quarter 2 of 66 nights did.
A failed night is made good on the next one.
Free space in the fire station is watched and stands at 31 percent.
The air in the cellar is measured and was never above 24 degrees last summer.
## People
Two administrators know the program; the other two have seen it.
An outside company answers questions about it within four hours on working days.
The contract costs 9,400 euros a year and ends in two years.
Passwords for the program lie in a sealed envelope at the mayor's office.
New employees hear about backups in their first week, for a quarter of an hour.
## Money
The machine in the fire station cost 61,000 euros and is to be used for six years.
Tapes and the bank's box cost 2,300 euros a year.
A second line by another road would cost 14,000 euros a year and is not planned.
`,
  makeFlaw(
    'Restoring all 38 terabytes at 100 megabytes a second lasts more than four days, which misses the council’s three.',
    'All files can be brought back over the line before the third day is over.',
    'Its files take 38 terabytes on two storage machines',
    'the line brings back at most 100 megabytes a second',
  ),
  makeFlaw(
    'A fire would make the copies unreadable: the only encryption key is in the cellar that burns with it.',
    'After a fire in the town hall the copies at the fire station can be decrypted.',
    'The key lies on the storage machine in the cellar, beside the data that it protects, and nowhere else.',
    'after which nothing in its cellar can be used.',
  ),
  makeOmission(
    'Nobody ever tries whether a complete recovery works: no rehearsal of one is foreseen.',
    'Complete recoveries are practiced on a regular date.',
    'rehears',
    'practice',
    'drill',
    'exercise',
  ),
  makeFact(
    'Electronic mail falls outside what this plan covers.',
    'The plan also covers everybody’s electronic mail.',
    'Mail is kept by an outside company and is no part of this plan.',
  ),
  makeFact(
    'Two of the administrators have the right to remove copies.',
    'All four administrators may remove copies.',
    'of the four administrators only two can.',
  ),
  makeFact(
    'A database change can be up to ten minutes old before it is copied.',
    'Database changes are mirrored to the fire station without any delay.',
    'their logs are copied every ten minutes.',
  ),
  makeFact(
    'If the single line is cut by road works, no copy reaches the fire station.',
    'A cut line is bridged by another line along a different road.',
    'A second line by another road would cost 14,000 euros a year and is not planned.',
  ),
  makeFact(
    'Social services wait until residents and payroll have been served.',
    'Social services are the first office to get its files again.',
    'residents, payroll, social services, then all others.',
  ),
  makeFact(
    'Roughly three nights in a hundred went wrong last quarter.',
    'Every night of the last quarter was copied without a failure.',
    'in the last quarter 2 of 66 nights did.',
  ),
  makeRunnable(
    'true',
    'The payroll database comes up from last night’s dump without errors.',
    'Restore it: ./restore payroll --from last-night --to scratch',
  ),
  makeRunnable(
    'false',
    'The nightly copy of changed files ends before six in the morning on every night of March.',
    'Read the log: ./copylog --month 3 --after 06:00',
  ),
  makeRunnable(
    'true',
    'A month-old copy refuses deletion even where an administrator’s password is given.',
    'Try it: ./copyctl delete --age 30 --as admin',
  ),
  makeOpen(
    'Rented machines will really stand ready within two days after a flood.',
    'Ask the rental company after the next flood.',
  ),
  makeOpen(
    'The council would accept five days instead of three if asked.',
    'Put it to the council.',
  ),
  makeMissing(
    'true',
    'It is left out who declares that an emergency of kind B has happened.',
    'declare',
    'in charge',
    'responsib',
  ),
  makeMissing(
    'undecided',
    'The bank plans to give up its boxes.',
    'close its',
    'terminate',
    'new bank',
  ),
  makePadding(
    'Copies go over a line of 1 gigabit to a machine in the fire station, 2.4 kilometers away.',
  ),
  makePadding('Tapes are kept for seven years because the tax law asks for it.'),
);
