/** What was looked up, as it is cited and quoted: plain values in, places out. */
import { describe, expect, it } from 'vitest';
import { linesInRange, sourceRefsIn, sourcesOf } from '../../src/kernel/tools/sources.ts';

describe('The lines of a result', () => {
  const fact = (id: string, text: string, from = 1) =>
    ({
      ...{ run: 'r', seq: 1, at: '', v: 1, type: 'tool.called', step: 's', attempt: 'a' },
      ...{
        seat: 'critic',
        tool: 'read',
        arguments: {},
        id,
        about: '',
        text,
        from,
        bytes: 1,
        ms: 1,
      },
    }) as const;
  const sources = sourcesOf([
    fact('S-1', 'one\ntwo words here\nthree'),
    fact('S-2', 'ten\neleven', 10),
  ]);

  it('are cited by the numbers that the seat was shown', () => {
    const refs = sourceRefsIn(
      'See S-1#L2-L3, S-1#2, S-2#L10, S-2#L1, S-9, XS-1#L1, S-1#L3-L2 and S-12.',
      sources,
    );
    expect(refs.map(({ ref, why }) => [ref, why])).toEqual([
      ['S-1#L2-L3', undefined],
      ['S-1#L2', undefined],
      ['S-2#L10', undefined],
      ['S-2#L1', 'S-2 has lines 10 to 11'],
      ['S-9', 'there is no S-9'],
      ['S-1#L3-L2', 'the range ends before it begins'],
      ['S-12', 'there is no S-12'],
    ]);
    expect(linesInRange(sources[1] as (typeof sources)[number], [11, 11])).toEqual(['eleven']);
  });
});
