/** What surrounds the home screen, by plain values. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import { getChoicesFile, readChoices, saveChoices } from '../../src/app/home/choices.ts';
import { forkFlags } from '../../src/app/home/history.ts';
import { servicesOf } from '../../src/app/home/home.ts';
import { choicesFor, homeOffer } from '../../src/app/home/offer.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import type { Choices } from '../../src/console/home/offer.ts';
import { Drafts } from '../../src/io/drafts.ts';
import { loadHomeParts } from '../../src/protocols/desks.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { startOllama } from '../servers/ollama.ts';

function stateIn(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
}

const CHOICES: Choices = {
  protocol: 'rounds',
  presets: { board: 'solo' },
  panels: { board: [{ role: 'for', model: 'ollama/x' }, { role: 'gone' }], rounds: [] },
  chair: 'ollama/y',
};

describe('the stored choices of the home screen', () => {
  it('are saved without a seat’s instructions', () => {
    const env = stateIn();
    expect(readChoices(env)).toBeUndefined();
    saveChoices(env, {
      ...CHOICES,
      panels: { board: [{ role: 'for', model: 'ollama/x', brief: 'only today' }] },
    });
    expect(readChoices(env)?.panels.board).toEqual([{ role: 'for', model: 'ollama/x' }]);
    expect(readFileSync(getChoicesFile(env), 'utf8')).not.toContain('only today');
  });

  it('include the preset of a board that an older version of the program has saved', () => {
    const env = stateIn();
    mkdirSync(dirname(getChoicesFile(env)), { recursive: true });
    const older = { protocol: 'board', board: 'solo', panels: { board: [{ role: 'for' }] } };
    writeFileSync(getChoicesFile(env), JSON.stringify(older));
    expect(readChoices(env)?.presets).toEqual({ board: 'solo' });
  });

  it.each(['[]', '', '{', '{"protocol": 7}', 'null'])(
    'are ignored if their file has no valid content, such as %j',
    (text) => {
      const env = stateIn();
      mkdirSync(dirname(getChoicesFile(env)), { recursive: true });
      writeFileSync(getChoicesFile(env), text);
      expect(readChoices(env)).toBeUndefined();
    },
  );

  it('are not stored if their file cannot be written, and no error is raised', () => {
    const env = stateIn();
    writeFileSync(env.XDG_STATE_HOME ?? '', 'a file');
    expect(() => saveChoices(env, CHOICES)).not.toThrow();
    expect(readChoices(env)).toBeUndefined();
  });

  it('contain no seat whose role no longer exists', () => {
    const roles = [{ slug: 'for', name: 'For', about: '', brief: '' }];
    const presets = [
      { slug: 'pair', name: 'Pair', about: '', seats: [{ role: 'for' }, { role: 'for' }] },
      { slug: 'solo', name: 'Solo', about: '', seats: [{ role: 'for' }] },
    ];
    const board = { id: 'board', panel: { title: 'Board', presets, preset: 'solo' } };
    const offers = [board, { id: 'rounds', roles: [] }].map((offer) => ({
      title: '',
      about: '',
      attaches: true,
      looks: true,
      usesTools: true,
      chair: '',
      ...offer,
    }));
    expect(choicesFor(CHOICES, offers, roles).panels.board).toEqual([
      { role: 'for', model: 'ollama/x' },
    ]);
    expect(choicesFor(CHOICES, offers, []).panels.board).toEqual([{ role: 'for' }]);
    expect(choicesFor(undefined, offers, roles)).toEqual({
      protocol: 'board',
      presets: { board: 'solo' },
      panels: { board: [{ role: 'for' }] },
    });
  });
});

it('the home screen offers the built-in questions and presets, and the role of every seat in a preset', async () => {
  const offer = homeOffer({ env: stateIn(), flags: readFlags({}) }, {}, await loadHomeParts());
  expect(offer.problems).toEqual([]);
  expect(offer.choices.presets).toEqual({ board: 'classic-triad' });
  expect(offer.questions.length).toBeGreaterThanOrEqual(5);
  const roles = new Set(offer.roles.map(({ slug }) => slug));
  const presets = offer.protocols.flatMap(({ panel }) => panel?.presets ?? []);
  expect(presets.length).toBeGreaterThanOrEqual(4);
  for (const { seats } of presets) for (const { role } of seats) expect(roles).toContain(role);
});

it.each([
  ['seat.critic.model=ollama/x', { set: ['seat.critic.model=ollama/x'] }],
  [
    'seat/critic seat.critic.model=ollama/x',
    { at: 'seat/critic', set: ['seat.critic.model=ollama/x'] },
  ],
  ['round-3/D claim.C-2-1.text=It holds', { at: 'round-3/D', set: ['claim.C-2-1.text=It holds'] }],
  ['round-3/D', { at: 'round-3/D', set: [] }],
  [
    'round-3/D\nverifier=ollama/x\n\nclaim.C-2-1.text=It holds\n  until 5 = 6',
    { at: 'round-3/D', set: ['verifier=ollama/x', 'claim.C-2-1.text=It holds until 5 = 6'] },
  ],
  ['a=1\nb=2', { set: ['a=1', 'b=2'] }],
])('forkFlags parses the change %j of a fork', (text, flags) => {
  expect(forkFlags(text)).toEqual(flags);
});

it.each([
  { of: 'itself', remoteHost: undefined, price: 'free of charge' },
  { of: 'in a cloud', remoteHost: 'https://ollama.com', price: 'price unknown: ollama/big' },
])(
  'the home screen says "$price" for a model that an Ollama server runs $of',
  async ({ remoteHost, price }) => {
    const models = ['big'];
    const server = await startOllama({
      models,
      ...withoutUndefined({ remoteHost }),
    });
    onTestFinished(() => server.close());
    const env = { ...stateIn(), OLLAMA_HOST: server.url };
    const call = {
      flags: readFlags({}),
      protocols: PROTOCOLS,
      env,
    } as Partial<Invocation> as Invocation;
    const services = servicesOf(call, {}, await loadHomeParts(), new Drafts(env));
    const board = {
      protocol: 'board',
      question: 'Ship it?',
      chair: 'ollama/big',
      rehearse: false,
      seats: [{ role: 'advocate', model: 'ollama/big' }],
      attachments: [],
      look: [],
      tools: [],
    };
    await services.models();
    expect(services.estimate(board)).toContain(price);
  },
);
