/**
 * A place where everything that other people may write is the whole corpus of attacks: models and what
 * they are called, their server's errors, the project's presets and settings, attachments, agents.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Recorded } from '../servers/http.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { corpus } from '../text/escape-corpus.ts';
import { deliberate } from './deliberators.ts';
import { folder, serve } from './scene.ts';

/** What fits where a few words do: in a ballot, a name, a title. */
export const SHORT =
  'safe \u001b]0;pwned\u0007\u009b2J\u001b[8m\u202egpj\u200b\u{e0041} \u001b]52;c;cm0gLXJmIC8=\u0007words';

const BALLOT = `\n\n## Ballot\n- Position: ${SHORT}\n- Option: ${SHORT}\n- Confidence: 0.7`;

/** What the model `pieces` says, and what `thinker` thinks. */
export const SAID = `${corpus('said')}${BALLOT}`;
export const THOUGHT = corpus('thought');
const SYNTHESIS = `## Consensus\n\n${corpus('joined')}\n\n## Points of Agreement\n\n${SHORT}\n\n## Points of Divergence\n\nNone.\n\n## Recommendation\n\n${SHORT} attachments/plan.md#L1-L2`;

/** In units of one to three, so that a sequence is cut at every place there is. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0, size = 1; at < text.length; at += size, size = (size % 3) + 1)
    pieces.push(text.slice(at, at + size));
  return pieces;
}

const record = (message: Record<string, string>) => ({
  message: { role: 'assistant', content: '', ...message },
  done: false,
});

/** The value with the attack behind every string that the schema leaves free. */
export function poisoned(schema: unknown, value: unknown, attack: string): unknown {
  const shape = (schema ?? {}) as Record<string, unknown>;
  if (typeof value === 'string')
    return 'enum' in shape || 'const' in shape || 'pattern' in shape || 'anyOf' in shape
      ? value
      : `${value} ${attack}`;
  if (Array.isArray(value)) return value.map((one) => poisoned(shape.items, one, attack));
  if (value === null || typeof value !== 'object') return value;
  const properties = (shape.properties ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, poisoned(properties[key], one, attack)]),
  );
}

function answer(request: Recorded): string {
  const schema = request.body?.format;
  if (schema !== undefined && JSON.stringify(schema).includes('"cells"'))
    return JSON.stringify({
      points: ['A', 'B'].map((advisor) => ({
        text: SHORT,
        cells: [{ advisor, side: 'for', quote: SHORT }],
      })),
      same: [],
    });
  if (schema !== undefined) {
    const value: unknown = JSON.parse(deliberate(request));
    return JSON.stringify(poisoned(schema, value, SHORT));
  }
  return request.model === 'chair' ? SYNTHESIS : `${corpus('whole')}${BALLOT}`;
}

/** A model's name as a stranger's server may list it. Who writes it down as a choice is refused. */
export const NAME = `evil ${corpus('name', 'line')}`;

export function hostileServer(): Promise<TestServer> {
  return startOllama({
    models: [NAME, 'a', 'pieces', 'thinker', 'json', 'html', 'chair', 'named'],
    answer,
    behaviours: {
      pieces: { records: cut(SAID).map((content) => record({ content })) },
      thinker: { records: cut(THOUGHT).map((thinking) => record({ thinking })) },
      json: { status: 400, message: `refused ${SHORT} ${corpus('json', 'line')}` },
      html: {
        status: 403,
        body: `<html><title>closed ${SHORT}</title><p>${corpus('html')}</p></html>`,
        retryAfter: '1',
      },
    },
  }).then(serve);
}

export interface Scene {
  readonly cwd: string;
  readonly home: string;
  readonly db: string;
  readonly env: Readonly<Record<string, string>>;
  readonly question: string;
}

/** Gives the seat `named` its model's hostile name, as programs of before recorded whatever it was. */
export function misname(db: string): void {
  const file = new Database(db);
  try {
    const { changes } = file
      .prepare('UPDATE fact SET body = replace(body, ?, ?)')
      .run('"ollama/named"', JSON.stringify(`ollama/${NAME}`));
    if (changes === 0) throw new Error('nothing is recorded');
  } finally {
    file.close();
  }
}

/** What a text file can hold: a NUL makes it binary, which is refused. */
function forFiles(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A file's name may hold all of it but a slash. As the name of an attachment it is refused. */
export const MISNAMED = `plan ${SHORT.replaceAll('/', '')}.md`;

export async function hostileScene(): Promise<Scene> {
  const home = folder();
  const cwd = join(home, 'project');
  const write = (path: string, text: string): void => {
    const file = join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, forFiles(text));
  };
  const server = await hostileServer();
  const about = (q: string) =>
    `name: ${JSON.stringify(`${q} ${SHORT}`)}\ndescription: ${JSON.stringify(`${q} ${corpus(q, 'line')}`)}\n`;
  const role = (name: string, model: string) =>
    write(
      `.deliberate/roles/${name}.md`,
      `---\n${about(`role${name}`)}model: ${JSON.stringify(`ollama/${model}`)}\n---\n${corpus('brief')}\n`,
    );
  for (const model of ['pieces', 'thinker', 'json', 'html', 'named']) role(model, model);
  const seats = ['pieces', 'thinker', 'json', 'html', 'named'].map((one) => `  - role: ${one}\n`);
  write('.deliberate/boards/evil.yaml', `${about('board')}seats:\n${seats.join('')}`);
  write(
    '.deliberate/casts/evil.yaml',
    `${about('cast')}cast:\n${['action', 'guardian', 'observer', 'critic'].map((one) => `  ${one}: ${JSON.stringify(`${one} ${SHORT}`)}\n`).join('')}`,
  );
  write('.deliberate/questions/evil.md', `---\n${about('ask')}---\n${corpus('preset')}\n`);
  // What cannot be read is told with the words that stand in it.
  write('.deliberate/roles/broken.md', `---\n${JSON.stringify(SHORT)}: 1\n---\n${SHORT}\n`);
  write(`.deliberate/roles/broken ${SHORT.replaceAll('/', '')}.md`, '---\nname: 1\n---\n');
  write(
    '.deliberate/agents/evil.md',
    `---\n${about('agent').replace(/^name.*\n/, 'name: evil\n')}---\n${corpus('agent')}\n`,
  );
  write(
    '.deliberate/agents/worse.md',
    `---\nname: worse\n${JSON.stringify(SHORT)}: 1\nadvisors: [${JSON.stringify(SHORT)}]\n---\n${SHORT}\n`,
  );
  write(
    'broken-config.yaml',
    `${JSON.stringify(SHORT)}: 1\nmodel: ${JSON.stringify(SHORT)}\npreset: [${SHORT}\n`,
  );
  write('config.yaml', `preset: ${JSON.stringify(corpus('config', 'line'))}\n`);
  write('misnamed-config.yaml', `synthesizer: ${JSON.stringify(`ollama/${NAME}`)}\n`);
  write('plan.md', corpus('attached'));
  write(MISNAMED, SHORT);
  const question = forFiles(corpus('asked'));
  write('question.md', question);
  const db = join(home, 'runs.db');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    OLLAMA_HOST: server.url,
    DELIBERATE_DB: db,
  };
  return { cwd, home, db, env, question };
}
