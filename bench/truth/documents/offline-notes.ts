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

/** A test document about notes that work offline, with statements of which it is known whether they are true. */
export const offlineNotes = makeDocument(
  {
    name: 'offline-notes.md',
    domain: 'software',
    question: 'Is this design for offline field notes fit to be built for the spring survey?',
  },
  `
# Field notes without a network
## Who uses it
Sixty surveyors walk river banks from April to September and write down what they see.
For half of the day they have no network, and in two valleys for up to five days.
Each surveyor carries one tablet, and teams of two share a list of sites.
A note has a place, a time, a text of at most 4,000 characters and up to six photographs.
On a usual day a surveyor makes 45 notes.
The office reads notes the same evening and asks back where something is unclear.
## What the tablet does
The tablet keeps all notes of the season in a local database.
It sends new and changed notes whenever it has had a network for one minute.
A photograph is stored at full size, 4 megabytes each, and never made smaller.
The tablets have 64 gigabytes, of which 40 are free for the program.
Storage will therefore last for the whole season of 110 working days.
A map of each valley is loaded in spring and takes 900 megabytes.
The screen shows a yellow dot beside every note that has not been sent yet.
## When two people change the same note
No change that anybody has made is ever lost; this is the first rule of the program.
Every note has one version, and each change carries the time of the tablet on which it was made.
If two changes of one note meet, the later one replaces the earlier one, and the earlier one is discarded.
The clock of a tablet is set from the satellite signal whenever it sees the sky.
Deleted notes are marked as deleted and removed from the server after 30 days.
## The server
The server is one machine at the office, with a copy on a second disk in the same case.
It accepts notes over an encrypted connection and checks a token that is valid for 12 months.
A token is written into the tablet when it is handed out.
Photographs are stored as files, notes in a database of 3 gigabytes at the end of last season.
The office's line carries 20 megabits a second upward and 100 downward.
A nightly export writes all notes as a table for the ministry, with coordinates rounded to 100 meters.
## Speed
A list of 5,000 notes opens in under one second on the oldest tablet; this was tried with 5,200 notes.
Search covers texts and place names, not photographs.
The battery lasted 9 hours in February with the screen at half brightness.
## Handing out
In the last week of March everybody is shown the program for two hours.
A printed card with six steps goes with each tablet.
Four spare tablets are kept at the office and can be fetched on working days.
Questions go to one telephone number that is answered from 7 to 16 o'clock.
## Plan
Development takes 14 weeks with two developers and began on the first of December.
A trial with six surveyors runs for one week in the middle of March.
If fewer than five of the six would use it again, the paper forms stay for another season.
The old program of 2016 is switched off on the thirty-first of March.
Maintenance is reckoned at four days a month.
The ministry pays 70 percent of the costs and wants a report in November.
`,
  makeFlaw(
    'Storage runs out long before the season ends: 45 notes with six photographs make about 1 gigabyte a day, and 40 are free.',
    'The free space on a tablet is enough for full-size photographs through September.',
    'On a usual day a surveyor makes 45 notes.',
    'A photograph is stored at full size, 4 megabytes each',
    'The tablets have 64 gigabytes, of which 40 are free for the program.',
  ),
  makeFlaw(
    'The first rule is contradicted by how conflicts are settled, where the earlier of two edits is thrown away.',
    'Edits that collide are both kept, as the program’s first rule demands.',
    'No change that anybody has made is ever lost',
    'the later one replaces the earlier one, and the earlier one is discarded.',
  ),
  makeOmission(
    'What happens to unsent notes on a broken or stolen tablet is nowhere addressed.',
    'The design says how notes are recovered from a tablet that is stolen before sending.',
    'stolen',
    'broken',
    'damaged',
    'lose a tablet',
  ),
  makeFact(
    'A fire in the office would destroy the server together with its copy.',
    'The server’s copy is kept in a different building.',
    'with a copy on a second disk in the same case.',
  ),
  makeFact(
    'Someone holding a tablet could send notes for up to a year with its token.',
    'Tokens must be renewed by each surveyor every week.',
    'checks a token that is valid for 12 months.',
  ),
  makeFact(
    'What the ministry receives does not show exact positions.',
    'Exports for the ministry give positions to the meter.',
    'with coordinates rounded to 100 meters.',
  ),
  makeFact(
    'Telephone help is not available in the evening.',
    'Surveyors can call for help around the clock.',
    "Questions go to one telephone number that is answered from 7 to 16 o'clock.",
  ),
  makeFact(
    'If two of the six people in the trial say no, paper stays.',
    'Paper is abandoned whatever the people in the trial say.',
    'If fewer than five of the six would use it again, the paper forms stay for another season.',
  ),
  makeFact(
    'You cannot find a picture by searching for what it shows.',
    'Search also finds text that appears inside photographs.',
    'Search covers texts and place names, not photographs.',
  ),
  makeRunnable(
    'true',
    'The oldest tablet opens 10,000 notes within two seconds.',
    'Seed and time it: ./bench-list --notes 10000 --device T1',
  ),
  makeRunnable(
    'false',
    'Sending a day’s notes over the office line finishes in under ten minutes for all sixty tablets.',
    'Simulate it: ./sync-sim --tablets 60 --uplink 100',
  ),
  makeRunnable(
    'true',
    'The tablets’ clocks stay within two seconds of each other after five days without a sky view.',
    'Measure: ./clock-drift --hours 120',
  ),
  makeOpen('Surveyors will read the printed card in the field.', 'Watch six of them for a day.'),
  makeOpen(
    'The ministry would accept a report in December instead.',
    'Ask the ministry before the summer.',
  ),
  makeMissing(
    'true',
    'Nobody is named who answers for the protection of personal data.',
    'privacy',
    'GDPR',
    'data protection',
  ),
  makeMissing(
    'undecided',
    'Volunteers will join the surveyors in the second season.',
    'volunteer',
    'intern',
    'student',
  ),
  makePadding('The screen shows a yellow dot beside every note that has not been sent yet.'),
  makePadding('A printed card with six steps goes with each tablet.'),
);
