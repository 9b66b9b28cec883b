/** Vectors over real HTTP: what servers get wrong, what is paid once, what is said of another model. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../src/kernel/embedding.ts';
import { createModels } from '../../src/models/gateway.ts';
import { type EmbeddingBehaviour, vectorOf } from '../servers/embeddings.ts';
import { type OllamaOptions, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { CARDS, findHitPlaces, Project } from './project.ts';

const { signal } = new AbortController();
const FAST = { retry: { backoffMs: 1 }, idleMs: 300 };
const KEY = 'sk-test-0123456789abcdef';

/** A server whose vectors are changed through `options` while it runs. */
async function startServer(
  options: OllamaOptions = {},
): Promise<{ server: TestServer; options: OllamaOptions }> {
  const own = { models: ['words', 'other'], ...options };
  const server = await startOllama(own);
  onTestFinished(() => server.close());
  return { server, options: own };
}

function makeEmbedder(server: TestServer, model = 'words'): Embedder {
  return createModels({ env: { OLLAMA_HOST: server.url }, ...FAST }).embedder(`ollama/${model}`);
}

function countRequests(server: TestServer): number {
  return server.requests.filter(({ path }) => path.endsWith('/embed')).length;
}

describe('an embedding model', () => {
  it.each(['ollama', 'openai'])(
    'of %s returns one vector of length 1 for each text, in order',
    async (name) => {
      const server =
        name === 'ollama' ? (await startServer()).server : await startOpenAI({ models: ['words'] });
      onTestFinished(() => server.close());
      const env = {
        OLLAMA_HOST: server.url,
        OPENAI_BASE_URL: `${server.url}/v1`,
        OPENAI_API_KEY: KEY,
      };
      const made = createModels({ env, ...FAST }).embedder(`${name}/words`);
      const vectors = await made.embed(['one', 'two', 'one'], 'document', signal);
      expect(vectors).toHaveLength(3);
      expect(vectors[0]).toEqual(vectors[2]);
      expect(vectors[0]).not.toEqual(vectors[1]);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    },
  );

  it.each<[EmbeddingBehaviour, RegExp]>([
    ['wrong-count', /gave 1 vectors for 2 texts/],
    ['null', /contains something that is not a number/],
    ['nan', /does not respond like Ollama|not JSON/],
    ['zeros', /is zero/],
    ['ragged', /different dimensions/],
    ['error', /the runner has crashed/],
    ['stall', /no bytes for 0\.3 s/],
  ])(
    'gives an error instead of vectors if its Ollama server misbehaves: %s',
    async (behaviour, problem) => {
      const { server } = await startServer({ embeds: behaviour });
      const both = makeEmbedder(server).embed(['one', 'two'], 'document', signal);
      await expect(both).rejects.toThrow(problem);
    },
  );

  it.each<EmbeddingBehaviour>(['wrong-count', 'null', 'error'])(
    'is asked once more, and then gives vectors, if its server misbehaves once: %s',
    async (behaviour) => {
      const { server } = await startServer({ embeds: [behaviour, 'ok'] });
      await expect(
        makeEmbedder(server).embed(['one', 'two'], 'query', signal),
      ).resolves.toHaveLength(2);
      expect(countRequests(server)).toBe(2);
    },
  );

  it.each<EmbeddingBehaviour>(['nan', 'wrong-count', 'error', 'stall'])(
    'gives an error instead of vectors if its OpenAI-compatible server misbehaves: %s',
    async (embeds) => {
      const server = await startOpenAI({ models: ['words'], embeds });
      onTestFinished(() => server.close());
      const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: KEY };
      const asked = createModels({ env, ...FAST })
        .embedder('openai/words')
        .embed(['one'], 'query', signal);
      await expect(asked).rejects.toMatchObject({ code: 'embedding-failed' });
    },
  );

  it('is told whether a text is a query or a document', async () => {
    const { server } = await startServer({ models: ['nomic-embed-text'] });
    const made = makeEmbedder(server, 'nomic-embed-text');
    await made.embed(['x'], 'document', signal);
    await made.embed(['x'], 'query', signal);
    expect(server.requests.flatMap(({ body }) => body?.input ?? [])).toEqual([
      'search_document: x',
      'search_query: x',
    ]);
  });

  it('is refused with an error if its provider cannot embed text', () => {
    const models = createModels({ env: {} });
    expect(() => models.embedder('anthropic/claude-haiku-4-5')).toThrow(/cannot embed text/);
    expect(() => models.embedder('nobody/x')).toThrow(/cannot embed text/);
  });
});

const FILES = {
  '.deliberate/clusters.yaml': CARDS,
  'docs/bonus.md': '# Bonus\nThe bonus is ten seconds.\n',
  'docs/colors.md': '# Colors\nLight squares are beige.\n',
};
const SYNONYMS = { increment: 'bonus', supplement: 'bonus' };

describe('an index with vectors', () => {
  it('finds texts of similar meaning', async () => {
    const { server } = await startServer({ synonyms: SYNONYMS });
    const project = new Project(FILES);
    const knowledge = project.open({ embedder: makeEmbedder(server) });
    knowledge.update(project.pathsOf('docs'));
    expect(await findHitPlaces(knowledge, 'supplement')).toEqual([]);
    await knowledge.embed(makeEmbedder(server), { signal });
    const { hits } = await knowledge.search('supplement seconds', { kinds: ['section'] });
    expect(hits[0]).toMatchObject({ chunk: { path: 'docs/bonus.md' }, words: 1, vectors: 1 });
    expect(hits[1]).toMatchObject({ chunk: { path: 'docs/colors.md' }, vectors: 2 });
    expect(hits[1]?.words).toBeUndefined();
    expect((await findHitPlaces(knowledge, 'supplement'))[0]).toBe('docs/bonus.md#L2');
  });

  it('sends no text twice to the model, even if the file with the text is renamed', async () => {
    const { server } = await startServer();
    const project = new Project(FILES);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    expect(await knowledge.embed(makeEmbedder(server), { signal })).toMatchObject({
      texts: 5,
      without: 0,
    });
    const paid = countRequests(server);
    knowledge.update({ rebuild: true });
    project.write('docs/renamed.md', FILES['docs/bonus.md']);
    project.remove('docs/bonus.md');
    knowledge.update();
    expect(await knowledge.embed(makeEmbedder(server), { signal })).toMatchObject({
      texts: 0,
      without: 0,
    });
    const other = project.open({ name: 'other' });
    other.update(project.pathsOf('docs'));
    expect(await other.embed(makeEmbedder(server), { signal })).toMatchObject({
      texts: 0,
      without: 0,
    });
    expect(countRequests(server)).toBe(paid);
    project.write('docs/renamed.md', '# Bonus\nTwelve.\n');
    knowledge.update();
    expect(await knowledge.embed(makeEmbedder(server), { signal })).toMatchObject({ texts: 1 });
  });

  it('keeps every finished batch if a later batch fails', async () => {
    const { server, options } = await startServer({ embeds: ['ok', 'error'] });
    const project = new Project();
    for (let at = 0; at < 100; at++)
      project.write(`docs/${at}.md`, `text number ${at} ${'x'.repeat(at)}`);
    const knowledge = project.open();
    knowledge.update(project.pathsOf('docs'));
    await expect(knowledge.embed(makeEmbedder(server), { signal })).rejects.toThrow(/crashed/);
    options.embeds = 'ok';
    expect(await knowledge.embed(makeEmbedder(server), { signal })).toMatchObject({ texts: 36 });
  });

  it('says if its vectors come from another model', async () => {
    const { server } = await startServer();
    const project = new Project({ ...FILES, 'more/x.md': 'The supplement.' });
    const first = project.open({ embedder: makeEmbedder(server) });
    first.update(project.pathsOf('docs', 'more'));
    await first.embed(makeEmbedder(server), { signal });
    const second = project.open({ embedder: makeEmbedder(server, 'other') });
    const { note, hits } = await second.search('bonus');
    expect(note).toMatch(/vectors of ollama\/words, not of ollama\/other: keyword search only/);
    expect(hits[0]?.chunk.path).toBe('docs/bonus.md');
    const embedded = await second.embed(makeEmbedder(server, 'other'), {
      ...project.pathsOf('more'),
      signal,
    });
    expect(embedded).toMatchObject({
      texts: 4,
      without: 2,
      before: { model: 'ollama/words', dimensions: 64 },
    });
    // A return to the first model needs no new vectors.
    expect(await first.embed(makeEmbedder(server), { signal })).toMatchObject({
      texts: 0,
      without: 0,
    });
  });

  it('never compares vectors of different dimensions', async () => {
    const { server, options } = await startServer();
    const project = new Project(FILES);
    const knowledge = project.open({ embedder: makeEmbedder(server) });
    knowledge.update(project.pathsOf('docs'));
    await knowledge.embed(makeEmbedder(server), { signal });
    options.dimensions = 16;
    const { note, hits } = await knowledge.search('bonus');
    expect(note).toMatch(/now returns 16 dimensions, the index has 64: keyword search only/);
    expect(hits.every(({ vectors }) => vectors === undefined)).toBe(true);
    project.write('docs/new.md', 'A new text.');
    knowledge.update();
    expect(await knowledge.embed(makeEmbedder(server), { signal })).toMatchObject({
      texts: 1,
      without: 5,
      before: { dimensions: 64 },
      dimensions: 16,
    });
    expect(await knowledge.embed(makeEmbedder(server), { signal, again: true })).toMatchObject({
      texts: 6,
      without: 0,
    });
    expect((await knowledge.search('bonus')).note).toBeUndefined();
  });

  it('leaves out a claim whose quotation no longer matches the file', async () => {
    const { server } = await startServer();
    const claim = 'claims:\n  - claim: Bonus\n    at: a.ts#L1\n    quote: const bonus = 10;\n';
    const project = new Project({
      'docs/a.md': `---\n${claim}---\ntext\n`,
      'a.ts': 'const bonus = 10;',
    });
    const knowledge = project.open({ embedder: makeEmbedder(server) });
    knowledge.update(project.pathsOf('docs'));
    await knowledge.embed(makeEmbedder(server), { signal });
    expect(await findHitPlaces(knowledge, 'bonus')).toEqual(['docs/a.md#L3', 'docs/a.md#L7']);
    project.write('a.ts', 'const bonus = 12;');
    knowledge.check();
    expect(await findHitPlaces(knowledge, 'bonus')).toEqual(['docs/a.md#L7']);
  });

  it('finds at least 19 of the 20 most similar sections among 2,400 by approximate search', async () => {
    const dimensions = 128;
    const { server } = await startServer({ dimensions });
    const project = new Project();
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');
    const texts = Array.from({ length: 2_400 }, (_, n) => ({
      heading: `P${n}`,
      text: `${words[n % 12]} ${words[(n >> 3) % 12]} ${words[(n >> 5) % 12]} w${n} x${n}`,
    }));
    for (let at = 0; at < 24; at++)
      project.write(
        `docs/${at}.md`,
        texts
          .slice(at * 100, at * 100 + 100)
          .map(({ heading, text }) => `# ${heading}\n${text}`)
          .join('\n'),
      );
    const knowledge = project.open({ embedder: makeEmbedder(server) });
    knowledge.update(project.pathsOf('docs'));
    await knowledge.embed(makeEmbedder(server), { signal });
    const toUnitVector = (text: string): number[] => {
      const vector = vectorOf(text, { dimensions });
      return vector.map((value) => value / Math.hypot(...vector));
    };
    const vectors = texts.map(({ heading, text }) => toUnitVector(`${heading}\n${text}`));
    for (const query of ['alpha beta gamma', 'kappa kappa mu', 'w17 theta']) {
      const wanted = toUnitVector(query);
      const nearest = vectors
        .map((vector, n) => ({
          n,
          score: vector.reduce((sum, value, at) => sum + value * (wanted[at] ?? 0), 0),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 20)
        .map(({ n }) => `P${n}`);
      const { hits } = await knowledge.search(query, { limit: 400 });
      const found = hits
        .filter(({ vectors: rank }) => rank !== undefined && rank <= 20)
        .map(({ chunk }) => chunk.heading[0]);
      expect(found).toHaveLength(20);
      expect(nearest.filter((heading) => found.includes(heading)).length).toBeGreaterThanOrEqual(
        19,
      );
    }
  });
});
