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

/** A test document about splitting a ledger, with statements of which it is known whether they are true. */
export const ledgerSplit = makeDocument(
  {
    name: 'ledger-split.md',
    domain: 'software',
    question: 'Should the ledger leave the shop monolith this quarter, as this design says?',
  },
  `
# Moving the ledger out of the shop
## 1 Why
The shop is one program of 410,000 lines, and the ledger is the part that most teams wait for.
In the last year 31 of 74 releases were held back because a change in the ledger was not ready.
Three people know the ledger well, and one of them leaves in August.
Accounting asks for postings that can be read by the minute; today they come once a night.
## 2 What is there today
Postings lie in one table of the shop's database, which holds 1.9 billion rows.
The database runs on one primary machine with 64 cores and on one standby.
The primary is busy at 58 percent on an ordinary day and at 91 percent on the last day of a month.
Each order writes four postings: the price, the tax, the fee and the counter entry.
On an ordinary day there are 1.2 million orders; on the last Friday of November there were 3.1 million.
A nightly job reads all postings of the day and sends them to accounting as one file.
## 3 What we build
A service called Ledger owns the postings and their balances, and nobody else writes them.
It is written in Go, because the two people who will keep it know that language.
Orders reach it as events through a broker with 12 partitions.
An event carries the order number, the four postings and the time at which the order was paid.
Ledger writes the postings of one event in one transaction, or none of them.
An event that has been seen before is recognized by its order number and dropped.
Seen order numbers are kept for 14 days.
Balances are computed once an hour from the postings and stored beside them.
The shop asks Ledger for a balance through an interface that answers in 40 milliseconds at the median.
## 4 How much it has to bear
At the peak the shop takes 900 orders a second.
One worker of Ledger writes 250 postings a second; this was measured in March on the test machines.
There is one worker for each partition of the broker.
Twelve workers are therefore enough for the peak, with a third to spare.
The disks of the new machines hold 6 terabytes; a posting takes 180 bytes with its indexes.
## 5 When a machine fails
Ledger has a primary and a standby in another hall.
The standby receives every change as it is written and is never behind the primary.
If the primary is gone for 30 seconds, the standby takes over by itself.
Nobody is called at night for a takeover; the morning shift looks at it.
## 6 How we move
In week 1 the shop writes postings to its own table and sends the events as well.
In weeks 2 and 3 both sides are compared every night, and differences are listed.
At the end of week 3 the shop stops writing to its own table, and the table is dropped the same evening.
The interface of the shop for postings is removed in week 4.
Accounting reads from Ledger from week 4 on and no longer takes the nightly file.
Two developers and one person from accounting work on the move, all of them full time.
## 7 Running it
The standby is refreshed from a copy of the primary every fifteen minutes, to spare the line between the halls.
Alerts go to the payments channel when a partition is more than 2,000 events behind.
Logs are kept for 90 days and contain no names of customers.
The service costs 2,150 euros a month at the prices of May.
`,
  makeFlaw(
    'Twelve workers cannot carry the peak: 900 orders with four postings each make 3,600 a second, and the workers write 3,000.',
    'The planned workers carry the busiest moment comfortably and leave about a third of their capacity unused.',
    'At the peak the shop takes 900 orders a second.',
    'One worker of Ledger writes 250 postings a second',
    'Each order writes four postings',
  ),
  makeOmission(
    'Once week 3 is over nobody can return to the old postings: no step for going back is described.',
    'The design describes how the shop returns to its old table if the service disappoints.',
    'rollback',
    'revert',
    'fall back',
    'restore',
  ),
  makeFlaw(
    'Sections 5 and 7 cannot both be right: one says that the second machine never lags, the other refreshes it four times an hour.',
    'A takeover loses no posting, because the second machine always has what the first one has.',
    'The standby receives every change as it is written and is never behind the primary.',
    'The standby is refreshed from a copy of the primary every fifteen minutes',
  ),
  makeFact(
    'More than four in ten releases of the past year waited for the ledger.',
    'Fewer than a quarter of the past year’s releases waited for the ledger.',
    'In the last year 31 of 74 releases were held back',
  ),
  makeFact(
    'A repeated event is told by the number of its order.',
    'Repeated events are told by comparing a hash of everything they carry.',
    'An event that has been seen before is recognized by its order number and dropped.',
  ),
  makeFact(
    'A balance that somebody reads may be up to an hour old.',
    'Balances change in the very transaction that writes a posting.',
    'Balances are computed once an hour from the postings',
  ),
  makeFact(
    'On month ends the database machine has less than a tenth of its capacity left.',
    'Even at the end of a month the database machine idles for a third of the time.',
    'at 91 percent on the last day of a month',
  ),
  makeFact(
    'When a takeover happens at night, people first look at it in the morning.',
    'A takeover at night pages the engineer who is on duty.',
    'Nobody is called at night for a takeover; the morning shift looks at it.',
  ),
  makeFact(
    'An event that returns after three weeks would be posted a second time.',
    'An event that returns after three weeks is still known as a duplicate.',
    'Seen order numbers are kept for 14 days.',
  ),
  makeRunnable(
    'false',
    'The Go prototype sustains 300 postings a second on one worker with the November load.',
    'Replay the November load with: go test ./load -run November -workers 1',
  ),
  makeRunnable(
    'true',
    'Comparing both sides for one ordinary day finishes within 50 minutes.',
    'Time it: time ./compare --day 2025-04-09',
  ),
  makeRunnable(
    'true',
    'The broker in use keeps the order of events within a partition after a restart.',
    'Restart it under load: ./broker-check restart --partitions 12',
  ),
  makeOpen(
    'The person who leaves in August would stay if the move succeeded.',
    'Ask that person in July.',
  ),
  makeOpen(
    'Accountants will trust minute-by-minute postings within their first quarter.',
    'Ask accounting after three months what they reconcile by hand.',
  ),
  makeMissing(
    'true',
    'Who may call the move off is left unsaid.',
    'decides',
    'approval',
    'sign-off',
    'steering',
  ),
  makeMissing(
    'undecided',
    'Auditors outside the company must approve the new service first.',
    'auditor',
    'regulator',
    'certif',
  ),
  makePadding(
    'The shop is one program of 410,000 lines, and the ledger is the part that most teams wait for.',
  ),
  makePadding('Three people know the ledger well, and one of them leaves in August.'),
);
