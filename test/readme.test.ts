/** What the README says is so: its keys, its commands, its links. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keysPage } from '../docs/keys.ts';
import { dashed, FLAGS } from '../src/app/flags.ts';
import { COMMANDS } from '../src/cli/commands.ts';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const documented = readFileSync(new URL('docs/database.md', root), 'utf8');

it('docs/keys.md has the keys that the console has (npm run keys)', () => {
  expect(readFileSync(new URL('docs/keys.md', root), 'utf8')).toBe(keysPage());
});

describe('the README', () => {
  it('names every command', () => {
    for (const name of Object.keys(COMMANDS))
      expect(readme).toMatch(new RegExp(`[\`, ]${name}[\` ]`));
  });

  it('names no command or flag that does not exist', () => {
    for (const [, name = ''] of readme.matchAll(/`deliberate ([a-z]+)/g))
      expect(Object.keys(COMMANDS)).toContain(name);
    const known = new Set(
      Object.entries(FLAGS).flatMap(([name, info]) =>
        'off' in info ? [dashed(name), `no-${dashed(name)}`] : [dashed(name)],
      ),
    );
    for (const [, flag = ''] of readme.matchAll(/[`\s]--([a-z][a-z-]+)/g))
      if (!['silent', 'help'].includes(flag)) expect(known).toContain(flag);
  });

  it('names the views', () => {
    const views = [...documented.matchAll(/^## `(\w+)`$/gm)].map(([, view = '']) => view);
    expect(views.length).toBeGreaterThan(8);
    for (const view of views) expect(readme).toContain(`\`${view}\``);
  });
});

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/database.md',
  'docs/faults.md',
  'docs/protocols.md',
];

describe.each(DOCUMENTS)('%s', (document) => {
  const place = new URL(document, root);
  const text = readFileSync(place, 'utf8');

  it('has no link that leads nowhere', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g))
      if (!/^[a-z]+:/.test(link)) expect(existsSync(new URL(link, place)), link).toBe(true);
  });

  it('names no file of the project that does not exist', () => {
    for (const [, path = ''] of text.matchAll(/`((?:src|test|docs|presets|bench|bin)\/[\w./-]+)`/g))
      expect(existsSync(new URL(path, root)), path).toBe(true);
  });
});
