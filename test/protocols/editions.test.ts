/** Tests that the editions which the reader of facts accepts are those that the protocols record. */
import { describe, expect, it } from 'vitest';
import { LATEST as PLAN, configSchema as planConfig } from '../../src/protocols/plan/config.ts';
import {
  LATEST as ROUNDS,
  configSchema as roundsConfig,
} from '../../src/protocols/rounds/config.ts';
import { LATEST as TEAM, configSchema as teamConfig } from '../../src/protocols/team/config.ts';
import { LATEST_EDITIONS } from '../../src/protocols/vocabulary.ts';

const CASES = [
  ['plan', 'prompts', PLAN.prompts, planConfig.shape.prompts],
  ['rounds', 'rules', ROUNDS.rules, roundsConfig.shape.rules],
  ['rounds', 'prompts', ROUNDS.prompts, roundsConfig.shape.prompts],
  ['team', 'version', TEAM.version, teamConfig.shape.version],
] as const;

describe('LATEST_EDITIONS, the table of the latest editions of rules and prompts,', () => {
  it.each(CASES)(
    'names for %s, in the setting %s, the edition that new runs have',
    (protocol, setting, latest, schema) => {
      expect(LATEST_EDITIONS.get(protocol)?.[setting]).toBe(latest);
      expect(schema.safeParse(latest).success).toBe(true);
      expect(schema.safeParse(latest + 1).success).toBe(false);
    },
  );

  it('lists exactly the protocols that have older editions: plan, rounds and team', () => {
    const listed = [...LATEST_EDITIONS].flatMap(([protocol, settings]) =>
      Object.keys(settings).map((setting) => `${protocol} ${setting}`),
    );
    expect(listed).toEqual(CASES.map(([protocol, setting]) => `${protocol} ${setting}`));
  });
});
