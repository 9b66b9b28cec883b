/**
 * Fuzz targets of the command line: flags, settings, presets and tables, as people write and mistype them.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FLAGS, readFlags } from '../../src/app/flags.ts';
import { checkPlace, parseChange } from '../../src/app/run/fork.ts';
import { describeConfig } from '../../src/app/settings/config.ts';
import { parseSeatRequest } from '../../src/app/settings/panel.ts';
import { timelineOf, toPlayingTime } from '../../src/console/replay/timeline.ts';
import { KINDS } from '../../src/io/preset-kinds.ts';
import { replaceSpans, Secrets } from '../../src/io/secrets.ts';
import { BadFile, readYaml, splitFrontmatter } from '../../src/io/yaml-file.ts';
import { parseDuration } from '../../src/kernel/duration.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { checkSpec } from '../../src/kernel/providers/spec.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { findByEdition } from '../../src/models/editions.ts';
import { mergePrices, type PriceList, priceListSchema, priceOf } from '../../src/models/prices.ts';
import { configSchema as boardConfig } from '../../src/protocols/board/config.ts';
import { parseBaselines, parseQuorum } from '../../src/protocols/board/desk/settings.ts';
import { prepareBoardFork as forkOfBoard } from '../../src/protocols/board/past.ts';
import { prepareRoundsFork as forkOfRounds } from '../../src/protocols/rounds/past.ts';
import { viewOfRun } from '../console/views.ts';
import { readGolden } from '../golden/journal.ts';
import { catchRefusal, type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

const CONFIG = describeConfig();
/** The secrets of a person's environment variables. */
const SECRETS = new Secrets({ DB_URL: 'postgres://me:canary@db', MY_TOKEN: 'canary-token' });
const AROUND = [
  ...[
    'canary',
    'canary-token',
    'can',
    'ary',
    '://',
    'a://',
    '@',
    'me:',
    'A=',
    'MY_TOKEN=',
    '"',
    "'",
  ],
  ...[
    'Bearer ',
    'sk-',
    'eyJ',
    'eyJaaaaaaaa.',
    'password: ',
    '-----BEGIN PRIVATE KEY-----',
    '\0',
    ' ',
  ],
  ...['-----END', 'ghp_', 'SG.', 'a.', '-', 'abcdef', '/', '\n'],
];

const YAML = [
  ...[
    '---\n',
    '\n',
    ': ',
    '- ',
    '  ',
    'name: x\n',
    'description: y\n',
    'seats:\n',
    '  - role: critic\n',
  ],
  ...[
    'cast: {action: a, guardian: b, observer: c, critic: d}\n',
    'model: ollama/m\n',
    'colour: "#ffffff"\n',
  ],
  ...[
    'temperature: 1\n',
    'keys: {stop: h}\n',
    'quorum: 3/5\n',
    'patience: 30s\n',
    'rounds: 8\n',
    'stop_at: 4\n',
  ],
  ...[
    '&a',
    '*a',
    '<<',
    '!!js/function',
    '? ',
    '|',
    '>',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '#',
    '%',
    '\t',
    '\r',
  ],
  ...[
    '__proto__: 1\n',
    '1: 2\n',
    'null',
    '~',
    '.inf',
    '0x1',
    '...\n',
    '\ufeff',
    'body text\n',
    '2026-01-01',
  ],
];

const PRICES = [
  ...[
    '{',
    '}',
    '"as_of": "2026-01-01",',
    '"source": "s",',
    '"usd_per_million_tokens":',
    '"a/b":',
    '1',
    ',',
  ],
  ...[
    '{"input":1,"output":2,"cache_read":0,"cache_write":0}',
    '-1',
    '1e999',
    '"__proto__":',
    '"',
    '\n',
  ],
];

/** Checks that an error names the file and the line. */
function assertLineNamed(work: () => unknown): void {
  const wrong = catchRefusal(work, BadFile);
  for (const problem of wrong?.problems ?? []) assert.match(problem, /^f\.yaml:[1-9]\d*: ./s);
}

const DURATION = makeText(
  ['1', '0', '.', '5', 'ms', 's', 'm', 'h', ' ', '-', 'e', '99999999999999999999'],
  6,
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(undefined, Number.NaN, ['a', 'b'], '4', 'never', 'json', '30s'),
);

const GOLDEN = (['board', 'rounds'] as const).map((name) => {
  const { facts } = readGolden(name);
  return { facts, view: viewOf(facts), timeline: timelineOf(facts, viewOfRun(facts).marks) };
});

const STEPS = [
  ...[
    'seat',
    'seat/critic',
    'synthesis',
    'synthesis/1',
    'round-1',
    'round-1/A',
    'round-1/D/critic',
    '/',
    '-',
  ],
  ...['round-', '1', '2', '99', 'F', 'heed', '50%', '%', '90s', '1e9', '.', '', '__proto__'],
];
const SETTINGS = [
  ...[
    'seat.',
    'critic',
    '.model',
    '=',
    'ollama/m',
    'claim.',
    'C-1-1',
    '.text',
    'synthesizer',
    'verifier',
  ],
  ...[
    'verifier=ollama/m',
    'seat.critic.model=ollama/m',
    'claim.C-1-1.text=It holds.',
    ' ',
    '.',
    '"',
    'rehearsal/x',
  ],
];

/** The fuzz targets of the command line. */
export const CLI_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'flags: any values are read, or refused with a message that names the flag',
    fc.dictionary(fc.constantFrom(...Object.keys(FLAGS)), value, { maxKeys: 5 }),
    (parsed) => {
      const wrong = catchRefusal(() => readFlags(parsed), UsageError);
      if (wrong !== undefined)
        assert.match(wrong.message, /^--[a-z-]+: |is not a duration|is too long/);
    },
  ),
  makeTarget(
    'durations: any text gives a time that a timer can wait for, or is refused',
    DURATION,
    (text) => {
      let ms = 1;
      catchRefusal(() => {
        ms = parseDuration(text);
      }, UsageError);
      // `parseDuration` must return less than 2³¹ ms, because Node fires a timer with a longer delay at once.
      assert.ok(ms > 0 && ms < 2 ** 31, String(ms));
    },
  ),
  makeTarget(
    'quorum, baselines, seats: any text is understood or refused',
    fc.tuple(
      makeText(['1', '3', '/', '5', '0', ' ', '9'.repeat(400)], 4),
      makeText(['single', 'vote', '-', '5', ',', '51', ' '], 5),
      makeText(['critic', '=', 'ollama/', 'm', '/', ' ', 'openai/gpt-5'], 5),
    ),
    ([quorum, baselines, seat]) => {
      catchRefusal(() => {
        const count = parseQuorum(quorum, 5);
        assert.ok(Number.isInteger(count) && count >= 1 && count <= 5);
      }, UsageError);
      catchRefusal(() => {
        for (const baseline of parseBaselines(baselines))
          assert.ok(baseline.kind === 'single' || (baseline.samples ?? 2) >= 2);
      }, UsageError);
      catchRefusal(() => checkSpec(parseSeatRequest(seat).model ?? ''), UsageError);
    },
  ),
  makeTarget(
    'fork and replay: any step and change give a valid fork, or are refused',
    fc.tuple(fc.constantFrom(...GOLDEN), makeText(STEPS, 4), makeText(SETTINGS, 5), fc.boolean()),
    ([{ facts, view, timeline }, at, setting, wholly]) => {
      catchRefusal(() => {
        const changes = [parseChange(wholly ? setting.trim() : setting)];
        const forkOf = view.protocol === 'board' ? forkOfBoard : forkOfRounds;
        const fork = forkOf({ view, facts }, checkPlace(facts, at, changes), changes);
        assert.equal(fork.seats.length, view.seats.length);
        if (view.protocol === 'board') boardConfig.parse(fork.config);
      }, UsageError);
      catchRefusal(() => {
        const ms = toPlayingTime(timeline, at, (text) =>
          /^\d/.test(text) ? parseDuration(text) : undefined,
        );
        assert.ok(ms === undefined || (ms >= 0 && ms <= timeline.length), String(ms));
      }, UsageError);
    },
  ),
  makeTarget(
    'settings: any file is read, or refused with its name and the line',
    makeText(YAML, 10),
    (text) => assertLineNamed(() => readYaml('f.yaml', text, CONFIG)),
    {
      piece: makeText(YAML, 6),
      read: (text) => assertLineNamed(() => readYaml('f.yaml', text, CONFIG)),
    },
  ),
  makeTarget(
    'presets: a file of any kind is read, or refused with its name and the line',
    fc.tuple(fc.constantFrom(...KINDS), fc.boolean(), makeText(YAML, 10)),
    ([kind, front, some]) => {
      const text = front ? `---\nname: x\n${some}\n---\nbrief` : some;
      assertLineNamed(() =>
        kind.read({ file: 'f.yaml', text, slug: 'x', origin: 'user', env: {} }),
      );
      assertLineNamed(() => splitFrontmatter('f.yaml', text));
    },
  ),
  makeTarget(
    'price tables: any table gives finite prices, or is refused with its name and the line',
    makeText(PRICES, 12),
    (text) =>
      assertLineNamed(() => {
        const { value: list } = readYaml<PriceList>(
          'f.yaml',
          `{"as_of": "2026-01-01", ${text}`,
          priceListSchema,
        );
        const merged = mergePrices([list, list]);
        for (const model of Object.keys(list.usd_per_million_tokens)) {
          findByEdition(merged.usd_per_million_tokens, model);
          const usage = { input: 10, output: 10, cached: 1, cacheWritten: 1, thinking: 0 };
          const usd = priceOf(merged, model, usage);
          assert.ok(usd === undefined || (Number.isFinite(usd) && usd >= 0), String(usd));
        }
      }),
  ),
  makeTarget(
    'secrets: every secret is concealed wherever it stands, and all other text is kept',
    makeText(AROUND, 12),
    (text) => {
      const spans = SECRETS.find(text);
      for (const [index, { start, end }] of spans.entries()) {
        assert.ok(start < end && end <= text.length);
        assert.ok(start > (spans[index - 1]?.end ?? -1));
      }
      const clean = SECRETS.conceal(text);
      assert.ok(!clean.includes('canary-token'), clean);
      const rest = spans.map(({ end }, index) => text.slice(end, spans[index + 1]?.start));
      assert.equal(clean, [text.slice(0, spans[0]?.start), ...rest].join('[key]'));
      const bytes = Buffer.from(text).toString('latin1');
      assert.ok(!replaceSpans(bytes, SECRETS.find(bytes, 'bytes')).includes('canary-token'));
    },
    { piece: makeText(AROUND, 6), read: (text) => SECRETS.find(text) },
  ),
];
