/**
 * Generates plans with known conflicts: matters with two sides, decoys that only sound like one, and plain
 * statements.
 */
import { shuffleItems } from '../../src/kernel/chance.ts';
import { Chance } from './chance.ts';

interface Domain {
  readonly topic: string;
  readonly roles: readonly [string, string, string];
  /** Pairs of statements that cannot both be followed. */
  readonly matters: readonly (readonly [string, string])[];
  /** Pairs of statements about one thing that can both be followed. */
  readonly decoys: readonly (readonly [string, string])[];
  readonly plain: readonly string[];
}

const DOMAINS: readonly Domain[] = [
  {
    topic: 'Give the chess clock an increment.',
    roles: ['rules', 'wire', 'saves'],
    matters: [
      [
        'The increment is fixed when a game begins.',
        'Players may change the increment between two moves.',
      ],
      [
        'The host alone counts the time of both players.',
        'Each machine counts the time of its own player.',
      ],
      [
        'A saved game keeps the increment it began with.',
        'A resumed game goes by the increment of today.',
      ],
      [
        'A flag that falls ends the game at once.',
        'A flag that falls ends the game only when the opponent claims it.',
      ],
      ['Times are sent as whole seconds.', 'Times are sent in milliseconds, never rounded.'],
    ],
    decoys: [
      ['The clock shows tenths below twenty seconds.', 'The clock beeps once at twenty seconds.'],
      [
        'The increment is added after a move.',
        'The increment is shown beside the clock before a game.',
      ],
    ],
    plain: [
      'Old games still open.',
      'The table of increments has a test of its own.',
      'Both clocks stop while a game is paused.',
    ],
  },
  {
    topic: 'Let two people share a draft.',
    roles: ['editing', 'access', 'storage'],
    matters: [
      ['Whoever has the link can read the draft.', 'Only people who signed in can read the draft.'],
      [
        'The last one who saves overwrites the other.',
        'No saved change of anybody is ever overwritten.',
      ],
      [
        'A draft is deleted with the account of its author.',
        'A shared draft outlives the account of its author.',
      ],
      ['Changes are sent with every key press.', 'Changes are sent only when somebody saves.'],
      ['Every version of a draft is kept for good.', 'Versions are removed after thirty days.'],
    ],
    decoys: [
      ['Readers see who is writing at the moment.', 'Readers cannot see the cursor of a writer.'],
      [
        'A link can be taken back by its author.',
        'A link is forgotten when its draft is archived.',
      ],
    ],
    plain: [
      'A draft has one owner at a time.',
      'Names of readers are shown in the margin.',
      'Comments count as part of a draft.',
    ],
  },
  {
    topic: 'Take orders for the bakery by telephone.',
    roles: ['counter', 'oven', 'books'],
    matters: [
      [
        'Orders are taken until midnight for the next day.',
        'No order is taken after six in the evening.',
      ],
      ['Cakes are paid when they are ordered.', 'Nothing is paid before it is handed over.'],
      ['The oven is lit at three on every day.', 'The oven stays cold on Mondays.'],
      [
        'A missed order is baked again without charge.',
        'A missed order is charged in full and not baked again.',
      ],
      [
        'Prices are told by the counter on the telephone.',
        'Nobody names a price on the telephone.',
      ],
    ],
    decoys: [
      ['Rye bread is baked before wheat bread.', 'Wheat bread is sold before rye bread is.'],
      ['Each order has a number.', 'Each customer has a card with a name.'],
    ],
    plain: [
      'The list of orders hangs beside the oven.',
      'Flour is ordered every second week.',
      'Two people know how to light the oven.',
    ],
  },
  {
    topic: 'Lend measuring instruments to schools.',
    roles: ['lending', 'repair', 'rights'],
    matters: [
      [
        'A school keeps an instrument for a whole year.',
        'Every instrument comes back after four weeks.',
      ],
      [
        'Schools may repair instruments themselves.',
        'Nobody but our workshop opens an instrument.',
      ],
      [
        'Readings belong to the school that took them.',
        'All readings are published under our name.',
      ],
      ['Broken instruments are paid for by the school.', 'We bear the cost of whatever breaks.'],
      ['Instruments are sent by post.', 'Instruments are only handed over in person.'],
    ],
    decoys: [
      ['Each box has a list of its parts.', 'The list of parts is checked when a box comes back.'],
      ['Teachers are trained for one afternoon.', 'Pupils use instruments only beside a teacher.'],
    ],
    plain: [
      'Every instrument has a number.',
      'The stock is counted in July.',
      'Batteries are changed before lending.',
    ],
  },
];

/** What a generated plan is about, and what its roles say, with the conflicts that are in it. */
export interface GeneratedPlan {
  readonly topic: string;
  readonly seed: number;
  /** Statements by role. */
  readonly says: Readonly<Record<string, readonly string[]>>;
  /** Pairs of texts that cannot both be followed. */
  readonly conflicts: readonly (readonly [string, string])[];
  /** Pairs of texts about the same thing that can both be followed. */
  readonly decoys: readonly (readonly [string, string])[];
}

/**
 * Generates a plan from a seed: one to four conflicts, one or two decoys (pairs that can both be followed) and
 * plain statements, distributed to three roles.
 */
export function planFor(seed: number): GeneratedPlan {
  const domain = DOMAINS[seed % DOMAINS.length] as Domain;
  const chance = new Chance('plan', String(seed));
  const matters = shuffleItems(domain.matters, seed, 'matters');
  const conflicts = matters.slice(0, 1 + Math.floor(chance.next() * 4));
  const decoys = shuffleItems(domain.decoys, seed, 'decoys').slice(
    0,
    1 + Math.floor(chance.next() * 2),
  );
  const says: Record<string, string[]> = Object.fromEntries(domain.roles.map((role) => [role, []]));
  for (const [one, other] of [...conflicts, ...decoys]) {
    const [first = '', second = ''] = shuffleItems(domain.roles, seed, one);
    says[first]?.push(one);
    says[second]?.push(other);
  }
  domain.plain.forEach((text, at) => {
    says[domain.roles[at % 3] as string]?.push(text);
  });
  return { topic: domain.topic, seed, says, conflicts, decoys };
}

/** Returns whether one text contains one side of a conflict of the plan, and the other text its other side. */
export function doContradict({ conflicts }: GeneratedPlan, one: string, other: string): boolean {
  return conflicts.some(
    ([left, right]) =>
      (one.includes(left) && other.includes(right)) ||
      (one.includes(right) && other.includes(left)),
  );
}
