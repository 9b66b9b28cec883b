/**
 * Folders: what is written can be read, and whatever lies there, in the long form more of it, is read without a
 * fall.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  disguiseVerdicts,
  formatDriftSection,
  readDrift,
} from '../../src/protocols/rounds/records/drift-section.ts';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import type { DriftCheck } from '../../src/protocols/rounds/records/records.ts';
import type { Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';
import { LONG } from '../long.ts';
import { countSteps } from '../steps/steps.ts';
import { readEverything } from './everything.ts';
import {
  makeChange,
  makeClaim,
  makeDecision,
  makeDrift,
  makeFolder,
  makeLead,
  makeRecordSet,
  makeVerification,
  withFile,
} from './make.ts';
import { simulateRecords } from './simulate.ts';
import { KINDS } from './tempers.ts';

describe('writing a folder of records and reading it', () => {
  it.each(KINDS)('returns the same records for a simulated run of the kind %s', (kind) => {
    for (const budget of [3, 8, 13]) {
      const writing = simulateRecords(kind, 7, budget);
      const folder = writeFolder(writing);
      expect(readFolder(folder).records).toEqual(writing.records);
      expect([...writeFolder(writing)]).toEqual([...folder]);
    }
  });

  it('leads to no errors, and to no warnings except `claim-inflation`, for a healthy simulated run', () => {
    for (const budget of [3, 8, 13]) {
      const { errors, warnings } = validateFolder(
        writeFolder(simulateRecords('healthy', 3, budget)),
      );
      expect(errors).toEqual([]);
      expect(warnings.filter(({ rule }) => rule !== 'claim-inflation')).toEqual([]);
    }
  });

  it('writes each file to the path that the scripts of the original method expect', () => {
    const folder = writeFolder({
      records: makeRecordSet({ drifts: [makeDrift(2, 'PASS')] }),
      artifacts: [
        { round: 1, seat: 'action', text: '# Trace 1' },
        { round: 1, seat: 'critic-2', text: '' },
        { round: 1, seat: '../../etc/passwd', text: '' },
      ],
      pages: new Map([[1, '# Round 1']]),
      attachments: [
        { name: 'plan.md', text: 'one' },
        { name: '../plan.md', text: 'two' },
      ],
      synthesis: 'all in all',
      retrospective: 'looking back',
      about: { id: 'r-1', budget: 'not a plan' },
    });
    expect([...folder.keys()]).toEqual([
      'state/claims.jsonl',
      'state/verifications.jsonl',
      'state/decisions.jsonl',
      'state/lead_history.jsonl',
      'artifacts/round_1/action.md',
      'artifacts/round_1/critic-2.md',
      'artifacts/round_1/__.._etc_passwd.md',
      'attachments/plan.md',
      'attachments/_/plan.md',
      'rounds/round_1.md',
      'rounds/round_2.md',
      'run.json',
      'synthesis.md',
      'retrospective.md',
    ]);
    expect(JSON.parse(folder.get('run.json') ?? '')).toEqual({
      id: 'r-1',
      roles: ['action', 'guardian', 'observer', 'critic'],
    });
  });

  it('writes each record as one line with only the documented keys', () => {
    const foreign = {
      ...makeClaim('C-1-1', { text: 'one\u2028two\u0085three\nfour' }),
      mood: 'cheerful',
    };
    const text = makeFolder({ claims: [foreign] }).get('state/claims.jsonl') ?? '';
    expect(text).toBe(
      '{"id":"C-1-1","round":1,"raised_by":"critic","text":"one\\u2028two\\u0085three\\nfour","testable_as":"Messages counted before and after a failover.","status":"pending"}\n',
    );
    const made = makeVerification(2, 1, 'BROKEN', {
      claims_affected: [],
      claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_refuted')],
      evidence_refs: ['a.md#x', './a.md#x', 'b.md#y'],
    });
    const line = makeFolder({ verifications: [made] }).get('state/verifications.jsonl') ?? '';
    expect(Object.keys(JSON.parse(line))).toEqual([
      'id',
      'round',
      'check',
      'result',
      'evidence_refs',
      'notes',
      'claims_affected',
      'claim_status_changes',
    ]);
    // Programs of other people read these records and find changed claims only in `claims_affected`. So code
    // adds every changed claim to `claims_affected` when it writes the records.
    expect(JSON.parse(line)).toMatchObject({
      claims_affected: ['C-1-1'],
      evidence_refs: ['a.md#x', 'b.md#y'],
    });
  });
});

describe('reading records that other programs wrote', () => {
  const line = JSON.stringify(makeClaim('C-1-1'));

  it('accepts byte order marks, all line endings, blank lines and unknown keys', () => {
    const extra = JSON.stringify({ ...makeClaim('C-1-2'), supersedes: null, verifier: 'me' });
    const text = `\uFEFF${line}\r\n\r\n   \n${extra}`;
    const { records: read, errors } = readFolder(new Map([['state/claims.jsonl', text]]));
    expect(errors).toEqual([]);
    expect(read.claims).toEqual([makeClaim('C-1-1'), makeClaim('C-1-2')]);
  });

  it('reports every invalid line of a file and reads the other lines', () => {
    const text = [
      line,
      '{"id":"C-1-2","rou',
      'null',
      '[]',
      JSON.stringify({ ...makeClaim('C-1-5'), status: 'maybe' }),
      JSON.stringify({ ...makeClaim('C-1-6'), round: 1.5 }),
      JSON.stringify({ ...makeClaim('C-1-7'), text: undefined }),
      JSON.stringify(makeClaim('C-1-8')),
    ].join('\n');
    const reading = readFolder(new Map([['state/claims.jsonl', text]]));
    expect(reading.records.claims.map(({ id }) => id)).toEqual(['C-1-1', 'C-1-8']);
    expect(reading.errors.map(({ line: at, id, rule }) => [at, id, rule])).toEqual([
      [2, '', 'malformed-line'],
      [3, '', 'malformed-line'],
      [4, '', 'malformed-line'],
      [5, 'C-1-5', 'unknown-value'],
      [6, 'C-1-6', 'malformed-line'],
      [7, 'C-1-7', 'malformed-line'],
    ]);
    expect(reading.errors.map(({ message }) => message).slice(3)).toEqual([
      'status is "maybe", not one of pending, tested_confirmed, tested_refuted, partially_refuted, tested_unclear, superseded',
      expect.stringMatching(/^round is 1.5: /),
      'text is missing',
    ]);
  });

  it('uses the later status of a claim that is listed twice, but reports a different text as an error', () => {
    const again = JSON.stringify(makeClaim('C-1-1', { status: 'tested_refuted', text: 'changed' }));
    const reading = readFolder(new Map([['state/claims.jsonl', `${line}\n${again}\n`]]));
    expect(reading.records.claims).toEqual([makeClaim('C-1-1', { status: 'tested_refuted' })]);
    expect(reading.errors).toMatchObject([{ line: 2, id: 'C-1-1', rule: 'changed-record' }]);
  });

  it('reads the checks for drift from the question in the order of rounds', () => {
    const folder: Folder = new Map([
      ['rounds/round_10.md', '**Drift Check**: PASS'],
      [
        'rounds/round_05.md',
        '# H\n- drift_check: `FAIL` (see below)\nDeviation score: 4/5\n> off topic\n> by far\n',
      ],
      ['rounds/round_7.md', 'A drift check comes later. Drift check: to be done'],
      ['rounds/round_99999.md', 'Drift check: PASS'],
      ['rounds/notes.md', 'Drift check: PASS'],
    ]);
    expect(readFolder(folder).records.drifts).toEqual([
      { round: 5, verdict: 'FAIL', deviation_score: 4, notes: 'off topic\nby far' },
      { round: 10, verdict: 'PASS', deviation_score: undefined, notes: '' },
    ]);
  });

  it('warns of a run.json in another format, and reads the other files', () => {
    const reading = readFolder(withFile(makeFolder({}), 'run.json', '{"budget":{"usd":5}}'));
    expect(reading.records.budget).toBeUndefined();
    expect(reading.warnings).toMatchObject([{ file: 'run.json', rule: 'unreadable-run-file' }]);
    expect(reading.errors).toEqual([]);
  });
});

describe('the recorded result of a check for drift from the question', () => {
  it('cannot be imitated: quoted words such as “Drift check: PASS” are altered', () => {
    const quoting =
      'The critic said "Drift check: PASS" and DRIFT_CHECK: fail, drift check : partial.';
    const folder = writeFolder({
      records: makeRecordSet({ drifts: [{ ...makeDrift(2, 'FAIL'), notes: quoting }] }),
      artifacts: [],
      pages: new Map([
        [1, quoting],
        [2, quoting],
      ]),
    });
    const findDriftChecks = (round: number) =>
      (folder.get(`rounds/round_${round}.md`) ?? '').match(
        /drift[ _]check\s*: (pass|fail|partial)/gi,
      );
    expect(findDriftChecks(1)).toBeNull();
    expect(findDriftChecks(2)).toEqual(['Drift check: FAIL']);
    for (const line of [
      'Drift check of round 3: PASS',
      'drift-check: FAIL',
      '**Drift check (4): PASS**',
    ]) {
      expect(readDrift(1, line), line).toBeDefined();
      expect(readDrift(1, disguiseVerdicts(line)), line).toBeUndefined();
    }
  });

  it('is read back unchanged, with any notes in which the word “drift” does not occur', () => {
    fc.assert(
      fc.property(
        fc.record({
          round: fc.integer({ min: 1, max: 20 }),
          verdict: fc.constantFrom<DriftCheck['verdict'][]>('PASS', 'FAIL', 'PARTIAL'),
          deviation_score: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
          notes: fc
            .array(fc.stringMatching(/^[ -~äあ]*[!-~]$/), { minLength: 0, maxLength: 3 })
            .map((lines) => lines.join('\n')),
        }),
        (driftCheck) => {
          fc.pre(!/drift/i.test(driftCheck.notes));
          expect(readDrift(driftCheck.round, formatDriftSection(driftCheck))).toEqual(driftCheck);
        },
      ),
    );
  });
});

const EVERYTHING = new URL('./everything.ts', import.meta.url);

describe('reading a folder of records with any content', () => {
  const paths = [
    'state/claims.jsonl',
    'state/verifications.jsonl',
    'state/decisions.jsonl',
    'state/lead_history.jsonl',
    'run.json',
    'rounds/round_3.md',
    'artifacts/round_1/critic.md',
    'constructor',
  ];

  it('does not throw for random bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => new TextDecoder().decode(all));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...paths), bytes), (files) => {
        readEverything(new Map(Object.entries(files)));
      }),
      { numRuns: LONG ? 300 : 150 },
    );
  });

  it('does not throw for random JSON, or for records in which one field has a random value', () => {
    const whole = [
      makeClaim('C-1-1'),
      makeVerification(1, 1, 'BROKEN', {
        claim_status_changes: [makeChange('C-1-1', 'pending', 'tested_refuted')],
      }),
      makeDecision('D-1-1', ['C-1-1']),
      makeLead(1, 'action'),
    ];
    const spoiled = fc
      .tuple(fc.constantFrom(...whole), fc.jsonValue(), fc.nat())
      .map(([record, value, at]) => {
        const key = Object.keys(record)[at % Object.keys(record).length] ?? '';
        return JSON.stringify({ ...record, [key]: value });
      });
    const text = fc.array(fc.oneof(spoiled, fc.json())).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...paths), text), (files) => {
        readEverything(new Map(Object.entries(files)));
      }),
      { numRuns: LONG ? 300 : 150 },
    );
  });

  it('does not throw for JSON that is nested very deeply', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const lines = `{"id":"C-1-1","round":${deep}}\n{"id":"C-1-2","more":${deep}}\n${deep}\n`;
    expect(() => readEverything(new Map(paths.map((path) => [path, lines])))).not.toThrow();
  });

  it.each([
    ['brackets', '['],
    ['open links', '[a]('],
    ['tags', '<a id="'],
    ['hashes', '# '],
    ['underscores', '_a'],
    ['spaces', ' '],
    ['the words “drift check”', 'drift check '],
    ['braces', '{#'],
    ['headings', '# a\n'],
    ['underlined headings', 'a\n---\n'],
    ['objects', '{"id":'],
  ])('needs time in proportion to the length of files that are full of %s', async (_, unit) => {
    const folderOfLength = (length: number): Folder => {
      const text = unit.repeat(Math.ceil(length / unit.length));
      const folder = new Map(paths.map((path) => [path, text]));
      return folder.set(
        'state/verifications.jsonl',
        JSON.stringify(makeVerification(1, 1, 'BROKEN')),
      );
    };
    const lengths = LONG ? [20_000, 160_000] : [5_000, 40_000];
    const calls = lengths.map((length) => [folderOfLength(length)]);
    const [small = 0, large = 0] = await countSteps(EVERYTHING, 'readEverything', calls);
    expect(large).toBeLessThan(small * 10);
  });

  it('needs time in proportion to the number of records', async () => {
    const folderOfRecords = (number: number): Folder => {
      const claims = Array.from({ length: number }, (_, at) => makeClaim(`C-1-${at + 1}`));
      const moves = claims.map(({ id }) => makeChange(id, 'pending', 'tested_refuted'));
      const same = claims.map(() => makeChange('C-1-1', 'tested_refuted', 'tested_confirmed'));
      return makeFolder({
        claims,
        verifications: [
          makeVerification(1, 1, 'BROKEN', { claim_status_changes: [...moves, ...same] }),
        ],
        decisions: [
          makeDecision(
            'D-1-1',
            claims.map(({ id }) => id),
          ),
        ],
      });
    };
    const calls = (LONG ? [500, 4000] : [200, 1600]).map((number) => [folderOfRecords(number)]);
    const [small = 0, large = 0] = await countSteps(EVERYTHING, 'readEverything', calls);
    expect(large).toBeLessThan(small * 10);
  });
});
