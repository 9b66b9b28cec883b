/**
 * `deliberate fork`: a run that goes another way from one step on. What came before, and whatever the
 * change does not touch, is taken over from its parent's journal; only the rest is asked and paid.
 */

import { openStore } from '../../app/store.ts';
import { entryOf } from '../../kernel/entry.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Seat } from '../../kernel/model.ts';
import { failuresToAskAgain } from '../../kernel/session.ts';
import { type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { AgentConfig } from '../../protocols/agents/house.ts';
import type { Change } from '../../protocols/rounds/changes.ts';
import { inheritance } from '../../protocols/rounds/executed.ts';
import { ROUNDS } from '../../protocols/rounds/facts.ts';
import { roundsOf } from '../../protocols/rounds/fold.ts';
import type { RoundsConfig } from '../../protocols/rounds/rounds.ts';
import { protocolNamed } from '../../protocols/table.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from '../settings/config.ts';
import { checkSpec } from '../settings/panel.ts';
import { openModels } from '../settings/providers.ts';
import { shortId } from './display.ts';
import { preside } from './preside.ts';
import { runOf } from './resume.ts';

/** What `--set` names, and the new value. */
export type Setting =
  | { readonly kind: 'seat'; readonly seat: string; readonly value: string }
  | { readonly kind: 'claim'; readonly claim: string; readonly value: string }
  | { readonly kind: 'synthesizer'; readonly value: string }
  | { readonly kind: 'verifier'; readonly value: string };

/** What the forked run begins with. */
export interface Fork {
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
}

export async function fork(call: Invocation): Promise<number> {
  const ref = runOf(call);
  const settings = call.flags.set.map(parseSetting);
  const config = readConfig(call);
  const store = openStore(call);
  try {
    const parent = store.find(ref);
    const facts = store.facts(parent);
    const view = viewOf(facts);
    if (view.seq === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(parent)} never began: there is nothing to fork`,
      );
    const protocol = await protocolNamed(view.protocol);
    const { seats, config: changed } = forkOf(view, facts, call.flags.at, settings);
    const journal = store.create(view.protocol, parent);
    let inherited = 0;
    let asked = 0;
    const code = await preside({
      call,
      config,
      store,
      journal,
      protocol,
      models: openModels(call, config),
      start: (session) => {
        session.feed.subscribe({
          fact: (one) => {
            if (!one.type.startsWith('call.')) return;
            if ('inherited' in one && one.inherited === true) inherited += 1;
            else asked += 1;
          },
        });
        return session.begin({
          question: view.question,
          seats,
          config: changed,
          parent,
          again: failuresToAskAgain(protocol, facts, changed),
        });
      },
    });
    if (!call.flags.quiet)
      call.err.write(
        `${calls(inherited)} taken over from ${shortId(parent)}, ${calls(asked)} asked. Compare: deliberate diff ${shortId(parent)} ${shortId(journal.run)}\n`,
      );
    return code;
  } finally {
    store.close();
  }
}

function calls(count: number): string {
  return `${count} call${count === 1 ? '' : 's'}`;
}

/** `seat.critic.model=ollama/x`, `claim.C-2-1.text=…`, `synthesizer=…`, `verifier=…`. @throws UsageError */
export function parseSetting(text: string): Setting {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals)).trim();
  const value = text.slice(equals + 1).trim();
  const seat = /^seat\.(.+)\.model$/.exec(name)?.[1];
  const claim = /^claim\.(.+)\.text$/.exec(name)?.[1];
  if (value !== '') {
    if (seat !== undefined) return { kind: 'seat', seat, value: checkSpec(value) };
    if (claim !== undefined) return { kind: 'claim', claim, value };
    if (name === 'synthesizer' || name === 'verifier')
      return { kind: name, value: checkSpec(value) };
  }
  throw new UsageError(
    `--set ${text}: nothing of that name can be changed`,
    'Written like seat.critic.model=ollama/qwen3:8b, synthesizer=PROVIDER/MODEL, verifier=PROVIDER/MODEL or claim.C-2-1.text="It holds under load."',
  );
}

/** The parent's table with the settings laid in. @throws UsageError where one of them can change nothing. */
export function forkOf(
  view: RunView,
  facts: readonly AnyFact[],
  at: string | undefined,
  settings: readonly Setting[],
): Fork {
  const steps = stepsOf(facts);
  if (at === undefined || !steps.some((step) => step === at || step.startsWith(`${at}/`)))
    throw new UsageError(
      at === undefined
        ? 'say with --at from which step on'
        : `--at ${at}: the run has no such step`,
      `It has ${placesOf(steps)}; any of them, or what stands below it, can be named.`,
    );
  if (settings.length === 0)
    throw new UsageError(
      'a fork that changes nothing would say what its parent said',
      'Name a change: --set seat.critic.model=PROVIDER/MODEL',
    );
  if (view.protocol === 'agent') return forkOfAgents(view, at, settings);
  return view.protocol === 'rounds'
    ? forkOfRounds(view, facts, at, settings)
    : forkOfBoard(view, at, settings);
}

/** Another model plays an agent in the branch that was named; what quotes it is asked again by itself. */
function forkOfAgents(view: RunView, at: string, settings: readonly Setting[]): Fork {
  const config = view.config as AgentConfig;
  const changes = settings.map((one) => {
    if (one.kind !== 'seat')
      throw new UsageError(`a run of agents has no ${one.kind}`, 'Say --set seat.NAME.model=M.');
    return { from: at, seat: seatNamed(view, one.seat).id, model: one.value };
  });
  return {
    seats: view.seats,
    config: { ...config, changes: [...(config.changes ?? []), ...changes] },
  };
}

function forkOfBoard(view: RunView, at: string, settings: readonly Setting[]): Fork {
  let seats = view.seats;
  let config: Record<string, unknown> = { ...view.config };
  for (const one of settings) {
    if (one.kind === 'claim' || one.kind === 'verifier')
      throw new UsageError(`a ${view.protocol} has no ${one.kind}`);
    if (one.kind === 'synthesizer') config = { ...config, synthesizer: one.value };
    else {
      const { id } = seatNamed(view, one.seat);
      // Seats stand side by side: a seat's answer is the only step that its model has a part in.
      if (at !== 'seat' && at !== `seat/${id}`)
        throw new UsageError(`--at ${at}: ${id} has spoken by then`, `Say --at seat/${id}.`);
      seats = seats.map((seat) => (seat.id === id ? { ...seat, model: one.value } : seat));
    }
  }
  return { seats, config };
}

function forkOfRounds(
  view: RunView,
  facts: readonly AnyFact[],
  at: string,
  settings: readonly Setting[],
): Fork {
  const config = view.config as RoundsConfig;
  let { seats } = view;
  let { verifier } = config;
  const changes: Change[] = [...(config.changes ?? [])];
  for (const one of settings) {
    switch (one.kind) {
      case 'synthesizer':
        throw new UsageError('in rounds the verifier writes the synthesis', 'Say --set verifier=…');
      case 'verifier':
        changes.push({
          kind: 'model',
          from: at,
          seat: 'verifier',
          model: one.value,
          was: verifier,
        });
        verifier = one.value;
        break;
      case 'seat': {
        const { id, model: was } = seatNamed(view, one.seat);
        changes.push({ kind: 'model', from: at, seat: id, model: one.value, was });
        seats = seats.map((seat) => (seat.id === id ? { ...seat, model: one.value } : seat));
        break;
      }
      case 'claim':
        changes.push({
          kind: 'claim',
          from: phaseOf(facts, at, one.claim),
          claim: one.claim,
          text: one.value,
        });
    }
  }
  const tests = inheritance(facts, config.tests);
  return {
    seats,
    config: { ...config, verifier, changes, ...(tests.length === 0 ? {} : { tests }) },
  };
}

function seatNamed(view: RunView, id: string): Seat {
  const seat = view.seats.find((one) => one.id === id);
  if (seat === undefined)
    throw new UsageError(
      `--set seat.${id}.model: there is no such seat`,
      `The seats are ${view.seats.map((one) => one.id).join(', ')}.`,
    );
  return seat;
}

/** The phase from which a claim reads differently: claims are read when a phase begins. */
function phaseOf(facts: readonly AnyFact[], at: string, claim: string): string {
  const phase = /^round-\d+$/.test(at) ? `${at}/A` : at;
  const entered = facts
    .filter(ROUNDS.is('phase.entered'))
    .find((one) => `round-${one.round}/${one.phase}` === phase);
  if (entered === undefined)
    throw new UsageError(
      `--at ${at}: a claim is edited where a phase begins`,
      'Say a round or a phase: --at round-3 or --at round-3/D.',
    );
  const before = roundsOf(facts.filter(({ seq }) => seq < entered.seq));
  if (entryOf(before.claims, claim) === undefined)
    throw new UsageError(
      `--set claim.${claim}.text: at ${phase} there is no claim ${claim}`,
      `There are ${Object.keys(before.claims).join(', ') || 'none yet'}.`,
    );
  return phase;
}

function stepsOf(facts: readonly AnyFact[]): string[] {
  return [
    ...new Set(
      facts
        .filter(KERNEL.owns)
        .flatMap((one) =>
          one.type === 'step.started' || one.type === 'step.completed' ? [one.step] : [],
        ),
    ),
  ].filter((step) => !step.startsWith('budget/'));
}

/** `seat/advocate, synthesis/1`, or `round-1/A … H`, short enough to be read. */
function placesOf(steps: readonly string[]): string {
  const below = new Map<string, Set<string>>();
  for (const step of steps) {
    const [top = '', part] = step.split('/');
    const parts = below.get(top) ?? new Set();
    if (part !== undefined) parts.add(part);
    below.set(top, parts);
  }
  return [...below].map(([top, parts]) => `${top}/{${[...parts].join(',')}}`).join(' ');
}
