/** Tests what the commands around a plan do to documents, clusters and files. */
import { describe, expect, it } from 'vitest';
import { proposedSlug, shortSlug } from '../../src/protocols/plan/topic.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { formatClustersFile, World } from './harness.ts';
import { House, REHEARSE, SPEC, STATUS, TOPIC_FILE } from './house.ts';

describe('the clusters (domains) of a project’s documents', () => {
  it('are read from their file again by "context search", which fails if the file has become invalid', async () => {
    const house = new House();
    await house.runHere(['context', 'add', 'docs']);
    house.write(
      '.deliberate/clusters.yaml',
      formatClustersFile({ security: 'Sessions', tides: 'Tides' }),
    );
    house.write('.deliberate/clusters.yaml', 'clusters: [3]\n');
    expect(await house.runHere(['context', 'search', 'session'])).toMatchObject({ code: 1 });
  });

  it('are written into a document by the command "deliberate context clusters --set"', async () => {
    const house = new House({ 'docs/bare.md': '# Bare\n\nNobody has said whose this is.\n' });
    await house.runHere(['context', 'add', 'docs']);
    const set = await house.runHere(['context', 'clusters', '--set', 'docs/bare.md=security']);
    expect(set.err).toContain('docs/bare.md: it had no frontmatter');
    expect(house.read('docs/bare.md')).toBe(
      '---\nclusters: ["security"]\n---\n# Bare\n\nNobody has said whose this is.\n',
    );
    const again = await house.runHere(['context', 'clusters', '--set', 'docs/bare.md#Bare=ux']);
    expect([set.code, again.code, again.err]).toEqual([0, 0, '']);
    expect(house.read('docs/bare.md').match(/clusters/g)).toHaveLength(1);
  });

  it('cannot be searched after "context add docs nowhere", which indexes nothing and names the folder "nowhere", which does not exist', async () => {
    const house = new House();
    const added = await house.runHere(['context', 'add', 'docs', 'nowhere']);
    expect(added.code).toBe(1);
    expect(added.err).toContain('nowhere: no such file or folder');
    expect((await house.runHere(['context', 'search', 'session'])).out).toBe('');
  });
});

describe('the topic of a plan', () => {
  it('is not indexed as a document, whatever its file is called', async () => {
    const house = new House({ 'docs/wishes.md': '# Let wombats sign in\n\nWombats, wombats.\n' });
    const added = await house.runHere(['context', 'add', 'docs']);
    expect(added.err).toContain(`left out: ${TOPIC_FILE}: it is the topic of a plan`);
    await house.runHere(['plan', 'docs/wishes.md', ...REHEARSE]);
    expect((await house.runHere(['context', 'search', 'wombats'])).out).toBe('');
  });

  it('becomes a file name of at most 40 characters, which ends with a whole word if possible', () => {
    const long =
      'Let everybody who has signed in once stay signed in on their own machines for good';
    expect(shortSlug(long)).toBe('let-everybody-who-has-signed-in-once');
    expect(shortSlug('Fünf Wände')).toBe('fünf-wände');
    expect(shortSlug('x'.repeat(90))).toBe('x'.repeat(40));
    expect(proposedSlug('Stay signed-in ')).toBe('stay-signed-in');
    for (const bad of ['', '...', '42', '../../etc', 'a b c d e f g', 'y'.repeat(41)])
      expect(proposedSlug(bad) ?? 'none').not.toMatch(/\.|\/|^$|\d\d|.{41}/);
  });

  it('is replaced in file names by a name that the chair proposes, without its folders, unless that name has too many words', async () => {
    const proposeName = (name: string) => () => ({
      queries: ['how long a session lasts'],
      clusters: ['security', 'ux'],
      name,
    });
    const specOf = async (name: string) =>
      (await new World().makePlan({ script: { staff: proposeName(name) } })).files[0]?.path;
    expect(await specOf('Longer sessions')).toBe('docs/roadmap/longer-sessions.spec.md');
    expect(await specOf('../../x')).toBe('docs/roadmap/x.spec.md');
    expect(await specOf('a b c d e f g h')).toBe('docs/roadmap/stay-signed-in.spec.md');
  });
});

describe('the files of a plan', () => {
  it('are written only when no other process has the run open', async () => {
    const house = new House();
    await house.runHere(['plan', TOPIC_FILE, ...REHEARSE]);
    const store = Store.open(house.database, FACTS);
    const run = store.find('latest');
    const journal = store.own(run, {});
    const refused = await house.run(['plan', '--write', run, '--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is in use by') });
    expect([house.has(SPEC), house.has(STATUS)]).toEqual([false, false]);
    journal.release();
    store.close();
    const written = await house.runHere(['plan', '--write', run, '--yes']);
    expect(written.code).toBe(0);
    expect(written.err).toContain('team --spec docs/roadmap/clock.spec.json');
    expect([house.has(SPEC), house.has(STATUS)]).toEqual([true, true]);
  });
});
