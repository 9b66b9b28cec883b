/** Tests what coding agents are told about the server: the skill, and the plugins for two of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readVersion } from '../../src/app/version.ts';
import { runProgram } from '../e2e/program.ts';
import { makeFolder } from '../e2e/scene.ts';

const readText = (...path: string[]): string => readFileSync(join(...path), 'utf8');

/** A name as both agents document it: lower case, digits and hyphens, with a letter first. */
const name = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
  .max(64);
const semver = z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/);
/** A path that begins at the root of the plugin and never leaves it. */
const path = z.string().regex(/^\.\/(?!.*\.\.)/);
const manifest = {
  name,
  version: semver,
  description: z.string().min(1),
  author: z.strictObject({ name: z.string(), email: z.string().optional() }).optional(),
  license: z.string(),
};
const MANIFESTS = {
  'claude-code': z.strictObject(manifest),
  codex: z.strictObject({ ...manifest, skills: path, mcpServers: path }),
};
/** The servers that both plugins start. */
const servers = z.strictObject({
  mcpServers: z.record(
    name,
    z.strictObject({ command: z.string().min(1), args: z.array(z.string()) }),
  ),
});
/**
 * The frontmatter of a skill as agentskills.io documents it, without fields of our own, and without tags in
 * the description, which an agent reads at its start.
 */
const frontmatter = z.strictObject({
  name,
  description: z
    .string()
    .min(50)
    .max(1024)
    .regex(/^[^<>]*$/),
});

/** The skill as the program prints it, which is printed once for all tests. */
let skill: Promise<string> | undefined;

function printSkill(): Promise<string> {
  skill ??= (async () => {
    const { code, out } = await runProgram(['mcp', 'skill']);
    expect(code).toBe(0);
    return out;
  })();
  return skill;
}

it('the skill that `deliberate mcp skill` prints has only a name and a description in its header', async () => {
  const out = await printSkill();
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(out) ?? [];
  // Claude Code and Codex look for a skill in a folder that has the skill's name.
  expect(frontmatter.parse(parse(head)).name).toBe('deliberate');
});

it.each([
  ['claude-code', '.claude-plugin'],
  ['codex', '.codex-plugin'],
])(
  'the plugin for %s is written, but not over an existing plugin without --yes',
  async (agent, folderOf) => {
    const to = makeFolder();
    expect(await runProgram(['mcp', agent, '--to', to])).toMatchObject({ code: 0, out: '' });
    const plugin = join(to, 'deliberate');
    const about = JSON.parse(readText(plugin, folderOf, 'plugin.json')) as Record<string, string>;
    const shape = MANIFESTS[agent as keyof typeof MANIFESTS];
    expect(shape.parse(about)).toMatchObject({ name: 'deliberate', version: readVersion() });
    // The folder of the manifest contains only the manifest. All other files of the plugin are outside of this
    // folder.
    expect(readdirSync(join(plugin, folderOf))).toEqual(['plugin.json']);
    for (const named of [about.skills, about.mcpServers])
      if (named !== undefined) expect(existsSync(join(plugin, named)), named).toBe(true);
    expect(servers.parse(JSON.parse(readText(plugin, '.mcp.json')))).toEqual({
      mcpServers: { deliberate: { command: 'deliberate', args: ['mcp'] } },
    });
    expect(readText(plugin, 'skills', 'deliberate', 'SKILL.md')).toBe(await printSkill());
    const again = await runProgram(['mcp', agent, '--to', to]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('already exists')]);
    expect((await runProgram(['mcp', agent, '--to', to, '--yes'])).code).toBe(0);
  },
);

it('`deliberate mcp` rejects the name of a coding agent for which it has no plugin', async () => {
  const { code, err } = await runProgram(['mcp', 'vim']);
  expect([code, err]).toEqual([2, expect.stringContaining('mcp vim: not understood')]);
});

it('the marketplace file (list of plugins) in docs/mcp.md has every field that Codex requires', () => {
  const docs = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(docs) ?? [];
  const source = z.strictObject({ source: z.literal('local'), path });
  const policy = z.strictObject({
    installation: z.enum(['AVAILABLE', 'INSTALLED_BY_DEFAULT', 'NOT_AVAILABLE']),
    authentication: z.enum(['ON_INSTALL', 'ON_USE']),
  });
  const plugin = z.strictObject({ name, source, policy, category: z.string().min(1) });
  const { plugins } = z.strictObject({ name, plugins: z.array(plugin) }).parse(JSON.parse(shown));
  expect(plugins.map(({ source: { path: at } }) => at)).toEqual(['./deliberate']);
  expect(plugins[0]?.name).toBe('deliberate');
});
