/** What the README and the pages of docs/ say is so: their commands and flags, their links, their promises. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keysPage } from '../docs/keys.ts';
import { FLAGS, type FlagName, toDashes } from '../src/app/flags.ts';
import { SETTING_NAMES, SETTINGS } from '../src/app/settings/config.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { estimateRun } from '../src/kernel/estimate.ts';
import { makeRoundsSeats } from '../src/protocols/rounds/cast.ts';
import { planRounds } from '../src/protocols/rounds/estimate.ts';
import { BUDGETS, getDefaultStress } from '../src/protocols/rounds/schedule.ts';

const root = new URL('../', import.meta.url);
const readPage = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const readme = readPage('README.md');
const guide = readPage('docs/guide.md');
const DOCS = globSync('docs/*.md', { cwd: root }).sort();
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...DOCS];

/** As they are written: `--seat`, `--no-vote`. */
function formatFlags(names: readonly FlagName[]): string[] {
  return names.flatMap((name) => [
    `--${toDashes(name)}`,
    ...('off' in FLAGS[name] || name === 'predict' ? [`--no-${toDashes(name)}`] : []),
  ]);
}

const ANY_FLAG = [...formatFlags(Object.keys(FLAGS) as FlagName[]), '--help', '--version'];
/** Other programs, whose flags are their own. */
const OTHERS = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|git|sqlite3|alias|claude)\b/;

/** The lines of its shell examples, without their comments. */
function shellLines(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#.*/, '').trim())
      .filter((line) => line !== ''),
  );
}

/** Returns shell lines and code between backticks, without quoted words in them. */
function codeIn(page: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```$/gm, '');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...shellLines(page), ...inline].map((code) => code.replace(/"[^"]*"/g, '""'));
}

/** Returns the call of the program in a piece of code, or undefined if the code calls another program. */
function findCall(code: string): string | undefined {
  const [, words] = /(?:^|\| )(?:deliberate|npm start(?: --silent)? --) +(.+)/.exec(code) ?? [];
  if (words !== undefined) return words;
  return OTHERS.test(code) || !code.includes('--') ? undefined : code;
}

it('docs/keys.md equals the page that `npm run keys` generates from the keys of the console', () => {
  expect(readPage('docs/keys.md')).toBe(keysPage());
});

describe('README.md', () => {
  it('is at most 8,192 bytes long', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });

  it('begins with the commands to run on a fresh machine', () => {
    expect(shellLines(readme).slice(0, 4)).toEqual([
      'npm ci',
      'npm start -- board --rehearse "Should we split the monolith?"',
      'npm ci',
      'npm test',
    ]);
  });

  it('uses neither && nor options of rm, which PowerShell 5 lacks', () => {
    expect(shellLines(readme).filter((line) => /&&|\brm -/.test(line))).toEqual([]);
  });

  it('links to every page of docs', () => {
    for (const page of [...DOCS, 'CHANGELOG.md', 'CONTRIBUTING.md'])
      expect(readme).toContain(`](${page})`);
  });
});

describe('docs/rounds.md', () => {
  it('gives the same numbers of calls for each schedule as the estimate', () => {
    const calls = Object.fromEntries(
      Object.entries(BUDGETS).map(([name, rounds]) => {
        const planned = planRounds({
          question: 'Split?',
          seats: makeRoundsSeats(
            { action: 'a', guardian: 'b', observer: 'c', critic: 'd' },
            { action: 'm', guardian: 'm', observer: 'm', critic: 'm' },
          ),
          verifier: 'm',
          rounds,
          stress: getDefaultStress(rounds),
          mayEndEarly: true,
          attachments: [],
        });
        const { low, high } = estimateRun(planned, {
          price: () => undefined,
          window: () => undefined,
        }).calls;
        return [name, `${low} to ${high}`];
      }),
    );
    const { brief, standard, audit } = calls;
    expect(readPage('docs/rounds.md')).toContain(
      `about ${brief} calls for \`brief\`, ${standard} for \`standard\`, ${audit} for \`audit\``,
    );
    expect(readme).toContain(`takes ${standard} calls`);
  });
});

describe('docs/guide.md', () => {
  it('names every command', () => {
    for (const name of Object.keys(COMMANDS))
      expect(guide).toMatch(new RegExp(`\`(?:deliberate )?${name}[ \`]`));
  });

  it('names the views of the database', () => {
    const views = [...readPage('docs/database.md').matchAll(/^## `(\w+)`$/gm)].map(
      ([, view]) => view,
    );
    expect(views.length).toBeGreaterThan(8);
    for (const view of views) expect(guide).toContain(`\`${view}\``);
  });
});

describe('docs/configuration.md', () => {
  const page = readPage('docs/configuration.md');

  it('names every setting, and whether a project may set it', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const [, allowed = ''] = /how to deliberate \(([^)]*)\)/.exec(page) ?? [];
    for (const name of SETTING_NAMES)
      expect(
        rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``)),
        name,
      ).toBe(true);
    expect([...allowed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
      SETTING_NAMES.filter((name) => SETTINGS[name].project),
    );
  });
});

describe('docs/guarantees.md', () => {
  const promises = readPage('docs/guarantees.md')
    .split('\n')
    .filter((line) => /^\| (?!promise|---)/.test(line));

  it('lists more than 40 promises', () => expect(promises.length).toBeGreaterThan(40));

  it.each(promises)('links to existing tests for the promise: %s', (promise) => {
    const tests = [...promise.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(tests).not.toEqual([]);
    for (const path of tests) {
      const at = new URL(path, root);
      expect(existsSync(at), path).toBe(true);
      if (statSync(at).isFile())
        expect(readPage(path), path).toMatch(/^\s*(?:it|test)(?:\.\w+)*\(/m);
      else expect(globSync(`${path}/*.test.ts`, { cwd: root }), path).not.toEqual([]);
    }
  });
});

describe('.ci/run', () => {
  const gate = readPage('.ci/run');

  it('runs every subcommand of `context` that docs/context.md shows', () => {
    const shown = shellLines(readPage('docs/context.md')).flatMap(
      (line) => /^deliberate (context [a-z]+)/.exec(line)?.[1] ?? [],
    );
    expect(new Set(shown).size).toBe(7);
    for (const part of shown) expect(gate).toMatch(new RegExp(`^ *deliberate ${part} ?`, 'm'));
  });

  it.each([
    'README.md',
    'docs/guide.md',
    'docs/agents.md',
    'docs/configuration.md',
    'docs/context.md',
    'docs/plan.md',
  ])('runs every command that %s shows', (page) => {
    for (const line of shellLines(readPage(page))) {
      const command = /^[a-z]+/.exec(findCall(line) ?? '')?.[0];
      if (command === undefined) continue;
      expect(gate, line).toMatch(
        new RegExp(`^ *(?:.*\\| )?(?:deliberate|npm start.* --) ${command} `, 'm'),
      );
    }
  });
});

describe.each(PAGES)('the page %s', (page) => {
  const place = new URL(page, root);
  const text = readFileSync(place, 'utf8');

  it('names only commands and flags that exist', () => {
    for (const code of codeIn(text)) {
      const [, named] = /(?:^|\| )deliberate ([a-z]+)/.exec(code) ?? [];
      if (named !== undefined) expect([...Object.keys(COMMANDS), 'help'], code).toContain(named);
      const words = findCall(code) ?? '';
      const [name = ''] = words.split(' ');
      const flags = words.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
      const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
      const known = command ? [...formatFlags(command.flags), '--help'] : ANY_FLAG;
      for (const flag of flags) expect(known, code).toContain(flag);
    }
  });

  it('links only to files and headings that exist', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', heading] = link.split('#');
      const target = new URL(path, place);
      expect(existsSync(target), link).toBe(true);
      if (heading !== undefined)
        expect(anchorsIn(readFileSync(target, 'utf8')), link).toContain(heading);
    }
  });

  it('names only files of the project that exist', () => {
    for (const [, path = ''] of text.matchAll(/`((?:src|test|docs|presets|bench|bin)\/[\w./-]+)`/g))
      expect(existsSync(new URL(path, root)), path).toBe(true);
  });
});

/** The anchors of its headings, as GitHub makes them. */
function anchorsIn(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])(
  'the page %s for people who work on the code',
  (page) => {
    const inline = [...readPage(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

    it('names only source files that exist', () => {
      const sources = globSync('{src,test,bench,docs,bin}/**/*.{ts,tsx,js}', { cwd: root });
      const named = inline.filter((code) => /^[\w./*-]+\.(?:tsx?|js)$/.test(code));
      expect(named.length).toBeGreaterThan(20);
      for (const file of named)
        expect(
          sources.some((source) => `/${source}`.endsWith(`/${file}`)),
          file,
        ).toBe(true);
    });

    it('names only identifiers that occur in the code', () => {
      const sources = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root });
      const words = new Set(sources.flatMap((file) => readPage(file).match(/\w+/g) ?? []));
      const named = inline
        .map((code) => /^(?:\w+\.)?([A-Za-z]\w*)(?:\(.*\))?$/.exec(code)?.[1])
        .filter((name) => name !== undefined && /[a-z][A-Z]|^[A-Z]/.test(name));
      expect(named.length).toBeGreaterThan(10);
      for (const name of named) expect(words, name).toContain(name);
    });

    it('names, if it gives an identifier together with a file, a file that contains the identifier', () => {
      const pairs = [
        ...readPage(page).matchAll(
          /`(?:\w+\.)?(#?\w+)(?:\([^`]*\))?`(?: of| in| on| and in `\w+`)? \(?`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g,
        ),
      ];
      expect(pairs.length).toBeGreaterThan(3);
      const sources = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root });
      for (const [said, name = '', file = ''] of pairs) {
        const meant = sources.filter((source) => `/${source}`.endsWith(`/${file}`));
        const words = meant.flatMap((source) => readPage(source).match(/#?\w+/g) ?? []);
        expect(words, said).toContain(name);
      }
    });
  },
);

it('docs/glossary.md names only files that exist', () => {
  const named = [...readPage('docs/glossary.md').matchAll(/`([\w-]+\/[\w./-]+)`/g)];
  expect(named.length).toBeGreaterThan(40);
  for (const [, path = ''] of named)
    expect(existsSync(new URL(`src/${path}`, root)) || existsSync(new URL(path, root)), path).toBe(
      true,
    );
});
