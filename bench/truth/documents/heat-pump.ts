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

/** A test document about a heat pump, with statements of which it is known whether they are true. */
export const heatPump = makeDocument(
  {
    name: 'heat-pump.md',
    domain: 'household',
    question: 'Should our housing cooperative replace the oil boiler as this paper proposes?',
  },
  `
# From oil to a heat pump: proposal for house 9
## The house
House 9 was built in 1962 and has 18 flats on three floors, 1,240 square meters in all.
It burns 21,000 liters of oil in an ordinary year, which cost 23,100 euros last winter.
The boiler is 27 years old, and the chimney sweep has given it two more winters.
The attic was insulated in 2011, the walls never.
Windows are double glazed; those of the stairwell are single.
The members decide in their meeting on the fourteenth of March.
## How much heat is needed
On the coldest day of the norm, minus 12 degrees, the house loses 74 kilowatts.
Two pumps of 28 kilowatts each at that temperature are to stand in the yard.
Together they cover the need of the coldest day with some reserve.
Water in the radiators is 65 degrees warm on cold days at present.
The maker states that the pumps reach 55 degrees at most.
An engineer has measured nine flats: with 55 degrees seven of them would be warm enough.
In the two corner flats larger radiators are put in, for 6,200 euros.
## The oil boiler
The old boiler and its tank are removed in the first week of works, to make room for the storage tanks.
On days below minus 5 degrees the oil boiler helps the pumps, so that nobody is ever cold.
Warm water for kitchens and baths comes from small electric heaters in each flat, as it does now.
## Noise
Each pump makes 54 decibels at one meter.
The nearest bedroom window is 9 meters away, where 35 decibels are allowed at night.
The expert's calculation gives 34 decibels there with both pumps running.
A wall of wood may be added later for 4,500 euros.
## Electricity
The pumps will need about 62,000 kilowatt-hours a year.
The supplier offers a rate of 24 cents for pumps, fixed for two years.
A new cable from the street costs 11,000 euros and is laid in May.
The roof would carry panels of 40 kilowatts; they are not part of this proposal.
## Money
The pumps with all works cost 148,000 euros.
The state pays 35 percent, if the application is sent in before works begin.
The reserve of the cooperative holds 120,000 euros, of which 30,000 must stay.
The rest is paid from the reserve within that limit, but for a loan of 6,200 euros.
Rents are not raised; heating is billed by use as before.
Maintenance costs 900 euros a year instead of 650.
## Course of works
Works begin on the second of June and take seven weeks.
For four days there is no heating, which does no harm in summer.
The cellar rooms of flats 3 and 4 must be emptied by the end of May.
A firm from the town does the works; it has built eleven such plants since 2020.
The firm answers calls within 24 hours in winter.
A guarantee of five years covers the pumps, and two years cover the works.
## Afterwards
The use of each month is put on the notice board.
After two winters the board reports to the members what was saved.
`,
  makeFlaw(
    'The pumps are too weak for the coldest day: together they give 56 kilowatts, and 74 are lost.',
    'Both pumps together meet the demand of the coldest day and keep something in reserve.',
    'the house loses 74 kilowatts.',
    'Two pumps of 28 kilowatts each at that temperature are to stand in the yard.',
  ),
  makeFlaw(
    'A boiler that has been removed at the outset cannot help on cold days, as the paper has it do.',
    'On very cold days the existing boiler is available to support the pumps.',
    'The old boiler and its tank are removed in the first week of works',
    'On days below minus 5 degrees the oil boiler helps the pumps',
  ),
  makeOmission(
    'Nothing is provided for a breakdown of both pumps in January, such as electric spare heaters.',
    'The paper provides a replacement source of heat for a breakdown of the pumps.',
    'breakdown',
    'emergency',
    'spare heater',
    'backup',
  ),
  makeFact(
    'Noise at the closest bedroom stays under the nightly limit by a hair.',
    'Noise at the closest bedroom exceeds the nightly limit.',
    'where 35 decibels are allowed at night.',
    'gives 34 decibels there with both pumps running.',
  ),
  makeFact(
    'A loan is needed to pay for everything.',
    'The reserve covers all costs, and no loan is taken.',
    'but for a loan of 6,200 euros.',
  ),
  makeFact(
    'The grant is forfeited if the works start ahead of the application.',
    'The grant may be applied for after the works have been finished.',
    'if the application is sent in before works begin.',
  ),
  makeFact(
    'Hot water in kitchens is not supplied by the pumps.',
    'The pumps also heat the water for baths and kitchens.',
    'Warm water for kitchens and baths comes from small electric heaters in each flat',
  ),
  makeFact(
    'Solar panels are left for another time.',
    'Solar panels on the roof belong to what is being proposed.',
    'they are not part of this proposal.',
  ),
  makeFact(
    'The outer walls have no insulation.',
    'The outer walls were insulated in 2011.',
    'The attic was insulated in 2011, the walls never.',
  ),
  makeRunnable(
    'true',
    'The nine measured flats reach 20 degrees with water of 55 degrees in a heating simulation.',
    'Simulate: ./heatsim house9.json --flow 55 --outside -12',
  ),
  makeRunnable(
    'false',
    'The main fuse of the house bears both pumps and all kitchens at seven in the evening.',
    'Add up the meter log: ./meterlog --peak --add 24kW',
  ),
  makeRunnable(
    'true',
    'Water pressure in the corner flats suffices for larger radiators.',
    'Measure both flats with the pump at level 2.',
  ),
  makeOpen('The members will agree in March.', 'Count the votes on the fourteenth of March.'),
  makeOpen(
    'The price of electricity for pumps will rise after the fixed years.',
    'Look at the offer in two years.',
  ),
  makeMissing(
    'true',
    'What happens with the oil that is left in the tank is passed over.',
    'leftover oil',
    'remaining oil',
    'oil is sold',
  ),
  makeMissing(
    'undecided',
    'House 11 next door has had good experience with such pumps.',
    'house 11',
    'next door',
    'experience of others',
  ),
  makePadding('The boiler is 27 years old, and the chimney sweep has given it two more winters.'),
  makePadding('The use of each month is put on the notice board.'),
);
