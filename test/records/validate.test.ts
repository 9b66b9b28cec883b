/** The validator: for every rule one folder that breaks it and nothing else, beside one that is clean. */
import { describe, expect, it } from 'vitest';
import { claimId } from '../../src/protocols/rounds/records/layout.ts';
import type { ErrorRule, WarningRule } from '../../src/protocols/rounds/records/problem.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import type { Claim, Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';
import {
  MORE_REFS,
  makeChange,
  makeClaim,
  makeDecision,
  makeFolder,
  makeLead,
  makeVerification,
  REFS,
  withFile,
} from './make.ts';
import { simulateRecords } from './simulate.ts';

/** A claim tested once and one tested and replaced, two verdicts and a decision that rests on them. */
const CLEAN = {
  claims: [
    makeClaim('C-1-1', { status: 'tested_confirmed' }),
    makeClaim('C-1-2', { status: 'superseded' }),
    makeClaim('C-2-1', { supersedes: 'C-1-2' }),
  ],
  verifications: [
    makeVerification(1, 1, 'BROKEN', {
      claim_status_changes: [
        makeChange('C-1-1', 'pending', 'tested_confirmed', { stance: 'attacks', bearing: 'whole' }),
      ],
    }),
    makeVerification(1, 2, 'UNCLEAR', {
      claim_status_changes: [makeChange('C-1-2', 'pending', 'tested_unclear')],
    }),
    makeVerification(1, 4, 'NOT_APPLICABLE'),
  ],
  decisions: [makeDecision('D-1-1', ['C-1-1', 'V-1-1']), makeDecision('D-2-1', ['D-1-1'])],
  leads: [makeLead(1, 'action'), makeLead(2, 'guardian')],
} satisfies Partial<Records>;

const [FIRST, SECOND, THIRD] = CLEAN.claims as [Claim, Claim, Claim];
const [MOVES_FIRST, MOVES_SECOND] = CLEAN.verifications;

function makeCleanFolder(more: Partial<Records> = {}): Map<string, string> {
  return makeFolder({ ...CLEAN, ...more });
}

/** A folder's text replaced in one file. */
function editFile(path: string, from: string, to: string): Map<string, string> {
  const folder = makeCleanFolder();
  const text = folder.get(path) ?? '';
  expect(text).toContain(from);
  return withFile(folder, path, text.replace(from, to));
}

function makeTestedFolder(
  changes: Partial<Parameters<typeof makeChange>[3]> & { to: Claim['status'] },
  result: 'ROBUST' | 'BROKEN' | 'UNCLEAR' = 'BROKEN',
) {
  const { to, ...more } = changes;
  return makeCleanFolder({
    claims: [{ ...FIRST, status: to }, SECOND, THIRD],
    verifications: [
      makeVerification(1, 1, result, {
        claim_status_changes: [makeChange('C-1-1', 'pending', to, more)],
      }),
      MOVES_SECOND as never,
    ],
  });
}

describe('validating a correct folder of records', () => {
  it('finds neither errors nor warnings', () => {
    expect(validateFolder(makeCleanFolder())).toEqual({ ok: true, errors: [], warnings: [] });
  });

  it('accepts the records of a run that was stopped before its first verdict', () => {
    const { ok } = validateFolder(makeFolder({ claims: [makeClaim('C-1-1')] }));
    expect(ok).toBe(true);
  });
});

type Row<Rule> = readonly [Rule, string, () => Folder, file: string, line: number, id: string];

const CLAIMS = 'state/claims.jsonl';
const VERIFICATIONS = 'state/verifications.jsonl';
const DECISIONS = 'state/decisions.jsonl';

const ERRORS: readonly Row<ErrorRule>[] = [
  [
    'malformed-line',
    'a line that is cut off',
    () => editFile(DECISIONS, '"made_by":"consensus"', '"made_by'),
    DECISIONS,
    1,
    '',
  ],
  [
    'malformed-line',
    'a line without a required field',
    () => editFile(CLAIMS, '"raised_by":"critic",', ''),
    CLAIMS,
    1,
    'C-1-1',
  ],
  [
    'malformed-line',
    'a claim of round 0',
    () => editFile(CLAIMS, '"id":"C-2-1","round":2', '"id":"C-2-1","round":0'),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'unknown-value',
    'a status that does not exist',
    () => editFile(CLAIMS, '"status":"pending"', '"status":"open"'),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'unknown-value',
    'a result that does not exist',
    () => editFile(VERIFICATIONS, '"UNCLEAR"', '"MAYBE"'),
    VERIFICATIONS,
    2,
    'V-1-2',
  ],
  [
    'unknown-value',
    'a role that does not exist',
    () => editFile('state/lead_history.jsonl', '"guardian"', '"boss"'),
    'state/lead_history.jsonl',
    2,
    '',
  ],
  [
    'unknown-value',
    'a relation that does not exist',
    () => editFile(DECISIONS, '"relation":"based-on"', '"relation":"vibes-with"'),
    DECISIONS,
    1,
    'D-1-1',
  ],
  [
    'duplicate-id',
    'a claim twice',
    () => makeCleanFolder({ claims: [...CLEAN.claims, FIRST] }),
    CLAIMS,
    4,
    'C-1-1',
  ],
  [
    'duplicate-id',
    'a decision twice',
    () =>
      makeCleanFolder({
        decisions: [makeDecision('D-1-1', ['C-1-1']), makeDecision('D-1-1', ['C-1-1'])],
      }),
    DECISIONS,
    2,
    'D-1-1',
  ],
  [
    'round-mismatch',
    'a claim whose round is not the one in its id',
    () => makeCleanFolder({ claims: [FIRST, SECOND, { ...THIRD, round: 3 }] }),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'round-mismatch',
    'an id of another form',
    () =>
      makeCleanFolder({ decisions: [{ ...makeDecision('D-1-1', ['C-1-1']), id: 'decision one' }] }),
    DECISIONS,
    1,
    'decision one',
  ],
  [
    'unknown-claim',
    'a verdict about a claim that does not exist',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', { claims_affected: ['C-9-9'] }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'unknown-claim',
    'a claim that supersedes an unknown claim',
    () =>
      makeCleanFolder({
        claims: [FIRST, SECOND, THIRD, makeClaim('C-2-2', { supersedes: 'C-9-9' })],
      }),
    CLAIMS,
    4,
    'C-2-2',
  ],
  [
    'missing-file',
    'a citation of a missing file',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            evidence_refs: ['artifacts/round_2/critic.md#attack-1', ...REFS],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'missing-file',
    'a citation outside the folder',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', { evidence_refs: ['../secret.md#a', ...REFS] }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'missing-anchor',
    'a citation of a missing heading',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            evidence_refs: ['artifacts/round_1/critic.md#attack-3', ...REFS],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'missing-anchor',
    'a citation of lines beyond the end of the file',
    () =>
      withFile(
        makeCleanFolder({
          verifications: [
            ...CLEAN.verifications,
            makeVerification(2, 1, 'ROBUST', {
              evidence_refs: ['attachments/plan.md#L2-L3', ...REFS],
            }),
          ],
        }),
        'attachments/plan.md',
        'one\ntwo\n',
      ),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'too-few-refs',
    'a verdict with one citation',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', { evidence_refs: REFS.slice(1) }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'untested-claim',
    'a claim with a status that no verdict gave',
    () => makeCleanFolder({ claims: [FIRST, SECOND, { ...THIRD, status: 'tested_refuted' }] }),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'no-superseder',
    'a superseded claim that no other claim supersedes',
    () => makeCleanFolder({ claims: [FIRST, SECOND, makeClaim('C-2-1')] }),
    CLAIMS,
    2,
    'C-1-2',
  ],
  [
    'circular-supersession',
    'a claim that supersedes itself',
    () =>
      makeCleanFolder({
        claims: [FIRST, SECOND, THIRD, makeClaim('C-2-2', { supersedes: 'C-2-2' })],
      }),
    CLAIMS,
    4,
    'C-2-2',
  ],
  [
    'circular-supersession',
    'two claims that supersede each other',
    () =>
      makeCleanFolder({
        claims: [
          ...[FIRST, SECOND, THIRD],
          makeClaim('C-2-2', { supersedes: 'C-2-3' }),
          makeClaim('C-2-3', { supersedes: 'C-2-2' }),
        ],
      }),
    CLAIMS,
    4,
    'C-2-2',
  ],
  [
    'backwards',
    'a claim that supersedes a later one',
    () =>
      makeCleanFolder({
        claims: [...CLEAN.claims, makeClaim('C-3-1'), makeClaim('C-1-4', { supersedes: 'C-3-1' })],
      }),
    CLAIMS,
    5,
    'C-1-4',
  ],
  [
    'backwards',
    'a verdict on a claim that was raised only later',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(1, 3, 'ROBUST', { claims_affected: ['C-2-1'] }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-1-3',
  ],
  [
    'no-superseder',
    'a claim that only a claim on an earlier line supersedes',
    () => makeCleanFolder({ claims: [makeClaim('C-1-3', { supersedes: 'C-1-2' }), FIRST, SECOND] }),
    CLAIMS,
    3,
    'C-1-2',
  ],
  [
    'no-citation',
    'a decision without citations',
    () => makeCleanFolder({ decisions: [makeDecision('D-1-1', [])] }),
    DECISIONS,
    1,
    'D-1-1',
  ],
  [
    'dangling-citation',
    'a decision on a claim that does not exist',
    () => makeCleanFolder({ decisions: [makeDecision('D-1-1', ['C-9-9'])] }),
    DECISIONS,
    1,
    'D-1-1',
  ],
  [
    'dangling-citation',
    'a claim cited as a decision',
    () =>
      makeCleanFolder({
        decisions: [
          {
            ...makeDecision('D-1-1', []),
            cites: [{ type: 'decision', id: 'C-1-1', relation: 'based-on' }],
          },
        ],
      }),
    DECISIONS,
    1,
    'D-1-1',
  ],
  [
    'not-testable',
    'a claim whose test is blank',
    () => makeCleanFolder({ claims: [FIRST, SECOND, { ...THIRD, testable_as: '  ' }] }),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'illegal-transition',
    'a claim that is pending again',
    () =>
      makeCleanFolder({
        claims: [{ ...FIRST, status: 'pending' }, SECOND, THIRD],
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            evidence_refs: MORE_REFS,
            claim_status_changes: [makeChange('C-1-1', 'tested_confirmed', 'pending')],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'illegal-transition',
    'a claim confirmed by a verdict that refutes the claim',
    () => makeTestedFolder({ to: 'tested_confirmed', stance: 'upholds', bearing: 'whole' }),
    VERIFICATIONS,
    1,
    'V-1-1',
  ],
  [
    'illegal-transition',
    'a claim refuted by a verdict on a part of the claim',
    () => makeTestedFolder({ to: 'tested_refuted', stance: 'upholds', bearing: 'part' }),
    VERIFICATIONS,
    1,
    'V-1-1',
  ],
  [
    'illegal-transition',
    'a claim refuted by an UNCLEAR verdict',
    () => makeTestedFolder({ to: 'tested_refuted' }, 'UNCLEAR'),
    VERIFICATIONS,
    1,
    'V-1-1',
  ],
  [
    'illegal-transition',
    'a status change by a NOT_APPLICABLE verdict',
    () =>
      makeCleanFolder({
        claims: [FIRST, SECOND, { ...THIRD, status: 'tested_refuted' }],
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'NOT_APPLICABLE', {
            claim_status_changes: [makeChange('C-2-1', 'pending', 'tested_refuted')],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'illegal-transition',
    'a claim that was superseded while pending',
    () =>
      makeCleanFolder({
        verifications: CLEAN.verifications.filter((verification) => verification !== MOVES_SECOND),
      }),
    CLAIMS,
    2,
    'C-1-2',
  ],
  [
    'illegal-transition',
    'a status change of a superseded claim',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(3, 1, 'BROKEN', {
            evidence_refs: MORE_REFS,
            claim_status_changes: [makeChange('C-1-2', 'tested_unclear', 'tested_refuted')],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-3-1',
  ],
  [
    'wrong-from',
    'a status change from a status that the claim did not have',
    () =>
      makeCleanFolder({
        claims: [{ ...FIRST, status: 'tested_refuted' }, SECOND, THIRD],
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            evidence_refs: MORE_REFS,
            claim_status_changes: [makeChange('C-1-1', 'tested_unclear', 'tested_refuted')],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'no-new-evidence',
    'a second status change by the same citations',
    () =>
      makeCleanFolder({
        claims: [{ ...FIRST, status: 'tested_refuted' }, SECOND, THIRD],
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            claim_status_changes: [makeChange('C-1-1', 'tested_confirmed', 'tested_refuted')],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'status-mismatch',
    'a claim whose status is not that of its last change',
    () => makeCleanFolder({ claims: [{ ...FIRST, status: 'tested_refuted' }, SECOND, THIRD] }),
    CLAIMS,
    1,
    'C-1-1',
  ],
  [
    'unlisted-claim',
    'a changed claim that is not listed as affected',
    () => editFile(VERIFICATIONS, '"claims_affected":["C-1-1"]', '"claims_affected":[]'),
    VERIFICATIONS,
    1,
    'V-1-1',
  ],
  ['empty-state', 'a folder with empty lists', () => makeFolder({}), CLAIMS, 0, ''],
  ['empty-state', 'a folder without files', () => new Map(), CLAIMS, 0, ''],
];

describe('the errors that validating a folder of records returns', () => {
  it.each(ERRORS)('include only `%s` for %s', (rule, _, folder, file, line, id) => {
    const { ok, errors } = validateFolder(folder());
    expect(ok).toBe(false);
    expect(errors).toEqual([{ file, line, id, rule, message: expect.stringMatching(/./) }]);
  });

  it('are sorted by file, claims first and decisions last', () => {
    const folder = makeCleanFolder({
      claims: [FIRST, SECOND, { ...THIRD, testable_as: '' }],
      verifications: [
        ...CLEAN.verifications,
        makeVerification(2, 1, 'ROBUST', { evidence_refs: [] }),
      ],
      decisions: [makeDecision('D-1-1', ['C-9-9']), makeDecision('D-1-2', [])],
    });
    expect(validateFolder(folder).errors.map(({ file, line }) => `${file}:${line}`)).toEqual([
      `${CLAIMS}:3`,
      `${VERIFICATIONS}:4`,
      `${DECISIONS}:1`,
      `${DECISIONS}:2`,
    ]);
  });

  it('include the invalid line of a claim once, and nothing about citations of this claim', () => {
    const folder = editFile(CLAIMS, '"status":"tested_confirmed"', '"status":"settled"');
    expect(validateFolder(folder).errors.map(({ rule }) => rule)).toEqual(['unknown-value']);
  });

  it('suggest a similar anchor for one that does not exist', () => {
    const folder = withFile(
      makeCleanFolder(),
      'artifacts/round_1/critic.md',
      '# Attack 1: the lease',
    );
    expect(validateFolder(folder).errors[0]?.message).toBe(
      'artifacts/round_1/critic.md has no #attack-1; there is #attack-1-the-lease',
    );
  });

  it.each(['ROBUST', 'BROKEN'] as const)(
    'are none for a status change without the fields “stance” and “bearing”, whichever status the verdict %s led to',
    (result) => {
      for (const to of [
        'tested_confirmed',
        'tested_refuted',
        'partially_refuted',
        'tested_unclear',
      ] as const)
        expect(validateFolder(makeTestedFolder({ to }, result)).errors).toEqual([]);
    },
  );

  it('are none if a verdict starts from the status that a verdict on a later line of the same round gave the claim', () => {
    const moved = makeCleanFolder({
      claims: [{ ...FIRST, status: 'tested_refuted' }, SECOND, THIRD],
      verifications: [
        makeVerification(1, 1, 'ROBUST', {
          evidence_refs: MORE_REFS,
          claim_status_changes: [makeChange('C-1-1', 'tested_unclear', 'tested_refuted')],
        }),
        makeVerification(1, 2, 'UNCLEAR', {
          claim_status_changes: [
            makeChange('C-1-1', 'pending', 'tested_unclear'),
            makeChange('C-1-2', 'pending', 'tested_unclear'),
          ],
        }),
      ],
    });
    expect(validateFolder(moved).errors.map(({ rule }) => rule)).toEqual([]);
  });
});

const WARNINGS: readonly Row<WarningRule>[] = [
  [
    'no-status-changes',
    'verdicts without the field for status changes',
    () => withoutChanges(makeCleanFolder()),
    VERIFICATIONS,
    0,
    '',
  ],
  [
    'stale-status',
    'a decided claim whose line says pending',
    () => makeCleanFolder({ claims: [{ ...FIRST, status: 'pending' }, SECOND, THIRD] }),
    CLAIMS,
    1,
    'C-1-1',
  ],
  [
    'untraced-status',
    'a decided claim whose verdict lists no status change',
    () =>
      makeCleanFolder({
        verifications: [
          { ...makeVerification(1, 1, 'BROKEN'), claims_affected: ['C-1-1'] },
          MOVES_SECOND as never,
        ],
      }),
    CLAIMS,
    1,
    'C-1-1',
  ],
  [
    'no-lead-history',
    'an empty list of leads',
    () => withFile(makeCleanFolder(), 'state/lead_history.jsonl', ''),
    'state/lead_history.jsonl',
    0,
    '',
  ],
  [
    'no-budget',
    'a folder without run.json',
    () => new Map([...makeCleanFolder()].filter(([path]) => path !== 'run.json')),
    'run.json',
    0,
    '',
  ],
  [
    'ref-without-anchor',
    'a citation of a whole file',
    () =>
      makeCleanFolder({
        verifications: [
          ...CLEAN.verifications,
          makeVerification(2, 1, 'ROBUST', {
            evidence_refs: ['artifacts/round_1/critic.md', ...REFS],
          }),
        ],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'missing-artifact',
    'a claim from a missing artifact',
    () =>
      makeCleanFolder({
        claims: [
          FIRST,
          SECOND,
          { ...THIRD, raised_at_artifact: 'artifacts/round_2/critic.md#attack-1' },
        ],
      }),
    CLAIMS,
    3,
    'C-2-1',
  ],
  [
    'missing-artifact',
    'a decision that names a missing artifact',
    () =>
      makeCleanFolder({
        decisions: [
          {
            ...makeDecision('D-1-1', ['C-1-1']),
            round_artifact_refs: ['artifacts/round_1/lead.md'],
          },
        ],
      }),
    DECISIONS,
    1,
    'D-1-1',
  ],
  [
    'claim-inflation',
    'more than ten claims in one round',
    () =>
      makeCleanFolder({
        claims: [
          ...CLEAN.claims,
          ...Array.from({ length: 10 }, (_, at) => makeClaim(claimId(2, at + 2))),
        ],
      }),
    CLAIMS,
    13,
    'C-2-11',
  ],
  [
    'absent-role-artifact',
    'an artifact of a role that was left out of the round',
    () =>
      makeCleanFolder({
        leads: [makeLead(1, 'action', 'observer')],
        verifications: [
          MOVES_FIRST as never,
          {
            ...makeVerification(1, 4, 'UNCLEAR'),
            claim_status_changes: MOVES_SECOND?.claim_status_changes,
          } as never,
        ],
      }),
    'artifacts/round_1/observer.md',
    0,
    '',
  ],
  [
    'absent-role-verdict',
    'a verdict of a check that compares a role left out of the round',
    () =>
      makeCleanFolder({
        leads: [makeLead(1, 'action'), makeLead(2, 'action', 'critic')],
        verifications: [...CLEAN.verifications, makeVerification(2, 1, 'ROBUST')],
      }),
    VERIFICATIONS,
    4,
    'V-2-1',
  ],
  [
    'unknown-seat',
    'a claim of a role that the run does not have',
    () =>
      makeCleanFolder({
        roles: ['action', 'guardian', 'critic'],
        claims: [...CLEAN.claims, makeClaim('C-2-2', { raised_by: 'observer' })],
      }),
    CLAIMS,
    4,
    'C-2-2',
  ],
  [
    'withdrawn-ground',
    'a decision on a claim that its seat had withdrawn',
    () =>
      makeCleanFolder({
        claims: [...CLEAN.claims, makeClaim('C-1-3', { status: 'tested_unclear' })],
        verifications: [
          ...CLEAN.verifications,
          makeVerification(1, 1, 'ROBUST', {
            id: 'V-1-conceded',
            check: 'conceded',
            evidence_refs: ['artifacts/round_1/critic.md#attack-1', 'state/claims.jsonl#L4'],
            claims_affected: ['C-1-3'],
            claim_status_changes: [makeChange('C-1-3', 'pending', 'tested_unclear')],
          }),
        ],
        decisions: [...CLEAN.decisions, makeDecision('D-1-2', ['C-1-3'])],
      }),
    DECISIONS,
    3,
    'D-1-2',
  ],
  [
    'cites-later',
    'a decision that cites a later record',
    () => makeCleanFolder({ decisions: [makeDecision('D-1-1', ['C-2-1'])] }),
    DECISIONS,
    1,
    'D-1-1',
  ],
];

function withoutChanges(folder: Folder): Map<string, string> {
  const text = folder.get(VERIFICATIONS) ?? '';
  const kept = text.replace(/,"claim_status_changes":\[[^\]]*\]/g, '');
  return withFile(folder, VERIFICATIONS, kept);
}

it('validating a folder of records reports two claims whose ids differ only in upper and lower case', () => {
  const twin = JSON.stringify({ ...FIRST, id: 'c-1-1', status: 'pending' });
  const { errors } = validateFolder(
    withFile(makeCleanFolder(), CLAIMS, `${makeCleanFolder().get(CLAIMS)}${twin}\n`),
  );
  expect(errors).toContainEqual({
    file: CLAIMS,
    line: 4,
    id: 'c-1-1',
    rule: 'duplicate-id',
    message: 'c-1-1 and C-1-1 differ only in letter case',
  });
});

describe('the warnings that validating a folder of records returns', () => {
  it.each(WARNINGS)('include only `%s` for %s', (rule, _, folder, file, line, id) => {
    const { ok, warnings } = validateFolder(folder());
    expect(ok).toBe(true);
    expect(warnings).toEqual([{ file, line, id, rule, message: expect.stringMatching(/./) }]);
  });

  it('name the two gaps of a folder from another program: no status changes, and no run.json', () => {
    const ownFolder = writeFolder(simulateRecords('healthy', 11, 13));
    const foreignFolder = new Map(
      [...withoutChanges(ownFolder)].filter(([path]) => path !== 'run.json'),
    );
    const { errors, warnings } = validateFolder(foreignFolder);
    expect(errors).toEqual([]);
    const rules = new Set(warnings.map(({ rule }) => rule));
    rules.delete('claim-inflation');
    expect(rules).toEqual(new Set(['no-status-changes', 'no-budget']));
  });
});
