/** The report of rounds and the retrospective: a role that stayed silent, a claim that was read, a fallen ground. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { getRecordsFolder } from '../../src/protocols/rounds/desk/folder.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { makeSynthesisFact } from '../store/bodies.ts';
import * as reports from './reports.ts';
import * as texts from './texts.ts';

const makeLog = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, index) => ({
    ...body,
    run: 'r',
    seq: index + 1,
    at: '2026-01-01T00:00:00.000Z',
  }));

const ROLES = ['action', 'guardian', 'observer', 'critic'];
const QUOTE = { text: 'One node carries 800 writes a second.', ref: 'attachments/plan.md#L2' };

function makeRun(passed: boolean): Fact[] {
  return makeLog(
    fact('run.started', {
      protocol: 'rounds',
      question: 'Can it carry the peak?',
      seats: ROLES.map((id) => ({ ...makeSeat(id), title: id })),
      config: {
        verifier: 'v',
        rounds: 1,
        stress: {},
        driftEvery: 2,
        stopAt: 'never',
        seed: 1,
        respond: 'report',
        rules: 2,
        attachments: [{ name: 'plan.md', text: 'a\nb' }],
      },
      request: { kind: 'convene' },
    }),
    fact('reader.examined', {
      model: 'house/reader',
      passed,
      items: 24,
      errors: 9,
      called_true: 6,
      source: 'held',
      why: '',
    }),
    fact('round.started', { round: 1, lead: 'action' }),
    ...(['action', 'guardian', 'observer'] as const).map((role) =>
      fact('artifact.produced', {
        round: 1,
        role,
        path: `artifacts/round_1/${role}.md`,
        markdown: '# T',
        step: 's',
      }),
    ),
    fact('claim.raised', {
      id: 'C-1-1',
      round: 1,
      raised_by: 'guardian',
      text: 'One node carries the peak.',
      testable_as: 'Add it up.',
      decided_by: 'reading',
      says: 'holds',
      step: 's',
    }),
    fact('verification.recorded', {
      id: 'V-1-5',
      round: 1,
      check: 'settled_by_reading',
      result: 'ROBUST',
      evidence_refs: [QUOTE.ref, 'state/claims.jsonl#L1'],
      notes: 'Read. More.',
    }),
    fact('claim.moved', {
      claim: 'C-1-1',
      round: 1,
      from: 'pending',
      to: 'tested_refuted',
      stance: 'attacks',
      verification: 'V-1-5',
      bearing: 'whole',
      basis: 'read',
      refs: [QUOTE.ref],
      quotes: [QUOTE],
      why: 'its own figure',
    }),
    fact('decision.made', {
      id: 'D-1-1',
      round: 1,
      text: 'Buy one node.',
      made_by: 'consensus',
      step: 's',
      cites: [{ type: 'claim', id: 'C-1-1', relation: 'based-on' }],
      round_artifact_refs: [],
    }),
    fact('refusal.recorded', {
      round: 1,
      kind: 'call',
      by: 'critic',
      text: 'round-1/D/critic',
      why: 'timed out',
    }),
    fact('round.closed', { round: 1, tensions: [], impact: '' }),
    {
      ...makeSynthesisFact(1, '## Answer\n\nNo: C-1-1 fails. More of it.'),
      included: ['action', 'guardian', 'observer'],
      excluded: [{ seat: 'critic', reason: 'it handed nothing in' }],
    } as FactBody,
    fact('run.ended', { status: 'done' }),
  );
}

/** Returns the run with additional facts before the end of its round. */
function runWith(...bodies: readonly FactBody[]): Fact[] {
  const all: FactBody[] = makeRun(true).map(({ run: _run, seq: _seq, at: _at, ...body }) => body);
  const at = all.findIndex(({ type }) => type === 'round.closed');
  return makeLog(...all.slice(0, at), ...bodies, ...all.slice(at));
}

const raiseClaim = (id: string, text: string): FactBody =>
  fact('claim.raised', {
    id,
    round: 1,
    raised_by: 'observer',
    text,
    testable_as: `Look at it: ${id}.`,
    decided_by: 'reading',
    says: 'holds',
    step: 's',
  });

const makeFinding = (claim: string, more: object): FactBody =>
  fact('claim.read', {
    round: 1,
    claim,
    model: 'house/reader',
    finding: 'true_in_text',
    counts: false,
    quotes: [QUOTE],
    sought: [],
    why: 'so it is',
    step: 's',
    ...more,
  });

describe('the section on a claim', () => {
  const formatEverywhere = (facts: Fact[]): string[] => [
    formatReport(facts, reports.rounds),
    JSON.stringify(reports.rounds.build({ facts, view: viewOf(facts) })),
  ];

  it('says that the claim was edited after its decision', () => {
    const [text, was] = ['Two nodes carry the peak.', 'One node carries the peak.'];
    const edited = fact('claim.edited', { claim: 'C-1-1', round: 1, text, was });
    for (const said of formatEverywhere(runWith(edited))) {
      expect(said).toContain(text);
      expect(said).toContain('was found before it was edited in round 1, when it read:');
      expect(said).toContain(was);
    }
    for (const said of formatEverywhere(makeRun(true))) expect(said).not.toContain('edited');
  });

  it('names a later test whose result contradicts the first test', () => {
    const makeTest = (id: string, result: 'ROBUST' | 'BROKEN'): FactBody[] => [
      fact('evidence.recorded', {
        id: `E-${id}`,
        round: 1,
        claim: 'C-1-2',
        verification: `V-1-${id}`,
        command: 'test',
        cwd: '/work',
        timeoutMs: 1000,
        confirmsOn: 'success',
        exit: 0,
        signal: null,
        timedOut: false,
        durationMs: 5,
        sha256: 'f'.repeat(64),
        bytes: 3,
        output: 'ok\n',
        cutBytes: 0,
        approvedBy: 'person',
        path: `evidence/E-${id}.md`,
      }),
      fact('verification.recorded', {
        id: `V-1-${id}`,
        round: 1,
        check: 'executed_test',
        result,
        evidence_refs: [`evidence/E-${id}.md#result`],
        notes: 'Run.',
      }),
    ];
    const moved = fact('claim.moved', {
      claim: 'C-1-2',
      round: 1,
      from: 'pending',
      to: 'tested_confirmed',
      stance: 'upholds',
      verification: 'V-1-6',
      bearing: 'whole',
      basis: 'executed',
      refs: [],
      why: 'exit 0',
    });
    const told = raiseClaim('C-1-2', 'The peak is at noon.');
    const facts = runWith(told, ...makeTest('6', 'ROBUST'), moved, ...makeTest('7', 'BROKEN'));
    for (const said of formatEverywhere(facts))
      expect(said).toMatch(/The test V-1-7(?: \([^)]*\))? found otherwise and changed nothing/);
    const agreed = runWith(told, ...makeTest('6', 'ROBUST'), moved, ...makeTest('7', 'ROBUST'));
    for (const said of formatEverywhere(agreed)) expect(said).not.toContain('found otherwise');
  });
});

describe('a role that sat out a round', () => {
  const makeSign = (happened: 'yes' | 'no' | 'partly') => ({
    prediction: 'Less.',
    happened,
    where: '',
  });
  const printStress = (observed: object[], decorative: boolean): string[] => {
    const signature = ['Less.', 'Slower.'];
    const facts = runWith(
      fact('stress.predicted', { round: 1, absent: 'critic', signature }),
      fact('stress.compared', {
        round: 1,
        absent: 'critic',
        decorative,
        notes: '',
        observed: observed as never,
      }),
    ).map((fact) =>
      fact.type === 'round.started' ? { ...fact, absent: 'critic' as const } : fact,
    );
    const teller = texts.rounds.teller();
    const getTitle = (seat: string) => seat;
    const lines = facts.flatMap((fact) =>
      teller.tell(fact, { view: viewOf(facts), title: getTitle }),
    );
    const folder = getRecordsFolder(facts);
    return [
      lines.map(({ text }) => text).join('\n'),
      folder.get('rounds/round_1.md') ?? '',
      folder.get('retrospective.md') ?? '',
    ];
  };

  it('is called decorative only if all predictions about its absence were compared and none came true', () => {
    for (const said of printStress([makeSign('no'), makeSign('no')], true))
      expect(said).toMatch(/decorative/i);
    for (const observed of [
      [makeSign('yes'), makeSign('no')],
      [makeSign('partly')],
      [makeSign('no')],
      [],
    ])
      for (const said of printStress(observed, true)) expect(said).not.toMatch(/decorative/i);
  });

  it('is reported as not shown to be missed if no prediction about the role’s absence came true', () => {
    for (const said of printStress([makeSign('no'), makeSign('no')], false).slice(1)) {
      expect(said).not.toMatch(/critic was missed|: was missed|absence showed/);
      expect(said).toMatch(/not shown (?:to be|whether it was) missed/);
    }
  });
});

it('The report of a tied vote lists, for each of the tied options, which seats voted for it', () => {
  const ballots = ['Go', 'Go', 'Wait', 'Wait'].map((option, at) => ({
    seat: ROLES[at] ?? '',
    model: `test/${at}`,
    option,
  }));
  const facts = runWith(
    fact('vote.counted', { round: 1, peers: true, by: 'wording', ballots: ballots as never }),
  );
  const sections = JSON.stringify(reports.rounds.build({ facts, view: viewOf(facts) }).sections);
  expect(sections).toContain('observer, critic: voted \\"Wait\\"');
  expect(sections).toContain('action, guardian: voted \\"Go\\"');
});

it('The report of a run whose synthesis failed says that the run was interrupted at its end, after the last round', () => {
  const facts = runWith(fact('phase.entered', { round: 1, phase: 'synthesis' })).flatMap((fact) =>
    fact.type === 'synthesis.completed'
      ? []
      : [
          fact.type === 'run.ended'
            ? { ...fact, status: 'failed', reason: 'the synthesis failed' }
            : fact,
        ],
  );
  expect(formatReport(facts as Fact[], reports.rounds)).toContain(
    'Interrupted at its end, after round 1: the synthesis failed.',
  );
});

it('The report of a run without a recorded end says that the round is not over, or that no synthesis is written yet', () => {
  const makeFacts = (phase: 'D' | 'synthesis') =>
    runWith(fact('phase.entered', { round: 1, phase })).filter(
      ({ type }) => type !== 'synthesis.completed' && type !== 'run.ended',
    );
  expect(formatReport(makeFacts('D'), reports.rounds)).toContain('Round 1 is not over.');
  expect(formatReport(makeFacts('synthesis'), reports.rounds)).toContain(
    'Round 1 is over, and no synthesis is written yet.',
  );
});

describe('a check of claims in the documents that is discarded because the model failed control questions', () => {
  const makeControl = (text: string, right: boolean): FactBody =>
    fact('reader.controlled', {
      round: 1,
      model: 'house/reader',
      text,
      key: 'absent',
      right,
    });
  const makeLostFindings = (quotes: object[]): FactBody[] =>
    ['C-1-2', 'C-1-3'].flatMap((id) => [
      raiseClaim(id, `The node ${id} is enough.`),
      makeFinding(id, { quotes }),
    ]);

  it('is listed in the report with the reason, and so is one whose quotations lack a figure of the claim', () => {
    const wrong = formatReport(
      runWith(
        makeControl('One.', false),
        makeControl('Two.', false),
        makeControl('Three.', true),
        ...makeLostFindings([]),
      ),
      reports.rounds,
    );
    expect(wrong).toContain(
      'Of 2 claims read in round 1, none was settled: discarded, since 2 of 3 control sentences are wrong; 2 quote nothing that stands in the text.',
    );
    const few = formatReport(
      runWith(
        makeControl('One.', false),
        makeControl('Two.', true),
        raiseClaim('C-1-2', 'The node is enough.'),
        makeFinding('C-1-2', {
          quotes: [QUOTE],
          why: '1 of only 2 controls of this reading is wrong',
        }),
      ),
      reports.rounds,
    );
    expect(few).toContain('discarded, since 1 of 2 control sentences is wrong.');
    const lacking = formatReport(
      runWith(
        makeControl('One.', true),
        raiseClaim('C-1-2', 'The node carries 900 writes.'),
        makeFinding('C-1-2', {
          quotes: [QUOTE],
          why: 'the quotation does not contain "900"',
        }),
      ),
      reports.rounds,
    );
    expect(lacking).toContain('none was settled: 1 has a figure that the quotations lack.');
    expect(
      formatReport(
        runWith(makeControl('One.', true), ...makeLostFindings([QUOTE])),
        reports.rounds,
      ),
    ).not.toContain('read in round 1, none was settled');
  });
});

describe('a synthesis in the report of rounds', () => {
  /**
   * Returns the report of a run whose synthesis has this text. In the run, C-1-1 is refuted, and C-1-2 and
   * C-1-3 are open.
   */
  const reportSynthesis = (text: string): string => {
    const all = runWith(
      raiseClaim('C-1-2', 'The peak is at noon.'),
      raiseClaim('C-1-3', 'It is cheap.'),
    );
    return formatReport(
      all.map((fact) => (fact.type === 'synthesis.completed' ? { ...fact, text } : fact)),
      reports.rounds,
    );
  };
  const cutSynthesis = (text: string): string => {
    const out = reportSynthesis(text);
    return out.slice(out.indexOf('## Synthesis'), out.indexOf('## Claims'));
  };

  it('has a note for each id in its text that belongs to no claim or verdict of the run', () => {
    const text = cutSynthesis('## Answer\n\nNo: C-1-1 and C-1-9 fail, by V-9-9. D-1-1 stands.');
    expect(text).toContain('_The synthesis names C-1-9, which is no claim of this run._');
    expect(text).toContain('_The synthesis names V-9-9, which is no verdict of this run._');
    expect(text).toMatch(/^- C-1-9: no claim of this run$/m);
    expect(text).toMatch(/^- V-9-9: no verdict of this run$/m);
    expect(text).not.toMatch(/D-1-1, which|D-1-1: no/);
  });

  it.each([
    ['C-1-2 was run on Friday, and held.', 'C-1-2', 'run'],
    ['**C-1-2** (read in the text): the peak is at noon.', 'C-1-2', 'read in the text'],
    ['The peak is at noon, confirmed (C-1-2).', 'C-1-2', 'confirmed'],
    ['C-1-1 and C-1-2 were both refuted.', 'C-1-2', 'refuted'],
    ['C-1-1 fails; C-1-3 is proven.', 'C-1-3', 'proven'],
    ['The peak is at noon (C-1-2, argued).', 'C-1-2', 'argued'],
  ])(
    'is marked as contradicting the record if it calls an open claim decided: %s',
    (said, id, word) => {
      expect(cutSynthesis(`## Answer\n\nNo.\n\n## What carries it\n\n${said}`)).toContain(
        `The synthesis contradicts the record: ${id} is open, and it calls it "${word}".`,
      );
    },
  );

  it.each([
    ['C-1-1 (confirmed) carries it.', 'refuted, read in the text', 'confirmed'],
    ['C-1-1 is proven.', 'refuted, read in the text', 'proven'],
    ['One node is too few (C-1-1, run).', 'refuted, read in the text', 'run'],
    ['- C-1-1, run: nobody can lose a node.', 'refuted, read in the text', 'run'],
    ['- C-1-1 (executed): it will never be.', 'refuted, read in the text', 'executed'],
  ])(
    'is marked as contradicting the record if it denies or overstates how a claim was decided: %s',
    (said, stands, word) => {
      const sentence = `The synthesis contradicts the record: C-1-1 is ${stands}, and it calls it "${word}".`;
      expect(cutSynthesis(`## What carries it\n\n${said}`)).toContain(`_${sentence}_`);
      // The report has the warning also at its beginning, before the synthesis.
      expect(reportSynthesis(`## What carries it\n\n${said}`)).toContain(
        `**Read it with care. ${sentence}**`,
      );
    },
  );

  it.each([
    ['**All claims were run.**', 'it calls all claims "run"'],
    ['Every claim has been confirmed.', 'it calls all claims "confirmed"'],
    ['All three claims are confirmed, so go ahead.', 'it calls all claims "confirmed"'],
    ['No claim is left open.', 'it says that no claim is open'],
    ['None of the claims remains undecided.', 'it says that no claim is undecided'],
  ])(
    'is marked if it says something of all claims that the record contradicts: %s',
    (said, quoted) => {
      expect(reportSynthesis(`## Answer\n\n${said}`)).toMatch(
        new RegExp(
          `\\*\\*Read it with care\\. The synthesis contradicts the record: ${quoted}, but .*C-1-2 is open, C-1-3 is open\\.`,
        ),
      );
    },
  );

  it.each([
    'C-1-1 was refuted; C-1-2 is open.',
    'Not all claims were run.',
    'Go ahead once all claims are confirmed.',
    'If no claim is left open, go ahead.',
    'All claims of the lead were confirmed by somebody else.',
    'One node is too few (C-1-1, read in the text).',
    'One node is too few (C-1-1, argued).',
    'The plan as it stands is refuted (C-1-1).',
    'The denial of C-1-1 is confirmed.',
    'C-1-1 is confirmed to be false.',
    'C-1-2 is not confirmed.',
    'Go ahead once C-1-2 is confirmed.',
    'C-1-2: run the load test on Friday.',
    '- C-1-2, once confirmed: go ahead.',
    '- C-1-2: confirmed by nobody so far.',
    '- C-1-1, read in the text: one node is too few.',
    'C-1-1, which denies C-1-2, is refuted.',
    'C-1-2 rests on the confirmed lag.',
    'V-1-5 refuted C-1-1, on which C-1-2 rests.',
    'C-1-1 was confirmed and then refuted.',
  ])('is not marked for a sentence that may agree with the record: %s', (said) => {
    expect(cutSynthesis(`## What carries it\n\n${said}`)).not.toContain('contradicts the record');
  });

  it('may call an open claim confirmed under the heading "What would change the answer"', () => {
    const later = '## What would change the answer\n\nYes: C-1-2 confirmed.';
    expect(cutSynthesis(later)).not.toContain('contradicts the record');
  });
});

describe('the report on claims that were checked in documents', () => {
  const text = formatReport(
    runWith(
      raiseClaim('C-1-2', 'The peak is at noon.'),
      makeFinding('C-1-2', { second: 'undecided' }),
      raiseClaim('C-1-3', 'The queue keeps its order.'),
      makeFinding('C-1-3', {
        finding: 'needs_a_test',
        quotes: [],
        why: 'only a load test shows it',
      }),
      fact('claim.moved', {
        claim: 'C-1-3',
        round: 1,
        from: 'pending',
        to: 'tested_confirmed',
        stance: 'upholds',
        verification: 'V-1-1',
        bearing: 'whole',
        basis: 'argued',
        refs: [],
        why: 'it holds',
      }),
      fact('verification.recorded', {
        id: 'V-1-1',
        round: 1,
        check: 'critic_attack_on_action_trace',
        result: 'ROBUST',
        evidence_refs: [],
        notes: 'It holds.',
      }),
      raiseClaim('C-1-4', 'There is a way back.'),
      fact('claim.moved', {
        claim: 'C-1-4',
        round: 1,
        from: 'pending',
        to: 'tested_refuted',
        stance: 'attacks',
        verification: 'V-1-5',
        bearing: 'whole',
        basis: 'read',
        refs: [],
        quotes: [],
        why: 'not in the text: rollback, undo, restore. Nobody says how.',
      }),
      raiseClaim('C-1-5', 'It is cheap.'),
      makeFinding('C-1-5', { finding: 'partly', why: 'the text decides only this of it: cheap' }),
    ),
    reports.rounds,
  );
  const findEntry = (id: string): string =>
    new RegExp(`^- \\*\\*${id}\\*\\*(?:.*\\n)(?:  - .*\\n?)*`, 'm').exec(text)?.[0] ?? '';

  it('says that two readers differ about a claim', () => {
    expect(findEntry('C-1-2')).toContain(
      'Open because two readers differ: one reader finds it true in the text by "One node carries 800 writes a second."',
    );
    expect(findEntry('C-1-2')).toContain('a second cannot tell from that alone.');
    expect(findEntry('C-1-5')).toContain(
      'Left open by its reading in round 1: partly in the text. The text decides only this of it: cheap.',
    );
  });

  it('says that a claim needs a test if a reader found this', () => {
    expect(findEntry('C-1-3')).toContain(
      'The reading of round 1 found that it needs a test: only a load test shows it.',
    );
  });

  it('shows the quotation, or the words that were searched for without success', () => {
    expect(findEntry('C-1-1')).toContain(QUOTE.text);
    expect(findEntry('C-1-4')).toContain(
      'Not in the text: rollback, undo, restore. Nobody says how.',
    );
  });
});

describe('the report of rounds', () => {
  const text = formatReport(makeRun(true), reports.rounds);

  it('begins with the answer and the names of missing roles', () => {
    expect(text).toMatch(
      /^# Can it carry the peak\?\n\n\*\*No: C-1-1 fails\.\*\*\n\n3 of 4 roles\. Without the critic: it handed nothing in\./,
    );
    expect(text).not.toContain('advisors');
  });

  it('says how each claim was decided', () => {
    expect(text).toContain('### Refuted, read in the text (1)');
    expect(text).toContain('plan.md, line 2: "One node carries 800 writes a second."');
    expect(text).toMatch(
      /### Their ground has fallen[\s\S]*?\*\*D-1-1\*\* Buy one node\.\n {2}- Rests on C-1-1 \("One node carries the peak\.", refuted, read in the text\)\.\n {2}- ✗ C-1-1 is refuted/,
    );
    expect(text).toContain(
      '| V-1-5 | read in the text | ✓ read in the text | Read. | plan.md, line 2 |',
    );
    expect(text).toContain('- Round 1, critic, round-1/D/critic: timed out.');
  });

  it('says at the top that no model has passed the reading test', () => {
    const unread = formatReport(makeRun(false), reports.rounds);
    expect(unread).toContain('## Quality of this run: nobody here can read');
    expect(unread.slice(0, 400)).toContain(
      '**Nobody here can read: no claim is settled by reading or by argument.**',
    );
    expect(text).not.toMatch(/nobody here can read/i);
  });

  it('has a synthesis and a retrospective among its exported records that name a role that contributed nothing', () => {
    const folder = getRecordsFolder(makeRun(true));
    expect(folder.get('synthesis.md')).toContain('Without the critic: it handed nothing in.');
    expect(folder.get('retrospective.md')).toMatch(
      /## Problems in the process[^#]*The critic never handed in an artifact\.[\s\S]*## Failure modes/,
    );
  });
});

describe('the section on citations', () => {
  const readJournal = (name: string): Fact[] =>
    readFileSync(new URL(`../golden/${name}.jsonl`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Fact);
  const readCitations = (facts: Fact[]): string =>
    formatReport(facts, reports.rounds).split('## Citations\n\n')[1]?.split('\n\n')[0] ?? '';

  it('lists quotations as citations, each with the claims that use it', () => {
    expect(readCitations(readJournal('played'))).toBe(
      '- Quoted word for word: attachments/standby.md#L20 (C-1-1), attachments/standby.md#L21 (C-1-1), attachments/standby.md#L22 (C-1-1), attachments/standby.md#L15 (C-1-3), attachments/standby.md#L28 (C-1-3), attachments/standby.md#L61 (C-1-6)',
    );
  });

  it('lists citations of lines that do not exist beside the right citations', () => {
    const text = readCitations(readJournal('played-badly'));
    expect(text).toContain('- Guardian cites lines that do not exist: attachments/standby.md#L99');
    expect(text).toContain('attachments/standby.md#L15 (C-1-3, C-3-1, C-3-2)');
  });

  it('says that there are no citations only if there are neither citations nor quotations', () => {
    const bare = readJournal('played').filter(
      ({ type }) => type !== 'claim.read' && type !== 'claim.moved',
    );
    expect(readCitations(bare)).toBe('No attachment lines are cited.');
  });
});
