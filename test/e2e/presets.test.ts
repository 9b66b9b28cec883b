/** Tests presets with the real program, in a project's folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDeliberate } from './calls.ts';
import type { ProgramResult } from './program.ts';
import { makeFolder, viewIn } from './scene.ts';

/** A person with a home and a repository in it, who works in a folder of the repository. */
class Person {
  readonly home = makeFolder();
  readonly project = join(this.home, 'project');
  readonly cwd = join(this.project, 'src');
  readonly env = { HOME: this.home, DELIBERATE_DB: join(this.home, 'runs.db') };

  constructor() {
    mkdirSync(this.cwd, { recursive: true });
    mkdirSync(join(this.project, '.git'));
  }

  write(path: string, text: string): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  run(...args: string[]): Promise<ProgramResult> {
    return runDeliberate(args, { env: this.env, cwd: this.cwd });
  }

  /** Runs a rehearsed board. */
  board(...args: string[]): Promise<ProgramResult> {
    return this.run('board', '--rehearse', '--rehearse-speed', '1000', '--quiet', ...args);
  }
}

describe('deliberate presets', () => {
  it('lists presets by kind, each with its origin', async () => {
    const person = new Person();
    person.write(
      'project/.deliberate/roles/auditor.md',
      '---\nname: Auditor\ndescription: Looks twice.\n---\nLook.\n',
    );
    person.write('.config/deliberate/roles/broken.md', 'Nothing.\n');
    const { code, out, err } = await person.run('presets');
    expect(code).toBe(0);
    expect(out).toMatch(/^boards$[\s\S]*^roles$[\s\S]*^casts$[\s\S]*^questions$/m);
    expect(out).toMatch(/auditor +project +Looks twice\./);
    expect(out).toMatch(/critic +built-in/);
    expect(err).toContain('roles/broken.md:1: expected');
    const roles = await person.run('presets', 'roles', '--json');
    const listed = roles.out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { slug: string; origin: string });
    expect(listed).toContainEqual(expect.objectContaining({ slug: 'auditor', origin: 'project' }));
    expect((await person.run('presets', 'jokes')).code).toBe(2);
  });

  it('with "check" names every problem, and ends with code 1 if there is one', async () => {
    const person = new Person();
    expect((await person.run('presets', 'check')).code).toBe(0);
    person.write(
      '.config/deliberate/boards/b.yaml',
      'name: B\nseats:\n  - role: jester\n    hat: red\n',
    );
    person.write('.config/deliberate/questions/q.md', '---\nname: Q\ndescription: None.\n---\n');
    const { code, out } = await person.run('presets', 'check');
    expect(code).toBe(1);
    expect(out).toMatch(/b\.yaml:1: description: it is missing/);
    expect(out).toMatch(/b\.yaml:4: seats\.0\.hat: unknown key/);
    expect(out).toMatch(/q\.md:\d+: expected, below the frontmatter, the question/);
    expect(out).toContain('3 problems.');
  });

  it('with "copy" writes a built-in preset to a file, and overwrites nothing', async () => {
    const person = new Person();
    const { code, out } = await person.run('presets', 'copy', 'roles/critic');
    const file = join(person.home, '.config/deliberate/roles/critic.md');
    expect([code, out]).toEqual([0, `${file}\n`]);
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, readFileSync(file, 'utf8').replace('You look for', 'You like'));
    const again = await person.run('presets', 'copy', 'roles/critic');
    expect(again.code).toBe(2);
    expect(again.err).toContain(`${file} already exists`);
    expect(readFileSync(file, 'utf8')).toContain('You like');
    const project = await person.run(
      'presets',
      'copy',
      'questions/rewrite-in-rust',
      '--to',
      'project',
    );
    expect(project.out).toBe(`${person.project}/.deliberate/questions/rewrite-in-rust.md\n`);
    expect((await person.run('presets', 'questions')).out).toMatch(/rewrite-in-rust +project/);
    for (const wrong of ['critic', 'roles/../critic', 'roles/jester', 'jokes/critic'])
      expect((await person.run('presets', 'copy', wrong)).code).toBe(2);
  });

  it('with "copy" refuses to write into a folder of the project that is a symbolic link', async () => {
    const person = new Person();
    mkdirSync(join(person.project, '.deliberate'));
    mkdirSync(join(person.home, 'elsewhere'));
    symlinkSync(join(person.home, 'elsewhere'), join(person.project, '.deliberate', 'roles'));
    const { code, err } = await person.run('presets', 'copy', 'roles/critic', '--to', 'project');
    expect([code, existsSync(join(person.home, 'elsewhere', 'critic.md'))]).toEqual([2, false]);
    expect(err).toContain('is a link');
  });
});

describe('a run that uses presets', () => {
  it('takes roles and briefs from the project’s board, and names the file of the board', async () => {
    const person = new Person();
    person.write(
      'project/.deliberate/roles/auditor.md',
      '---\nname: Auditor\ndescription: Looks twice.\n---\nLook twice.\n',
    );
    person.write(
      'project/.deliberate/boards/audit.yaml',
      'name: Audit\ndescription: Ours.\nseats:\n  - role: auditor\n  - role: critic\n    brief: Speak of costs only.\n',
    );
    const { code, err } = await person.run(
      'board',
      '--rehearse',
      '--rehearse-speed',
      '1000',
      '--preset',
      'audit',
      '--ask',
      'rewrite-in-rust',
    );
    expect(code).toBe(0);
    // A person has to be told that a project's files choose the seats.
    expect(err).toMatch(/the preset board audit comes from this project: \S+\/boards\/audit\.yaml/);
    expect(err).toMatch(/the role auditor comes from this project/);
    expect(err).not.toContain('role critic');
    const view = viewIn(person.env.DELIBERATE_DB);
    expect(view.question).toContain('Should we rewrite it in Rust?');
    expect(view.seats.map(({ title, brief }) => [title, brief])).toEqual([
      ['Auditor', 'Look twice.'],
      ['Critic', 'Speak of costs only.'],
    ]);
  });

  it('uses the model that a role of its board names', async () => {
    const person = new Person();
    person.write(
      '.config/deliberate/roles/auditor.md',
      '---\nname: Auditor\ndescription: Looks twice.\nmodel: rehearsal/panel\n---\nLook twice.\n',
    );
    person.write(
      '.config/deliberate/boards/one.yaml',
      'name: One\ndescription: Mine.\nseats:\n  - role: auditor\n',
    );
    const { code } = await person.run(
      'board',
      '--preset',
      'one',
      '--rehearse-speed',
      '1000',
      '--quiet',
      'Why?',
    );
    expect(code).toBe(0);
    expect(viewIn(person.env.DELIBERATE_DB).seats[0]?.model).toBe('rehearsal/panel');
  });

  it('does not start if its board is broken, and the error names the place', async () => {
    const person = new Person();
    person.write(
      '.config/deliberate/boards/b.yaml',
      'name: B\ndescription: C.\nseats:\n  - role: jester\n',
    );
    const { code, err } = await person.board('--preset', 'b', 'Why?');
    expect(code).toBe(1);
    expect(err).toMatch(/b\.yaml:4: seats\.0\.role: there is no role "jester"/);
  });

  it('does not start with a question both from --ask and from the command line', async () => {
    const person = new Person();
    const twice = await person.board('--ask', 'rewrite-in-rust', 'Why?');
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('more than one question')]);
    const unknown = await person.board('--ask', 'why');
    expect(unknown.err).toContain('Available: ai-in-hiring,');
  });
});
