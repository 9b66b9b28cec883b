/**
 * A folder of records under edition 2 of the rules, which is valid and in which claims are decided on every
 * basis.
 */
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';
import {
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeLead,
  makeRecordSet,
  makeVerification,
} from './make.ts';

/** The path of the attached plan in the folders that `makeGroundedFolder` returns. */
export const PLAN = 'attachments/plan.md';
const PLAN_TEXT = [
  '# Failover',
  'The standby may lag by **five seconds**.',
  'A write is acknowledged before it is',
  'copied to the standby.',
  'Nobody is on call between midnight and six.',
].join('\n');

const ARTIFACTS = {
  action: ['Trace 1', 'Self-score'],
  guardian: ['Invariant', 'Verdict'],
  observer: ['Step 1', 'Goal reached'],
  critic: ['Attack 1', 'Verdict'],
} as const;

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;
/** The records of a deliberation with all fields writable, so that a test can change them. */
export type WritableRecords = Mutable<Records>;

const reader = 'ollama/reader';

function makeFinding(
  round: number,
  about: string,
  finding: 'true_in_text' | 'false_in_text' | 'absent',
  second: 'true' | 'false',
) {
  const sought = finding === 'absent' ? ['rollback', 'way back', 'undo'] : [];
  const said = { finding, second, sought, quotes: [], counts: true, why: 'both looks agree' };
  return { kind: 'finding', round, claim: about, model: reader, ...said } as const;
}

const LAGS = { text: 'the standby may lag by five seconds', ref: `${PLAN}#L2` };
const EARLY = { text: 'acknowledged before it is copied', ref: `${PLAN}#L3-L4` };
const NIGHT = { text: 'Nobody is on call between midnight and six', ref: `${PLAN}#L5` };

const formatLineRef = (number: number) => `state/claims.jsonl#L${number}`;
const upholds = { stance: 'upholds', bearing: 'whole' } as const;
const attacks = { stance: 'attacks', bearing: 'whole' } as const;

function makeDraft(): WritableRecords {
  return structuredClone({
    ...makeRecordSet({ budget: 3, rules: 2, completed: [1, 2], driftEvery: 2 }),
    claims: [
      makeClaim('C-1-1', { text: 'The standby lags.', status: 'tested_confirmed' }),
      makeClaim('C-1-2', { text: 'No write is lost.', status: 'tested_refuted' }),
      makeClaim('C-1-3', { text: 'There is a way back.', status: 'tested_refuted' }),
      makeClaim('C-1-4', { raised_by: 'observer', text: 'It is slow.', status: 'superseded' }),
      makeClaim('C-1-5', { text: 'Somebody watches.', status: 'superseded' }),
      makeClaim('C-2-1', { text: 'It is  slow!', supersedes: 'C-1-4' }),
      makeClaim('C-2-2', {
        text: 'Nobody watches.',
        status: 'tested_confirmed',
        supersedes: 'C-1-5',
      }),
      makeClaim('C-2-3', { text: 'It takes 5 s.', status: 'tested_confirmed' }),
    ].map((entry) => (entry.status === 'superseded' ? { ...entry, superseded_in: 2 } : entry)),
    verifications: [
      makeVerification(1, 1, 'BROKEN', {
        claim_status_changes: [
          makeChange('C-1-5', 'pending', 'tested_confirmed', { ...attacks, basis: 'argued' }),
        ],
      }),
      makeVerification(1, 2, 'ROBUST'),
      makeVerification(1, 3, 'UNCLEAR'),
      makeVerification(1, 4, 'NOT_APPLICABLE'),
      makeReading(
        1,
        [LAGS.ref, EARLY.ref, formatLineRef(1), formatLineRef(2), formatLineRef(3)],
        [
          makeChange('C-1-1', 'pending', 'tested_confirmed', {
            ...upholds,
            ...makeReadGround([LAGS], 1),
          }),
          makeChange('C-1-2', 'pending', 'tested_refuted', {
            ...attacks,
            ...makeReadGround([EARLY], 2),
          }),
          makeChange('C-1-3', 'pending', 'tested_refuted', {
            ...attacks,
            ...makeReadGround([], 3),
          }),
        ],
      ),
      makeVerification(2, 1, 'NOT_APPLICABLE', { degraded: 'it cites nothing that exists' }),
      makeVerification(2, 2, 'ROBUST'),
      makeVerification(2, 3, 'ROBUST'),
      makeVerification(2, 4, 'ROBUST', {
        evidence_refs: ['artifacts/round_2/action.md#trace-1', 'state/decisions.jsonl#D-1-1'],
      }),
      makeReading(
        2,
        [NIGHT.ref, formatLineRef(7)],
        [
          makeChange('C-2-2', 'pending', 'tested_confirmed', {
            ...upholds,
            ...makeReadGround([NIGHT], 7),
          }),
        ],
      ),
      makeVerification(2, 1, 'ROBUST', {
        id: 'V-2-6',
        check: 'conceded',
        evidence_refs: [formatLineRef(4), 'artifacts/round_2/observer.md#step-1'],
        claim_status_changes: [
          makeChange('C-1-4', 'pending', 'tested_unclear', {
            basis: 'conceded',
            why: 'taken back',
          }),
        ],
      }),
      makeVerification(2, 1, 'ROBUST', {
        id: 'V-2-7',
        check: 'executed_test',
        evidence_refs: ['evidence/E-2-1.md#command', 'evidence/E-2-1.md#result'],
        claim_status_changes: [
          makeChange('C-2-3', 'pending', 'tested_confirmed', { ...upholds, basis: 'executed' }),
        ],
      }),
    ],
    decisions: [makeDecision('D-1-1', ['C-1-1']), makeDecision('D-2-1', ['D-1-1', 'C-2-2'])],
    leads: [makeLead(1, 'action'), makeLead(2, 'guardian')],
    drifts: [makeDrift(2, 'PASS')],
    readings: [
      {
        kind: 'entrance',
        model: reader,
        passed: true,
        source: 'held',
        items: 24,
        errors: 1,
        called_true: 0,
      },
      makeFinding(1, 'C-1-1', 'true_in_text', 'true'),
      makeFinding(1, 'C-1-2', 'false_in_text', 'false'),
      makeFinding(1, 'C-1-3', 'absent', 'false'),
      makeFinding(2, 'C-2-2', 'true_in_text', 'true'),
    ],
    refusals: [
      { round: 1, kind: 'claim', by: 'critic', text: 'It is bad.', why: 'nothing shows it false' },
    ],
  } as const) as unknown as WritableRecords;
}

function makeReading(
  round: number,
  evidence_refs: readonly string[],
  claim_status_changes: readonly ReturnType<typeof makeChange>[],
) {
  const more = { id: `V-${round}-5`, check: 'settled_by_reading', evidence_refs } as const;
  return makeVerification(round, 1, 'ROBUST', {
    ...more,
    claim_status_changes,
    claims_affected: claim_status_changes.map(({ claim_id }) => claim_id),
  });
}

function makeReadGround(quotes: { text: string; ref: string }[], at: number) {
  const refs = [...quotes.map(({ ref }) => ref), formatLineRef(at)];
  return { basis: 'read', refs, quotes, why: 'the text says so' } as const;
}

/**
 * Returns a valid folder of records, as file texts by path. It holds two rounds under edition 2 of the rules,
 * in which claims are argued, read, conceded and executed. If `edit` is given, it changes the records first.
 */
export function makeGroundedFolder(edit?: (draft: WritableRecords) => void): Map<string, string> {
  const some = makeDraft();
  edit?.(some);
  return new Map(
    writeFolder({
      records: some as Records,
      artifacts: [1, 2].flatMap((round) =>
        Object.entries(ARTIFACTS).map(([seat, parts]) => ({
          round,
          seat,
          text: ['# As it is', ...parts.map((part) => `## ${part}\n\nAs it happened.`)].join(
            '\n\n',
          ),
        })),
      ),
      pages: new Map([1, 2].map((round) => [round, `# Round ${round}`])),
      attachments: [{ name: 'plan.md', text: PLAN_TEXT }],
      evidence: new Map([['evidence/E-2-1.md', '## Command\n\n## Result\n']]),
    }),
  );
}
