/**
 * Records that were changed by hand, each in one place: what the validator says, and that it says nothing
 * else. Of any folder; what only the second rules ask for is in second-rules.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import type {
  Claim,
  Decision,
  Folder,
  Verification,
} from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';
import {
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeLead,
  makeRecordSet,
  makeVerification,
  withFile,
} from './make.ts';

const CLAIMS = 'state/claims.jsonl';
const VERIFICATIONS = 'state/verifications.jsonl';
const DECISIONS = 'state/decisions.jsonl';
const LEADS = 'state/lead_history.jsonl';
const RUN = 'run.json';

const PLACES = {
  critic: '# Attack 1\n',
  action: '# Trace 1\n',
  guardian: '# Invariant\n',
  observer: '# Step 1\n',
} as const;

const WHOLE = {
  claims: [
    makeClaim('C-1-1', {
      status: 'tested_confirmed',
      raised_at_artifact: 'artifacts/round_1/critic.md#attack-1',
    }),
    makeClaim('C-2-1'),
  ],
  verifications: [
    makeVerification(1, 1, 'BROKEN', {
      claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_confirmed')],
    }),
    makeVerification(1, 2, 'ROBUST'),
    makeVerification(1, 3, 'UNCLEAR'),
    makeVerification(1, 4, 'NOT_APPLICABLE'),
    makeVerification(2, 1, 'NOT_APPLICABLE'),
  ],
  decisions: [makeDecision('D-1-1', ['C-1-1']), makeDecision('D-2-1', ['D-1-1'])],
  leads: [makeLead(1, 'action'), makeLead(2, 'guardian'), makeLead(3, 'observer')],
  drifts: [makeDrift(2, 'PASS')],
  driftEvery: 2,
} satisfies Partial<Records>;

const [FIRST, SECOND] = WHOLE.claims as [Claim, Claim];
const [MOVES, ...OTHERS] = WHOLE.verifications as [Verification, ...Verification[]];
const [RESTS, CITES] = WHOLE.decisions as [Decision, Decision];

function makeFolder(more: Partial<Records> = {}): Map<string, string> {
  return new Map(
    writeFolder({
      records: makeRecordSet({ budget: 8, ...WHOLE, ...more }),
      artifacts: [1, 2].flatMap((round) =>
        Object.entries(PLACES).map(([seat, text]) => ({ round, seat, text })),
      ),
      pages: new Map([1, 2, 3].map((round) => [round, `# Round ${round}`])),
      attachments: [{ name: 'plan.md', text: 'one\ntwo\n' }],
    }),
  );
}

/** A file's text with one part replaced by another. */
function editFile(
  path: string,
  from: string,
  to: string,
  base = makeFolder(),
): Map<string, string> {
  const text = base.get(path) ?? '';
  expect(text).toContain(from);
  return withFile(base, path, text.replace(from, to));
}

function removeFile(path: string): Map<string, string> {
  return new Map([...makeFolder()].filter(([otherPath]) => otherPath !== path));
}

function makeVerdictFolder(refs: readonly string[], check: 1 | 2 | 3 | 4 = 1): Folder {
  const other = makeVerification(2, check, 'ROBUST', { evidence_refs: [...refs] });
  return makeFolder({ verifications: [MOVES, ...OTHERS.slice(0, 3), other] });
}

const makeRef = (round: number, role: keyof typeof PLACES) =>
  `artifacts/round_${round}/${role}.md#${PLACES[role].slice(2).trim().toLowerCase().replace(' ', '-')}`;

type Row = readonly [
  rule: string,
  what: string,
  make: () => Folder,
  at: ReturnType<typeof makePlace>,
];

function makePlace(file: string, line = 0, id = '') {
  return { file, line, id };
}

const ERRORS: readonly Row[] = [
  [
    'unlisted-claim',
    'a verdict whose list of affected claims was emptied',
    () => editFile(VERIFICATIONS, '"claims_affected":["C-1-1"]', '"claims_affected":[]'),
    makePlace(VERIFICATIONS, 1, 'V-1-1'),
  ],
  [
    'self-citation',
    'a decision that cites itself alone',
    () => makeFolder({ decisions: [RESTS, makeDecision('D-2-1', ['D-2-1'])] }),
    makePlace(DECISIONS, 2, 'D-2-1'),
  ],
  [
    'changed-record',
    'a later line that says another role raised the same claim',
    () =>
      withFile(
        makeFolder(),
        CLAIMS,
        `${makeFolder().get(CLAIMS)}${JSON.stringify({ ...FIRST, raised_by: 'guardian' })}\n`,
      ),
    makePlace(CLAIMS, 3, 'C-1-1'),
  ],
  [
    'changed-record',
    'a later line with another result of the same verdict',
    () =>
      withFile(
        makeFolder(),
        VERIFICATIONS,
        `${makeFolder().get(VERIFICATIONS)}${JSON.stringify({ ...OTHERS[0], result: 'BROKEN' })}\n`,
      ),
    makePlace(VERIFICATIONS, 6, 'V-1-2'),
  ],
  [
    'duplicate-id',
    'a later line that gives a claim another status',
    () =>
      withFile(
        makeFolder({ claims: [{ ...FIRST, status: 'pending' }, SECOND] }),
        CLAIMS,
        `${makeFolder({ claims: [{ ...FIRST, status: 'pending' }, SECOND] }).get(CLAIMS)}${JSON.stringify(FIRST)}\n`,
      ),
    makePlace(CLAIMS, 3, 'C-1-1'),
  ],
  [
    'empty-text',
    'a claim without words',
    () => makeFolder({ claims: [FIRST, { ...SECOND, text: ' \u200b' }] }),
    makePlace(CLAIMS, 2, 'C-2-1'),
  ],
  [
    'empty-text',
    'a decision without words',
    () => makeFolder({ decisions: [RESTS, { ...CITES, text: '' }] }),
    makePlace(DECISIONS, 2, 'D-2-1'),
  ],
  [
    'later-evidence',
    'a verdict that cites an artifact of a later round',
    () =>
      makeFolder({
        verifications: [
          { ...MOVES, evidence_refs: [makeRef(1, 'critic'), makeRef(2, 'action')] },
          ...OTHERS,
        ],
      }),
    makePlace(VERIFICATIONS, 1, 'V-1-1'),
  ],
  [
    'later-evidence',
    'a verdict that cites a decision of a later round',
    () =>
      makeFolder({
        verifications: [
          { ...MOVES, evidence_refs: [...MOVES.evidence_refs, 'state/decisions.jsonl#D-2-1'] },
          ...OTHERS,
        ],
      }),
    makePlace(VERIFICATIONS, 1, 'V-1-1'),
  ],
  [
    'later-evidence',
    'a verdict that cites the line of a claim of a later round',
    () =>
      makeFolder({
        verifications: [
          { ...MOVES, evidence_refs: [...MOVES.evidence_refs, 'state/claims.jsonl#L2'] },
          ...OTHERS,
        ],
      }),
    makePlace(VERIFICATIONS, 1, 'V-1-1'),
  ],
  [
    'absent-lead',
    'a round led by the role that was left out',
    () =>
      makeFolder({
        leads: [makeLead(1, 'action'), makeLead(2, 'guardian'), makeLead(3, 'critic', 'critic')],
      }),
    makePlace(LEADS, 3),
  ],
  [
    'doubled-lead',
    'two leads of one round',
    () => makeFolder({ leads: [...WHOLE.leads, makeLead(2, 'critic')] }),
    makePlace(LEADS, 4),
  ],
  [
    'missing-check',
    'a complete round without its fourth check',
    () =>
      editFile(
        RUN,
        '"budget"',
        '"completed": [1], "budget"',
        makeFolder({ verifications: [MOVES, ...OTHERS.filter(({ id }) => id !== 'V-1-4')] }),
      ),
    makePlace(VERIFICATIONS),
  ],
  [
    'duplicate-key',
    'a claim with two statuses on one line',
    () => editFile(CLAIMS, '"status":"pending"', '"status":"superseded","status":"pending"'),
    makePlace(CLAIMS, 2, 'C-2-1'),
  ],
  [
    'duplicate-key',
    'a status change with a key that occurs twice, once escaped',
    () => editFile(VERIFICATIONS, '"from":"pending"', '"fr\\u006fm":"superseded","from":"pending"'),
    makePlace(VERIFICATIONS, 1, 'V-1-1'),
  ],
  [
    'duplicate-key',
    'a run.json with two budgets',
    () => editFile(RUN, '"budget": 8', '"budget": 1, "budget": 8'),
    makePlace(RUN),
  ],
  [
    'unknown-rules',
    'a basis of a status in a folder that names no edition of the rules',
    () => editFile(VERIFICATIONS, '"from":"pending"', '"basis":"read","from":"pending"'),
    makePlace(RUN),
  ],
];

const WARNINGS: readonly Row[] = [
  [
    'raised-elsewhere',
    'a claim from the artifact of another seat than the one that raised the claim',
    () => editFile(CLAIMS, '"raised_by":"critic"', '"raised_by":"guardian"'),
    makePlace(CLAIMS, 1, 'C-1-1'),
  ],
  [
    'raised-elsewhere',
    'a claim from an artifact of another round',
    () => makeFolder({ claims: [FIRST, { ...SECOND, raised_at_artifact: makeRef(1, 'critic') }] }),
    makePlace(CLAIMS, 2, 'C-2-1'),
  ],
  [
    'one-sided',
    'a verdict that cites two places of one side',
    () => makeVerdictFolder([makeRef(2, 'critic'), makeRef(1, 'critic')]),
    makePlace(VERIFICATIONS, 5, 'V-2-1'),
  ],
  [
    'one-sided',
    'a verdict that cites only the attached document',
    () => makeVerdictFolder(['attachments/plan.md#L1', 'attachments/plan.md#L2'], 2),
    makePlace(VERIFICATIONS, 5, 'V-2-2'),
  ],
  [
    'wrong-role',
    'a verdict that cites a role which its check does not compare',
    () => makeVerdictFolder([makeRef(2, 'critic'), makeRef(2, 'action'), makeRef(2, 'guardian')]),
    makePlace(VERIFICATIONS, 5, 'V-2-1'),
  ],
  [
    'doubled-check',
    'the same check under another id',
    () =>
      makeFolder({
        verifications: [MOVES, ...OTHERS, makeVerification(1, 2, 'BROKEN', { id: 'V-1-2b' })],
      }),
    makePlace(VERIFICATIONS, 6, 'V-1-2b'),
  ],
  [
    'missing-lead',
    'a round with verdicts and without a lead',
    () => makeFolder({ leads: [makeLead(1, 'action'), makeLead(3, 'observer')] }),
    makePlace(LEADS),
  ],
  [
    'missing-drift',
    'a deleted page of a round with a drift check',
    () => removeFile('rounds/round_2.md'),
    makePlace('rounds/round_2.md'),
  ],
  [
    'missing-drift',
    'a page from which the result of the drift check was removed',
    () => editFile('rounds/round_2.md', 'PASS', 'to be done'),
    makePlace('rounds/round_2.md'),
  ],
  [
    'byte-order-mark',
    'a byte order mark before the claims',
    () => editFile(CLAIMS, '{', '\uFEFF{'),
    makePlace(CLAIMS, 1),
  ],
  [
    'byte-order-mark',
    'a byte order mark before run.json',
    () => editFile(RUN, '{', '\uFEFF{'),
    makePlace(RUN, 1),
  ],
  [
    'crlf',
    'a list in which one line ends with CRLF',
    () => editFile(LEADS, '}\n{', '}\r\n{'),
    makePlace(LEADS, 1),
  ],
  [
    'crlf',
    'an artifact in which a later line ends with CRLF',
    () => editFile('artifacts/round_1/critic.md', '# Attack 1\n', '# Attack 1\n\nIt fails.\r\n'),
    makePlace('artifacts/round_1/critic.md', 3),
  ],
];

describe('validating a correct folder of records in which one thing is changed', () => {
  it('finds no problem before the change', () => {
    expect(validateFolder(makeFolder())).toEqual({ ok: true, errors: [], warnings: [] });
  });

  it.each(ERRORS)('finds the error `%s` and no other problem for %s', (rule, _, make, where) => {
    const { ok, errors, warnings } = validateFolder(make());
    expect(errors).toEqual([{ ...where, rule, message: expect.stringMatching(/./) }]);
    expect([ok, warnings]).toEqual([false, []]);
  });

  it.each(WARNINGS)(
    'finds the warning `%s` and no other problem for %s',
    (rule, _, make, where) => {
      const { ok, errors, warnings } = validateFolder(make());
      expect(warnings).toEqual([{ ...where, rule, message: expect.stringMatching(/./) }]);
      expect([ok, errors]).toEqual([true, []]);
    },
  );
});

describe('validating an unusual folder of records', () => {
  it('allows a verdict to cite artifacts of earlier rounds', () => {
    const more = ['attachments/plan.md#L1-L2', 'state/decisions.jsonl#D-1-1'];
    const cited = makeVerdictFolder([makeRef(1, 'critic'), makeRef(2, 'action'), ...more]);
    expect(validateFolder(cited)).toEqual({ ok: true, errors: [], warnings: [] });
  });

  it('gives no warning for cited artifacts whose names are no role', () => {
    const base = makeVerdictFolder([
      'artifacts/round_2/red-team.md#attack-1',
      makeRef(2, 'action'),
    ]);
    const named = withFile(base, 'artifacts/round_2/red-team.md', '# Attack 1\n');
    expect(validateFolder(named).warnings).toEqual([]);
  });

  it('allows rounds without a check for drift from the question if none is due', () => {
    const { driftEvery: _, ...undated } = WHOLE;
    for (const more of [
      { driftEvery: 5, drifts: [] },
      { ...undated, drifts: [] },
    ]) {
      const { warnings } = validateFolder(
        new Map(
          writeFolder({
            records: makeRecordSet({ budget: 8, ...undated, ...more }),
            artifacts: Object.entries(PLACES).map(([seat, text]) => ({ round: 1, seat, text })),
            pages: new Map(),
          }),
        ),
      );
      expect(warnings.map(({ rule }) => rule)).not.toContain('missing-drift');
    }
  });

  it('reads records despite byte order marks, Windows line endings and duplicate keys', () => {
    const spoiled = new Map(
      [...makeFolder()].map(([path, text]) => [path, `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
    );
    expect(readFolder(spoiled).records).toEqual(readFolder(makeFolder()).records);
    expect(validateFolder(spoiled).errors).toEqual([]);
    const cited = withFile(
      makeVerdictFolder([makeRef(2, 'critic'), makeRef(2, 'action'), 'state/claims.jsonl#C-1-1']),
      CLAIMS,
      `\uFEFF${makeFolder().get(CLAIMS)}`,
    );
    expect(validateFolder(cited).errors).toEqual([]);
    const twice = editFile(
      CLAIMS,
      '"status":"pending"',
      '"status":"superseded","status":"pending"',
    );
    expect(readFolder(twice).records.claims).toEqual(WHOLE.claims);
  });

  it('reports as an error which field differs between two lines of one record', () => {
    const text = `${makeFolder().get(CLAIMS)}${JSON.stringify({ ...FIRST, raised_by: 'guardian' })}\n`;
    expect(validateFolder(withFile(makeFolder(), CLAIMS, text)).errors[0]?.message).toBe(
      'raised_by is "guardian" here and "critic" on line 1',
    );
  });
});
