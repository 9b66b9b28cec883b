/**
 * Tests a deliberation over a PDF, a Word file and a web page, in the real program with three models over
 * loopback: a claim about each is settled by reading, and everything done with the run afterwards uses the
 * recorded text.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClaimView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { attachmentsOf } from '../../src/text/documents/attachment.ts';
import { makeDocx, makeParagraph, makePdf } from '../documents/make.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { blocksIn, statementsIn } from '../protocols/answers.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { type OllamaServer, startOllama } from '../servers/index.ts';
import { startPages } from '../servers/pages.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, factsIn, PANEL_FLAGS, promptOf } from './deliberators.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';

const REPORT = makePdf({
  pages: [
    ['Failover report'],
    ['The primary writes 300 orders a minute at noon.'],
    ['The standby lags behind the primary by 40 min-', 'utes on Mondays, as nobody had expected.'],
  ],
});
const MEMO = makeDocx(
  makeParagraph('What is paid for', 'Heading1') +
    makeParagraph('One region is paid for until spring.') +
    makeParagraph('There are two replicas in it.'),
);
const PAGE = `<!doctype html><html><head><title>Queue limits</title></head><body><article>
<h1>Queue limits</h1><p>The queue holds 40,000 jobs.</p><p>When it is full, new jobs are refused.</p>
</article></body></html>`;

interface Claimed {
  readonly text: string;
  readonly finding: 'true_in_text' | 'false_in_text';
  readonly quotes: readonly string[];
}

/** One claim about each document. The quotation from the PDF spans two lines and a hyphenated word. */
const IN_PDF: Claimed = {
  text: 'A fail-over on a Monday would lose more than half an hour of writes.',
  finding: 'true_in_text',
  quotes: ['lags behind the primary by 40 minutes on Mondays'],
};
const IN_MEMO: Claimed = {
  text: 'The budget covers five copies of the database.',
  finding: 'false_in_text',
  quotes: ['There are two replicas in it.'],
};
const IN_PAGE: Claimed = {
  text: 'Some jobs would be turned away while 40,000 are waiting.',
  finding: 'true_in_text',
  quotes: ['The queue holds 40,000 jobs.', 'When it is full, new jobs are refused.'],
};
const CLAIMS = [IN_PDF, IN_MEMO, IN_PAGE];

/** Answers as a model that makes these claims as Observer and Critic, and decides them as the reader. */
function answer(request: RecordedRequest): string {
  const value = request.body?.format === undefined ? {} : JSON.parse(answerRequest(request));
  const text = promptOf(request);
  const ownClaims =
    'goal_reached' in value ? [IN_PDF, IN_MEMO] : 'attack_steps' in value ? [IN_PAGE] : [];
  const isNew = ownClaims.every((claim) => !text.includes(claim.text));
  if (ownClaims.length > 0 && isNew)
    value.claims = ownClaims.map(({ text: claimed }) => ({
      text: claimed,
      testable_as: `See in the documents: ${claimed.split(' ').toReversed().join(' ')}`,
      decided_by: 'reading',
      says: 'holds',
      about: 'plan',
      replaces: '',
      if_false: 'The standby would be given up.',
    }));
  else if ('findings' in value)
    value.findings = statementsIn(text).map((statement, at) => ({
      item: at + 1,
      quotes: [],
      sought: [],
      absence_makes_it: 'undecided',
      covered: '',
      why: 'read',
      ...findingOf(statement, text),
    }));
  else if ('looks' in value) {
    const items = [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, statement = '']) => statement);
    value.looks = items.map((statement, at) => {
      const claim = CLAIMS.find((claim) => claim.text === statement);
      const verdict =
        claim === undefined ? 'undecided' : claim.finding === 'true_in_text' ? 'true' : 'false';
      return { item: at + 1, verdict, why: 'looked at' };
    });
  } else if (request.body?.format === undefined) return answerRequest(request);
  return JSON.stringify(value);
}

/**
 * Returns the listed findings for these claims, and compares other statements (the program's control
 * sentences) word by word.
 */
function findingOf(statement: string, prompt: string): object {
  const claim = CLAIMS.find(({ text }) => text === statement);
  if (claim !== undefined) return { finding: claim.finding, quotes: claim.quotes };
  const sentences = blocksIn(prompt)
    .filter(({ tag }) => tag === 'attachment')
    .flatMap(({ text }) => text.split('\n').map((line) => line.replace(/^\w*\d: /, '')));
  if (sentences.includes(statement)) return { finding: 'true_in_text', quotes: [statement] };
  const alike = sentences.find(
    (sentence) => withoutFigures(sentence) === withoutFigures(statement),
  );
  return alike === undefined
    ? { finding: 'needs_a_test' }
    : { finding: 'false_in_text', quotes: [alike] };
}

function withoutFigures(sentence: string): string {
  return sentence.replace(/\d+/g, '#');
}

interface Desk {
  readonly cwd: string;
  readonly db: string;
  readonly model: OllamaServer;
  /** The requests that the page's server got. */
  readonly fetched: readonly string[];
  readonly pageUrl: string;
  /** The name under which the page is cited. */
  readonly pageName: string;
  start(...words: string[]): Program;
  by(...words: string[]): ReturnType<typeof runDeliberate>;
  /** Resolves when the model has been asked for a second look and stays silent. */
  readonly isSilent: Promise<void>;
}

/**
 * A folder with the documents, a server with the page, and a model that stalls at the first second look.
 */
async function makeDesk(): Promise<Desk> {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'report.pdf'), REPORT);
  writeFileSync(join(cwd, 'memo.docx'), MEMO);
  const pages = await startPages({ '/page': PAGE });
  let resolveSilent: () => void = () => undefined;
  const isSilent = new Promise<void>((resolve) => {
    resolveSilent = resolve;
  });
  let hasStalled = false;
  const model: OllamaServer = closeAfterTest(
    await startOllama({
      models: ['a', 'b', 'c'],
      answer: (request) => {
        if (!hasStalled && /^Statements:$/m.test(promptOf(request)) && isReading(request)) {
          hasStalled = true;
          model.setBehaviour('b', 'stall-mid-stream');
          resolveSilent();
        }
        return answer(request);
      },
    }),
  );
  const db = join(cwd, 'runs.db');
  const env = { DELIBERATE_DB: db, HOME: cwd, OLLAMA_HOST: model.url };
  return {
    cwd,
    db,
    model,
    isSilent,
    fetched: pages.requests,
    pageUrl: `${pages.url}/page`,
    pageName: `${pages.url.replace('http://', '').replace(':', '-')}/page`,
    start: (...words) => new Program(words, { cwd, env }),
    by: (...words) => runDeliberate(words, { cwd, env }),
  };
}

function isReading({ body }: RecordedRequest): boolean {
  const { properties = {} } = (body?.format ?? {}) as { properties?: object };
  return Object.hasOwn(properties, 'findings');
}

function claimsIn(db: string): (ClaimView | undefined)[] {
  const claims = Object.values(roundsOf(factsIn(db)).claims);
  return CLAIMS.map(({ text }) => claims.find((claim) => claim.text === text));
}

/** Returns the text of an HTML page without its tags. */
function textOfHtml(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('a deliberation over a PDF, a Word file and a web page', () => {
  it('settles a claim by each document, also when killed, resumed, forked or imported', async () => {
    const here = await makeDesk();
    const { db, by } = here;
    const program = here.start(
      ...['rounds', ...PANEL_FLAGS, '--rounds', '2', '--stress', 'none', '--seed', '7'],
      ...['--stop-at', 'never', '--plain', '--attach', 'report.pdf', '--attach', 'memo.docx'],
      ...['--attach', here.pageUrl, '--allow-private', 'Do we keep the standby?'],
    );
    await here.isSilent;
    await expect
      .poll(() => listFactsOfType(factsIn(db), 'step.started').map(({ step }) => step))
      .toContain('round-1/F/look');
    program.child.kill('SIGKILL');
    await program.ended;
    const isRead = ({ basis }: { basis?: string | undefined }): boolean => basis === 'read';
    expect(listFactsOfType(factsIn(db), 'claim.moved').filter(isRead)).toEqual([]);
    // Delete or change the attached files, so that only their recorded text can be used.
    rmSync(join(here.cwd, 'report.pdf'));
    writeFileSync(join(here.cwd, 'memo.docx'), 'something else');
    here.model.setBehaviour('b', 'ok');
    const resumed = await by('resume', 'latest', '--plain');
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('done')]);

    const settled = [
      [['attachments/report.pdf#p3L1-L2'], 'tested_confirmed'],
      [['attachments/memo.docx#L5'], 'tested_refuted'],
      [[`attachments/${here.pageName}#L3`, `attachments/${here.pageName}#L5`], 'tested_confirmed'],
    ] as const;
    const expectSettled = (file: string): void => {
      expect(
        claimsIn(file).map((claim) => {
          const move = claim?.moves.find(isRead);
          return [move?.quotes?.map(({ ref }) => ref), claim?.status];
        }),
      ).toEqual(settled);
    };
    expectSettled(db);
    expect(roundsOf(factsIn(db)).rounds.map(({ closed }) => closed)).toEqual([true, true]);

    const places = [
      'report.pdf, page 3, lines 1 to 2',
      'memo.docx, line 5',
      `${here.pageName}, line 3`,
    ];
    const report = await by('show', 'latest');
    const markdown = await by('export', 'latest', '--format', 'md');
    await by('export', 'latest', '--format', 'html', '--to', 'report.html');
    const html = textOfHtml(readFileSync(join(here.cwd, 'report.html'), 'utf8'));
    for (const place of places)
      for (const text of [report.out, markdown.out, html]) expect(text).toContain(place);

    expect((await by('export', 'latest', '--format', 'records', '--to', 'records')).code).toBe(0);
    for (const validated of ['latest', 'records']) {
      const { code, out } = await by('validate', validated, '--json');
      expect([code, JSON.parse(out)]).toEqual([0, { ok: true, errors: [], warnings: [] }]);
    }

    const json = await by('export', 'latest', '--format', 'json');
    execFileSync('sh', ['-c', 'cat > run.json'], { cwd: here.cwd, input: json.out });
    const other = join(here.cwd, 'other.db');
    const elsewhere = { DELIBERATE_DB: other, HOME: here.cwd };
    const imported = await runDeliberate(['import', 'run.json'], { cwd: here.cwd, env: elsewhere });
    expect(imported.code).toBe(0);
    expectSettled(other);
    expect(attachmentsOf(viewIn(other).config)).toEqual(attachmentsOf(viewIn(db).config));
    const there = await runDeliberate(['show', 'latest'], { cwd: here.cwd, env: elsewhere });
    for (const place of places) expect(there.out).toContain(place);
    expect(
      (await runDeliberate(['validate', 'latest'], { cwd: here.cwd, env: elsewhere })).code,
    ).toBe(0);

    const replayed = await by('replay', 'latest', '--plain', '--speed', '1000');
    expect([replayed.code, replayed.out]).toEqual([0, expect.stringContaining('report.pdf')]);
    // The fork asks its new verifier in round 2, and copies the readings of round 1, which settled the claims.
    const asked = here.model.chats().length;
    const forked = await by(
      'fork',
      'latest',
      '--plain',
      '--at',
      'round-2',
      '--set',
      'verifier=ollama/c',
    );
    expect(forked.code).toBe(0);
    expect(here.model.chats().length).toBeGreaterThan(asked);
    expectSettled(db);
    expect((await by('show', 'latest')).out).toContain(places[0]);
    expect((await by('validate', 'latest')).code).toBe(0);

    expect(here.fetched).toEqual(['GET /page']);
  });
});
