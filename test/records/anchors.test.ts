/** Which places a text has, and that no ref leads out of its folder. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEvidenceCheck,
  createResolver,
  deduplicateRefs,
  findAnchors,
  normalizeRef,
} from '../../src/protocols/rounds/records/anchors.ts';
import { makeAnchor } from '../../src/protocols/rounds/records/slug.ts';

describe('makeAnchor, which converts a Markdown heading to an anchor,', () => {
  it.each([
    ['Attack 2', 'attack-2'],
    ['Attack 2: the *lease* expires!', 'attack-2-the-lease-expires'],
    ['`queue_depth` grows', 'queue_depth-grows'],
    ['_Attack_ __two__', 'attack-two'],
    ['Trace 1 — happy path', 'trace-1--happy-path'],
    ['See [the plan](plan.md#L3)', 'see-the-plan'],
    ['Über größere Mengen', 'über-größere-mengen'],
    ['攻撃 その2', '攻撃-その2'],
    ['A <b>bold</b> claim', 'a-bold-claim'],
    ['🔥 Fire', '-fire'],
    ['!!!', ''],
  ])('converts %s to %s', (heading, slug) => {
    expect(makeAnchor(heading)).toBe(slug);
  });
});

describe('findAnchors, which lists the anchors of a Markdown text,', () => {
  const listAnchors = (text: string) => [...findAnchors(text)];

  it('finds headings that begin with hashes and headings that are underlined', () => {
    expect(
      listAnchors(
        '# One\ntext\n### Two ###\n\nThree\n=====\nFour\n---\n## C#\n####### seven\n#none',
      ),
    ).toEqual(['one', 'two', 'three', 'four', 'c']);
  });

  it('adds a number to a repeated heading, and skips numbers that another heading has', () => {
    expect(listAnchors('# Step\n# Step\n# Step')).toEqual(['step', 'step-1', 'step-2']);
    expect(listAnchors('# Step\n# Step 1\n# Step')).toEqual(['step', 'step-1', 'step-2']);
  });

  it('finds ids such as {#attack-2} and <a id="attack-2">', () => {
    expect(listAnchors('## Attack on the lease {#attack-2}')).toEqual([
      'attack-2',
      'attack-on-the-lease',
    ]);
    expect(listAnchors(`<a id="here"></a> <a name='there'> <span class="x" id="inside">`)).toEqual([
      'here',
      'there',
      'inside',
    ]);
  });

  it('finds no headings in code blocks, tables and horizontal rules', () => {
    expect(listAnchors('```\n# no\n```\n~~~~ts\n# no\n~~~\n# no\n~~~~\n# yes')).toEqual(['yes']);
    expect(listAnchors('| a | b |\n|---|---|\n\n---\n# yes')).toEqual(['yes']);
    expect(listAnchors('```\nnever closed\n# no')).toEqual([]);
  });

  it('ignores ids that a citation cannot name', () => {
    expect(listAnchors('<a id="">x</a> <a id="two words"> {#} {#two words}')).toEqual([]);
  });

  it('accepts every kind of line ending', () => {
    expect(listAnchors('# One\r\n# Two\r# Three')).toEqual(['one', 'two', 'three']);
  });
});

describe('the check whether a verdict may cite a place in a text', () => {
  const text = [
    '# The lease {#own}',
    '',
    '## Attack 1',
    '',
    'It expires. <a id="here"></a>',
    '## Verdict',
    '',
    'BROKEN <a id="there"></a>',
    '### Why',
    '',
    'It does.',
    '## Self-score',
    '4 of 5',
  ].join('\n');
  const tells = createEvidenceCheck(text);

  it.each([
    ['attack-1', true],
    ['here', true],
    ['why', true],
    ['L5', true],
    ['L1-L3', true],
    ['L8-L11', true],
    ['the-lease', false],
    ['own', false],
    ['verdict', false],
    ['there', false],
    ['self-score', false],
    ['L1', false],
    ['L1-L2', false],
    ['L6-L8', false],
    ['L12-L13', false],
    ['L13', false],
    ['L14', false],
    ['nowhere', false],
    ['', false],
  ])('returns for the heading, id or lines “%s”: %s', (anchor, telling) => {
    expect(tells(anchor)).toBe(telling);
  });

  it('allows a first heading of level 2, but refuses one of level 1, which is the title', () => {
    expect(createEvidenceCheck('## Attack 1\n\n# Attack 2')('attack-1')).toBe(true);
    expect(createEvidenceCheck('## Attack 1\n\n# Attack 2')('attack-2')).toBe(true);
    expect(createEvidenceCheck('The lease\n===\n\n# Attack 2')('the-lease')).toBe(false);
  });
});

describe('createResolver, which looks up citations in a folder of records,', () => {
  const folder = new Map([
    ['artifacts/round_3/critic.md', '## Attack 2\n\n## Attack 20\n'],
    ['attachments/plan.md', 'one\ntwo\nthree\n'],
    ['state/decisions.jsonl', '{"id":"D-2-1","cites":[{"id":"C-1-1"}]}\nnot json\n{"id":7}\n'],
  ]);

  it.each([
    ['artifacts/round_3/critic.md#attack-2', 'ok'],
    [' ./artifacts//round_3/critic.md#attack-2 ', 'ok'],
    ['artifacts/round_3/critic.md', 'ok'],
    ['artifacts/round_3/critic.md#attack-3', 'no-anchor'],
    ['artifacts/round_3/critic.md#Attack-2', 'no-anchor'],
    ['artifacts/round_4/critic.md#attack-2', 'no-file'],
    ['attachments/plan.md#L1', 'ok'],
    ['attachments/plan.md#L1-L3', 'ok'],
    ['attachments/plan.md#L2-3', 'ok'],
    ['attachments/plan.md#L3-L4', 'no-anchor'],
    ['attachments/plan.md#L0', 'no-anchor'],
    ['attachments/plan.md#L3-L2', 'no-anchor'],
    ['state/decisions.jsonl#D-2-1', 'ok'],
    ['state/decisions.jsonl#L3', 'ok'],
    ['state/decisions.jsonl#C-1-1', 'no-anchor'],
    ['', 'no-file'],
    ['#attack-2', 'no-file'],
    ['/artifacts/round_3/critic.md#attack-2', 'no-file'],
    ['artifacts/../artifacts/round_3/critic.md', 'no-file'],
    ['..\\artifacts\\round_3\\critic.md', 'no-file'],
    ['C:/artifacts/round_3/critic.md', 'no-file'],
    ['file:///etc/passwd', 'no-file'],
  ])('looks up the citation %s with the result %s', (ref, state) => {
    expect(createResolver(folder)(ref).state).toBe(state);
  });

  it('reports a path that leads out of the folder, and names anchors that are similar to a missing anchor', () => {
    const resolve = createResolver(folder);
    expect(resolve('../x.md')).toMatchObject({ state: 'no-file', outside: true });
    expect(resolve('x.md')).toMatchObject({ state: 'no-file', outside: false });
    expect(resolve('artifacts/round_3/critic.md#ATTACK')).toMatchObject({
      near: ['attack-2', 'attack-20'],
    });
  });

  it('finds every anchor that findAnchors lists for a file', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string()),
        fc.constantFrom('# ', '', '{#', '<a id="'),
        (words, mark) => {
          const text = words.map((word) => `${mark}${word}`).join('\n');
          const resolve = createResolver(new Map([['a.md', text]]));
          for (const anchor of findAnchors(text))
            expect(resolve(`a.md#${anchor}`).state).toBe('ok');
        },
      ),
    );
  });

  it('never reads outside the folder, whatever the citation contains', () => {
    const asked: string[] = [];
    const spy = new (class extends Map<string, string> {
      override get(path: string): undefined {
        asked.push(path);
        return undefined;
      }
    })();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', '/', '\\', 'a', 'C:', '#', ' ', '~', '%2e')),
        (parts) => {
          createResolver(spy)(parts.join(''));
        },
      ),
    );
    for (const path of asked) {
      expect(path.startsWith('/')).toBe(false);
      expect(path.split('/')).not.toContain('..');
    }
  });
});

describe('deduplicateRefs, which normalizes a list of citations,', () => {
  it('removes repeated citations and keeps the order', () => {
    expect(deduplicateRefs(['b.md#x', './a.md', 'b.md#x ', 'a.md#'])).toEqual(['b.md#x', 'a.md']);
    expect(normalizeRef('../a.md#x')).toBe('../a.md#x');
  });
});
