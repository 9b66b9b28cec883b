/** What a person makes on the home screen and keeps: roles from their editor, boards from seats. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { roleTemplate, writeRole } from '../../src/app/home/own-role.ts';
import { Drafts } from '../../src/io/drafts.ts';
import { BOARD_KIND, ROLE_KIND } from '../../src/io/preset-kinds.ts';
import { readPreset } from '../../src/io/presets.ts';
import { savePanel } from '../../src/protocols/board/desk/save-panel.ts';

function makePerson(): { env: { HOME: string }; config: string } {
  const HOME = mkdtempSync(join(tmpdir(), 'own-presets-'));
  onTestFinished(() => rmSync(HOME, { recursive: true }));
  return { env: { HOME }, config: join(HOME, '.config', 'deliberate') };
}

/** Returns an editor that replaces the text it is shown, and keeps the text that was there. */
function makeEditor(home: string, text: string): { EDITOR: string; shown: () => string } {
  writeFileSync(join(home, 'text'), text);
  const before = join(home, 'before');
  return {
    EDITOR: `f() { cp "$1" '${before}'; cp '${join(home, 'text')}' "$1"; }; f`,
    shown: () => readFileSync(before, 'utf8'),
  };
}

const ROLE = '---\nname: Night Éditor\ndescription: Reads late.\n---\nYou edit.\n';

describe('writeRole, which lets a person write a role in an editor', () => {
  it('shows a commented template and stores what is written as a role', async () => {
    const { env, config } = makePerson();
    const { EDITOR, shown } = makeEditor(env.HOME, ROLE);
    const role = await writeRole({ ...env, EDITOR }, new Drafts(env));
    expect(shown()).toBe(roleTemplate());
    expect(role).toMatchObject({ slug: 'night-editor', name: 'Night Éditor', brief: 'You edit.' });
    expect(readFileSync(join(config, 'roles', 'night-editor.md'), 'utf8')).toBe(ROLE);
    expect(readPreset(ROLE_KIND, 'night-editor', env).name).toBe('Night Éditor');
  });

  it('reports the error in an invalid text, and offers the same text again', async () => {
    const { env } = makePerson();
    const drafts = new Drafts(env);
    const broken = '---\nname: X\ndescription: D\ntemperature: hot\n---\nLong work.\n';
    const first = writeRole({ ...env, EDITOR: makeEditor(env.HOME, broken).EDITOR }, drafts);
    await expect(first).rejects.toThrow(/role\.md:\d.*temperature[\s\S]*Your text is kept/);
    const again = makeEditor(env.HOME, ROLE);
    await writeRole({ ...env, EDITOR: again.EDITOR }, drafts);
    expect(again.shown()).toBe(broken);
    expect(drafts.read('role')).toBe('');
  });

  it('refuses the name of an existing role, and keeps the text as a draft', async () => {
    const { env } = makePerson();
    const drafts = new Drafts(env);
    const text = '---\nname: Critic\ndescription: Mine.\n---\nYou doubt.\n';
    const written = writeRole({ ...env, EDITOR: makeEditor(env.HOME, text).EDITOR }, drafts);
    await expect(written).rejects.toThrow('there is already a role "critic" (built-in)');
    expect(drafts.read('role')).toBe(text);
  });

  it('stores nothing if the template was not changed or the editor is missing', async () => {
    const { env, config } = makePerson();
    const drafts = new Drafts(env);
    expect(await writeRole({ ...env, EDITOR: 'true' }, drafts)).toBeUndefined();
    await expect(writeRole({ ...env, EDITOR: 'no-such-editor' }, drafts)).rejects.toThrow(
      'the editor "no-such-editor" is not installed; the role is unchanged',
    );
    expect(existsSync(join(config, 'roles'))).toBe(false);
  });
});

describe('savePanel, which stores the chosen seats as a board preset', () => {
  const panel = {
    name: 'My Panel',
    seats: [{ role: 'critic', model: 'ollama/qwen3:8b', brief: 'Only cost.' }, { role: 'expert' }],
    attachments: [{ path: '~/notes.md', note: '', text: '' }],
    look: [{ wish: 'src', name: 'code', path: '/work/src' }],
    replace: false,
  };

  it('stores a board preset, and reading its file returns the same seats and folders', () => {
    const { env, config } = makePerson();
    const kept = savePanel(env, panel);
    expect(kept).toMatchObject({ file: join(config, 'boards', 'my-panel.yaml') });
    expect(readPreset(BOARD_KIND, 'my-panel', env)).toEqual({
      name: 'My Panel',
      description: 'critic, expert',
      seats: panel.seats,
      attach: [join(env.HOME, 'notes.md')],
      look: ['code=/work/src'],
    });
  });

  it('says that the name is taken instead of replacing an existing board, unless the person confirmed that', () => {
    const { env } = makePerson();
    savePanel(env, panel);
    const other = { ...panel, seats: [{ role: 'analyst' }] };
    expect(savePanel(env, other)).toMatchObject({ taken: expect.stringContaining('your own') });
    expect(readPreset(BOARD_KIND, 'my-panel', env).seats).toEqual(panel.seats);
    savePanel(env, { ...other, replace: true });
    expect(readPreset(BOARD_KIND, 'my-panel', env).seats).toEqual(other.seats);
    expect(savePanel(env, { ...panel, name: 'Full Board' })).toMatchObject({
      taken: expect.stringContaining('built in'),
    });
  });

  it('refuses a name that no file can have', () => {
    const { env } = makePerson();
    expect(() => savePanel(env, { ...panel, name: '…' })).toThrow('no file name can be made');
  });
});

it('a board preset in a project’s folder is refused if it attaches a file', () => {
  const { env } = makePerson();
  const project = join(env.HOME, 'project', '.deliberate', 'boards');
  mkdirSync(project, { recursive: true });
  const text = 'name: P\ndescription: D\nseats: [{role: critic}]\nattach: [~/.ssh/id_rsa]\n';
  expect(() =>
    BOARD_KIND.read({ file: 'p.yaml', text, slug: 'p', origin: 'project', env }),
  ).toThrow('p.yaml:4: attach: only a preset of your own may name files and folders');
});
