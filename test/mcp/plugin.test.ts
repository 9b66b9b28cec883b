/** What coding agents are told of the server: the skill, and the plugins of two of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { version } from '../../src/app/version.ts';
import { run } from '../e2e/program.ts';
import { folder } from '../e2e/scene.ts';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

it('the skill is printed, with a name and a description', async () => {
  const { code, out } = await run(['mcp', 'skill']);
  expect(code).toBe(0);
  expect(out).toMatch(/^---\nname: deliberate\ndescription: \S.{50,1000}\n---\n/);
});

it.each([
  ['claude-code', '.claude-plugin'],
  ['codex', '.codex-plugin'],
])(
  'the plugin for %s is written once, and over itself only with --yes',
  async (agent, manifest) => {
    const to = folder();
    expect(await run(['mcp', agent, '--to', to])).toMatchObject({ code: 0, out: '' });
    const plugin = join(to, 'deliberate');
    const about = JSON.parse(read(plugin, manifest, 'plugin.json')) as Record<string, string>;
    expect(about).toMatchObject({ name: 'deliberate', version: version() });
    expect(JSON.parse(read(plugin, '.mcp.json'))).toEqual({
      mcpServers: { deliberate: { command: 'deliberate', args: ['mcp'] } },
    });
    expect(read(plugin, 'skills', 'deliberate', 'SKILL.md')).toBe(
      (await run(['mcp', 'skill'])).out,
    );
    const again = await run(['mcp', agent, '--to', to]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('already exists')]);
    expect((await run(['mcp', agent, '--to', to, '--yes'])).code).toBe(0);
  },
);

it('what is no agent is refused by name', async () => {
  const { code, err } = await run(['mcp', 'vim']);
  expect([code, err]).toEqual([2, expect.stringContaining('mcp vim: not understood')]);
});
