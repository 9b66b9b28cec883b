/** What verdicts do to claims: every cell of the table, and what no verdict may do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyVerification,
  collectUsedRefs,
  explainBarred,
  getBasis,
  getNextStatus,
  isStrongerBasis,
  type Verdict,
} from '../../src/protocols/rounds/records/transitions.ts';
import {
  BASES,
  bearingSchema,
  CHECKS,
  type Claim,
  OWN_CHECKS,
  resultSchema,
  STATUSES,
  stanceSchema,
} from '../../src/protocols/rounds/records/types.ts';
import { MORE_REFS, makeChange, makeClaim, makeVerification, REFS } from './make.ts';
import { supersedeClaim } from './supersede.ts';

function makeVerdict(more: Partial<Verdict> = {}): Verdict {
  return {
    id: 'V-2-1',
    round: 2,
    check: 'critic_attack_on_action_trace',
    result: 'BROKEN',
    evidence_refs: REFS,
    notes: 'the trace flips',
    bearings: [{ claim_id: 'C-1-1', stance: 'attacks', bearing: 'whole' }],
    ...more,
  };
}

const NONE = new Map<string, ReadonlySet<string>>();

describe('getNextStatus, which computes a claim’s status after the verdict of a check,', () => {
  it.each([
    ['tested_confirmed', 'upholds', 'ROBUST', 'whole'],
    ['tested_refuted', 'attacks', 'ROBUST', 'whole'],
    ['tested_refuted', 'upholds', 'BROKEN', 'whole'],
    ['tested_confirmed', 'attacks', 'BROKEN', 'whole'],
    ['tested_unclear', 'upholds', 'ROBUST', 'part'],
    ['partially_refuted', 'attacks', 'ROBUST', 'part'],
    ['partially_refuted', 'upholds', 'BROKEN', 'part'],
    ['tested_unclear', 'attacks', 'BROKEN', 'part'],
    ['tested_unclear', 'upholds', 'UNCLEAR', 'whole'],
    ['tested_unclear', 'attacks', 'UNCLEAR', 'part'],
    [undefined, 'upholds', 'NOT_APPLICABLE', 'whole'],
  ] as const)(
    'returns "%s" for a claim that %s what was checked if the verdict is %s, bears on the claim in %s and cites two places',
    (status, stance, result, bearing) => {
      expect(getNextStatus(result, stance, bearing, 2)).toBe(status);
      expect(getNextStatus(result, stance, bearing, 1)).toBeUndefined();
      expect(getNextStatus(result, stance, bearing, 0)).toBeUndefined();
    },
  );
});

describe('applyVerification, which changes claims by a verdict,', () => {
  it('confirms a claim against what was checked if the verdict is BROKEN', () => {
    const applied = applyVerification(
      [makeClaim('C-1-1'), makeClaim('C-1-2')],
      makeVerdict(),
      NONE,
    );
    expect(applied.claims.map(({ status }) => status)).toEqual(['tested_confirmed', 'pending']);
    expect(applied.verification).toMatchObject({
      claims_affected: ['C-1-1'],
      claim_status_changes: [
        {
          claim_id: 'C-1-1',
          from: 'pending',
          to: 'tested_confirmed',
          stance: 'attacks',
          bearing: 'whole',
        },
      ],
    });
    expect(applied.unmoved).toEqual([]);
  });

  it('decides no claim if the verdict cites the same place twice', () => {
    const [ref = ''] = REFS;
    const applied = applyVerification(
      [makeClaim('C-1-1')],
      makeVerdict({ evidence_refs: [ref, ` ./${ref} `] }),
      NONE,
    );
    expect(applied.verification.evidence_refs).toEqual([ref]);
    expect(applied.unmoved).toEqual([{ claim_id: 'C-1-1', why: 'fewer than 2 different refs' }]);
    expect(applied.claims[0]?.status).toBe('pending');
  });

  it('changes a decided claim only if the verdict has a citation that no earlier verdict on this claim had', () => {
    const first = applyVerification([makeClaim('C-1-1')], makeVerdict(), NONE);
    const robust = makeVerdict({ id: 'V-3-1', round: 3, result: 'ROBUST' });
    const stale = applyVerification(first.claims, robust, first.usedRefs);
    expect(stale.unmoved).toEqual([{ claim_id: 'C-1-1', why: 'no new evidence ref' }]);
    expect(stale.verification.claims_affected).toEqual(['C-1-1']);
    const fresh = applyVerification(
      first.claims,
      { ...robust, evidence_refs: MORE_REFS },
      first.usedRefs,
    );
    expect(fresh.claims[0]?.status).toBe('tested_refuted');
    expect(collectUsedRefs([first.verification, fresh.verification])).toEqual(fresh.usedRefs);
  });

  it('ignores, with a reason, each mention of a claim that is superseded, unknown, mentioned before or already confirmed', () => {
    const claims = [
      makeClaim('C-1-1', { status: 'superseded' }),
      makeClaim('C-1-2', { status: 'tested_confirmed' }),
      makeClaim('C-1-3'),
    ];
    const bearings = ['C-1-1', 'C-1-2', 'C-1-3', 'C-1-3', 'C-9-9'].map((claim_id) => ({
      claim_id,
      stance: 'attacks' as const,
      bearing: 'whole' as const,
    }));
    const applied = applyVerification(claims, makeVerdict({ bearings }), NONE);
    expect(applied.unmoved).toEqual([
      { claim_id: 'C-1-1', why: 'it is superseded' },
      { claim_id: 'C-1-2', why: 'it is tested_confirmed already' },
      { claim_id: 'C-1-3', why: 'it was named before in the same verdict' },
      { claim_id: 'C-9-9', why: 'there is no such claim' },
    ]);
    expect(applied.verification.claims_affected).toEqual(['C-1-1', 'C-1-2', 'C-1-3']);
  });

  it('never gives a claim the status pending or superseded', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATUSES),
        fc.constantFrom(...resultSchema.options),
        fc.constantFrom(...stanceSchema.options),
        fc.constantFrom(...bearingSchema.options),
        fc.subarray(MORE_REFS),
        (status, result, stance, bearing, evidence_refs) => {
          const before: readonly Claim[] = [Object.freeze(makeClaim('C-1-1', { status }))];
          const bearings = [{ claim_id: 'C-1-1', stance, bearing }];
          const { claims, verification: made } = applyVerification(
            before,
            makeVerdict({ result, evidence_refs, bearings }),
            NONE,
          );
          const now = claims[0]?.status;
          if (now === status) expect(made.claim_status_changes).toEqual([]);
          else expect(['pending', 'superseded']).not.toContain(now);
        },
      ),
    );
  });
});

describe('superseding a claim by a newer one', () => {
  it('is possible for a decided claim, but not for an open one', () => {
    const by = makeClaim('C-2-1', { supersedes: 'C-1-1' });
    const tested = supersedeClaim([makeClaim('C-1-1', { status: 'tested_refuted' }), by], by);
    expect(tested.claims[0]?.status).toBe('superseded');
    const pending = supersedeClaim([makeClaim('C-1-1'), by], by);
    expect(pending.claims[0]?.status).toBe('pending');
    expect(pending.refused).toMatch(/has to be tested/);
  });

  it('is refused if the claim to supersede does not exist or is the newer claim itself', () => {
    const ghost = makeClaim('C-2-1', { supersedes: 'C-7-7' });
    expect(supersedeClaim([ghost], ghost).refused).toMatch(/no claim C-7-7/);
    const self = makeClaim('C-2-1', { supersedes: 'C-2-1', status: 'tested_refuted' });
    expect(supersedeClaim([self], self).refused).toBeDefined();
    expect(supersedeClaim([self], makeClaim('C-2-2')).refused).toBeUndefined();
  });
});

describe('collectUsedRefs, which collects the citations of verdicts by claim,', () => {
  it('leaves out verdicts that did not change the claim’s status', () => {
    const used = collectUsedRefs([
      makeVerification(1, 2, 'BROKEN', { claims_affected: ['C-1-2'] }),
      makeVerification(1, 1, 'BROKEN', {
        claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_refuted')],
      }),
    ]);
    expect([...used]).toEqual([['C-1-1', new Set(REFS)]]);
  });
});

describe('status changes under edition 2 of the rules', () => {
  it('have a basis that follows from the check: argued, executed, read or conceded', () => {
    expect([...CHECKS, ...OWN_CHECKS].map(getBasis)).toEqual([
      ...['argued', 'argued', undefined, undefined],
      ...['executed', 'read', 'conceded'],
    ]);
  });

  it('need a stronger basis than the change that they override', () => {
    const table = BASES.map((basis) => BASES.map((standing) => isStrongerBasis(basis, standing)));
    expect(table).toEqual([
      [false, false, false, false],
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
    ]);
    for (const basis of BASES) expect(isStrongerBasis(basis, undefined)).toBe(true);
  });

  it('must follow from the check, its result, and whether the claim says that what was checked holds or fails', () => {
    const allowed: string[] = [];
    for (const check of [...CHECKS, ...OWN_CHECKS])
      for (const result of resultSchema.options)
        for (const stance of [...stanceSchema.options, undefined])
          for (const bearing of [...bearingSchema.options, undefined])
            for (const from of STATUSES)
              for (const to of STATUSES) {
                const statusChange = makeChange('C-1-1', from, to, { stance, bearing });
                const barred = explainBarred(statusChange, { check, result });
                if (barred !== undefined) continue;
                expect(
                  explainBarred(statusChange, { check, result, degraded: 'no place' }),
                ).toBeDefined();
                if (from === 'pending')
                  allowed.push([check, result, stance, bearing, to].join(' '));
                expect(from).not.toBe('superseded');
                if (check === 'conceded') expect(from).toBe('pending');
              }
    const listMoves = (check: string, results: readonly string[]) =>
      results.flatMap((result) => {
        const upheld = result === 'ROBUST';
        return [
          `${check} ${result} upholds whole tested_${upheld ? 'confirmed' : 'refuted'}`,
          `${check} ${result} attacks whole tested_${upheld ? 'refuted' : 'confirmed'}`,
        ];
      });
    expect(allowed.filter((move) => !move.startsWith('conceded')).sort()).toEqual(
      [
        ...listMoves('critic_attack_on_action_trace', ['BROKEN', 'ROBUST']),
        ...listMoves('guardian_vs_observer_walkthrough', ['BROKEN', 'ROBUST']),
        ...listMoves('executed_test', ['BROKEN', 'ROBUST']),
        ...listMoves('settled_by_reading', ['ROBUST']),
      ].sort(),
    );
    for (const move of allowed.filter((each) => each.startsWith('conceded')))
      expect(move).toMatch(/^conceded ROBUST .*tested_unclear$/);
  });
});
