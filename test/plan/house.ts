/** A repository with two specialists and a topic, and the real program in it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, Program } from '../e2e/program.ts';
import type { Recorded } from '../servers/index.ts';
import { DOCUMENTS, draft, handed, World } from './harness.ts';

export const TOPIC_FILE = 'docs/planning/clock/topic.md';
export const SPEC = 'docs/roadmap/clock.spec.md';
export const STATUS = 'docs/planning/clock/status.json';
export const REHEARSE = ['--rehearse', '--rehearse-speed', '1000', '--plain', '--seed', '7'];

export function specialist(role: string, clusters = role): string {
  return `---\nname: The ${role} people\ndescription: They look after ${role}.\nclusters: [${clusters}]\n---\nYou look after ${role}.\n`;
}

export class House extends World {
  constructor(files: Readonly<Record<string, string>> = {}) {
    super({
      ...DOCUMENTS,
      '.deliberate/specialists/security.md': specialist('security'),
      '.deliberate/specialists/ux.md': specialist('ux'),
      [TOPIC_FILE]: '# Let sessions and forms last longer than 15 minutes\n',
      ...files,
    });
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return new Program(args, { cwd: this.folder, env: { DELIBERATE_DB: this.database, ...env } });
  }

  call(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** With the stand-in for models, to its end. */
  plan(...args: readonly string[]): Promise<Ended> {
    return this.call(['plan', ...args, ...REHEARSE]);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  changed(): string[] {
    return this.place
      .git('status', '--porcelain', '--untracked-files=all')
      .trimEnd()
      .split('\n')
      .flatMap((row) => (row === '' ? [] : [row.slice(3)]));
  }
}

/** What a request over the wire is for, by the form that it asks for. */
export function formOf({ body }: Recorded): string {
  const { properties = {} } = (body?.format ?? {}) as { properties?: Record<string, unknown> };
  const [form = 'words'] = ['verdicts', 'answered', 'answers', 'conflicts', 'goal', 'queries']
    .concat(['statements', 'questions', 'claims', 'holds'])
    .filter((name) => Object.hasOwn(properties, name));
  return form;
}

export function messagesOf({ body }: Recorded): string {
  return JSON.stringify(body?.messages);
}

/** A model that says the least that is of use, in the form that it is asked for. */
export function answerOf(request: Recorded): string {
  const messages = (request.body?.messages ?? []) as readonly { readonly content: string }[];
  const told = messages.map(({ content }) => content).join('\n');
  const ids = [...new Set(told.match(/\b(?:security|ux)-\d+(?= \()/g))];
  const answers: Record<string, object> = {
    queries: { queries: ['how long a session and its form last'], clusters: ['security', 'ux'] },
    questions: { questions: [] },
    statements: { statements: [handed({ text: 'A session has to end after 15 minutes.' })] },
    conflicts: { conflicts: [] },
    goal: draft({ decisions: ids.map((id) => ({ text: `So says ${id}.`, from: [id] })) }),
  };
  return JSON.stringify(answers[formOf(request)] ?? {});
}
