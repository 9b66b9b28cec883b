/** What only the second rules ask for: for each one folder that breaks it, and says nothing else. */
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import { deriveContext } from '../../src/protocols/rounds/records/rules/context.ts';
import { checkFallenGrounds } from '../../src/protocols/rounds/records/rules/fallen.ts';
import type {
  Folder,
  StatusChange,
  Verification,
} from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { makeGroundedFolder, PLAN, type WritableRecords } from './grounded.ts';
import { makeChange, withFile } from './make.ts';

const CLAIMS = 'state/claims.jsonl';
const VERIFICATIONS = 'state/verifications.jsonl';
const READINGS = 'state/readings.jsonl';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function getVerdict(draft: WritableRecords, id: string): Mutable<Verification> {
  const verdict = draft.verifications.find((each) => each.id === id);
  if (verdict === undefined) throw new Error(id);
  return verdict as Mutable<Verification>;
}

function changeOf(draft: WritableRecords, id: string, claim: string): Mutable<StatusChange> {
  const change = getVerdict(draft, id).claim_status_changes?.find(
    ({ claim_id }) => claim_id === claim,
  );
  if (change === undefined) throw new Error(`${id} ${claim}`);
  return change;
}

function claimOf(draft: WritableRecords, id: string): WritableRecords['claims'][number] {
  const claim = draft.claims.find((each) => each.id === id);
  if (claim === undefined) throw new Error(id);
  return claim;
}

function findingOf(draft: WritableRecords, claim: string) {
  for (const reading of draft.readings ?? [])
    if (reading.kind === 'finding' && reading.claim === claim) return reading;
  throw new Error(claim);
}

function makePlace(file: string, line = 0, id = '') {
  return { file, line, id };
}

const V = {
  'V-1-1': makePlace(VERIFICATIONS, 1, 'V-1-1'),
  'V-1-2': makePlace(VERIFICATIONS, 2, 'V-1-2'),
  'V-1-5': makePlace(VERIFICATIONS, 5, 'V-1-5'),
  'V-2-1': makePlace(VERIFICATIONS, 6, 'V-2-1'),
  'V-2-5': makePlace(VERIFICATIONS, 10, 'V-2-5'),
  'V-2-6': makePlace(VERIFICATIONS, 11, 'V-2-6'),
} as const;

type Row = readonly [
  rule: string,
  what: string,
  edit: (draft: WritableRecords) => void,
  where: ReturnType<typeof makePlace>,
];

const ERRORS: readonly Row[] = [
  [
    'wrong-basis',
    'a reading whose basis is given as argued',
    (draft) => {
      changeOf(draft, 'V-1-5', 'C-1-1').basis = 'argued';
    },
    V['V-1-5'],
  ],
  [
    'wrong-basis',
    'a status change without a basis',
    (draft) => {
      changeOf(draft, 'V-1-1', 'C-1-5').basis = undefined;
    },
    V['V-1-1'],
  ],
  [
    'wrong-basis',
    'a verdict of a check whose basis is given as executed',
    (draft) => {
      changeOf(draft, 'V-1-1', 'C-1-5').basis = 'executed';
      // The claim C-1-5 gets the basis `executed`, and a claim with this basis cannot be superseded. So this
      // edit also removes the note that C-2-2 supersedes C-1-5, to leave a single error.
      claimOf(draft, 'C-1-5').status = 'tested_confirmed';
      claimOf(draft, 'C-2-2').supersedes = undefined;
    },
    V['V-1-1'],
  ],
  [
    'illegal-transition',
    'a status change by check 3, which can decide no claim',
    (draft) => {
      const verdict = getVerdict(draft, 'V-2-3');
      verdict.claim_status_changes = [
        makeChange('C-2-1', 'pending', 'tested_confirmed', {
          stance: 'upholds',
          bearing: 'whole',
          basis: 'argued',
        }),
      ];
      verdict.claims_affected = ['C-2-1'];
      claimOf(draft, 'C-2-1').status = 'tested_confirmed';
    },
    makePlace(VERIFICATIONS, 8, 'V-2-3'),
  ],
  [
    'illegal-transition',
    'a status change by an UNCLEAR verdict',
    (draft) => {
      getVerdict(draft, 'V-1-1').result = 'UNCLEAR';
    },
    V['V-1-1'],
  ],
  [
    'illegal-transition',
    'a status change by a verdict on a part of the claim',
    (draft) => {
      const change = changeOf(draft, 'V-1-1', 'C-1-5');
      change.bearing = 'part';
      change.to = 'tested_unclear';
    },
    V['V-1-1'],
  ],
  [
    'illegal-transition',
    'a claim confirmed by a verdict that refutes the claim',
    (draft) => {
      changeOf(draft, 'V-1-1', 'C-1-5').stance = 'upholds';
    },
    V['V-1-1'],
  ],
  [
    'illegal-transition',
    'a status change that does not say which side the claim takes',
    (draft) => {
      changeOf(draft, 'V-1-1', 'C-1-5').stance = undefined;
    },
    V['V-1-1'],
  ],
  [
    'illegal-transition',
    'a reading with the result BROKEN',
    (draft) => {
      getVerdict(draft, 'V-2-5').result = 'BROKEN';
    },
    V['V-2-5'],
  ],
  [
    'illegal-transition',
    'a withdrawal that refutes the claim',
    (draft) => {
      changeOf(draft, 'V-2-6', 'C-1-4').to = 'tested_refuted';
    },
    V['V-2-6'],
  ],
  [
    'weak-ground',
    'a claim decided by reading and then refuted by argument',
    (draft) => {
      const verdict = getVerdict(draft, 'V-2-2');
      const more = { stance: 'attacks', bearing: 'whole', basis: 'argued' } as const;
      verdict.claim_status_changes = [
        makeChange('C-1-1', 'tested_confirmed', 'tested_refuted', more),
      ];
      verdict.claims_affected = ['C-1-1'];
      claimOf(draft, 'C-1-1').status = 'tested_refuted';
    },
    makePlace(VERIFICATIONS, 7, 'V-2-2'),
  ],
  [
    'weak-ground',
    'a claim decided by reading and then refuted by a reading of other words',
    (draft) => {
      const verdict = getVerdict(draft, 'V-2-5');
      const again = { text: 'The standby may lag by five', ref: `${PLAN}#L1-L2` };
      verdict.evidence_refs = [...verdict.evidence_refs, again.ref, `${CLAIMS}#L1`];
      verdict.claims_affected = [...verdict.claims_affected, 'C-1-1'];
      verdict.claim_status_changes = [
        ...(verdict.claim_status_changes ?? []),
        makeChange('C-1-1', 'tested_confirmed', 'tested_refuted', {
          stance: 'attacks',
          bearing: 'whole',
          basis: 'read',
          quotes: [again],
        }),
      ];
      claimOf(draft, 'C-1-1').status = 'tested_refuted';
      const finding = findingOf(draft, 'C-1-1');
      draft.readings?.push({ ...finding, round: 2, finding: 'false_in_text', second: 'false' });
    },
    V['V-2-5'],
  ],
  [
    'wrong-role',
    'a claim withdrawn by another seat than the one that raised the claim',
    (draft) => {
      getVerdict(draft, 'V-2-6').evidence_refs = [
        `${CLAIMS}#L4`,
        'artifacts/round_2/guardian.md#invariant',
      ];
    },
    V['V-2-6'],
  ],
  [
    'degraded-evidence',
    'a rejected verdict that still has a result',
    (draft) => {
      getVerdict(draft, 'V-1-2').degraded = 'it cites nothing that exists';
    },
    V['V-1-2'],
  ],
  [
    'degraded-evidence',
    'a rejected verdict that still cites a place',
    (draft) => {
      getVerdict(draft, 'V-2-1').evidence_refs = ['artifacts/round_2/critic.md#attack-1'];
    },
    V['V-2-1'],
  ],
  [
    'wrong-line',
    'a reading that cites the line of another claim',
    (draft) => {
      getVerdict(draft, 'V-2-5').evidence_refs = [`${PLAN}#L5`, `${CLAIMS}#L7`, `${CLAIMS}#L6`];
    },
    V['V-2-5'],
  ],
  [
    'wrong-line',
    'a reading that does not cite the line of its claim',
    (draft) => {
      getVerdict(draft, 'V-2-5').evidence_refs = [`${PLAN}#L5`, `${PLAN}#L2`];
      changeOf(draft, 'V-2-5', 'C-2-2').refs = [`${PLAN}#L5`];
    },
    V['V-2-5'],
  ],
  [
    'uncited-ref',
    'a status change that cites a place which its verification does not cite',
    (draft) => {
      changeOf(draft, 'V-2-5', 'C-2-2').refs = [`${PLAN}#L5`, `${PLAN}#L1`];
    },
    V['V-2-5'],
  ],
  [
    'no-quotation',
    'a reading without a quotation',
    (draft) => {
      changeOf(draft, 'V-2-5', 'C-2-2').quotes = [];
    },
    V['V-2-5'],
  ],
  [
    'no-quotation',
    'a finding “absent” after a search for only two different words',
    (draft) => {
      findingOf(draft, 'C-1-3').sought = ['rollback', 'rollback', 'undo', '…'];
    },
    V['V-1-5'],
  ],
  [
    'false-quotation',
    'a quotation whose words occur nowhere',
    (draft) => {
      const [quote] = changeOf(draft, 'V-2-5', 'C-2-2').quotes ?? [];
      if (quote !== undefined) (quote as { text: string }).text = 'Nobody is on call at noon';
    },
    V['V-2-5'],
  ],
  [
    'false-quotation',
    'a quotation whose words occur on another line',
    (draft) => {
      const [quote] = changeOf(draft, 'V-1-5', 'C-1-1').quotes ?? [];
      if (quote !== undefined) (quote as { text: string }).text = 'Nobody is on call';
    },
    V['V-1-5'],
  ],
  [
    'false-quotation',
    'a quotation of two words',
    (draft) => {
      const [quote] = changeOf(draft, 'V-1-5', 'C-1-1').quotes ?? [];
      if (quote !== undefined) (quote as { text: string }).text = 'the standby';
    },
    V['V-1-5'],
  ],
  [
    'false-quotation',
    'a quotation from an artifact',
    (draft) => {
      const change = changeOf(draft, 'V-1-5', 'C-1-1');
      const quote = { text: 'as it is', ref: 'artifacts/round_1/critic.md#L1' };
      change.quotes = [quote];
      getVerdict(draft, 'V-1-5').evidence_refs = [
        ...getVerdict(draft, 'V-1-5').evidence_refs,
        quote.ref,
      ];
    },
    V['V-1-5'],
  ],
  [
    'found-word',
    'a finding “absent” although a searched word is in the text',
    (draft) => {
      findingOf(draft, 'C-1-3').sought = ['rollback', 'undo', 'NIGHT', 'Midnight'];
    },
    V['V-1-5'],
  ],
  [
    'no-finding',
    'a reading without a finding',
    (draft) => {
      draft.readings = draft.readings?.filter(
        (reading) => !('claim' in reading && reading.claim === 'C-1-2'),
      );
    },
    V['V-1-5'],
  ],
  [
    'no-finding',
    'a reading whose finding does not count',
    (draft) => {
      findingOf(draft, 'C-1-2').counts = false;
    },
    V['V-1-5'],
  ],
  [
    'no-finding',
    'a reading whose finding says something else',
    (draft) => {
      findingOf(draft, 'C-1-2').finding = 'partly';
    },
    V['V-1-5'],
  ],
  [
    'no-second-look',
    'a finding without a second look',
    (draft) => {
      findingOf(draft, 'C-1-2').second = undefined;
    },
    V['V-1-5'],
  ],
  [
    'no-second-look',
    'a finding with which the second look disagrees',
    (draft) => {
      findingOf(draft, 'C-1-2').second = 'undecided';
    },
    V['V-1-5'],
  ],
  [
    'no-entrance',
    'a finding of a model that never took the reading test',
    (draft) => {
      findingOf(draft, 'C-1-2').model = 'ollama/other';
    },
    V['V-1-5'],
  ],
  [
    'weak-superseder',
    'a superseding claim that is pending',
    (draft) => {
      claimOf(draft, 'C-2-1').supersedes = 'C-1-5';
      claimOf(draft, 'C-2-2').supersedes = undefined;
      claimOf(draft, 'C-1-4').status = 'tested_unclear';
    },
    makePlace(CLAIMS, 5, 'C-1-5'),
  ],
  [
    'weak-superseder',
    'a superseding claim whose basis is no stronger',
    (draft) => {
      claimOf(draft, 'C-2-2').supersedes = 'C-1-1';
      claimOf(draft, 'C-1-5').status = 'tested_confirmed';
      claimOf(draft, 'C-1-1').status = 'superseded';
      claimOf(draft, 'C-1-1').superseded_in = 2;
    },
    makePlace(CLAIMS, 1, 'C-1-1'),
  ],
  [
    'weak-superseder',
    'a superseding claim that got its stronger basis in a later round',
    (draft) => {
      const verdict = getVerdict(draft, 'V-2-5');
      draft.verifications = draft.verifications.filter(({ id }) => id !== 'V-2-5');
      draft.verifications.push({
        ...verdict,
        id: 'V-3-5',
        round: 3,
      } as WritableRecords['verifications'][number]);
      findingOf(draft, 'C-2-2').round = 3;
    },
    makePlace(CLAIMS, 5, 'C-1-5'),
  ],
  [
    'weak-superseder',
    'a withdrawn claim that the same seat raises again',
    (draft) => {
      claimOf(draft, 'C-2-1').raised_by = 'observer';
    },
    makePlace(CLAIMS, 4, 'C-1-4'),
  ],
  [
    'illegal-transition',
    'a claim that was superseded while pending',
    (draft) => {
      const verdict = getVerdict(draft, 'V-1-1');
      verdict.claim_status_changes = [];
      verdict.claims_affected = ['C-1-5'];
    },
    makePlace(CLAIMS, 5, 'C-1-5'),
  ],
  [
    'unknown-claim',
    'a claim that challenges an unknown claim',
    (draft) => {
      claimOf(draft, 'C-2-1').challenges = 'C-9-9';
    },
    makePlace(CLAIMS, 6, 'C-2-1'),
  ],
  [
    'unknown-claim',
    'a finding about an unknown claim',
    (draft) => {
      draft.readings?.push({ ...findingOf(draft, 'C-1-2'), claim: 'C-9-9', counts: false });
    },
    makePlace(READINGS, 6, 'C-9-9'),
  ],
  [
    'unknown-claim',
    'a decision on condition of a test of an unknown claim',
    (draft) => {
      const [first] = draft.decisions;
      if (first !== undefined) first.conditions = ['C-9-9'];
    },
    makePlace('state/decisions.jsonl', 1, 'D-1-1'),
  ],
  [
    'one-sided',
    'a verdict that cites one side only by its title',
    (draft) => {
      getVerdict(draft, 'V-1-2').evidence_refs = [
        'artifacts/round_1/guardian.md#as-it-is',
        'artifacts/round_1/observer.md#step-1',
      ];
    },
    V['V-1-2'],
  ],
  [
    'one-sided',
    'a verdict that cites one side only by its own verdict, as heading and as lines',
    (draft) => {
      getVerdict(draft, 'V-1-2').evidence_refs = [
        'artifacts/round_1/guardian.md#verdict',
        'artifacts/round_1/guardian.md#L7-L9',
        'artifacts/round_1/observer.md#step-1',
      ];
    },
    V['V-1-2'],
  ],
  [
    'one-sided',
    'a verdict that cites one side only by its self-score',
    (draft) => {
      getVerdict(draft, 'V-1-1').evidence_refs = [
        'artifacts/round_1/action.md#self-score',
        'artifacts/round_1/critic.md#attack-1',
      ];
    },
    V['V-1-1'],
  ],
  [
    'one-sided',
    'a verdict that cites one side only as a whole file',
    (draft) => {
      getVerdict(draft, 'V-1-1').evidence_refs = [
        'artifacts/round_1/action.md',
        'artifacts/round_1/critic.md#attack-1',
      ];
    },
    V['V-1-1'],
  ],
  [
    'missing-check',
    'a complete round without its third check',
    (draft) => {
      draft.verifications = draft.verifications.filter(({ id }) => id !== 'V-2-3');
    },
    makePlace(VERIFICATIONS),
  ],
  [
    'missing-lead',
    'a complete round without a lead',
    (draft) => {
      draft.leads = draft.leads.slice(0, 1);
    },
    makePlace('state/lead_history.jsonl'),
  ],
  [
    'untraced-status',
    'a status without the status change that led to it',
    (draft) => {
      getVerdict(draft, 'V-2-2').claims_affected = ['C-2-1'];
      claimOf(draft, 'C-2-1').status = 'tested_confirmed';
    },
    makePlace(CLAIMS, 6, 'C-2-1'),
  ],
  [
    'stale-status',
    'a decided claim whose status was set back to pending',
    (draft) => {
      claimOf(draft, 'C-1-1').status = 'pending';
    },
    makePlace(CLAIMS, 1, 'C-1-1'),
  ],
];

function rulesOf(folder: Folder) {
  const { errors, warnings } = validateFolder(folder);
  return [...errors, ...warnings].map(({ rule }) => rule);
}

describe('validating a folder of records of a run under edition 2 of the rules', () => {
  it('finds no problems if every status has a valid basis: argued, read, executed or conceded', () => {
    expect(validateFolder(makeGroundedFolder())).toEqual({ ok: true, errors: [], warnings: [] });
  });

  it('reads findings, refusals and the edition of the rules from their files', () => {
    const { records } = readFolder(makeGroundedFolder());
    expect(records).toMatchObject({ rules: 2, completed: [1, 2], documents: true });
    expect(records.readings?.map(({ kind }) => kind)).toEqual([
      'entrance',
      ...Array(4).fill('finding'),
    ]);
    expect(records.refusals).toHaveLength(1);
    const bare = makeGroundedFolder((draft) => {
      draft.readings = [];
      draft.refusals = [];
    });
    expect(readFolder(bare).records).toMatchObject({ readings: [], refusals: [] });
    expect(
      readFolder(withFile(makeGroundedFolder(), READINGS, '{"kind":"finding"}')).errors,
    ).toMatchObject([{ file: READINGS, line: 1, rule: 'malformed-line' }]);
  });

  it.each(ERRORS)('finds the error `%s` and no other for %s', (rule, _, edit, where) => {
    const { ok, errors } = validateFolder(makeGroundedFolder(edit));
    expect(errors).toEqual([{ ...where, rule, message: expect.stringMatching(/./) }]);
    expect(ok).toBe(false);
  });

  it('reports a missing edition number, and then applies none of the rules of edition 2', () => {
    const editDraft = (draft: WritableRecords) => {
      draft.rules = undefined;
      changeOf(draft, 'V-1-5', 'C-1-1').basis = 'argued';
    };
    expect(rulesOf(makeGroundedFolder(editDraft))).toEqual(['unknown-rules']);
  });
});

describe('validating against edition 2 of the rules', () => {
  const lawful: readonly (readonly [string, (draft: WritableRecords) => void])[] = [
    [
      'a change to the same status on a stronger basis',
      (draft) => {
        const verdict = getVerdict(draft, 'V-2-7');
        verdict.claim_status_changes = [
          makeChange('C-1-1', 'tested_confirmed', 'tested_confirmed', {
            stance: 'upholds',
            bearing: 'whole',
            basis: 'executed',
          }),
        ];
        verdict.claims_affected = ['C-1-1'];
        claimOf(draft, 'C-2-3').status = 'pending';
      },
    ],
    [
      'a missing check for drift from the question whose call failed',
      (draft) => {
        draft.driftEvery = 1;
        const said = { text: 'round-1/H/drift', why: 'HTTP 500' };
        draft.refusals?.push({ round: 1, kind: 'call', by: 'verifier', ...said });
      },
    ],
    [
      'a check for drift from the question that the last round has not reached',
      (draft) => {
        draft.drifts = [];
      },
    ],
    [
      'a claim decided by two verdicts, with the cited places of both',
      (draft) => {
        const both = ['V-1-1', 'V-1-2'].flatMap((id) => getVerdict(draft, id).evidence_refs);
        changeOf(draft, 'V-1-1', 'C-1-5').refs = both;
      },
    ],
    [
      'a second reading of a disputed claim that cites the quotations of both sides',
      (draft) => {
        const quotes = [
          { text: 'the standby may lag by five seconds', ref: `${PLAN}#L2` },
          { text: 'Nobody is on call', ref: `${PLAN}#L5` },
        ];
        const verdict = getVerdict(draft, 'V-2-5');
        verdict.evidence_refs = [...verdict.evidence_refs, `${PLAN}#L2`, `${CLAIMS}#L1`];
        verdict.claims_affected = [...verdict.claims_affected, 'C-1-1'];
        verdict.claim_status_changes = [
          ...(verdict.claim_status_changes ?? []),
          makeChange('C-1-1', 'tested_confirmed', 'tested_refuted', {
            stance: 'attacks',
            bearing: 'whole',
            basis: 'read',
            quotes,
          }),
        ];
        claimOf(draft, 'C-1-1').status = 'tested_refuted';
        const finding = findingOf(draft, 'C-1-1');
        draft.readings?.push({ ...finding, round: 2, finding: 'false_in_text', second: 'false' });
      },
    ],
    [
      'a claim decided by argument where there is no text and no reading test',
      (draft) => {
        draft.readings = [];
        draft.verifications = draft.verifications.filter(({ id }) => !/^V-.-5$/.test(id));
        draft.claims = draft.claims.filter(({ id }) => /^C-1-[1234]$/.test(id));
        for (const claim of draft.claims) claim.status = 'pending';
        draft.decisions = [];
        const verdict = getVerdict(draft, 'V-1-1');
        verdict.claim_status_changes = [
          { ...changeOf(draft, 'V-1-1', 'C-1-5'), claim_id: 'C-1-1' },
        ];
        verdict.claims_affected = ['C-1-1'];
        claimOf(draft, 'C-1-1').status = 'tested_confirmed';
        getVerdict(draft, 'V-2-4').evidence_refs = [
          'artifacts/round_2/action.md#trace-1',
          'artifacts/round_1/action.md#trace-1',
        ];
        draft.verifications = draft.verifications.filter(({ id }) => !/^V-2-[67]$/.test(id));
      },
    ],
  ];

  it.each(lawful)('reports no error for %s', (what, edit) => {
    const folder = makeGroundedFolder(edit);
    if (what.includes('no text')) folder.delete(PLAN);
    const { warnings, ...found } = validateFolder(folder);
    expect(found).toEqual({ ok: true, errors: [] });
    // Leave out the warning that a decision has lost its grounds, which other tests cover.
    expect(warnings.filter(({ rule }) => rule !== 'fallen-ground')).toEqual([]);
  });

  it('reports a claim decided by argument if the reading test was failed, or left out despite documents', () => {
    const third = lawful.at(-1);
    expect(rulesOf(makeGroundedFolder(third?.[1]))).toEqual(['no-entrance']);
    const failed = makeGroundedFolder((draft) => {
      third?.[1](draft);
      const figures = { items: 24, errors: 9, called_true: 4 };
      draft.readings = [
        { kind: 'entrance', model: 'ollama/a', passed: false, source: 'held', ...figures },
      ];
    });
    failed.delete(PLAN);
    expect(rulesOf(failed)).toEqual(['no-entrance']);
  });

  it.each([
    [
      'a missing check for drift from the question in a round before the last',
      (draft: WritableRecords) => {
        draft.driftEvery = 1;
      },
      { ...makePlace('rounds/round_1.md'), rule: 'missing-drift' },
    ],
    [
      'a withdrawn claim that another seat raises again in other words',
      (draft: WritableRecords) => {
        claimOf(draft, 'C-2-1').text = 'It is fast.';
      },
      { ...makePlace(CLAIMS, 6, 'C-2-1'), rule: 'reworded-adoption' },
    ],
    [
      'a withdrawn claim that a decision rests on',
      (draft: WritableRecords) => {
        draft.decisions[0]?.cites.push({ type: 'claim', id: 'C-1-4', relation: 'supported-by' });
      },
      { ...V['V-2-6'], rule: 'relied-on' },
    ],
  ])('warns of %s', (_, edit, expected) => {
    const { ok, warnings } = validateFolder(makeGroundedFolder(edit));
    expect(ok).toBe(true);
    expect(warnings.filter(({ rule }) => rule !== 'fallen-ground')).toMatchObject([expected]);
  });

  it('warns of a finding that is marked as decisive, although no status change is recorded for it', () => {
    const folder = makeGroundedFolder((draft) => {
      draft.readings?.push({ ...findingOf(draft, 'C-1-1'), claim: 'C-2-1', round: 2 });
    });
    const { ok, warnings } = validateFolder(folder);
    expect(ok).toBe(true);
    expect(warnings).toMatchObject([
      { ...makePlace(READINGS, 6, 'C-2-1'), rule: 'unlisted-finding' },
    ]);
  });
});

describe('checkFallenGrounds, which warns of decisions whose grounds no longer hold,', () => {
  it('lists the lost grounds of a decision, but skips overturned decisions', () => {
    const folder = makeGroundedFolder();
    const reading = readFolder(folder);
    const [first, second] = reading.records.decisions;
    if (first === undefined || second === undefined) throw new Error('it has two decisions');
    const lost = [
      { id: 'C-1-1', why: 'C-1-1 is refuted' },
      { id: 'V-2-1', why: 'V-2-1 could not stand' },
    ];
    const warnings = checkFallenGrounds(deriveContext(folder, reading), [
      { decision: first, standing: 'fallen', fallen: lost },
      { decision: second, standing: 'overturned', fallen: lost },
    ]);
    expect([...warnings]).toEqual([
      {
        ...makePlace('state/decisions.jsonl', 1, 'D-1-1'),
        rule: 'fallen-ground',
        message: 'its ground has fallen: C-1-1 is refuted; V-2-1 could not stand',
      },
    ]);
  });
});
