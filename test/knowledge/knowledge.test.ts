/** The index of real folders in a real database: what it reads again, finds, assigns, lacks and withholds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Models } from '../../src/kernel/model.ts';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { checkClaimQuotations } from '../../src/knowledge/claims.ts';
import { type Knowledge, openKnowledge } from '../../src/knowledge/knowledge.ts';
import { INDEX_VERSION } from '../../src/knowledge/schema.ts';
import { chunkPlace } from '../../src/knowledge/search.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { makePdf } from '../documents/make.ts';
import { needProgram } from '../setup/needs.ts';
import { makeRunStarted } from '../store/bodies.ts';
import { CARDS, findHitPlaces, Project } from './project.ts';

const CLOCK =
  '# Clock\n\nA Fischer increment adds seconds after each move.\n\n## Flag\n\nIt falls.\n';

describe('an index of documents', () => {
  it('is stored in the database of runs without changing the runs', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const store = Store.open(project.database, FACTS);
    const run = store.create('test');
    run.note([makeRunStarted('Why?')]);
    const before = store.facts(run.run);
    project.open().update(project.pathsOf('docs'));
    store.close();
    const again = Store.open(project.database, FACTS);
    expect(before).toHaveLength(1);
    expect(again.facts(run.run)).toEqual(before);
    again.close();
    expect(await findHitPlaces(project.open(), 'increment')).toEqual(['docs/a.md#L3']);
  });

  it('updates only documents whose content has changed, adds new ones, and removes deleted ones', async () => {
    const project = new Project({ 'docs/a.md': CLOCK, 'docs/b.md': 'bees', 'docs/c.txt': 'cats' });
    const knowledge = project.open();
    expect(knowledge.update(project.pathsOf('docs'))).toMatchObject({
      added: ['docs/a.md', 'docs/b.md', 'docs/c.txt'],
      unchanged: 0,
    });
    expect(knowledge.update()).toMatchObject({ added: [], changed: [], removed: [], unchanged: 3 });
    project.write('docs/a.md', CLOCK); // The same bytes get another modification time.
    project.write('docs/b.md', 'badgers');
    project.write('docs/d/e.md', 'eagles');
    project.remove('docs/c.txt');
    expect(knowledge.update()).toMatchObject({
      added: ['docs/d/e.md'],
      changed: ['docs/b.md'],
      removed: ['docs/c.txt'],
      unchanged: 1,
    });
    expect(await findHitPlaces(knowledge, 'bees cats badgers eagles')).toEqual([
      'docs/b.md#L1',
      'docs/d/e.md#L1',
    ]);
  });

  it('notices a recent change that leaves a file’s size and time equal', () => {
    const project = new Project();
    project.write('docs/a.md', 'first', 0);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    project.write('docs/a.md', 'other', 0);
    expect(knowledge.update().changed).toEqual(['docs/a.md']);
  });

  it('does not open a file whose time and size are unchanged', () => {
    const project = new Project({ 'docs/a.md': 'first' });
    const file = join(project.folder, 'docs/a.md');
    utimesSync(file, 1_000, 1_000);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    writeFileSync(file, 'other');
    utimesSync(file, 1_000, 1_000);
    expect(knowledge.update().changed).toEqual([]);
    expect(knowledge.update({ rebuild: true }).changed).toEqual(['docs/a.md']);
  });

  it('names files that are skipped because they are links, too large or no text', () => {
    const project = new Project({
      'docs/a.md': 'text',
      'docs/.hidden.md': 'x',
      'docs/logo.png': 'x',
    });
    project.write('docs/binary.md', Buffer.from([65, 0, 66]));
    project.write('docs/large.md', 'x'.repeat(3 * 1024 * 1024));
    project.write('secret.md', 'outside');
    symlinkSync(join(project.folder, 'secret.md'), join(project.folder, 'docs/link.md'));
    const { added, leftOut, others } = project.open().update(project.pathsOf('docs'));
    expect(added).toEqual(['docs/a.md']);
    expect(others).toBe(1);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { path: 'docs/link.md', why: 'it is a link' },
        { path: 'docs/binary.md', why: expect.stringContaining('binary') },
        { path: 'docs/large.md', why: expect.stringContaining('at most 2.0 MB') },
      ]),
    );
    expect(leftOut).toHaveLength(3);
  });

  it('skips files that git ignores, except in a folder that a person adds by name', () => {
    needProgram('git');
    const project = new Project({
      '.gitignore': 'docs/drafts/\n*.tmp.md\n',
      'docs/a.md': 'otters',
      'docs/drafts/b.md': 'badgers',
      'docs/c.tmp.md': 'weasels',
      'docs/d.md': 'herons',
    });
    const runGit = (...args: string[]) =>
      execFileSync('git', args, { cwd: project.folder, stdio: 'ignore' });
    runGit('init', '--quiet');
    const knowledge = project.open();
    expect(knowledge.update(project.pathsOf('docs'))).toMatchObject({
      added: ['docs/a.md', 'docs/d.md'],
      unignored: [],
    });
    project.write('.gitignore', 'docs/drafts/\n*.tmp.md\nd.md\n');
    expect(knowledge.update().removed).toEqual(['docs/d.md']);
    // A folder that a person names is read even if git ignores it.
    expect(knowledge.update(project.pathsOf('docs/drafts')).added).toEqual(['docs/drafts/b.md']);
    expect(knowledge.update()).toMatchObject({ added: [], removed: [] });
    mkdirSync(join(project.folder, 'docs/other'));
    project.write('docs/other/e.md', 'cranes');
    execFileSync('git', ['init', '--quiet'], { cwd: join(project.folder, 'docs/other') });
    expect(knowledge.update()).toMatchObject({
      added: [],
      leftOut: [{ path: 'docs/other/', why: 'it is a repository of its own' }],
    });
  });

  it('says that a .gitignore outside a repository is not used', () => {
    const project = new Project({
      '.gitignore': 'b.md\n',
      'docs/a.md': 'otters',
      'docs/b.md': 'badgers',
    });
    expect(project.open().update(project.pathsOf('docs'))).toMatchObject({
      added: ['docs/a.md', 'docs/b.md'],
      unignored: ['docs'],
    });
  });

  it('removes a document that can no longer be read', async () => {
    const project = new Project({ 'docs/a.md': 'badgers' });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    project.write('docs/a.md', Buffer.from([65, 0, 66]));
    expect(knowledge.update()).toMatchObject({ removed: ['docs/a.md'] });
    expect(await findHitPlaces(knowledge, 'badgers')).toEqual([]);
  });

  it('keeps the documents of a deleted folder until they are removed explicitly', async () => {
    const project = new Project({ 'docs/a.md': CLOCK, 'more/b.md': 'bees' });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs', 'more'));
    renameSync(join(project.folder, 'docs'), join(project.home, 'away'));
    expect(knowledge.update()).toMatchObject({ vanished: ['docs'], removed: [] });
    expect(await findHitPlaces(knowledge, 'increment')).toEqual(['docs/a.md#L3']);
    expect(knowledge.update({ prune: true })).toMatchObject({ vanished: ['docs'] });
    expect(await findHitPlaces(knowledge, 'increment')).toEqual([]);
    expect(knowledge.summary().roots.map(({ path }) => path)).toEqual(['more']);
  });

  it('replaces several folders by a folder that contains them', () => {
    const project = new Project({ 'docs/a/a.md': 'a', 'docs/b.md': 'b', 'other.md': 'o' });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs/a', 'other.md'));
    knowledge.update(project.pathsOf('docs'));
    knowledge.update(project.pathsOf('docs/a'));
    expect(knowledge.summary().roots.map(({ path }) => path)).toEqual(['docs', 'other.md']);
    expect(knowledge.remove(join(project.folder, 'docs/a'))).toBe(false);
    expect(knowledge.remove(join(project.folder, 'docs'))).toBe(true);
    expect(knowledge.summary()).toMatchObject({ documents: 1, chunks: 1 });
  });

  it('keeps a document that a program added if the last added folder is removed', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const knowledge = project.open();
    knowledge.add({ path: 'notes/b.md', text: 'Badgers dig.' });
    knowledge.update(project.pathsOf('docs'));
    expect(knowledge.remove(join(project.folder, 'docs'))).toBe(true);
    expect(await findHitPlaces(knowledge, 'badgers')).toEqual(['notes/b.md#L1']);
  });

  it('is not affected by other indexes in the same database', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    project.write('notes/b.md', 'increment increment');
    project.open({ name: 'notes' }).update(project.pathsOf('notes'));
    expect(await findHitPlaces(knowledge, 'increment')).toEqual(['docs/a.md#L3']);
    expect(await findHitPlaces(project.open({ name: 'notes' }), 'increment')).toEqual([
      'notes/b.md#L1',
    ]);
    const other = new Project();
    expect(() => openKnowledge(project.database, other.folder)).toThrow(/has no index/);
  });

  it('cites a passage of a PDF by its page and lines', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    project.write(
      'docs/report.pdf',
      makePdf({ pages: [['one'], ['two', 'The increment is two seconds.']] }),
    );
    project.open().update(project.pathsOf('docs'));
    const findPlaces = async (knowledge: Knowledge): Promise<string[]> => {
      const { hits } = await knowledge.search('increment two seconds');
      return hits.map(({ chunk }) => chunkPlace(chunk)).filter((place) => place.includes('.pdf'));
    };
    expect(await findPlaces(project.open())).toEqual(['docs/report.pdf#p2L1-L2']);
    // Turn the tables into those of the older version that stored no pages.
    const db = new Database(project.database);
    db.exec(
      'ALTER TABLE context_chunk DROP COLUMN page; ALTER TABLE context_chunk DROP COLUMN page_from;',
    );
    db.close();
    const reopened = project.open();
    expect(await findPlaces(reopened)).toEqual(['docs/report.pdf#L2-L3']);
    expect(reopened.update()).toMatchObject({ changed: ['docs/report.pdf'], unchanged: 1 });
    expect(await findPlaces(reopened)).toEqual(['docs/report.pdf#p2L1-L2']);
    expect(reopened.update()).toMatchObject({ changed: [], unchanged: 2 });
  });

  it('is refused if another version wrote the index', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    project.open().update(project.pathsOf('docs'));
    const db = new Database(project.database);
    db.prepare('UPDATE context_version SET version = ?').run(INDEX_VERSION + 1);
    db.exec('CREATE TABLE context_of_my_own (x)');
    db.close();
    expect(() => project.open()).toThrow(
      expect.objectContaining({
        code: 'index-version',
        next: expect.stringContaining('--rebuild'),
      }),
    );
    const rebuilt = project.open({ rebuild: true });
    expect(rebuilt.summary().documents).toBe(0);
    rebuilt.update(project.pathsOf('docs'));
    expect(await findHitPlaces(rebuilt, 'increment')).toEqual(['docs/a.md#L3']);
    const after = new Database(project.database, { readonly: true });
    expect(after.prepare('SELECT count(*) FROM context_of_my_own').pluck().get()).toBe(0);
    expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
    after.close();
  });
});

describe('a search by words', () => {
  it.each([
    '"',
    'NOT',
    'a AND',
    '* NEAR(x y)',
    'heading:clock',
    '{}',
    "'; DROP TABLE run; --",
    '(',
    '-',
    '',
    '^a',
    'x'.repeat(50_000),
    '\0',
    '\ud800',
    '"increment" OR rowid:1',
  ])('ends without an error for the query %j, and leaves the index intact', async (query) => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    await expect(knowledge.search(query)).resolves.toBeDefined();
    expect(await findHitPlaces(knowledge, 'increment')).toEqual(['docs/a.md#L3']);
  });

  it('finds other forms of a word, parts of names, and text without spaces', async () => {
    const project = new Project({
      'docs/a.md': 'The seatTimeout ends a seat.',
      'docs/b.md': '棋钟每步加时十秒。',
      'docs/c.md': 'Runs are resumed after a crash.',
      'docs/d.md': 'Größe über alles',
    });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    expect(await findHitPlaces(knowledge, 'timeout')).toEqual(['docs/a.md#L1']);
    expect(await findHitPlaces(knowledge, 'seatTimeout')).toEqual(['docs/a.md#L1']);
    expect(await findHitPlaces(knowledge, '加时')).toEqual(['docs/b.md#L1']);
    expect(await findHitPlaces(knowledge, '每步加时多少秒')).toEqual(['docs/b.md#L1']);
    expect(await findHitPlaces(knowledge, 'resuming')).toEqual(['docs/c.md#L1']);
    expect(await findHitPlaces(knowledge, 'grosse uber')).toEqual(['docs/d.md#L1']);
  });

  it('returns lines and headings, always in the same order', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    const { hits } = await knowledge.search('When does the flag fall?');
    expect(hits).toEqual([
      {
        chunk: expect.objectContaining({
          kind: 'section',
          path: 'docs/a.md',
          from: 7,
          to: 7,
          heading: ['Clock', 'Flag'],
          text: 'It falls.',
          clusters: [],
        }),
        words: 1,
      },
    ]);
    expect((await knowledge.search('When does the flag fall?')).hits).toEqual(hits);
  });
});

const DOCUMENTS = {
  '.deliberate/clusters.yaml': CARDS,
  'docs/front.md': '---\ncluster: Clock\n---\n# A\none increment\n# B\ntwo\n',
  'docs/rendering/squares.md': '# Squares\nlight and dark\n',
  'docs/unknown.md': '---\nclusters: [clok]\n---\nthree\n',
};

describe('the domains (clusters) of a project’s documents', () => {
  it('come from a document’s frontmatter or from its folder', () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    const { problems } = knowledge.update(project.pathsOf('docs'));
    expect(problems).toEqual([
      'docs/unknown.md: there is no cluster "clok"; did you mean "clock"?',
    ]);
    const rows = knowledge
      .sections()
      .map(({ path, heading, clusters }) => [
        `${path}#${heading}`,
        clusters.map(({ cluster, saidBy }) => `${cluster} by ${saidBy}`).join(),
      ]);
    expect(rows).toEqual([
      ['docs/front.md#A', 'clock by frontmatter'],
      ['docs/front.md#B', 'clock by frontmatter'],
      ['docs/rendering/squares.md#Squares', 'rendering by folder'],
      ['docs/unknown.md#', ''],
    ]);
    expect(knowledge.chunksOf('clock').map(({ text }) => text)).toEqual(['one increment', 'two']);
    expect(knowledge.clusterTokens('clock')).toBe(5);
    expect(knowledge.clusterTokens('peers')).toBe(0);
  });

  it('are found by the words of their descriptions, even a domain without documents', async () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    expect(await findHitPlaces(knowledge, 'Which port does the handshake use?')).toEqual([
      'card peers',
    ]);
    const { hits } = await knowledge.search('handshake increment', { clusters: ['clock'] });
    expect(hits.map(({ chunk }) => chunk.heading)).toEqual([['A'], ['clock']]);
  });

  it('stay as a person set them for a section until the section’s text changes', () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    expect(knowledge.setClusters('docs/front.md#b=peers, rendering').rows).toEqual([
      expect.objectContaining({
        heading: 'B',
        clusters: [
          { cluster: 'peers', saidBy: 'person' },
          { cluster: 'rendering', saidBy: 'person' },
        ],
      }),
    ]);
    const ofB = (): string[] =>
      knowledge
        .sections()
        .find(({ heading }) => heading === 'B')
        ?.clusters.map(({ cluster }) => cluster) ?? [];
    project.write('docs/front.md', `${DOCUMENTS['docs/front.md']}# C\nmore\n`);
    expect(knowledge.update().changed).toEqual(['docs/front.md']);
    knowledge.update({ rebuild: true });
    expect(ofB()).toEqual(['peers', 'rendering']);
    project.write('docs/front.md', '---\ncluster: clock\n---\n# B\nrewritten\n');
    knowledge.update();
    expect(ofB()).toEqual(['clock']);
    expect(() => knowledge.setClusters('docs/front.md#B=clocks')).toThrow(/no cluster "clocks"/);
    expect(() => knowledge.setClusters('docs/front.md#Z=clock')).toThrow(/has no section "Z"/);
    expect(() => knowledge.setClusters('docs/font.md=clock')).toThrow(/no document/);
    expect(() => knowledge.setClusters('docs/front.md#B')).toThrow(/no cluster named/);
  });

  it('change when the file with their descriptions changes', () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    project.write('.deliberate/clusters.yaml', CARDS.replace('clock', 'clok'));
    knowledge.update();
    expect(knowledge.chunksOf('clock')).toEqual([]);
    expect(knowledge.chunksOf('clok')).toHaveLength(1);
    project.remove('.deliberate');
    expect(knowledge.update().problems).toEqual([
      expect.stringContaining('there is no .deliberate/clusters.yaml'),
    ]);
    expect(knowledge.cards()).toHaveLength(3);
  });

  it.each([
    ['clusters: []', /expected array to have >=1|Too small/],
    ['clusters: [{name: "a=b", line: x}]', /expected a name on one line, without/],
    [
      'clusters: [{name: Clock, line: x}, {name: clock, line: y}]',
      /two clusters are called "clock"/,
    ],
    ['clusters: [{name: a, line: x, wrods: []}]', /Did you mean words/],
  ])('cause an error that says what is wrong if their descriptions are %s', (text, problem) => {
    const project = new Project({ '.deliberate/clusters.yaml': text, 'docs/a.md': 'x' });
    expect(() => project.open().update(project.pathsOf('docs'))).toThrow(problem);
  });

  it('can be described in the frontmatter of a Markdown file', () => {
    const project = new Project({ 'docs/clusters.md': `---\n${CARDS}---\n# Our clusters\n` });
    const knowledge = project.open();
    knowledge.update({
      ...project.pathsOf('docs'),
      cards: join(project.folder, 'docs/clusters.md'),
    });
    expect(knowledge.cards().map(({ name }) => name)).toEqual(['clock', 'peers', 'rendering']);
    project.write('docs/clusters.md', `---\n${CARDS.replace('peers', 'pairs')}---\n`);
    knowledge.update();
    expect(knowledge.cards().map(({ name }) => name)).toEqual(['clock', 'pairs', 'rendering']);
    expect(() => knowledge.update({ cards: join(project.folder, 'none.yaml') })).toThrow(
      /no such file/,
    );
    // The update that failed must not store the path of the missing file `none.yaml`. The next update uses the
    // earlier file of cards.
    knowledge.update();
    expect(knowledge.cards().map(({ name }) => name)).toEqual(['clock', 'pairs', 'rendering']);
    expect(knowledge.update().problems).toEqual([]);
  });

  it('are assigned by a model to those sections whose domain is undecided', async () => {
    const project = new Project({ ...DOCUMENTS, 'docs/b.md': '# X\nport\n# Y\ncolors\n' });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    const asked: { task: string; prompt: string }[] = [];
    let says: unknown;
    const models: Pick<Models, 'call'> = {
      call: async (request) => {
        const prompt = request.messages[0]?.parts[0]?.text ?? '';
        asked.push({ task: request.task, prompt });
        return {
          status: 'done',
          value: says,
          text: '',
          thinking: '',
          usage: NO_USAGE,
          latencyMs: 1,
          attempts: 1,
          notes: [],
        };
      },
    };
    const options = { signal: new AbortController().signal };
    says = {
      sections: [
        { section: 1, clusters: ['peers'] },
        { section: 2, clusters: [] },
      ],
    };
    // `docs/unknown.md` and `docs/rendering/squares.md` have one section each. So the program refuses the
    // scripted answer for these two documents, which names a section 2.
    const first = await knowledge.assign(models, 'test/m', options);
    expect(first.failed).toHaveLength(2);
    expect(asked).toHaveLength(3);
    expect(asked.every(({ task }) => task === 'context/assign')).toBe(true);
    expect(asked.some(({ prompt }) => prompt.includes('one increment'))).toBe(false);
    says = { sections: [{ section: 1, clusters: ['rendering'] }] };
    expect(await knowledge.assign(models, 'test/m', options)).toMatchObject({
      calls: 2,
      failed: [],
    });
    expect(await knowledge.assign(models, 'test/m', options)).toMatchObject({ calls: 0 });
    const said = new Map(
      knowledge.sections().map(({ heading, path, clusters }) => [`${path}#${heading}`, clusters]),
    );
    expect(said.get('docs/b.md#X')).toEqual([{ cluster: 'peers', saidBy: 'test/m' }]);
    expect(said.get('docs/b.md#Y')).toEqual([]);
    project.write('docs/b.md', '# X\nport\n# Y\ncolors changed\n');
    knowledge.update();
    const before = asked.length;
    await knowledge.assign(models, 'test/m', options);
    expect(asked).toHaveLength(before + 1);
    expect(asked.at(-1)?.prompt).not.toContain('"port"');
    says = { sections: [{ section: 1, clusters: ['nonsense'] }] };
    project.write('docs/b.md', '# X\nother\n');
    knowledge.update();
    expect((await knowledge.assign(models, 'test/m', options)).failed).toHaveLength(1);
  });
});

describe('gaps in an index (domains and questions without documents)', () => {
  const topic = 'Handshake between machines with an increment';

  it('include a domain without documents, but not a domain whose documents rank low in the search', async () => {
    const project = new Project(DOCUMENTS);
    for (let at = 0; at < 8; at++)
      project.write(
        `docs/rendering/${at}.md`,
        `# Increment ${at}\nincrement increment handshake\n`,
      );
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    const { touched } = await knowledge.gaps(topic);
    expect(touched.filter(({ chunks }) => chunks === 0).map(({ cluster }) => cluster)).toEqual([
      'peers',
    ]);
    expect(touched.find(({ cluster }) => cluster === 'clock')).toMatchObject({ chunks: 2 });
  });

  it('stay the same if a thousand unrelated sections are added', async () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    const questions = ['What is the increment?', 'Which handshake has the increment?'];
    const before = await knowledge.gaps(topic, questions);
    const first = await findHitPlaces(knowledge, topic, 3);
    for (let at = 0; at < 100; at++)
      project.write(
        `docs/noise/${at}.md`,
        Array.from(
          { length: 10 },
          (_, part) => `# Part ${part}\nwheat barley oats ${at} ${part}`,
        ).join('\n'),
      );
    expect(knowledge.update().added).toHaveLength(100);
    expect(knowledge.summary().chunks).toBeGreaterThan(1_000);
    expect(await knowledge.gaps(topic, questions)).toEqual(before);
    expect(await findHitPlaces(knowledge, topic, 3)).toEqual(first);
  });

  it('say for each asked question whether all, some or none of its words occur in the documents, and which are missing', async () => {
    const project = new Project(DOCUMENTS);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    const { questions } = await knowledge.gaps('a clock', [
      'What is an increment?',
      'Is the increment sent in the handshake?',
      'Who pays the electrician?',
    ]);
    expect(questions.map(({ found, missing }) => [found, ...missing])).toEqual([
      ['all'],
      ['partly', 'sent', 'handshake'],
      ['nothing', 'pays', 'electrician'],
    ]);
  });
});

const SOURCE = Array.from({ length: 20 }, (_, at) => `const line${at + 1} = ${at + 1};`).join('\n');
const makeClaim = (text: string, at: string, quote: string): string =>
  `  - claim: ${text}\n    at: ${at}\n    quote: "${quote}"\n`;
const CLAIMED = `---\nclaims:\n${makeClaim('Five', 'src/a.ts#L5', 'const line5 = 5;')}${makeClaim('Nine and ten', 'src/a.ts#L9-L10', 'line9 = 9; const line10')}---\n# Lines\ntext\n`;

describe('claims that quote a file', () => {
  it('get new line numbers if the quoted lines moved', async () => {
    const project = new Project({ 'src/a.ts': SOURCE, 'docs/a.md': CLAIMED });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    expect(knowledge.check().map(({ check }) => check.state)).toEqual(['stands', 'stands']);
    project.write('src/a.ts', `${'// new\n'.repeat(10)}${SOURCE}`);
    expect(knowledge.check()).toMatchObject([
      { check: { state: 'moved', from: 15, to: 15 }, quotation: { from: 15, to: 15 } },
      { check: { state: 'moved', from: 19, to: 20 } },
    ]);
    expect(knowledge.check().map(({ check }) => check.state)).toEqual(['stands', 'stands']);
    const { state } = knowledge.snapshot([]);
    project.write('src/a.ts', SOURCE.replace('line5 = 5', 'line5 = 55'));
    expect(knowledge.check()).toMatchObject([
      { check: { state: 'stale' }, document: 'docs/a.md', line: 3, quotation: { from: 15 } },
      { check: { state: 'moved', from: 9, to: 10 } },
    ]);
    const { hits } = await knowledge.search('five nine lines text');
    expect(hits.map(({ chunk }) => chunk.text.split('\n')[0]).sort()).toEqual([
      'Nine and ten',
      'text',
    ]);
    expect(knowledge.summary().stale).toBe(1);
    expect(knowledge.snapshot([]).state).not.toBe(state);
    project.write('src/a.ts', SOURCE);
    knowledge.update();
    expect(await findHitPlaces(knowledge, 'five')).toEqual(['docs/a.md#L3']);
  });

  it('are checked only against files of the project', () => {
    const project = new Project({
      'src/a.ts': SOURCE,
      '.git/config': 'a secret of the repository',
    });
    project.write('../outside.ts', SOURCE);
    symlinkSync(join(project.home, 'outside.ts'), join(project.folder, 'src/link.ts'));
    mkdirSync(join(project.folder, 'src/sub'));
    const quote = 'const line5 = 5;';
    const quoteFrom = (path: string) => ({ path, from: 5, to: 5, quote });
    const states = checkClaimQuotations(project.folder, [
      quoteFrom('src/a.ts'),
      quoteFrom('../outside.ts'),
      quoteFrom(join(project.home, 'outside.ts')),
      quoteFrom('src/link.ts'),
      { ...quoteFrom('.git/config'), quote: 'a secret of the repository' },
      quoteFrom('src/none.ts'),
      quoteFrom('src/sub'),
    ]);
    expect(states.map(({ state }) => state)).toEqual([
      'stands',
      ...new Array<string>(6).fill('stale'),
    ]);
    expect(states.map((state) => ('why' in state ? state.why : ''))).toEqual([
      '',
      'points outside the project',
      'points outside the project',
      'is a link; copy the file instead',
      'points into .git',
      'the file is gone',
      'is a folder',
    ]);
  });

  it('are moved to the occurrence nearest to their former line if the quotation occurs several times', () => {
    const project = new Project({ 'a.ts': `${SOURCE}\n${SOURCE}\n${SOURCE}` });
    const quotation = { path: 'a.ts', from: 23, to: 23, quote: 'const   line5\n = 5;' };
    expect(checkClaimQuotations(project.folder, [quotation])).toEqual([
      { state: 'moved', from: 25, to: 25 },
    ]);
  });
});

describe('a document that a program adds as text', () => {
  it('is found, survives updates, and is replaced by a file with its path', async () => {
    const project = new Project({ 'docs/a.md': CLOCK });
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    knowledge.add({ path: 'docs/research.md', text: '# Research\nbadgers dig\n' });
    const { hits } = await knowledge.search('badgers');
    const snapshot = knowledge.snapshot(hits.map(({ chunk }) => chunk));
    knowledge.add({ path: 'docs/research.md', text: '# Research\nbadgers sleep\n' });
    knowledge.update();
    expect((await knowledge.search('badgers')).hits.map(({ chunk }) => chunk.text)).toEqual([
      'badgers sleep',
    ]);
    expect(snapshot.chunks.map(({ text }) => text)).toEqual(['badgers dig']);
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
    project.write('docs/research.md', 'accepted badgers');
    knowledge.update();
    expect((await knowledge.search('badgers')).hits.map(({ chunk }) => chunk.text)).toEqual([
      'accepted badgers',
    ]);
  });
});
