/**
 * Lookups of unknown names in files, journals, answers of models and environment variables, all within this
 * process.
 */

import assert from 'node:assert/strict';
import { readFlags } from '../../src/app/flags.ts';
import { describeConfig, SETTING_NAMES } from '../../src/app/settings/config.ts';
import { isNearby } from '../../src/app/settings/nearby.ts';
import { beginHome, protocolOf, seatsOf } from '../../src/console/home/state.ts';
import { keyLabel, rebindKeys } from '../../src/console/keys/key-lookup.ts';
import { KEYMAP } from '../../src/console/keys/keymap.ts';
import { CallStream } from '../../src/console/model/call-stream.ts';
import { colourDepth } from '../../src/console/terminal/theme.ts';
import { BOARD_KIND, KINDS, ROLE_KIND } from '../../src/io/preset-kinds.ts';
import { findPreset } from '../../src/io/presets.ts';
import { readYaml } from '../../src/io/yaml-file.ts';
import { entryOf } from '../../src/kernel/entry.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { checkSpec } from '../../src/kernel/providers/spec.ts';
import { EMPTY_VIEW, viewOf } from '../../src/kernel/view.ts';
import { networkFailure } from '../../src/models/failure.ts';
import { httpFailure, retryAfter } from '../../src/models/network/error-reply.ts';
import { mergePrices, priceOf } from '../../src/models/prices.ts';
import { NO_PROFILES, profileFor } from '../../src/models/profiles.ts';
import { diffRuns, formatRunDiff } from '../../src/plain/diff.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { COMMON_TEXT } from '../../src/plain/protocol-text.ts';
import { agents as agentProtocol } from '../../src/protocols/agents/agents.ts';
import { makeAgentSlug, readAgent } from '../../src/protocols/agents/files/agent-file.ts';
import { resolveModel } from '../../src/protocols/agents/files/models.ts';
import { agentsOf, findAgentOfStep, listAgents } from '../../src/protocols/agents/fold.ts';
import { findAgentsBelow, findCycles, findTerminals } from '../../src/protocols/agents/graph.ts';
import { describeMissingAnswer, recallAnswer } from '../../src/protocols/board/collect-answers.ts';
import { ARCHIVE } from '../../src/protocols/registry/archive.ts';
import { Chance } from '../../src/protocols/rehearsal/chance.ts';
import { makeSchemaValue } from '../../src/protocols/rehearsal/json.ts';
import { chooseArtifactMaker } from '../../src/protocols/rehearsal/rounds.ts';
import { deriveScene } from '../../src/protocols/rehearsal/scene.ts';
import { writeProse } from '../../src/protocols/rehearsal/talk.ts';
import { chooseTemper } from '../../src/protocols/rehearsal/temper.ts';
import { deriveTopic } from '../../src/protocols/rehearsal/topic.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { readArchive } from '../../src/store/archive.ts';
import { toLine } from '../../src/text/line.ts';
import { type Fact, type FactBody, fact } from '../every-fact.ts';
import { readGolden } from '../golden/journal.ts';
import { makeSeat } from '../kernel/scripted-models.ts';
import { assertNoObjectText, expectRefusal, INHERITED, type NamePlace } from './names.ts';

const CONFIG = describeConfig();

const NOWHERE = { HOME: '/nonexistent' };
const BOARD = viewOf(readGolden('board').facts);
const ROUNDS = roundsOf(readGolden('rounds').facts);
const AGENTS = readGolden('agents').facts;
const AGENTS_VIEW = agentsOf(AGENTS);
const TOPIC = deriveTopic('Should we split the monolith?');

const PRICES = mergePrices([
  {
    as_of: '2026-01-01',
    source: 's',
    usd_per_million_tokens: {
      'anthropic/claude': { input: 1, output: 1, cache_read: 1, cache_write: 1 },
    },
  },
]);

const ABOUT = {
  name: 'openai',
  variable: 'OPENAI_BASE_URL',
  endpoint: 'http://server',
  whenUnreachable: 'Start it',
  whenRefused: 'Check the key',
  whenNoModel: (model: string) => ({ message: `no ${model}`, next: 'Pull it' }),
};

const makePresetLookup = (kind: Parameters<typeof findPreset>[0]): NamePlace => ({
  name: kind.noun,
  look: (stranger) => expectRefusal(stranger, () => findPreset(kind, stranger, NOWHERE)),
});

/** Returns a lookup for a setting whose value is one of a few words, a number or a time. */
const makeSettingLookup = (name: string): NamePlace => ({
  name: `value of the setting ${name}`,
  look: (stranger) =>
    assert.throws(() => readYaml('f', JSON.stringify({ [name]: stranger }), CONFIG), {
      name: 'BadFile',
    }),
});
/**
 * The settings whose value is a model. The file's reader checks the form of the name; the provider is looked
 * up later.
 */
const MODEL_SETTINGS: readonly string[] = ['model', 'synthesizer', 'verifier', 'embeddings'];
const modelSetting = (name: string): NamePlace => ({
  name: `value of the setting ${name}`,
  look: (stranger) =>
    assert.throws(() => {
      readYaml('f', JSON.stringify({ [name]: stranger }), CONFIG);
      checkSpec(stranger);
    }),
});
const makeFlagLookup = (name: string): NamePlace => ({
  name: `value of --${name}`,
  look: (stranger) => assert.throws(() => readFlags({ [name]: stranger }), UsageError),
});

function makeLog(...bodies: readonly FactBody[]): Fact[] {
  return bodies.map((body, index) => ({
    ...body,
    run: 'r',
    seq: index + 1,
    at: `2026-01-01T00:00:0${index}.000Z`,
  }));
}

function makeFailure(code: string) {
  return {
    status: 'failed' as const,
    code: code as 'internal',
    message: 'm',
    text: '',
    thinking: '',
    usage: NO_USAGE,
    latencyMs: 0,
    attempts: 1,
    notes: [],
  };
}

const makeFailedCall = (step: string, seat: string, code: string): FactBody =>
  fact('call.failed', {
    step,
    attempt: '1',
    seat,
    role: seat,
    model: 't/m',
    text: '',
    thinking: '',
    usage: NO_USAGE,
    latencyMs: 0,
    attempts: 1,
    notes: [],
    rehearsal: false,
    code,
    message: 'm',
  });

/** Settings that accept any text, or whose value is checked elsewhere. */
const ANY_TEXT = [
  ...['preset', 'baseline', 'keys', 'plan_specs', 'plan_fixes'],
  ...['notify_webhook', 'notify_command'],
];

/** The places other than commands where a name is looked up, such as presets, settings, journals and prices. */
export const TABLE_LOOKUPS: readonly NamePlace[] = [
  ...KINDS.map(makePresetLookup),
  ...SETTING_NAMES.filter((name) => !ANY_TEXT.includes(name)).map((name) =>
    MODEL_SETTINGS.includes(name) ? modelSetting(name) : makeSettingLookup(name),
  ),
  ...['stopAt', 'respond', 'format', 'bell'].map(makeFlagLookup),
  ...['limit', 'seed', 'of', 'driftEvery', 'budgetTokens', 'budgetUsd', 'speed'].map(
    makeFlagLookup,
  ),
  ...['concurrency', 'rehearseSpeed', 'patience', 'timeout', 'idleTimeout'].map(makeFlagLookup),
  {
    name: 'setting',
    look: (stranger) =>
      expectRefusal(stranger, () => readYaml('f', `{${JSON.stringify(stranger)}: 1}`, CONFIG)),
  },
  {
    name: 'key of a role',
    known: (stranger) => stranger === 'name',
    look: (stranger) =>
      expectRefusal(stranger, () => {
        // This test writes the role's frontmatter as JSON, which is valid YAML.
        const front = JSON.stringify({ name: 'n', description: 'd' }).slice(0, -1);
        const text = `---\n${front}, ${JSON.stringify(stranger)}: "v"}\n---\nbrief`;
        ROLE_KIND.read({ file: 'f', text, slug: 'x', origin: 'user', env: NOWHERE });
      }),
  },
  {
    name: 'role of a board',
    look: (role) =>
      expectRefusal(role, () => {
        const text = JSON.stringify({ name: 'n', description: 'd', seats: [{ role }] });
        BOARD_KIND.read({ file: 'f', text, slug: 'x', origin: 'user', env: NOWHERE });
      }),
  },
  {
    name: 'provider of a model',
    look: (stranger) => expectRefusal(stranger, () => checkSpec(`${stranger}/m`)),
  },
  {
    name: 'model that cannot be seen, or hides letters',
    look: (stranger) => {
      const spec = `ollama/${stranger}`;
      if (toLine(spec) !== spec) assert.throws(() => checkSpec(spec), UsageError);
      else assert.equal(checkSpec(spec), spec);
    },
  },
  {
    name: 'command of the console, bound to a key',
    look: async (stranger) => {
      await expectRefusal(stranger, () => {
        const text = `{"keys": {${JSON.stringify(stranger)}: "h"}}`;
        const { value } = readYaml('f', text, CONFIG);
        const bound = rebindKeys(KEYMAP, value.keys ?? {});
        if (bound instanceof UsageError) throw bound;
      });
    },
  },
  {
    name: 'key of a command',
    look: (stranger) => {
      const bound = rebindKeys(KEYMAP, { stop: stranger });
      if (bound instanceof UsageError) return;
      assert.equal(toLine(stranger), stranger);
      assert.equal([...stranger].length, 1);
      assertNoObjectText(keyLabel(stranger));
    },
  },
  {
    name: 'FORCE_COLOR',
    look: (value) => {
      if (!/^(\d+|true|false)$/.test(value)) {
        assert.equal(colourDepth({ FORCE_COLOR: value, NO_COLOR: '1' }), 0);
        assert.equal(colourDepth({ FORCE_COLOR: value, COLORTERM: 'truecolor' }), 24);
      }
    },
  },
  {
    name: 'terminal and colours by name',
    look: (value) => assert.equal(colourDepth({ TERM: value, COLORTERM: value }), 4),
  },
  {
    name: 'model alias of an agent',
    look: (stranger) => {
      const around = { rehearse: false, override: false, env: {} };
      const { model, note } = resolveModel(stranger, 'ollama/all', around);
      assert.equal(model, 'ollama/all');
      assert.match(note ?? '', /^unknown model "/);
    },
  },
  {
    name: 'frontmatter of an agent',
    look: (stranger) => {
      const told = JSON.stringify(stranger);
      const agent = readAgent(
        'a.md',
        `---\nname: ${told}\ncolor: ${told}\nmodel: ${told}\n${told}: 1\nhandoff: ${told}\n---\nbrief`,
      );
      assert.equal(agent?.colour, undefined);
      assert.equal(typeof agent?.name, 'string');
      assert.match(agent?.name ?? '', /^(?!__proto__$)./u);
      assert.ok(
        agent?.problems.some(({ text }) => text === 'an unknown color') || stranger.trim() === '',
      );
      const inherited = INHERITED.find((name) => name === stranger);
      if (inherited !== undefined)
        assert.ok(agent?.problems.some(({ text }) => text === `"${inherited}" has no use here`));
    },
  },
  {
    name: 'agents linked to nobody',
    look: (stranger) => {
      const graph = { lead: { handoff: stranger } };
      assert.deepEqual(findAgentsBelow(graph, 'lead'), ['lead']);
      assert.deepEqual(findCycles(graph), []);
      assert.deepEqual(findTerminals(graph, 'lead'), [stranger]);
    },
  },
  {
    name: 'agent at work in a log',
    look: (path) => {
      const named = { path, agent: path, why: 'root' as const, pattern: 'session' as const };
      const facts = makeLog(
        fact('step.started', { step: `${path}/call`, attempt: '1', kind: 'call', seat: path }),
        fact('agent.started', { ...named, advisors: [] }),
        fact('step.started', { step: `${path}/call`, attempt: '2', kind: 'call', seat: path }),
        makeFailedCall(`${path}/call`, path, 'server'),
      );
      const view = agentsOf(facts);
      assert.deepEqual(Object.keys(view.agents), [path]);
      assert.equal(findAgentOfStep(agentsOf(facts.slice(0, 1)), `${path}/call`), undefined);
      const [only] = listAgents(view);
      assert.equal(only?.agent.all.calls, 1);
      assert.equal(only?.agent.speaking, 0);
      assert.deepEqual(agentsOf([...AGENTS, ...facts.slice(0, 1)]).agents, AGENTS_VIEW.agents);
    },
  },
  {
    name: 'agent in the settings of a run',
    look: (stranger) => {
      const root = makeAgentSlug(stranger);
      const config = { root, agents: { [root]: { description: 'd' } }, seed: 1, contextTokens: 9 };
      assert.deepEqual(agentProtocol.config.parse(config), config);
    },
  },
  {
    name: 'step and claim of a log',
    look: (stranger) => {
      assert.equal(entryOf(BOARD.calls, stranger), undefined);
      assert.equal(entryOf(ROUNDS.claims, stranger), undefined);
    },
  },
  {
    name: 'failure code of a log',
    look: (code) => {
      assert.equal(describeMissingAnswer(makeFailure(code)), 'failed');
      const view = viewOf(makeLog(makeFailedCall('seat/critic', 'critic', code)));
      const known = entryOf(view.calls, 'seat/critic');
      assert.ok(known !== undefined);
      assert.deepEqual(recallAnswer(makeSeat('critic'), known), {
        seat: makeSeat('critic'),
        missing: 'failed',
      });
      const stream = new CallStream('critic');
      stream.end(known);
      assert.equal(stream.phase.kind === 'failed' && stream.phase.label, code);
    },
  },
  {
    name: 'seat of a log',
    look: (id) => {
      const said: string[] = [];
      const sink = { write: (text: string) => said.push(text) };
      const lines = new PlainLines(sink, sink, COMMON_TEXT);
      const started = { step: `seat/${id}`, attempt: '1', kind: 'call' as const, seat: id };
      for (const entry of makeLog(
        fact('step.started', started),
        makeFailedCall(`seat/${id}`, id, 'server'),
      ))
        lines.fact(entry);
      assertNoObjectText(said.join(''));
      assert.ok(said[0]?.startsWith(toLine(id)), said[0]?.slice(0, 80));
    },
  },
  {
    name: 'heading of a synthesis',
    look: (heading) => {
      const makeView = (text: string) => ({
        ...EMPTY_VIEW,
        syntheses: [
          {
            version: 1,
            model: 't/m',
            included: [],
            excluded: [],
            labels: {},
            missing: [],
            rehearsal: false,
            text,
          },
        ],
      });
      const found = diffRuns(makeView('Begin.'), makeView(`# ${heading}\nWords.`));
      if (INHERITED.some((name) => name === heading))
        assert.deepEqual(Object.entries(found.sections), [
          ['', { from: 'Begin.', to: '' }],
          [heading, { from: '', to: 'Words.' }],
        ]);
      assertNoObjectText(formatRunDiff(found));
    },
  },
  {
    name: 'choices of the home screen',
    look: (stranger) => {
      const choices = { protocol: stranger, presets: { board: stranger }, panels: {} };
      const board = {
        id: 'board',
        title: 'Board',
        about: '',
        attaches: true,
        looks: true,
        usesTools: true,
        chair: 'Synthesizer',
        panel: { title: 'Board', presets: [], preset: stranger },
      };
      const offer = {
        protocols: [board],
        roles: [],
        questions: [],
        examples: [],
        problems: [],
        toolServers: [],
        choices,
        defaults: {},
      };
      const home = beginHome(offer);
      assert.equal(protocolOf(home, offer), board);
      assert.deepEqual(seatsOf(home, offer), []);
    },
  },
  {
    name: 'price and profile of a model',
    look: (stranger) => {
      const usage = { ...NO_USAGE, input: 10, output: 10 };
      assert.equal(priceOf(PRICES, stranger, usage), undefined);
      assert.equal(priceOf(PRICES, `openai/${stranger}`, usage), undefined);
      assert.equal(profileFor(NO_PROFILES, 'http://s', stranger, undefined, 0), undefined);
    },
  },
  {
    name: 'errors of a server and of a network',
    look: (stranger) => {
      const headers = new Headers();
      const body = JSON.stringify({ error: { type: stranger, code: stranger, message: 'm' } });
      const reply = { status: 418, statusText: '', headers, body };
      assert.equal(httpFailure(ABOUT, 'm', reply).code, 'rejected');
      const failure = networkFailure(ABOUT, Object.assign(new Error('m'), { code: stranger }));
      assert.deepEqual([failure.code, failure.retry], ['unreachable', false]);
      assert.match(failure.message, /\(m\)$/);
    },
  },
  {
    name: 'waits that a server asks for',
    look: (stranger) => {
      const readWait = (name: string): number | undefined =>
        retryAfter({ get: (header: string) => (header === name ? stranger : null) } as Headers);
      assert.equal(readWait('retry-after'), undefined);
      assert.equal(readWait('retry-after-ms'), undefined);
    },
  },
  {
    name: 'address that only begins like one of ours',
    look: (stranger) => {
      assert.equal(
        isNearby(`http://10.0.0.1.${encodeURIComponent(stranger.toWellFormed())}.example.com`),
        false,
      );
      assert.equal(
        isNearby(`https://192.168.example.com/${encodeURIComponent(stranger.toWellFormed())}`),
        false,
      );
    },
  },
  {
    name: 'role, mood and format of the rehearsal',
    look: (stranger) => {
      const chance = new Chance(stranger);
      const scene = deriveScene({
        task: stranger,
        model: stranger,
        seatId: stranger,
        role: stranger,
        system: '',
        messages: [],
      });
      const { claims } = chooseArtifactMaker(stranger)(scene) as {
        claims: { text: string; testable_as: string }[];
      };
      for (const { text, testable_as } of claims) assertNoObjectText(text + testable_as);
      assertNoObjectText(writeProse(scene, { least: 40, most: 40 }));
      assert.equal(chooseTemper(stranger, 1).mood, 'healthy');
      const made = makeSchemaValue({ type: 'string', format: stranger }, TOPIC, chance);
      assert.match(String(made), /^Rehearsal: /);
      const reference = { $ref: `#/$defs/${stranger}`, $defs: {} };
      assert.match(String(makeSchemaValue(reference, TOPIC, chance)), /^Rehearsal: /);
    },
  },
  {
    name: 'field of an exported run',
    look: (stranger) => {
      const text = `{${JSON.stringify(stranger)}: 1}`;
      assert.throws(() => readArchive(text, 'f', ARCHIVE), { name: /Error$/, code: /./ });
    },
  },
];
