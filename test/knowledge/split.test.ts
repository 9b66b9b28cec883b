/** Documents in chunks: headings as Markdown has them, nothing lost, lines right. */
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/kernel/tokens.ts';
import { parseDocument } from '../../src/knowledge/document.ts';
import { CHUNK_TOKENS, chunksIn, splitMarkdown } from '../../src/knowledge/split.ts';

/** Formats each chunk as `3-5 Title > Part: text`. */
function formatChunks(document: string, markdown = true): string[] {
  return chunksIn(document, markdown).map(
    ({ from, to, heading, text }) => `${from}-${to} ${heading.join(' > ')}: ${text}`,
  );
}

describe('chunks of a document', () => {
  it('have the headings above them, nested ones included', () => {
    const document = 'intro\n\n# A\none\n\n## B ##\ntwo\nthree\n### C\nfour\n## D\nfive\n# E\nsix';
    expect(formatChunks(document)).toEqual([
      '1-1 : intro',
      '4-4 A: one',
      '7-8 A > B: two\nthree',
      '10-10 A > B > C: four',
      '12-12 A > D: five',
      '14-14 E: six',
    ]);
  });

  it('include a heading that only blank lines follow', () => {
    expect(formatChunks('# A\n\n# B\n\ntext')).toEqual(['1-1 : # A', '5-5 B: text']);
    expect(formatChunks('# A\n\n')).toEqual(['1-1 : # A']);
  });

  it('recognise underlined headings, and distinguish them from horizontal rules', () => {
    expect(formatChunks('Title\n=====\n\nbody\n\nPart\n---\nmore\n\n---\nrest')).toEqual([
      '4-4 Title: body',
      '8-11 Title > Part: more\n\n---\nrest',
    ]);
    expect(formatChunks('- item\n---\nafter')).toEqual(['1-3 : - item\n---\nafter']);
    expect(formatChunks('> said\n===\nafter')).toEqual(['1-3 : > said\n===\nafter']);
  });

  it.each([
    ['a code block', '# A\n```sh\n# not a heading\n\n## nor this\n```\nend'],
    ['a code block between tildes with backticks in it', '# A\n~~~\n```\n# no\n~~~\nend'],
    ['a code block with a longer fence', '# A\n````\n```\n# no\n```\n````\nend'],
    ['a comment', '# A\n<!--\n# no\n-->\nend'],
    ['code by indentation', '# A\ntext\n\n    # no\n\nend'],
    ['hashes without a space', '# A\n#no\nend'],
  ])('have no heading from a line that only looks like one, in %s', (_what, document) => {
    expect(chunksIn(document).map(({ heading }) => heading)).toEqual([['A']]);
  });

  it('take no heading from a code block that is never closed', () => {
    expect(chunksIn('# A\n```\n# no\n## no').map(({ heading }) => heading)).toEqual([['A']]);
  });

  it('have the heading as their text if nothing is below the heading', () => {
    expect(formatChunks('# A\n## B\n## C\ntext\n# D')).toEqual([
      '2-2 A: ## B',
      '4-4 A > C: text',
      '5-5 : # D',
    ]);
  });

  it('count lines with any kind of line end', () => {
    expect(formatChunks('# A\r\n\r\none\r\rtwo\n\nthree')).toEqual(['3-7 A: one\r\rtwo\n\nthree']);
  });

  it('leave out the frontmatter if it is complete', () => {
    expect(formatChunks('---\ncluster: x\n---\n\ntext')).toEqual(['5-5 : text']);
    expect(formatChunks('---\nno end\n\ntext')).toEqual(['1-4 : ---\nno end\n\ntext']);
  });

  it('of plain text are groups of paragraphs without headings', () => {
    expect(formatChunks('# a comment\n\ntext', false)).toEqual(['1-3 : # a comment\n\ntext']);
  });

  it('are split between paragraphs if they are long', () => {
    const paragraph = `${'word '.repeat(220).trim()}.`;
    const fence = `\`\`\`\n${'code line\n\n'.repeat(20)}\`\`\``;
    const chunks = chunksIn(
      `# A\n${[paragraph, paragraph, paragraph, fence, paragraph].join('\n\n')}`,
    );
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) {
      expect(estimateTokens(text)).toBeLessThanOrEqual(CHUNK_TOKENS);
      expect(text.match(/^```/gm)?.length ?? 0).not.toBe(1);
      expect(text.startsWith('word') || text.startsWith('```')).toBe(true);
    }
  });

  it.each([
    ['one endless line', 'word '.repeat(5_000)],
    ['one endless word', 'w'.repeat(20_000)],
    ['pairs of surrogates', '🙂'.repeat(6_000)],
    ['Chinese', '棋钟每步加时。'.repeat(2_000)],
  ])(
    'lose no text, and exceed the limit by at most one token, if they are split from %s',
    (_what, document) => {
      const pieces = splitMarkdown(document);
      expect(pieces.map(({ start, end }) => document.slice(start, end)).join('')).toBe(document);
      for (const { text } of chunksIn(document)) {
        expect(estimateTokens(text)).toBeLessThanOrEqual(CHUNK_TOKENS + 1);
        expect(text.isWellFormed()).toBe(true);
      }
    },
  );
});

describe('a parsed document', () => {
  it('has the clusters and the claims of its frontmatter', () => {
    const { clusters, parts, problems } = parseDocument(
      'a.md',
      `---
title: anything
cluster: clock
clusters: [peers, clock]
claims:
  - claim: The clock adds nothing.
    at: src/clock.ts#L3-L4
    quote: return this.left - elapsed;
---
# A
text
`,
    );
    expect(problems).toEqual([]);
    expect(clusters).toEqual(['clock', 'peers']);
    expect(parts).toEqual([
      expect.objectContaining({ kind: 'section', heading: ['A'], from: 11, to: 11 }),
      expect.objectContaining({
        kind: 'claim',
        from: 6,
        text: 'The clock adds nothing.\n\n> return this.left - elapsed;',
        quotation: {
          path: 'src/clock.ts',
          from: 3,
          to: 4,
          quote: 'return this.left - elapsed;',
        },
      }),
    ]);
  });

  it.each([
    ['claims: 4', /a\.md:2: claims/],
    [
      'claims: [{claim: x, at: nowhere, quote: long enough}]',
      /a\.md:2: claims\.0\.at: expected a place/,
    ],
    ['claims: [{claim: x, at: "a#L1", quote: short}]', /at least 8 visible characters/],
    ['a: [', /a\.md:3: /],
  ])('is read as text in spite of the invalid frontmatter %s', (front, problem) => {
    const { parts, problems } = parseDocument('a.md', `---\n${front}\n---\ntext`);
    expect(parts.map(({ text }) => text)).toEqual(['text']);
    expect(problems.join('\n')).toMatch(problem);
  });
});
