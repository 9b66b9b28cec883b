/** Presets as files: where they are looked for, which one wins, and what is said of broken ones. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  BOARD_KIND,
  CAST_KIND,
  KINDS,
  QUESTION_KIND,
  ROLE_KIND,
  SPECIALIST_KIND,
  STAFF_KIND,
} from '../../src/io/preset-kinds.ts';
import { listPresets, newProjectFolder, projectFolder, readPreset } from '../../src/io/presets.ts';
import { BadFile, readYaml } from '../../src/io/yaml-file.ts';

/** Makes a person's folders: a home, and a configuration folder in it. */
function makePerson(): { home: string; config: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), 'deliberate-presets-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, config: join(home, '.config', 'deliberate'), env: { HOME: home } };
}

function writeFile(file: string, text: string | Uint8Array): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const makeRole = (brief: string, front = ''): string =>
  `---\nname: Auditor\ndescription: Looks twice.\n${front}---\n${brief}\n`;

/** Returns the error or warning about a role whose file has this text. */
function saidOf(text: string | Uint8Array): string {
  const { config, env } = makePerson();
  writeFile(join(config, 'roles', 'auditor.md'), text);
  const { problems, presets } = listPresets(ROLE_KIND, env);
  expect(presets.map(({ slug }) => slug)).toContain('critic');
  return problems.map((problem) => problem.replace(`${config}/roles/`, '')).join('\n');
}

describe('the built-in presets', () => {
  it.each(KINDS.map((kind) => [kind.folder, kind] as const))(
    'include only valid %s',
    (_name, kind) => {
      const { presets, problems } = listPresets(kind, makePerson().env);
      expect(problems).toEqual([]);
      expect(presets.length).toBeGreaterThan(3);
      for (const { origin } of presets) expect(origin).toBe('built-in');
    },
  );

  it.each([BOARD_KIND, ROLE_KIND])('are each named in docs/guide.md: the $folder', (kind) => {
    const guide = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');
    for (const { slug } of listPresets<unknown>(kind, makePerson().env).presets)
      expect(guide).toContain(`\`${slug}\``);
  });

  it('include five example questions', () => {
    const { env } = makePerson();
    expect(listPresets(QUESTION_KIND, env).presets.map(({ slug }) => slug)).toEqual([
      'ai-in-hiring',
      'microservices-vs-monolith',
      'open-source-the-product',
      'remote-first-policy',
      'rewrite-in-rust',
    ]);
    expect(readPreset(QUESTION_KIND, 'rewrite-in-rust', env).question).toContain('in Rust?');
  });

  it('include specialists, each described in 60 to 130 words', () => {
    const { env } = makePerson();
    const { presets } = listPresets(SPECIALIST_KIND, env);
    for (const { slug, value } of presets) {
      const words = value.brief.split(/\s+/).length;
      expect(words, slug).toBeGreaterThanOrEqual(60);
      expect(words, slug).toBeLessThanOrEqual(130);
      expect(value.brief, slug).toMatch(/\balone\.$/);
    }
    const called = listPresets(STAFF_KIND, env).presets.flatMap(({ value }) => value.specialists);
    expect([...new Set(called)].sort()).toEqual(presets.map(({ slug }) => slug));
  });

  it('include staffs (the specialists of a plan), in each of which the specialists together cover every group of documents', () => {
    const { env } = makePerson();
    for (const { slug: staff, value } of listPresets(STAFF_KIND, env).presets) {
      const owned = value.specialists.flatMap(
        (slug) => readPreset(SPECIALIST_KIND, slug, env).clusters,
      );
      const names = value.clusters.map(({ name }) => name).sort();
      expect([...new Set(owned)].sort(), staff).toEqual(names);
      expect(owned.length, staff).toBeGreaterThan(names.length);
      for (const { name, words = [] } of value.clusters) {
        expect(words.length, name).toBeGreaterThanOrEqual(6);
        expect(words.length, name).toBeLessThanOrEqual(14);
      }
    }
  });
});

describe('a person’s own preset', () => {
  it('replaces the built-in preset of the same name completely', () => {
    const { config, env } = makePerson();
    writeFile(join(config, 'roles', 'critic.md'), makeRole('Be kind.'));
    expect(readPreset(ROLE_KIND, 'critic', env)).toEqual({
      slug: 'critic',
      name: 'Auditor',
      description: 'Looks twice.',
      brief: 'Be kind.',
    });
    const found = listPresets(ROLE_KIND, env).presets.filter(({ slug }) => slug === 'critic');
    expect(found.map(({ origin }) => origin)).toEqual(['user']);
  });

  it('that is broken is reported, and the built-in one of the same name does not take its place', () => {
    const { config, env } = makePerson();
    writeFile(join(config, 'roles', 'critic.md'), 'Be kind.');
    expect(() => readPreset(ROLE_KIND, 'critic', env)).toThrow(BadFile);
    const { presets, problems } = listPresets(ROLE_KIND, env);
    expect(presets.map(({ slug }) => slug)).not.toContain('critic');
    expect(presets.map(({ slug }) => slug)).toContain('advocate');
    expect(problems).toHaveLength(1);
  });

  it('can be a file with a byte order mark and Windows line ends', () => {
    const text = `\ufeff${makeRole('Look.\nTwice.', 'temperature: 0.5\n')}`.replaceAll(
      '\n',
      '\r\n',
    );
    const { config, env } = makePerson();
    writeFile(join(config, 'roles', 'auditor.md'), text);
    expect(readPreset(ROLE_KIND, 'auditor', env)).toMatchObject({
      name: 'Auditor',
      temperature: 0.5,
      brief: 'Look.\nTwice.',
    });
  });

  it('is found among hundreds of presets', () => {
    const { config, env } = makePerson();
    for (let n = 0; n < 400; n += 1)
      writeFile(join(config, 'roles', `role-${n}.md`), makeRole(`Number ${n}.`));
    expect(listPresets(ROLE_KIND, env).presets.length).toBeGreaterThanOrEqual(400);
    expect(readPreset(ROLE_KIND, 'role-399', env).brief).toBe('Number 399.');
  });
});

describe('a broken preset file', () => {
  it.each([
    ['no frontmatter', 'Be kind.', 'auditor.md:1: expected a line ---'],
    [
      'frontmatter that does not end',
      '---\nname: A\n\nBe kind.\n',
      'auditor.md:5: the frontmatter',
    ],
    ['no brief', makeRole(''), 'expected, below the frontmatter, the brief'],
    [
      'an unknown key',
      makeRole('Look.', 'modle: ollama/a\n'),
      'auditor.md:4: modle: unknown key. Did you mean model?',
    ],
    [
      'a key like no other',
      makeRole('Look.', 'wingspan: 3\n'),
      'auditor.md:4: wingspan: unknown key. Known keys: name, description, colour, model, temperature, effort.',
    ],
    [
      'a wrong type',
      makeRole('Look.', 'temperature: hot\n'),
      'auditor.md:4: temperature: expected number',
    ],
    ['a missing key', '---\nname: A\n---\nLook.\n', 'description: it is missing; expected string'],
    [
      'no model',
      makeRole('Look.', 'model: qwen 3\n'),
      'auditor.md:4: model: expected a model, such as',
    ],
    ['a tab', makeRole('Look.', 'colour:\n\t"#000000"\n'), /auditor\.md:5: .*[Tt]ab/],
    ['a key twice', makeRole('Look.', 'name: B\n'), 'auditor.md:4: Map keys must be unique'],
    ['an alias that leads nowhere', makeRole('Look.', 'colour: *x\n'), /auditor\.md:\d+: .*alias/i],
    ['bytes', new Uint8Array([45, 45, 45, 10, 0, 1, 2]), 'auditor.md: binary, not text'],
    ['another encoding', new Uint8Array([45, 45, 45, 10, 0xff]), 'auditor.md: not UTF-8 text'],
    [
      'a megabyte',
      makeRole('x'.repeat(1024 * 1024)),
      'auditor.md: too large: 1.0 MB, at most 256 KB are read',
    ],
  ])('is reported with its file name and the problem: %s', (_what, text, said) => {
    expect(saidOf(text)).toMatch(said);
    expect(saidOf(text)).toContain('auditor.md:');
  });

  it('is reported with all its problems at once', () => {
    const said = saidOf(makeRole('Look.', 'modle: a/b\ntemperature: hot\nhue: red\n'));
    expect(said.split('\n')).toHaveLength(3);
  });

  it('is reported if its YAML repeats itself by aliases millions of times, or is nested very deep', () => {
    const multiplied = ['a: &a [x,x,x,x,x,x,x,x,x]']
      .concat(
        [...'bcdefghi'].map((name, index) => {
          const before = 'abcdefgh'[index];
          return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
        }),
      )
      .join('\n');
    expect(saidOf(makeRole('Look.', `${multiplied}\n`))).toMatch(/alias/i);
    expect(saidOf(makeRole('Look.', `colour: ${'['.repeat(50_000)}\n`))).toMatch(
      /auditor\.md:\d+: /,
    );
  });

  it('is refused if it is a link or a folder or has an invalid name, and the error names the file', () => {
    const { home, config, env } = makePerson();
    const elsewhere = writeFile(join(home, 'secret'), makeRole('Look.'));
    mkdirSync(join(config, 'roles', 'folder.md'), { recursive: true });
    symlinkSync(elsewhere, join(config, 'roles', 'link.md'));
    writeFile(join(config, 'roles', 'my role.md'), makeRole('Look.'));
    writeFile(join(config, 'boards', 'mine.yml'), 'name: A\n');
    const said = KINDS.flatMap((kind) => listPresets(kind, env).problems).join('\n');
    expect(said).toContain('link.md: is a link');
    expect(said).toContain('folder.md: is a folder');
    expect(said).toContain('my role.md: expected a name of letters');
    expect(said).toContain('mine.yml: expected a name ending in .yaml');
    for (const slug of ['../roles/critic', 'x'.repeat(5000), '', 'a\0b'])
      expect(() => readPreset(ROLE_KIND, slug, env)).toThrow('there is no role');
  });
});

describe('a preset board', () => {
  it('gives a seat its role, model and brief', () => {
    const { config, env } = makePerson();
    writeFile(
      join(config, 'boards', 'mine.yaml'),
      'name: Mine\ndescription: Two.\nseats:\n  - role: critic\n    model: ollama/a\n    brief: Only costs.\n  - role: expert\n',
    );
    expect(readPreset(BOARD_KIND, 'mine', env).seats).toEqual([
      { role: 'critic', model: 'ollama/a', brief: 'Only costs.' },
      { role: 'expert' },
    ]);
  });

  it('is refused with a line number if it names a missing role', () => {
    const { config, env } = makePerson();
    const file = writeFile(
      join(config, 'boards', 'mine.yaml'),
      'name: Mine\ndescription: Two.\nseats:\n  - role: critic\n  - role: jester\n',
    );
    expect(() => readPreset(BOARD_KIND, 'mine', env)).toThrow(
      `${file}:5: seats.1.role: there is no role "jester". The roles are advocate,`,
    );
    writeFile(join(config, 'roles', 'jester.md'), makeRole('Laugh.'));
    expect(readPreset(BOARD_KIND, 'mine', env).seats).toHaveLength(2);
  });
});

describe('a preset staff (the specialists of a plan)', () => {
  const STAFF = `name: Mine
description: Two.
specialists:
  - security
  - gardener
clusters:
  - name: Access
    line: Who may do what
  - name: secrets
    line: Keys
  - name: deployment
    line: How it gets there
  - name: privacy
    line: Data about people
`;
  const makeGardener = (clusters: string, brief = 'Water them.'): string =>
    `---\nname: Gardener\ndescription: Grows.\nclusters: ${clusters}\n---\n${brief}\n`;

  it('is refused with a line number if it names a missing specialist', () => {
    const { config, env } = makePerson();
    const file = writeFile(join(config, 'staffs', 'mine.yaml'), STAFF);
    expect(() => readPreset(STAFF_KIND, 'mine', env)).toThrow(
      `${file}:5: specialists.1: there is no specialist "gardener". The specialists are capacity,`,
    );
    writeFile(join(config, 'specialists', 'gardener.md'), makeGardener('[]'));
    expect(readPreset(STAFF_KIND, 'mine', env).specialists).toEqual(['security', 'gardener']);
    expect(readPreset(SPECIALIST_KIND, 'gardener', env)).toMatchObject({
      slug: 'gardener',
      clusters: [],
      brief: 'Water them.',
    });
  });

  it('is refused if it has no description of a group of documents that a specialist reads', () => {
    const { config, env } = makePerson();
    const file = writeFile(join(config, 'staffs', 'mine.yaml'), STAFF);
    writeFile(join(config, 'specialists', 'gardener.md'), makeGardener('[access, Soil & Water]'));
    expect(() => readPreset(STAFF_KIND, 'mine', env)).toThrow(
      `${file}:5: specialists.1: gardener has a cluster "Soil & Water" without a card`,
    );
    writeFile(file, `${STAFF}  - name: soil-water\n    line: What they stand in\n`);
    expect(readPreset(STAFF_KIND, 'mine', env).clusters).toHaveLength(5);
  });

  it('is reported in one sentence if a specialist’s file cannot be read, and only that file’s own error says why', () => {
    const { config, env } = makePerson();
    const file = writeFile(join(config, 'staffs', 'mine.yaml'), STAFF);
    const broken = writeFile(join(config, 'specialists', 'gardener.md'), makeGardener('soil'));
    const said = KINDS.flatMap((kind) => listPresets(kind, env).problems);
    expect(said).toEqual([
      `${file}:5: specialists.1: the specialist gardener cannot be read`,
      expect.stringContaining(`${broken}:4: clusters: expected array`),
    ]);
  });
});

describe('the folder of a project’s presets', () => {
  it('is the nearest one between the current folder and the root of the repository', () => {
    const { home, env } = makePerson();
    const repository = join(home, 'work');
    const deep = join(repository, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(repository, '.git'));
    mkdirSync(join(home, '.deliberate'));
    expect(projectFolder(env, deep)).toBeUndefined();
    expect(newProjectFolder(env, deep)).toBe(join(repository, '.deliberate'));
    mkdirSync(join(repository, '.deliberate'));
    expect(projectFolder(env, deep)).toBe(join(repository, '.deliberate'));
    mkdirSync(join(repository, 'a', '.deliberate'));
    expect(projectFolder(env, deep)).toBe(join(repository, 'a', '.deliberate'));
  });

  it('outside a repository is taken from a parent folder only if that parent is below the home folder', () => {
    const { home } = makePerson();
    const deep = join(home, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(home, 'a', '.deliberate'));
    expect(projectFolder({ HOME: home }, deep)).toBe(join(home, 'a', '.deliberate'));
    expect(projectFolder({ HOME: '/nonexistent' }, deep)).toBeUndefined();
    mkdirSync(join(deep, '.deliberate'));
    expect(projectFolder({ HOME: '/nonexistent' }, deep)).toBe(join(deep, '.deliberate'));
  });
});

it('the built-in cast software-review can be read, and has an adversary as its critic', () => {
  expect(readPreset(CAST_KIND, 'software-review', makePerson().env).cast.critic).toContain(
    'adversary',
  );
});

describe('a preset file', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');

  it.each([
    ['too many keys', keys, 'more than 2000 keys'],
    ['too many items', `tags: [${'a,'.repeat(20_000)}]\n`, 'more than 2000 items'],
    ['too many aliases', `a: &a 1\nb: [${'*a,'.repeat(150)}]\n`, 'more than 100 aliases'],
    ['brackets nested too deep', `a: ${'['.repeat(20_000)}\n`, 'nested more than 64 deep'],
    ['an alias that leads nowhere', 'model: *nobody\n', 'nobody'],
  ])('with %s is reported, and other presets can still be read', (_what, front, said) => {
    expect(saidOf(makeRole('Look.', front))).toContain(said);
    for (const kind of KINDS) {
      const { config, env } = makePerson();
      const text = kind.ending === '.md' ? makeRole('Look.', front) : front;
      writeFile(join(config, kind.folder, `bad${kind.ending}`), text);
      const { problems, presets } = listPresets(kind, env);
      expect(problems.join()).toContain(said);
      expect(presets.length).toBeGreaterThan(3);
    }
  });

  it('with 1,900 keys is below the limit of 2,000 keys, and is read', () => {
    const table = Array.from({ length: 1_900 }, (_, index) => `k${index}: '*: - ? , ['\n`).join('');
    expect(readYaml('f.yaml', table, z.record(z.string(), z.string())).value.k1899).toContain('*');
  });
});
