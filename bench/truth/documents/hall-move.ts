import {
  makeDocument,
  makeFact,
  makeFlaw,
  makeMissing,
  makeOpen,
  makePadding,
  makeRunnable,
} from '../document.ts';

/** A test document about a move to another hall, with statements of which it is known whether they are true. */
export const hallMove = makeDocument(
  {
    name: 'hall-move.md',
    domain: 'operations',
    question: 'Is the move of the computing hall ready to be carried out on the planned weekend?',
  },
  `
# Moving the computing hall
## Why we move
The lease of the old hall ends on the thirtieth of November and cannot be made longer.
The old hall has 44 racks, of which 36 are in use.
The new hall lies 17 kilometers away, beside the tram depot.
Its cooling was inspected in June and found good for 300 kilowatts.
## What stands there
In all there are 410 machines, 22 storage shelves and 64 switches.
They draw 236 kilowatts on a working day and 180 at the weekend.
Ninety machines are so old that their makers no longer sell parts.
The hospital's picture archive takes up five racks and may be away for six hours at most.
All other users have agreed to be without service from Friday 18:00 to Sunday 18:00.
## Power in the new hall
Two feeds of 160 kilowatts each come from two substations.
Every rack is tied to both feeds, so that either of them can carry the whole hall alone.
A battery bridges eight minutes, and a diesel generator of 400 kilowatts then takes over.
The generator starts within 40 seconds; this is tried on the first Monday of each month.
Fuel lasts for 20 hours at full load.
## The weekend
Work begins on Friday at 18:00 with shutting down, which takes three hours.
Two vans carry four racks each, and a trip there and back takes three hours with loading.
Thirty-six racks are thus in the new hall by Saturday at 06:00.
Each rack is then checked, cabled and switched on by a team of two in two hours.
There are six teams, which work in shifts of ten hours.
Racks are started in the order network, storage, databases, all others.
On Sunday at noon users of the test group look at their services.
At 18:00 on Sunday everything is open again.
## The hospital
The picture archive is moved first, at the very beginning of the weekend.
While its racks are on the road, doctors look at a copy of the last 30 days in the hospital itself.
The copy was opened by three doctors in September, who found it slow but usable.
The picture archive stays in the old hall until everything else runs, and is moved last, on Sunday at noon.
## Cables and names
Cables of the new hall were laid in July, and 96 percent of them measured without a fault.
Faulty ones are marked red and replaced before the weekend.
All addresses stay as they are, because the network is stretched over both halls for two weeks.
A list of what stands in which rack exists; a sample of 40 machines showed two in the wrong place.
## People and insurance
Thirty-one people take part, eight of them from the moving company.
Each van is insured for 2 million euros, and the contents of a rack are worth 90,000 on average.
Food and beds are provided in the school next door.
A telephone conference is held every two hours.
The fire brigade knows about the weekend.
## Money
The move costs 214,000 euros, of which 60 percent have been spent by now.
Empty racks that stay behind are sold for 300 euros each.
A day of delay beyond November costs 7,000 euros of rent.
`,
  makeFlaw(
    'The vans need five trips for 36 racks, so the last ones arrive around noon on Saturday rather than at six.',
    'All racks can be carried over by six o’clock on Saturday morning as scheduled.',
    'Two vans carry four racks each, and a trip there and back takes three hours with loading.',
    'Work begins on Friday at 18:00 with shutting down, which takes three hours.',
    'Thirty-six racks are thus in the new hall by Saturday at 06:00.',
  ),
  makeFlaw(
    'The plan tells two stories about the hospital’s archive: it travels both first and last.',
    'When the hospital’s archive travels is settled without contradiction.',
    'The picture archive is moved first, at the very beginning of the weekend.',
    'is moved last, on Sunday at noon.',
  ),
  makeFlaw(
    'One feed alone does not bear the hall on a working day, as 236 kilowatts exceed its 160.',
    'Losing one of the two feeds on a Tuesday would leave every rack supplied.',
    'They draw 236 kilowatts on a working day',
    'Two feeds of 160 kilowatts each',
  ),
  makeFact(
    'The cooling has room for more than what runs on a working day.',
    'The cooling is too weak for a working day.',
    'found good for 300 kilowatts.',
  ),
  makeFact(
    'Spare parts can no longer be bought for a good fifth of all machines.',
    'Spare parts are on sale for every machine in the hall.',
    'Ninety machines are so old that their makers no longer sell parts.',
  ),
  makeFact(
    'Machines keep their addresses throughout the move.',
    'Every machine receives a new address in the new hall.',
    'All addresses stay as they are',
  ),
  makeFact(
    'One in twenty entries of the inventory was wrong in the sample.',
    'The inventory proved free of errors in the sample.',
    'a sample of 40 machines showed two in the wrong place.',
  ),
  makeFact(
    'A single van with four loaded racks is covered by its insurance.',
    'Four loaded racks are worth more than a van’s insurance pays.',
    'Each van is insured for 2 million euros, and the contents of a rack are worth 90,000 on average.',
  ),
  makeFact(
    'The generator is started for a test every month.',
    'Nobody has started the generator since it was installed.',
    'this is tried on the first Monday of each month.',
  ),
  makeMissing(
    'true',
    'No hour is fixed at which the move would be broken off and undone.',
    'broken off',
    'call off',
    'point of no return',
    'undone',
  ),
  makeRunnable(
    'true',
    'All databases start in the new hall from a cold storage shelf within thirty minutes.',
    'Start the spare set: ./cold-start --shelf spare --measure',
  ),
  makeRunnable(
    'false',
    'The stretched network loses no packet under the load of a working day.',
    'Measure: ./netprobe --between halls --load workday',
  ),
  makeRunnable(
    'true',
    'The battery bridges at least seven minutes at 236 kilowatts.',
    'Discharge it: ./ups-test --load 236 --until-empty',
  ),
  makeOpen(
    'Doctors will manage with the slow copy for half a day.',
    'Ask the doctors on the Monday after.',
  ),
  makeOpen(
    'The road beside the tram depot will be free of traffic at night.',
    'Count cars on a Friday.',
  ),
  makeMissing(
    'undecided',
    'The landlord would buy the old cooling machines.',
    'landlord',
    'purchase',
    'auction',
  ),
  makePadding('The new hall lies 17 kilometers away, beside the tram depot.'),
  makePadding('Racks are started in the order network, storage, databases, all others.'),
);
