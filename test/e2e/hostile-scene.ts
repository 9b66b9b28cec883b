/**
 * A scene in which everything that other people may write contains attacks on the terminal: texts and names
 * of models, errors of servers, presets and settings of a project, attachments and agents.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { RecordedRequest } from '../servers/http.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { joinAttacks } from '../text/escape-corpus.ts';
import { answerRequest } from './deliberators.ts';
import { closeAfterTest, makeFolder } from './scene.ts';

/** An attack that is short enough for a ballot, a name or a title. */
export const SHORT_ATTACK =
  'safe \u001b]0;pwned\u0007\u009b2J\u001b[8m\u202egpj\u200b\u{e0041} \u001b]52;c;cm0gLXJmIC8=\u0007words';

const BALLOT = `\n\n## Ballot\n- Position: ${SHORT_ATTACK}\n- Option: ${SHORT_ATTACK}\n- Confidence: 0.7`;

/** The answer of the model `pieces`, which is sent in small pieces. */
export const PIECES_ANSWER = `${joinAttacks('said')}${BALLOT}`;
/** The thoughts of the model `thinker`, which are sent in small pieces. */
export const THINKER_THOUGHTS = joinAttacks('thought');
const SYNTHESIS = `## Consensus\n\n${joinAttacks('joined')}\n\n## Points of Agreement\n\n${SHORT_ATTACK}\n\n## Points of Divergence\n\nNone.\n\n## Recommendation\n\n${SHORT_ATTACK} attachments/plan.md#L1-L2`;

/** Cuts a text into pieces of one to three units, so that an escape sequence is cut at every place. */
function cutText(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0, size = 1; at < text.length; at += size, size = (size % 3) + 1)
    pieces.push(text.slice(at, at + size));
  return pieces;
}

const makeRecord = (message: Record<string, string>) => ({
  message: { role: 'assistant', content: '', ...message },
  done: false,
});

/**
 * Returns a value with the attack after every string in it, except where its schema restricts the string by
 * `enum`, `const`, `pattern` or `anyOf`.
 */
export function addAttack(schema: unknown, value: unknown, attack: string): unknown {
  const shape = (schema ?? {}) as Record<string, unknown>;
  if (typeof value === 'string')
    return 'enum' in shape || 'const' in shape || 'pattern' in shape || 'anyOf' in shape
      ? value
      : `${value} ${attack}`;
  if (Array.isArray(value)) return value.map((item) => addAttack(shape.items, item, attack));
  if (value === null || typeof value !== 'object') return value;
  const properties = (shape.properties ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, addAttack(properties[key], field, attack)]),
  );
}

function answer(request: RecordedRequest): string {
  const schema = request.body?.format;
  if (schema !== undefined && JSON.stringify(schema).includes('"cells"'))
    return JSON.stringify({
      points: ['A', 'B'].map((advisor) => ({
        text: SHORT_ATTACK,
        cells: [{ advisor, side: 'for', quote: SHORT_ATTACK }],
      })),
      same: [],
    });
  if (schema !== undefined) {
    const value: unknown = JSON.parse(answerRequest(request));
    return JSON.stringify(addAttack(schema, value, SHORT_ATTACK));
  }
  return request.model === 'chair' ? SYNTHESIS : `${joinAttacks('whole')}${BALLOT}`;
}

/**
 * The name of a model as somebody else's server may list it. The program refuses it if a person chooses it.
 */
export const HOSTILE_MODEL_NAME = `evil ${joinAttacks('name', 'line')}`;

/** Starts an Ollama server whose models answer with attacks. It is closed after the test. */
export function startHostileServer(): Promise<TestServer> {
  return startOllama({
    models: [HOSTILE_MODEL_NAME, 'a', 'pieces', 'thinker', 'json', 'html', 'chair', 'named'],
    answer,
    behaviours: {
      pieces: { records: cutText(PIECES_ANSWER).map((content) => makeRecord({ content })) },
      thinker: { records: cutText(THINKER_THOUGHTS).map((thinking) => makeRecord({ thinking })) },
      json: { status: 400, message: `refused ${SHORT_ATTACK} ${joinAttacks('json', 'line')}` },
      html: {
        status: 403,
        body: `<html><title>closed ${SHORT_ATTACK}</title><p>${joinAttacks('html')}</p></html>`,
        retryAfter: '1',
      },
    },
  }).then(closeAfterTest);
}

/** The folders, database, environment and question of a scene. */
export interface HostileScene {
  /** The project folder, in which the program is started. */
  readonly cwd: string;
  /** The person's home folder, which contains the project folder. */
  readonly home: string;
  /** The path of the database. */
  readonly db: string;
  /** The environment variables of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** A question full of attacks, which is also in the file `question.md`. */
  readonly question: string;
}

/**
 * Replaces the model of the seat `named` in the records of a database by a hostile name, as old versions of
 * the program could record it.
 * @throws Error if the database has no record of that model
 */
export function renameModel(db: string): void {
  const file = new Database(db);
  try {
    const { changes } = file
      .prepare('UPDATE fact SET body = replace(body, ?, ?)')
      .run('"ollama/named"', JSON.stringify(`ollama/${HOSTILE_MODEL_NAME}`));
    if (changes === 0) throw new Error('nothing is recorded');
  } finally {
    file.close();
  }
}

/** Removes NUL characters, since a file with one is binary and refused. */
function forFiles(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A file name that contains attacks, and no slash. The program refuses to attach a file of this name. */
export const HOSTILE_FILE_NAME = `plan ${SHORT_ATTACK.replaceAll('/', '')}.md`;

/**
 * Creates a project folder full of attacks, and starts a server whose models and errors contain them. Both
 * end with the test.
 */
export async function makeHostileScene(): Promise<HostileScene> {
  const home = makeFolder();
  const cwd = join(home, 'project');
  const writeFile = (path: string, text: string): void => {
    const file = join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, forFiles(text));
  };
  const server = await startHostileServer();
  const formatAbout = (q: string) =>
    `name: ${JSON.stringify(`${q} ${SHORT_ATTACK}`)}\ndescription: ${JSON.stringify(`${q} ${joinAttacks(q, 'line')}`)}\n`;
  const writeRole = (name: string, model: string) =>
    writeFile(
      `.deliberate/roles/${name}.md`,
      `---\n${formatAbout(`role${name}`)}model: ${JSON.stringify(`ollama/${model}`)}\n---\n${joinAttacks('brief')}\n`,
    );
  for (const model of ['pieces', 'thinker', 'json', 'html', 'named']) writeRole(model, model);
  const seats = ['pieces', 'thinker', 'json', 'html', 'named'].map((role) => `  - role: ${role}\n`);
  writeFile('.deliberate/boards/evil.yaml', `${formatAbout('board')}seats:\n${seats.join('')}`);
  writeFile(
    '.deliberate/casts/evil.yaml',
    `${formatAbout('cast')}cast:\n${['action', 'guardian', 'observer', 'critic'].map((role) => `  ${role}: ${JSON.stringify(`${role} ${SHORT_ATTACK}`)}\n`).join('')}`,
  );
  writeFile(
    '.deliberate/questions/evil.md',
    `---\n${formatAbout('ask')}---\n${joinAttacks('preset')}\n`,
  );
  // This role has an unknown key, and the program's error about it quotes the hostile text of the key.
  writeFile(
    '.deliberate/roles/broken.md',
    `---\n${JSON.stringify(SHORT_ATTACK)}: 1\n---\n${SHORT_ATTACK}\n`,
  );
  writeFile(
    `.deliberate/roles/broken ${SHORT_ATTACK.replaceAll('/', '')}.md`,
    '---\nname: 1\n---\n',
  );
  writeFile(
    '.deliberate/agents/evil.md',
    `---\n${formatAbout('agent').replace(/^name.*\n/, 'name: evil\n')}---\n${joinAttacks('agent')}\n`,
  );
  writeFile(
    '.deliberate/agents/worse.md',
    `---\nname: worse\n${JSON.stringify(SHORT_ATTACK)}: 1\nadvisors: [${JSON.stringify(SHORT_ATTACK)}]\n---\n${SHORT_ATTACK}\n`,
  );
  writeFile(
    'broken-config.yaml',
    `${JSON.stringify(SHORT_ATTACK)}: 1\nmodel: ${JSON.stringify(SHORT_ATTACK)}\npreset: [${SHORT_ATTACK}\n`,
  );
  writeFile('config.yaml', `preset: ${JSON.stringify(joinAttacks('config', 'line'))}\n`);
  writeFile(
    'misnamed-config.yaml',
    `synthesizer: ${JSON.stringify(`ollama/${HOSTILE_MODEL_NAME}`)}\n`,
  );
  writeFile('plan.md', joinAttacks('attached'));
  writeFile(HOSTILE_FILE_NAME, SHORT_ATTACK);
  const question = forFiles(joinAttacks('asked'));
  writeFile('question.md', question);
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
