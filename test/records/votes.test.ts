/** What agreement is worth, which options are one, and what became of a stance: by plain values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countEffectiveVotes,
  FAMILY_CORRELATION,
  getModelFamily,
  getModelName,
} from '../../src/protocols/common/voting/lineage.ts';
import {
  groupOptions,
  normalizeOption,
  shortenOption,
} from '../../src/protocols/common/voting/votes.ts';
import { formatTally, isBallot, readVote } from '../../src/protocols/rounds/votes/counted-votes.ts';
import {
  type Comparison,
  compareStances,
  findCitedRecords,
} from '../../src/protocols/rounds/votes/stances.ts';

describe('the name and family of a model', () => {
  it.each([
    ['ollama/qwen3:8b', 'qwen3:8b', 'qwen'],
    ['ollama/qwen2.5-coder:7b', 'qwen2.5-coder:7b', 'qwen'],
    ['ollama/llama3.2', 'llama3.2', 'llama'],
    ['ollama/llama3.2:latest', 'llama3.2', 'llama'],
    ['anthropic/claude-opus-4-1', 'claude-opus-4-1', 'claude'],
    ['openai/gpt-4o', 'gpt-4o', 'gpt'],
    ['openrouter/openai/GPT-4o', 'gpt-4o', 'gpt'],
    // Neither the server nor a suffix such as `:free` changes the name and family of a model.
    ['anthropic/claude-opus-5', 'claude-opus-5', 'claude'],
    ['openrouter/anthropic/claude-opus-5', 'claude-opus-5', 'claude'],
    ['openrouter/anthropic/claude-opus-5:free', 'claude-opus-5', 'claude'],
    ['openrouter/anthropic/Claude-Opus-5:nitro', 'claude-opus-5', 'claude'],
    ['work/claude-opus-5', 'claude-opus-5', 'claude'],
    // In Ollama, a tag such as `:8b` stands for another model, so it is part of the name.
    ['ollama/claude-opus-5:8b', 'claude-opus-5:8b', 'claude'],
    ['openai/o3', 'o3', 'o'],
    ['x/7b-chat', '7b-chat', '7b-chat'],
    ['bare', 'bare', 'bare'],
    ['', '', ''],
  ])('%s has the name %s and the family %s', (spec, name, family) => {
    expect(getModelName(spec)).toBe(name);
    expect(getModelFamily(spec)).toBe(family);
  });
});

describe('countEffectiveVotes, which counts votes of related models as less than one each,', () => {
  it.each([
    [[], 0],
    [['a/x'], 1],
    [['a/x', 'a/x', 'a/x', 'a/x'], 1],
    [['a/x', 'b/y', 'c/z', 'd/w'], 4],
    // The votes of two models of one family, with an assumed correlation of 0.5, count as 2 / (1 + 0.5).
    [['a/qwen3:8b', 'a/qwen3:32b'], 4 / 3],
    [['a/qwen3:8b', 'b/qwen3:8b'], 1],
    [
      [
        ...['anthropic/claude-opus-5', 'openrouter/anthropic/claude-opus-5:free'],
        'work/claude-opus-5',
      ],
      1,
    ],
    [['a/qwen3:8b', 'a/qwen3:32b', 'a/qwen2.5:7b'], 3 / 2],
    [['a/qwen3:8b', 'a/qwen3:32b', 'a/qwen3:8b', 'a/llama3'], 4 / 3 + 1],
  ])('returns for votes by the models %j the number %s', (models, worth) => {
    expect(countEffectiveVotes(models)).toBeCloseTo(worth, 10);
  });

  it('never returns less after a further vote, and never more than the number of different models', () => {
    const model = fc.constantFrom('a/x1', 'a/x2', 'b/x1', 'a/y:1', 'a/y:2', 'a/z');
    fc.assert(
      fc.property(fc.array(model, { minLength: 1, maxLength: 9 }), model, (models, another) => {
        const worth = countEffectiveVotes(models);
        expect(worth).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(worth).toBeLessThanOrEqual(new Set(models).size + 1e-9);
        expect(countEffectiveVotes([...models, another])).toBeGreaterThanOrEqual(worth - 1e-9);
        expect(countEffectiveVotes([...models].reverse())).toBeCloseTo(worth, 10);
      }),
    );
  });

  it('stays below 1/ρ for any number of models of one family, whose votes correlate by ρ', () => {
    const many = Array.from({ length: 500 }, (_model, index) => `a/qwen:${index}`);
    expect(countEffectiveVotes(many)).toBeLessThan(1 / FAMILY_CORRELATION);
  });
});

describe('the options that seats vote for', () => {
  it('are shortened to one line of at most six words', () => {
    expect(shortenOption('  Split\n it\tnow, but only the billing part  ')).toBe(
      'Split it now, but only the',
    );
    expect(shortenOption(' \n ')).toBe('');
    expect([...shortenOption('\u{1f600}'.repeat(500))]).toHaveLength(60);
  });

  it('count as equal if they differ only in case, width, punctuation or spaces, unless they consist of signs only', () => {
    expect(normalizeOption('Split it!')).toBe(normalizeOption('  split   IT.'));
    expect(normalizeOption('Ｓｐｌｉｔ')).toBe('split');
    expect(normalizeOption('+')).not.toBe(normalizeOption('-'));
    expect(normalizeOption('нет')).not.toBe(normalizeOption('да'));
  });

  it('are grouped if they are worded alike, or if the caller lists them as a pair with one meaning', () => {
    const options = ['Wait', 'split it', 'wait!', 'Do not split'];
    expect(groupOptions(options)).toEqual(['Wait', 'split it', 'Wait', 'Do not split']);
    expect(groupOptions(options, [[3, 2]])).toEqual(['Wait', 'split it', 'Wait', 'Wait']);
    expect(
      groupOptions(options, [
        [3, 1],
        [1, 0],
      ]),
    ).toEqual(['Wait', 'Wait', 'Wait', 'Wait']);
    expect(
      groupOptions(options, [
        [9, 0],
        [-1, 1],
        [2, 2],
      ]),
    ).toEqual(groupOptions(options));
    expect(groupOptions([])).toEqual([]);
  });
});

describe('findCitedRecords, which finds the records that a vote cites as its reasons,', () => {
  const there = new Set(['C-1-1', 'V-2-3', 'D-1-1', 'artifacts/round_2/critic.md#attack-1']);
  const hasRecord = (ref: string) => there.has(ref);

  it('returns each existing claim, verdict and place in an artifact once, but no decision', () => {
    expect(
      findCitedRecords(
        'As V-2-3 shows, and C-9-9.',
        ['C-1-1', 'see C-1-1', 'D-1-1', 'V-1-1'],
        hasRecord,
      ),
    ).toEqual(['C-1-1', 'V-2-3']);
    expect(findCitedRecords('see artifacts/round_2/critic.md#attack-1.', [], hasRecord)).toEqual([
      'artifacts/round_2/critic.md#attack-1',
    ]);
    expect(findCitedRecords('C-1-12 XC-1-1', ['toString', '__proto__'], hasRecord)).toEqual([]);
  });
});

describe('compareStances, which tells whether and why a seat changed its vote,', () => {
  const base: Comparison = {
    first: 'a',
    alone: 'a',
    peers: 'b',
    cites: [],
    others: ['b', 'b', 'c'],
  };

  it.each<[string, string, Partial<Comparison>]>([
    ['unchanged', 'the seat votes the same every time', { peers: 'a' }],
    ['unchanged', 'the seat votes the same and cites a claim', { peers: 'a', cites: ['C-1-1'] }],
    ['unstable', 'the seat votes differently when asked again alone', { alone: 'c' }],
    [
      'unstable',
      'the seat votes differently when asked again alone, and in the end as at first',
      { alone: 'c', peers: 'a' },
    ],
    [
      'unstable',
      'the seat votes differently when asked again alone, and in the end cites a claim',
      { alone: 'b', cites: ['C-1-1'] },
    ],
    ['persuaded', 'the seat changes its vote and cites a record', { cites: ['V-1-1'] }],
    [
      'persuaded',
      'the seat changes to what no other says and cites a record',
      { peers: 'd', cites: ['V-1-1'] },
    ],
    ['conformed', 'the seat changes to what most others say', {}],
    ['unexplained', 'the seat changes to what half of the others say', { others: ['b', 'c'] }],
    ['unexplained', 'the seat changes to what few others say', { others: ['b', 'c', 'c'] }],
    ['unexplained', 'the seat changes its vote and there are no others', { others: [] }],
  ])('answers “%s” if %s', (label, _case, change) => {
    expect(compareStances({ ...base, ...change }).label).toBe(label);
  });
});

describe('the votes of a deliberation', () => {
  it('list the options with most votes first', () => {
    const makeBallot = (seat: string, model: string, option: string) => ({ seat, model, option });
    const vote = readVote({
      round: 8,
      peers: true,
      by: 'verifier',
      ballots: [
        makeBallot('action', 'a/x:1', 'wait'),
        makeBallot('guardian', 'a/y', 'split'),
        makeBallot('observer', 'a/x:2', 'split'),
        makeBallot('critic', 'a/x:1', 'split'),
      ],
    });
    expect(vote.options.map(({ option, votes }) => [option, votes])).toEqual([
      ['split', 3],
      ['wait', 1],
    ]);
    expect(formatTally(vote)).toBe(
      '"split": 3 of 4, worth 2.3 independent votes; "wait": 1 of 4, worth 1.0',
    );
  });

  it('are recognized by the keys of the steps in which seats were asked', () => {
    expect(isBallot('round-1/A/stance/critic')).toBe(true);
    expect(isBallot('round-8/synthesis/alone/critic')).toBe(true);
    expect(isBallot('round-1/A/options')).toBe(false);
    expect(isBallot('seat/stance')).toBe(false);
  });
});
