/** Tests the sources that seats looked up, as they are cited and quoted. */
import { describe, expect, it } from 'vitest';
import { linesInRange, sourceRefsIn, sourcesOf } from '../../src/kernel/tools/sources.ts';
import type { Part } from '../../src/text/documents/parts.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';

describe("The lines of a tool's result", () => {
  const makeFact = (id: string, text: string, from = 1, parts?: readonly Part[]) =>
    ({
      run: 'r',
      seq: 1,
      at: '',
      v: 1,
      type: 'tool.called',
      step: 's',
      attempt: 'a',
      seat: 'critic',
      tool: 'read',
      arguments: {},
      id,
      about: '',
      text,
      from,
      bytes: 1,
      ms: 1,
      ...withoutUndefined({ parts }),
    }) as const;
  const sources = sourcesOf([
    makeFact('S-1', 'one\ntwo words here\nthree'),
    makeFact('S-2', 'ten\neleven', 10),
  ]);

  it('are cited by page and line, such as S-1#p2L3, if the document has pages', () => {
    const parts = [
      { name: 'p2', from: 8 },
      { name: 'p3', from: 11 },
    ];
    const paged = sourcesOf([
      makeFact('S-1', 'eight to\nten of\nthe second\nfirst of third', 9, parts),
    ]);
    const refs = sourceRefsIn(
      'See S-1#p2L2-L3, S-1#P3L1, S-1#p2L3-p3L1 (S-1#p3), S-1#p2L1, S-1#p9L1, S-1#L10, S-1, S-1#summary.',
      paged,
    );
    expect(refs).toEqual([
      { ref: 'S-1#p2L2-L3', id: 'S-1', lines: [9, 10] },
      { ref: 'S-1#p3L1', id: 'S-1', lines: [11, 11] },
      { ref: 'S-1#p2L3-p3L1', id: 'S-1', lines: [10, 11] },
      { ref: 'S-1#p3L1-L2', id: 'S-1', lines: [11, 12] },
      { ref: 'S-1#p2L1', id: 'S-1', lines: [8, 8], why: 'S-1 has lines p2L2 to p3L2' },
      { ref: 'S-1#p9L1', id: 'S-1', why: 'there is no p9 in it' },
      {
        ref: 'S-1#L10',
        id: 'S-1',
        why: 'its lines are cited with their page or sheet, like p2L1',
      },
      { ref: 'S-1', id: 'S-1' },
    ]);
  });

  it('are cited by the line numbers that the tool showed to the seat', () => {
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
