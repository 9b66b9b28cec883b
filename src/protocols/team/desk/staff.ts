/**
 * Loads the capability level of each tier and the specialists that suit it: from the program's team.yaml,
 * overridden tier by tier by the person's own.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { BUILT_IN, configFolder, readText } from '../../../io/files.ts';
import type { Env } from '../../../io/surroundings.ts';
import { readYaml } from '../../../io/yaml-file.ts';
import { SEATS, type SeatId, TIER_LEVELS } from '../config.ts';
import { LEVELS, type Level } from '../forms/plan.ts';

const tierSchema = z
  .strictObject({
    level: z.enum(LEVELS).describe('How hard it thinks.').optional(),
    specialists: z.array(z.string().min(1)).describe('Agents that suit it.').optional(),
  })
  .optional();

/**
 * The schema of `team.yaml`, which names for each tier of a team its capability level and the
 * specialists that suit it. `t5` stands for both verifiers.
 */
export const staffingSchema = z.strictObject({
  t1: tierSchema,
  't2-lead': tierSchema,
  t2: tierSchema,
  t3: tierSchema,
  t4: tierSchema,
  t5: tierSchema,
});
type Staffing = z.infer<typeof staffingSchema>;
type Tier = keyof Staffing;

const TIERS = ['t1', 't2-lead', 't2', 't3', 't4', 't5'] as const satisfies readonly Tier[];

/** The capability level of each seat of a team, and the tiers that each specialist suits. */
export interface Staff {
  readonly levels: Readonly<Record<SeatId, Level>>;
  /**
   * By the id of a specialist: the tiers that it suits, such as `T5`, or `T2-lead` for the lead
   * architect. Specialists that no tier names are left out.
   */
  readonly tiersOf: ReadonlyMap<string, readonly string[]>;
}

const FILE = 'team.yaml';

/**
 * Loads the capability levels and specialists of a team's tiers from the program's file `team.yaml`,
 * and from the person's own, which overrides each level and each list of specialists that it has.
 * @throws DeliberateError with the file and line of what cannot be read
 */
export function loadStaff(env: Env): Staff {
  const [own, given] = [
    readStaffing(join(configFolder(env), FILE)),
    readStaffing(join(BUILT_IN, FILE)),
  ];
  const tiersOf = new Map<string, readonly string[]>();
  for (const tier of TIERS)
    for (const slug of own[tier]?.specialists ?? given[tier]?.specialists ?? [])
      tiersOf.set(slug, [...(tiersOf.get(slug) ?? []), tier.replace('t', 'T')]);
  const levelOf = (seat: SeatId): Level => {
    const tier = TIERS.find((tier) => tier === seat) ?? 't5';
    return own[tier]?.level ?? given[tier]?.level ?? TIER_LEVELS[seat];
  };
  const levels = Object.fromEntries(SEATS.map((seat) => [seat, levelOf(seat)]));
  return { levels: levels as Record<SeatId, Level>, tiersOf };
}

function readStaffing(file: string): Staffing {
  const text = readText(file, true);
  return text === undefined ? {} : readYaml(file, text, staffingSchema).value;
}
