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

/** A test document about a pipeline of events, with statements of which it is known whether they are true. */
export const eventPipeline = makeDocument(
  {
    name: 'event-pipeline.md',
    domain: 'software',
    question: 'Should we put the meter readings through the event pipeline that is described here?',
  },
  `
# A pipeline for meter readings
## Situation
The grid company reads 640,000 electricity meters.
Until now each meter is read once a day by a batch that begins at midnight and ends at about seven.
From January on the law asks for a reading every fifteen minutes, to be kept for three years.
A reading is 220 bytes as it arrives and 90 bytes as it is stored.
The present database cannot take more than 2,000 rows a second.
Customers look at their own use on a page that 30,000 people open on a winter day.
## Parts
Concentrators in the streets collect readings and send them in parcels of 400.
A gateway checks the signature of each parcel and puts the readings into a queue.
Consumers take readings from the queue, complete them with the contract number, and write them to storage.
Storage is divided by day; a day can be moved to cheaper disks when it is 60 days old.
A second kind of consumer adds up the readings of each street for the control room.
All parts run in two halls, 11 kilometers apart.
## Load
All meters are read at the same minute of each quarter of an hour, as the law wants it.
The gateway accepts 9,000 readings a second at most, a limit set by checking signatures.
A quarter of an hour's readings must be through the gateway within one minute, because concentrators keep nothing longer.
The gateway is thus well within its limit.
The queue holds 48 hours of readings on disks of 2 terabytes.
Storage grows by about 5.5 gigabytes a day before compression.
## Order and repetition
A concentrator that gets no answer within 20 seconds sends its parcel again.
Readings are therefore delivered at least once, and consumers must recognize what they have stored already.
They do so by meter number and quarter of an hour, which together are the key in storage.
Each reading reaches the control room's sums exactly once, since nothing in this pipeline is ever sent twice.
Readings that come more than two days late are put aside and looked at by a person.
## Security
Every concentrator has a key of its own, which is changed once a year.
The gateway refuses parcels whose time is more than 10 minutes off.
Contract numbers never leave storage; the control room sees streets, not customers.
Access to single readings is written to a log that the works council may see.
## Operation
The team has five people, two of whom are on duty in turns of one week.
Upgrades happen on Tuesdays, first in one hall, then in the other.
A dashboard shows how late the oldest unread reading is; an alert comes at 15 minutes.
Costs are reckoned at 38,000 euros a year for machines and 12,000 for support.
The machines have been ordered, with delivery in eight weeks.
## Steps
In September 20,000 meters of one town are moved; in October 200,000; in November the rest.
The batch at midnight runs on in parallel until the end of the year.
Daily totals of both ways are compared, and a difference above 0.1 percent stops the next step.
The company that made the concentrators must deliver new software by the end of August.
Two schools and the hospital are moved last.
`,
  makeFlaw(
    'The gateway is too slow: 640,000 readings within a minute are more than 10,000 a second, above its limit of 9,000.',
    'A quarter-hour of readings passes the gateway within its minute without trouble.',
    'The grid company reads 640,000 electricity meters.',
    'The gateway accepts 9,000 readings a second at most',
    'must be through the gateway within one minute',
  ),
  makeFlaw(
    'Sums in the control room can count a parcel twice: parcels are repeated after 20 seconds, though it is denied that anything is.',
    'No parcel ever goes out a second time, so sums by street are exact.',
    'A concentrator that gets no answer within 20 seconds sends its parcel again.',
    'since nothing in this pipeline is ever sent twice.',
  ),
  makeOmission(
    'How long the control room may go without figures if one of the halls is lost is left undefined.',
    'A recovery time after the loss of one hall has been fixed.',
    'failover',
    'outage',
    'recovery',
    'unavailable',
  ),
  makeFact(
    'The control room cannot tell whose readings it looks at.',
    'Operators in the control room see the names behind each reading.',
    'the control room sees streets, not customers.',
  ),
  makeFact(
    'Old and new ways of reading run side by side until December ends.',
    'The midnight batch is switched off as soon as the first town moves.',
    'The batch at midnight runs on in parallel until the end of the year.',
  ),
  makeFact(
    'A reading that is four days late waits for somebody to look at it.',
    'A reading that is four days late is stored like any other.',
    'Readings that come more than two days late are put aside and looked at by a person.',
  ),
  makeFact(
    'A difference of half a percent between the totals would halt the migration.',
    'Totals may differ by one percent before anything is halted.',
    'a difference above 0.1 percent stops the next step.',
  ),
  makeFact(
    'Concentrators do not share their keys.',
    'All concentrators of a town sign with one common key.',
    'Every concentrator has a key of its own',
  ),
  makeFact(
    'Two people of five carry the duty rota.',
    'The whole team of five shares the duty rota.',
    'The team has five people, two of whom are on duty in turns of one week.',
  ),
  makeRunnable(
    'false',
    'Consumers deduplicate 10,000 readings a second on the ordered machines.',
    'Measure: ./consume-bench --rate 10000 --duplicates 5%',
  ),
  makeRunnable(
    'true',
    'The queue’s two terabytes hold two days of readings with replication.',
    'Fill it: ./queue-fill --hours 48 --replicas 2',
  ),
  makeRunnable(
    'true',
    'Compressed storage of one day takes less than 2.5 gigabytes.',
    'Compress a day: ./store-day --sample september --compress',
  ),
  makeOpen(
    'The concentrators’ maker will deliver its software in time.',
    'Wait for the release at the end of August.',
  ),
  makeOpen(
    'Customers will save electricity once they see quarter-hour figures.',
    'Compare bills over two winters.',
  ),
  makeMissing(
    'true',
    'There is no word about how readings are deleted when the legal period is over.',
    'delet',
    'erase',
    'expire',
  ),
  makeMissing(
    'undecided',
    'A neighboring grid company has offered to share the machines.',
    'neighbor',
    'shared with',
    'joint',
  ),
  makePadding('All parts run in two halls, 11 kilometers apart.'),
  makePadding('Upgrades happen on Tuesdays, first in one hall, then in the other.'),
);
