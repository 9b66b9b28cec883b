/** Structured answers as people read them, from the first token on. */
import { describe, expect, it } from 'vitest';
import { toJsonSchema } from '../../src/models/json-schema.ts';
import { answerWords as agents } from '../../src/protocols/agents/view/answers.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeSchemaValue } from '../../src/protocols/rehearsal/json.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';
import { ARTIFACTS, renderArtifact } from '../../src/protocols/rounds/prompts/artifacts.ts';
import { answerWords as rounds } from '../../src/protocols/rounds/view/answers.ts';
import { type AnswerWords, formatAnswer } from '../../src/text/answers/answer.ts';

const ROLES = ['action', 'guardian', 'observer', 'critic'] as const;

function makeArtifact(role: (typeof ROLES)[number]): unknown {
  const schema = toJsonSchema(ARTIFACTS[role].schema);
  return makeSchemaValue(schema, deriveTopic('Should we split it?'), new Chance(role));
}

const OTHERS: readonly (readonly [string, unknown])[] = [
  [
    'rounds/check',
    {
      reasoning: 'The attack was run.',
      result: 'BROKEN',
      evidence_refs: [
        'artifacts/round_1/critic.md#attack-1',
        'artifacts/round_1/action.md#trace-1',
      ],
      notes: 'It broke.',
    },
  ],
  [
    'rounds/claims',
    {
      claims: [{ text: 'It holds.', testable_as: 'Count.', supersedes: 'C-1-1' }, { text: 'So.' }],
    },
  ],
  [
    'rounds/exam',
    {
      answers: [
        { item: 1, finding: 'true_in_text' },
        { item: 2, finding: 'needs_a_test' },
      ],
    },
  ],
  [
    'rounds/reading',
    {
      findings: [
        { item: 1, finding: 'false_in_text', quotes: ['Five machines.'], why: 'It says five.' },
        { item: 2, finding: 'needs_a_test' },
      ],
    },
  ],
  ['rounds/second-look', { looks: [{ item: 1, verdict: 'false', why: 'Five are not six.' }] }],
  [
    'rounds/bearings',
    {
      bearings: [
        {
          verification: 'V-1-1',
          claim: 'C-1-1',
          stance: 'upholds',
          bearing: 'whole',
          why: 'It was run.',
        },
      ],
    },
  ],
  [
    'rounds/assessment',
    {
      decisions: [
        { text: 'Keep it.', cites: [{ id: 'C-1-1', relation: 'based-on' }], made_by: 'consensus' },
      ],
      tensions: ['How long.'],
      architecture_impact: 'None.',
    },
  ],
  ['rounds/drift', { verdict: 'PASS', deviation_score: 1, notes: 'On it.' }],
  ['rounds/prediction', { signature: ['No attack.', 'No friction.'] }],
  [
    'rounds/signature',
    {
      observed: [{ prediction: 'No attack.', happened: 'yes', where: 'D' }],
      decorative: false,
      notes: 'It showed.',
    },
  ],
  ['rounds/stance', { position: 'Wait.', option: 'wait', confidence: 0.6, cites: ['C-1-1'] }],
  ['rounds/stance-alone', { position: 'Wait.', option: 'wait', confidence: 0.6 }],
  ['rounds/options', { same: [{ option: 'O1', as: 'O2' }] }],
  ['rounds/unheard-of', { some: 'thing', more: [1, 2] }],
  ['agent/supervise', { action: 'report', text: '## Answer\n\nKeep it.\n\n- For now.' }],
  ['agent/route', { agent: 'editor', reason: 'It is a text.', message: 'Be short.' }],
];

const ALL = [
  ...ROLES.map((role) => [`rounds/artifact/${role}`, makeArtifact(role)] as const),
  ...OTHERS,
];

function wordsFor(task: string): AnswerWords {
  return task.startsWith('agent/') ? agents : rounds;
}

describe.each(ALL)('formatting a model’s answer to the task %s', (task, value) => {
  it('never shows JSON, even if the answer is cut off', () => {
    for (const indent of [0, 2]) {
      const text = JSON.stringify(value, null, indent);
      for (let end = 0; end <= text.length; end++) {
        const said = formatAnswer({ task, text: text.slice(0, end) }, wordsFor(task));
        expect(said).not.toMatch(/\{\s*"|"\s*:/);
      }
    }
  });

  it('gives the same text whether the answer’s JSON was parsed before or not', () => {
    const words = wordsFor(task);
    const text = JSON.stringify(value);
    expect(formatAnswer({ task, text }, words)).toBe(formatAnswer({ task, text, value }, words));
    expect(formatAnswer({ task, text: `Here it is:\n${text}`, value }, words)).toBe(
      formatAnswer({ task, text, value }, words),
    );
  });

  it('does not fail on values of a wrong type', () => {
    const strange: readonly unknown[] = [null, 7, 'text', [], {}, [null], { title: [] }, true];
    const spoilValue = (part: unknown, depth: number): unknown[] => {
      if (depth > 3 || typeof part !== 'object' || part === null) return [...strange];
      return Object.keys(part).flatMap((key) =>
        spoilValue((part as Record<string, unknown>)[key], depth + 1).map((other) =>
          Array.isArray(part)
            ? part.map((item, index) => (String(index) === key ? other : item))
            : { ...part, [key]: other },
        ),
      );
    };
    for (const spoilt of [...strange, ...spoilValue(value, 0).slice(0, 400)])
      expect(typeof formatAnswer({ task, text: '', value: spoilt }, wordsFor(task))).toBe('string');
  });
});

describe('formatting a role’s contribution (artifact) in rounds', () => {
  it.each(ROLES)('shows for the %s what will be recorded, followed by the claims', (role) => {
    const value = makeArtifact(role);
    const live = formatAnswer(
      { task: `rounds/artifact/${role}`, text: JSON.stringify(value) },
      rounds,
    );
    const recorded = renderArtifact(role, value).trimEnd();
    expect(live.slice(0, recorded.length)).toBe(recorded);
    expect(live.slice(recorded.length)).toMatch(
      /^\n\n\*\*Claim 1\*\* .*\n\nTest: .*\n\nIf it is false: /,
    );
  });

  it('shows an unfinished contribution section by section', () => {
    const text = '{"title": "An attack", "target": "the promise", "hypothesis": "It may n';
    expect(formatAnswer({ task: 'rounds/artifact/critic', text }, rounds)).toBe(
      '# An attack\n\n## Target\n\nthe promise\n\n## Hypothesis\n\nIt may n',
    );
  });
});

describe("formatting the answer of a team's supervisor", () => {
  it('shows the Markdown text from incomplete JSON, with real line breaks', () => {
    const text = '{"action": "report", "text": "## Answer\\n\\nKeep it.\\n\\n- For n';
    expect(formatAnswer({ task: 'agent/supervise', text }, agents)).toBe(
      '## Answer\n\nKeep it.\n\n- For n',
    );
  });

  it('finds the text by the answer’s fields in old logs, which do not name the task of a call', () => {
    const value = { action: 'report', text: '## Answer' };
    expect(formatAnswer({ text: JSON.stringify(value), value }, agents)).toBe('## Answer');
  });
});
