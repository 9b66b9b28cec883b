/** Agents' files as people have them: lenient, with every problem by its line. Real folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import { readAgent } from '../../src/protocols/agents/files/agent-file.ts';
import { readLeniently } from '../../src/protocols/agents/files/agent-front.ts';
import { Catalog } from '../../src/protocols/agents/files/catalog.ts';
import { resolveModel } from '../../src/protocols/agents/files/models.ts';
import { countSteps } from '../steps/steps.ts';
import { temporaryFolder } from '../store/folder.ts';
import { openCatalog } from './catalog-steps.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const makeAgentText = (front: string, brief = 'You are an agent.') =>
  `---\n${front}\n---\n\n${brief}\n`;

function openAgents(files: Readonly<Record<string, string>>): Catalog {
  return openCatalog(folderOf(files));
}

function problemsOf(catalog: Catalog): string[] {
  return catalog.problems.map(
    ({ file, line, severity, text }) => `${basename(file)}:${line}: ${severity}: ${text}`,
  );
}

describe('Markdown files that are no agents', () => {
  it('are skipped, each with a reason', () => {
    const catalog = openAgents({
      'critic.md': makeAgentText('name: Critic\ndescription: Doubts.'),
      'linked.md': makeAgentText('advisors: [critic]'),
      'pdf/SKILL.md': makeAgentText('name: pdf\ndescription: Reads PDFs.'),
      'pdf/forms.md': makeAgentText('name: forms\ndescription: How forms work.'),
      'commands/fix.md': makeAgentText('description: Fixes an issue.'),
      'release.md': makeAgentText('description: Releases.\nargument-hint: VERSION'),
      'notes.md': makeAgentText('title: Notes\ntags: [a]'),
      'README.md': '# Our agents\n',
    });
    const own = catalog.agents.filter(({ source }) => source !== 'built in');
    expect(own.map(({ title }) => title)).toEqual(['Critic', 'linked']);
    expect(catalog.leftOut.map(({ file, why }) => [basename(file), why])).toEqual([
      ['README.md', 'plain Markdown: no frontmatter'],
      ['fix.md', 'a command'],
      ['notes.md', 'plain Markdown: its frontmatter says nothing of an agent'],
      ['SKILL.md', 'a skill'],
      ['forms.md', 'part of a skill'],
      ['release.md', 'a command'],
    ]);
  });
});

describe('an agent file', () => {
  it('can list tools of an MCP server, or allow all its tools', () => {
    const { tools, problems } =
      readAgent('a.md', '---\nname: A\ntools: Read, mcp__web__search, mcp__git\n---\nx') ??
      expect.fail();
    expect(tools).toEqual(['read', 'web__search', 'git__*']);
    expect(problems.map(({ text }) => text)).toEqual([
      'read, web__search, git__*: used with --look DIR, --tools web, --tools git',
    ]);
  });

  it('may be written for another program: the keys that have a use here are read, and a note names one that has none', () => {
    const read = readAgent(
      'a/code-reviewer.md',
      makeAgentText(
        'name: Code Reviewer\ndescription: Reads code.\ntools: Read, Grep\nmodel: sonnet\ncolor: blue\npermissionMode: plan',
      ),
    );
    expect(read).toMatchObject({
      name: 'code-reviewer',
      title: 'Code Reviewer',
      description: 'Reads code.',
      model: 'sonnet',
      colour: '#2196f3',
      brief: 'You are an agent.',
    });
    expect(read?.problems.map(({ severity, line, text }) => [severity, line, text])).toEqual([
      ['note', 4, 'read, grep: used with --look DIR'],
      ['note', 7, '"permissionMode" has no use here'],
    ]);
  });

  it.each(['0s', '0.0001s', '600h', '1e-9', '9e99'])(
    'gets an error that names the line if its time limit for advisors is %s',
    (limit) => {
      const catalog = openAgents({
        'slow.md': makeAgentText(`name: slow\nadvisors: [law]\nadvisorTimeout: ${limit}`),
        'law.md': makeAgentText('name: law'),
      });
      expect(catalog.find('law').name).toBe('law');
      expect(problemsOf(catalog)).toEqual([
        'slow.md:4: error: advisorTimeout: expected a duration such as 30s or 2m, at most 576h',
      ]);
    },
  );

  it('has its time limit rounded up to whole milliseconds', () => {
    const { links } =
      readAgent('slow.md', makeAgentText('advisors: [law]\nadvisorTimeout: 1.0005s')) ?? {};
    expect(links?.advisorTimeout).toBe(1001);
  });

  it('with invisible characters gets warnings for the first five lines that have some, and the number of the others', () => {
    const front = 'name: cri\u3164tic\ndescription: Attacks\ufe0f plans ❤\ufe0f.';
    const read = readAgent('critic.md', makeAgentText(front, `Attack.\n${'\u200bx\n'.repeat(7)}`));
    expect(read?.name).toBe('cri-tic');
    const said = read?.problems.map(({ severity, line, text }) => `${severity} ${line}: ${text}`);
    expect(said).toHaveLength(5);
    expect(said?.slice(0, 2)).toEqual([
      'warning 2: invisible characters: U+3164; models read the text without them',
      'warning 3: invisible characters: U+FE0F; models read the text without them',
    ]);
    expect(said?.at(-1)).toMatch(/^warning 9: .*; so have 4 more lines$/);
    expect(
      readAgent('b.md', `\ufeff${makeAgentText('name: b', 'Say 👩\u200d💻, می\u200cخواهم.')}`)
        ?.problems,
    ).toEqual([]);
  });

  it('that is not text is reported, and other files are still read', () => {
    const folder = folderOf({ 'good.md': makeAgentText('name: good') });
    writeFileSync(join(folder, 'bad.md'), Buffer.from([45, 45, 45, 10, 0xe9]));
    const catalog = Catalog.open({
      flags: readFlags({ agents: folder }),
      env: { HOME: '/nonexistent' },
    });
    expect(problemsOf(catalog)).toContain(
      'bad.md:1: error: not read: not UTF-8 text: byte 5 is 0xe9',
    );
    expect(catalog.find('good').name).toBe('good');
  });

  it('with invalid YAML is still read, and a warning names the line', () => {
    const front =
      'name: helper\ndescription: Use this: when in doubt: ask. Examples: "a: b"\nteam:\n\tmembers: [x, y]\n\tmaxRounds: 3\nhandoff: editor';
    const read = readAgent('helper.md', makeAgentText(front));
    expect(read?.description).toBe('Use this: when in doubt: ask. Examples: "a: b"');
    expect(read?.links.team).toMatchObject({ members: ['x', 'y'], maxRounds: 3 });
    expect(read?.links.handoff).toBe('editor');
    expect(read?.problems).toMatchObject([{ severity: 'warning', line: 3 }]);
  });

  it.each([
    ['a byte order mark and Windows line ends', `\uFEFF---\r\nname: x\r\n---\r\nHello.\r\n`],
    ['no closing line', '---\nname: x\ndescription: y'],
    ['a key twice', '---\nname: y\nname: x\n---\n'],
    ['an empty value', '---\nname: x\ntools:\n---\n'],
    ['a value that looks like an alias', '---\nname: x\ndescription: *important* words\n---\n'],
    ['a quote that never ends', '---\nname: x\ndescription: "never\n---\n'],
    ['marks that YAML reserves', '---\nname: x\ndescription: @all `code` % done\n---\n'],
  ])('is read although it has %s', (_what, text) => {
    expect(readAgent('x.md', text)?.name).toBe('x');
  });

  it('without frontmatter is read only if a person names the file', () => {
    expect(readAgent('README.md', '# Agents\n')).toBeUndefined();
    expect(readAgent('me.md', 'You are me.', true)).toMatchObject({
      name: 'me',
      brief: 'You are me.',
    });
  });

  it('with mistakes in several keys is reported with the line of each mistake', () => {
    const read = readAgent(
      'x.md',
      makeAgentText(
        'name: x\nrouter: true\nteam:\n  members: [a]\n  maxRound: 3\nadvisorTimeout: soon\nadvisors: a, b\nadvisorsRequired: most',
      ),
    );
    const told = read?.problems.map(({ line, text }) => `${line}: ${text}`) ?? [];
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^3: router: a router needs destinations/),
        expect.stringMatching(/^6: team: .*maxRound/),
        expect.stringMatching(/^7: advisorTimeout/),
        expect.stringMatching(/^9: advisorsRequired/),
      ]),
    );
    expect(read?.links.advisors).toEqual(['a', 'b']);
  });

  it('does not make the parser throw if its YAML is empty, malformed or no table of keys', () => {
    for (const yaml of [
      '',
      ':',
      '- a\n- b',
      '\u0000',
      '{{{',
      '? ? ?',
      'a: &a *a',
      '%YAML 9.9',
      'x: !!binary z',
    ])
      expect(() => readLeniently(yaml)).not.toThrow();
  });
});

describe('a folder of agents', () => {
  it('reports a link as ambiguous if agents in two other folders have the linked name', () => {
    const catalog = openAgents({
      'review/critic.md': makeAgentText('name: critic'),
      'review/lead.md': makeAgentText('name: lead\nadvisors: [critic]'),
      'ops/critic.md': makeAgentText('name: critic'),
      'top.md': makeAgentText('name: top\nhandoff: critic'),
      'clear.md': makeAgentText('name: clear\nhandoff: ops/critic'),
    });
    expect(catalog.graph.lead).toMatchObject({ advisors: { agents: ['review/critic'] } });
    expect(catalog.graph.clear).toEqual({ handoff: 'ops/critic' });
    expect(problemsOf(catalog)).toEqual([
      'top.md:3: error: handoff: several agents are called "critic" (ops/critic, review/critic)',
    ]);
    expect(() => catalog.find('critic')).toThrow(/several agents/);
    expect(catalog.find('ops/critic').qualified).toBe('ops/critic');
  });

  it('reports missing agents and circular links with file and line', () => {
    const catalog = openAgents({
      'a.md': makeAgentText('name: a\nteam:\n  members:\n    - b\n    - nobdoy'),
      'b.md': makeAgentText('name: b\nadvisors: [c]'),
      'c.md': makeAgentText('name: c\nrouter:\n  destinations: [a]'),
      'd.md': makeAgentText('name: d\nrouter: {destinations: [e]}\nteam: {members: [e]}'),
      'e.md': makeAgentText('name: e\nhandoff: f'),
      'f.md': makeAgentText('name: f'),
      'g.md': makeAgentText('name: g\nteam: {members: [f], supervisor: e}'),
    });
    expect(problemsOf(catalog)).toEqual([
      'a.md:6: error: team: there is no agent "nobdoy"',
      'd.md:3: error: an agent takes a router or a team, not both',
      'g.md:3: error: team: the supervisor e has a handoff of its own',
      'a.md:5: error: agents form a cycle: a → b → c → a',
    ]);
  });

  it('can replace a built-in agent by one of the same name', () => {
    const catalog = openAgents({ 'editor.md': makeAgentText('name: editor\ndescription: Mine.') });
    expect(catalog.find('editor').description).toBe('Mine.');
    expect(problemsOf(catalog)).toEqual([]);
    const patterns = Object.values(catalog.graph).flatMap((links) => Object.keys(links));
    expect(new Set(patterns)).toEqual(new Set(['advisors', 'router', 'team', 'handoff']));
  });

  it('needs about five times as much work to read if it has five times as many files', async () => {
    const filesOf = (count: number): Record<string, string> => {
      const last = `agent-${count - 1}`;
      const files = Array.from({ length: count }, (_, at) => [
        `group-${at % 10}/agent-${at}.md`,
        makeAgentText(
          `name: agent-${at}\ndescription: Use it: often\ntools: Read\nadvisors: [agent-${(at + 1) % count || count - 1}]`,
        ),
      ]);
      return {
        ...Object.fromEntries(files),
        [`group-9/${last}.md`]: makeAgentText(`name: ${last}`),
      };
    };
    expect(openAgents(filesOf(500)).agents.length).toBeGreaterThan(500);
    const file = new URL('./catalog-steps.ts', import.meta.url);
    const calls = [100, 500].map((count) => [folderOf(filesOf(count))]);
    const [small = 0, large = 0] = await countSteps(file, 'openCatalog', calls);
    expect(large).toBeLessThan(small * 6);
  });
});

describe('a model named in an agent’s file', () => {
  const none = { rehearse: false, override: false, env: {} };
  const keyed = { ...none, env: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' } };

  it.each([
    ['sonnet', 'anthropic/claude-sonnet-5-5'],
    ['ollama/qwen3:8b', 'ollama/qwen3:8b'],
    ['Opus', 'anthropic/claude-opus-5-5'],
    ['haiku', 'anthropic/claude-haiku-5-5'],
    ['claude-x', 'anthropic/claude-x'],
    ['gpt-x', 'openai/gpt-x'],
    ['qwen3:8b', 'ollama/qwen3:8b'],
    ['inherit', 'ollama/all'],
    [undefined, 'ollama/all'],
    ['mystery', 'ollama/all'],
  ])('written as %s means the model %s', (written, model) => {
    expect(resolveModel(written, 'ollama/all', keyed).model).toBe(model);
  });

  it('is not used if its provider has no API key; the agent then gets the default model', () => {
    expect(resolveModel('sonnet', 'ollama/all', none)).toEqual({
      model: 'ollama/all',
      note: expect.stringContaining('ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN is not set'),
    });
    expect(
      resolveModel('gpt-x', 'ollama/all', { ...none, env: { ANTHROPIC_API_KEY: 'k' } }),
    ).toEqual({
      model: 'ollama/all',
      note: expect.stringContaining('OPENAI_API_KEY is not set'),
    });
    const token = { ...none, env: { ANTHROPIC_AUTH_TOKEN: 't' } };
    expect(resolveModel('sonnet', 'ollama/all', token)).toEqual({
      model: 'anthropic/claude-sonnet-5-5',
    });
    expect(resolveModel('inherit', undefined, none)).toEqual({ model: undefined });
  });

  it('is overridden by --model if the file names it without its provider', () => {
    const override = { ...keyed, override: true };
    expect(resolveModel('sonnet', 'ollama/all', override).model).toBe('ollama/all');
    expect(resolveModel('openai/x', 'ollama/all', override).model).toBe('openai/x');
  });
});

/** Returns YAML with a list of so many levels, each of which contains the level below nine times. */
function makeYamlBomb(levels: number): string {
  const rows = Array.from({ length: levels }, (_, level) =>
    level === 0 ? 'l0: &l0 [x]' : `l${level}: &l${level} [${Array(9).fill(`*l${level - 1}`)}]`,
  );
  return rows.join('\n');
}

describe('an agent file that is faulty or cannot be read,', () => {
  const makeKeys = (count: number): string =>
    Array.from({ length: count }, (_, index) => `k${index}: 1`).join('\n');

  it.each([
    ['an alias that leads nowhere', 'name: bad\nmodel: *nobody', /not strict YAML/],
    ['aliases that multiply', `name: bad\n${makeYamlBomb(9)}`, /not strict YAML/],
    ['more aliases than anybody writes', `a: &a 1\n${'b: *a\n'.repeat(150)}`, /than 100 aliases/],
    ['40,000 keys', makeKeys(40_000), /longer than|too large: [\d.]+ KB/],
    ['20,000 keys', makeKeys(20_000), /more than 2000 keys/],
    ['a list without an end', `tools: [${'a,'.repeat(20_000)}]`, /more than 2000 items/],
    ['deep brackets', `a: ${'['.repeat(20_000)}`, /nested more than 64 deep/],
    ['deep lists', `a:\n  ${'- '.repeat(20_000)}x`, /nested more than 64 deep/],
    ['a crowd of advisors', `advisors: ${'a,'.repeat(20_000)}`, /more than 100 names/],
    ['a megabyte', `name: bad\n# ${'x'.repeat(1024 * 1024)}`, /too large: 1.0 MB, at most 256 KB/],
  ])(
    'with %s is reported, and the other files of the folder are still read',
    (_what, front, said) => {
      const catalog = openAgents({
        'bad.md': makeAgentText(front),
        'good.md': makeAgentText('name: good'),
      });
      expect(catalog.find('good').title).toBe('good');
      const told = problemsOf(catalog).filter((problem) => problem.startsWith('bad.md:'));
      expect(told.join('\n')).toMatch(said);
    },
  );

  it('can still be looked up by its file name, and the result contains the error', () => {
    const catalog = openAgents({ 'bad.md': makeAgentText(makeKeys(20_000)) });
    expect(catalog.find('bad').problems).toMatchObject([{ severity: 'error', line: 1 }]);
  });

  it('such as a pipe or a binary file is reported, and the other files of the folder are still read', () => {
    const folder = folderOf({ 'good.md': makeAgentText('name: good') });
    writeFileSync(join(folder, 'bytes.md'), new Uint8Array([45, 45, 45, 0, 255]));
    mkdirSync(join(folder, 'folder.md'));
    execFileSync('mkfifo', [join(folder, 'pipe.md')]);
    symlinkSync('loop.md', join(folder, 'loop.md'));
    symlinkSync('nowhere', join(folder, 'gone.md'));
    const flags = readFlags({ agents: folder });
    const catalog = Catalog.open({ flags, env: { HOME: '/nonexistent' } });
    expect(catalog.find('good').title).toBe('good');
    expect(problemsOf(catalog).sort()).toEqual([
      'bytes.md:1: error: not read: binary, not text: byte 4 is 0x00',
      'pipe.md:1: error: not read: not a regular file',
    ]);
  });
});
