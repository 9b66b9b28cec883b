/** Tests `deliberate context` in a repository, with a server that makes embedding vectors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CARDS, Project } from '../knowledge/project.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';

class Repository extends Project {
  constructor(files: Readonly<Record<string, string>>) {
    super({ '.git/HEAD': 'ref: refs/heads/main', 'src/deep/keep.txt': '', ...files });
  }

  context(words: readonly string[], env: Record<string, string> = {}): Promise<ProgramResult> {
    return runDeliberate(['context', ...words], {
      // Start the command in a folder below the root: it has to find the index of the whole repository.
      cwd: join(this.folder, 'src/deep'),
      env: { HOME: this.home, DELIBERATE_DB: this.database, ...env },
    });
  }
}

const FILES = {
  '.deliberate/clusters.yaml': CARDS,
  'docs/clock.md':
    '# Clock\n\nA Fischer increment adds seconds.\n\n# Drawing\n\nSquares are beige.\n',
  'src/clock.ts': 'export const seconds = 10;\n',
};

describe('deliberate context', () => {
  it('indexes, searches and lists documents, and removes them from the index but not from the disk', async () => {
    const repository = new Repository(FILES);
    const first = await repository.context(['add', '../../docs']);
    expect(first).toMatchObject({
      code: 0,
      out: '1 document, 2 chunks, 14 tokens: 1 new, 0 changed, 0 removed, 0 unchanged\n',
    });
    expect(first.err).toMatch(/^No embedding model: keyword search only\./);
    const second = await repository.context(['add']);
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain('0 new, 0 changed, 0 removed, 1 unchanged');
    const found = await repository.context(['search', 'increment', '--explain']);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toMatch(
      /^docs\/clock\.md#L3-L3 {2}Clock\n {4}A Fischer .*\n {4}words 1, vectors -/m,
    );
    expect(found.out).toMatch(/^cluster clock \(card\)$/m);
    const listed = await repository.context(['list']);
    expect(listed.out).toContain('  docs: 1 document\n');
    expect(listed.out).toContain('embeddings: none');
    const forgotten = await repository.context(['rm', '../../docs']);
    expect(forgotten.code).toBe(0);
    expect(await repository.context(['search', 'increment'])).toMatchObject({ code: 1 });
    expect(readFileSync(join(repository.folder, 'docs/clock.md'), 'utf8')).toBe(
      FILES['docs/clock.md'],
    );
  });

  it('shows the ranks by keyword and by vector if an embedding model is set', async () => {
    const server = await startOllama({
      models: ['words', 'other'],
      synonyms: { bonus: 'increment' },
    });
    onTestFinished(() => server.close());
    const repository = new Repository(FILES);
    const env = { OLLAMA_HOST: server.url };
    repository.write('../.config/deliberate/config.yaml', 'embeddings: ollama/words\n');
    const added = await repository.context(['add', '../../docs'], env);
    expect(added.err).toContain('5 texts embedded by ollama/words.');
    const found = await repository.context(['search', 'bonus', '--explain', '--limit', '1'], env);
    expect(found.out).toMatch(/^docs\/clock\.md#L3-L3 .*\n.*\n {4}words -, vectors 1,/);
    const other = await repository.context(['search', 'increment', '--embed', 'ollama/other'], env);
    expect(other.err).toMatch(
      /vectors of ollama\/words, not of ollama\/other: keyword search only/,
    );
    expect(other.out).toContain('docs/clock.md#L3-L3');
    // Remove the embedding model from the settings: the index itself records which model made its vectors.
    repository.write('../.config/deliberate/config.yaml', '');
    const remembered = await repository.context(
      ['search', 'bonus', '--explain', '--limit', '1'],
      env,
    );
    expect(remembered.out).toMatch(/^docs\/clock\.md#L3-L3 .*\n.*\n {4}words -, vectors 1,/);
    await server.shutDown();
    const byWords = await repository.context(['search', 'increment'], env);
    expect(byWords.err).toMatch(/cannot reach .*: keyword search only/);
    expect(byWords.out).toContain('docs/clock.md#L3-L3');
    repository.write('../.config/deliberate/config.yaml', 'embeddings: ollama/words\n');
    const away = await repository.context(['search', 'increment', '--json'], env);
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toContain('cannot reach');
  });

  it('lets a rehearsal assign clusters to sections, and a person correct them', async () => {
    const repository = new Repository(FILES);
    const added = await repository.context(['add', '../../docs', '--model', 'rehearsal/panel']);
    expect(added.err).toContain('1 document assigned in 1 call.');
    const { out, err } = await repository.context(['clusters']);
    expect(out).toMatch(/^SECTION +HEADING +CLUSTER +SAID BY\n/);
    expect(out).toMatch(/^docs\/clock\.md#L3-L3 +Clock +clock +rehearsal\/panel$/m);
    expect(err).toContain('Without a document: peers');
    const set = await repository.context([
      'clusters',
      '--set',
      'docs/clock.md#Drawing=rendering,peers',
    ]);
    expect(set.out).toMatch(/^docs\/clock\.md#L7-L7 +Drawing +peers, rendering +person$/m);
    const refused = await repository.context(['clusters', '--set', 'docs/clock.md#Drawing=render']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('there is no cluster "render"');
  });

  it('lists what the documents do not answer, and claims whose quoted code has changed', async () => {
    const repository = new Repository(FILES);
    repository.write(
      'docs/claims.md',
      '---\ncluster: clock\nclaims:\n  - claim: Ten seconds.\n    at: src/clock.ts#L1\n    quote: const seconds = 10;\n---\nSee the code.\n',
    );
    await repository.context(['add', '../../docs']);
    const gaps = await repository.context([
      'gaps',
      'an increment over the network',
      '--question',
      'Which port is open?',
    ]);
    expect(gaps.out).toBe(
      'gap  cluster peers: no document\nok   cluster clock: 2 chunks\ngap  Which port is open?\n     nothing found\n',
    );
    expect(await repository.context(['check'])).toMatchObject({
      code: 0,
      out: '1 claim, 0 stale\n',
    });
    repository.write('src/clock.ts', '// new\n\nexport const seconds = 10;\n');
    const moved = await repository.context(['check']);
    expect(moved.code).toBe(0);
    expect(moved.out).toContain('docs/claims.md:4: moved: src/clock.ts#L3-L3');
    repository.write('src/clock.ts', 'export const seconds = 12;\n');
    const stale = await repository.context(['check']);
    expect(stale.code).toBe(1);
    expect(stale.out).toContain('stale: src/clock.ts#L3-L3: its quotation is no longer there');
    expect((await repository.context(['search', 'ten'])).out).toBe('');
  });

  it.each([
    [[], 2, /context needs a subcommand/],
    [['serach'], 2, /Did you mean search\?/],
    [['search'], 2, /no search text given/],
    [['search', 'x'], 1, /has no index.*deliberate context add docs/s],
    [['list', 'x'], 2, /takes no arguments/],
    [['rm'], 2, /no folder named/],
    [['gaps'], 2, /no topic given/],
    [['add', 'x', '--embed', 'nobody/m'], 2, /does not name a model/],
    [['add', '../../docs', '--embed', 'anthropic/m'], 1, /cannot embed text/],
    [['add', '../../docs', '--cards', 'none.yaml'], 2, /no such file/],
  ])('refuses the wrong arguments %j', async (words, code, says) => {
    const ended = await new Repository(FILES).context(words as string[]);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(says);
  });

  it('shows documents without characters that a terminal would interpret', async () => {
    const repository = new Repository({
      'docs/a.md': '# \u001b]0;owned\u0007 T\n\n\u001b[31mred increment\n',
    });
    await repository.context(['add', '../../docs']);
    const { out } = await repository.context(['search', 'increment']);
    expect(out).toContain('red increment');
    expect(out).not.toContain('\u001b');
  });
});
