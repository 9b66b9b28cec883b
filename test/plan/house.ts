/**
 * A repository with two specialists and a topic. Tests run the real program in it, in a process of its own or
 * in this one.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { getCommand } from '../../src/cli/commands.ts';
import { explain } from '../../src/cli/explain.ts';
import { parse } from '../../src/cli/parse.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { Program, type ProgramResult, UNWRITABLE_HOME } from '../e2e/program.ts';
import type { RecordedRequest } from '../servers/index.ts';
import { DOCUMENTS, makeHandedStatement, makeSpecDraft, World } from './harness.ts';

/** The path of the topic's file in the repository. */
export const TOPIC_FILE = 'docs/planning/clock/topic.md';
/** The path of the spec that a finished plan writes. */
export const SPEC = 'docs/roadmap/clock.spec.md';
/** The path of the plan's status file. */
export const STATUS = 'docs/planning/clock/status.json';
/** The flags of a fast rehearsal with a fixed seed. */
export const REHEARSE = ['--rehearse', '--rehearse-speed', '1000', '--plain', '--seed', '7'];

/**
 * Returns the text of the file that describes a specialist. By default the specialist owns the cluster that
 * has the role's name.
 */
export function makeSpecialistFile(role: string, clusters = role): string {
  return `---\nname: The ${role} people\ndescription: They look after ${role}.\nclusters: [${clusters}]\n---\nYou look after ${role}.\n`;
}

/**
 * A repository in which the real program makes plans. It has two specialists, a topic, and a document for
 * each of three domains.
 */
export class House extends World {
  constructor(files: Readonly<Record<string, string>> = {}) {
    super({
      ...DOCUMENTS,
      '.deliberate/specialists/security.md': makeSpecialistFile('security'),
      '.deliberate/specialists/ux.md': makeSpecialistFile('ux'),
      [TOPIC_FILE]: '# Let sessions and forms last longer than 15 minutes\n',
      ...files,
    });
  }

  /** Starts the program in a process of its own, with the repository as its working folder. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return new Program(args, { cwd: this.folder, env: { DELIBERATE_DB: this.database, ...env } });
  }

  /** Runs the program in a process of its own and returns its exit code and output. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProgramResult> {
    return this.start(args, env).ended;
  }

  /** Makes a plan with the stand-in for models, in a process of its own. */
  plan(...args: readonly string[]): Promise<ProgramResult> {
    return this.run(['plan', ...args, ...REHEARSE]);
  }

  /**
   * Runs a command in this process, with the same output and errors as `run`, for tests that need no separate
   * process. Meanwhile the working folder of this process is the repository.
   */
  async runHere(
    [name = '', ...words]: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Pick<ProgramResult, 'code' | 'out' | 'err'>> {
    const [out, err] = [new Kept(), new Kept()];
    const around = {
      PATH: process.env.PATH,
      HOME: UNWRITABLE_HOME,
      DELIBERATE_DB: this.database,
      ...env,
    };
    const before = process.cwd();
    process.chdir(this.folder);
    let code: number;
    try {
      const command = getCommand(name);
      const given = parse(words, command.flags);
      const run = await command.load();
      code = await run({
        command: name,
        words: given.words,
        flags: readFlags(given.flags),
        protocols: PROTOCOLS,
        env: around,
        out,
        err,
        stdin: Readable.from([]),
      } as unknown as Invocation);
    } catch (error) {
      const told = explain(error, around);
      code = told.code;
      err.write(told.text);
    } finally {
      process.chdir(before);
    }
    return { code, out: out.text, err: err.text };
  }

  /** Makes a plan with the stand-in for models, in this process. */
  planHere(...args: readonly string[]): ReturnType<House['runHere']> {
    return this.runHere(['plan', ...args, ...REHEARSE]);
  }

  /** Returns the text of a file of the repository. */
  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Returns whether the repository has a file or folder at this path. */
  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  /** Returns the paths of files that differ from the last commit, new files included. */
  listChanged(): string[] {
    return this.place
      .git('status', '--porcelain', '--untracked-files=all')
      .trimEnd()
      .split('\n')
      .flatMap((row) => (row === '' ? [] : [row.slice(3)]));
  }
}

/** A stream that collects its output. */
class Kept extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/**
 * Returns the property of a request's JSON schema that shows what the request asks for, such as `verdicts`.
 * Returns `words` for a request whose schema has none of the known properties, or that has no schema.
 */
export function findFormName({ body }: RecordedRequest): string {
  const { properties = {} } = (body?.format ?? {}) as { properties?: Record<string, unknown> };
  const [form = 'words'] = ['verdicts', 'answered', 'answers', 'conflicts', 'goal', 'queries']
    .concat(['statements', 'questions', 'claims', 'holds', 'carried', 'contradictions', 'controls'])
    .filter((name) => Object.hasOwn(properties, name));
  return form;
}

/** Returns the messages of a recorded request as JSON. */
export function messagesOf({ body }: RecordedRequest): string {
  return JSON.stringify(body?.messages);
}

/** Returns the shortest answer with which a plan can go on, as JSON, for each kind of request. */
export function makeShortAnswer(request: RecordedRequest): string {
  const messages = (request.body?.messages ?? []) as readonly { readonly content: string }[];
  const told = messages.map(({ content }) => content).join('\n');
  const ids = [...new Set(told.match(/\b(?:security|ux)-\d+(?= \()/g))];
  const answers: Record<string, object> = {
    queries: {
      queries: ['how long a session and its form last'],
      clusters: ['security', 'ux'],
      name: '',
    },
    questions: { questions: [] },
    statements: {
      statements: [makeHandedStatement({ text: 'A session has to end after 15 minutes.' })],
    },
    conflicts: { conflicts: [] },
    // The statement that the model offers for planting is a copy of an existing one. The program refuses a copy
    // and makes a statement itself.
    controls: {
      controls: [
        {
          of: candidateIn(request),
          because: '',
          title: '',
          text: 'A session has to end after 15 minutes.',
        },
      ],
    },
    carried: {
      carried: 'wholly',
      missing: '',
      quotation: 'A session has to end after 15 minutes.',
    },
    contradictions: { contradictions: [] },
    goal: makeSpecDraft({ decisions: ids.map((id) => ({ text: `So says ${id}.`, from: [id] })) }),
  };
  return JSON.stringify(answers[findFormName(request)] ?? {});
}

/**
 * Returns the first statement that a control may contradict; an empty text if the request asks for no
 * control.
 */
function candidateIn({ body }: RecordedRequest): string {
  const of = z.object({ enum: z.array(z.string()) });
  const items = z.object({ properties: z.object({ of }) });
  const form = z.object({ properties: z.object({ controls: z.object({ items }) }) });
  const { data } = form.safeParse(body?.format);
  return data?.properties.controls.items.properties.of.enum[0] ?? '';
}
