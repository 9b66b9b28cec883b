/**
 * `deliberate fork`: starts a run that differs from its parent from one step on. Earlier steps, and later ones
 * that the change does not affect, are copied from the parent's journal; only the others are asked and paid
 * for.
 */

import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Change, ForkOpening } from '../../kernel/protocol.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import { shortId } from '../../kernel/short-id.ts';
import { failuresToAskAgain } from '../../kernel/unsettled.ts';
import { type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { prepareFork } from '../../protocols/common/past.ts';
import { attachmentsOf } from '../../text/documents/attachment.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Invocation } from '../invocation.ts';
import { confirmRunOf } from '../run-of.ts';
import { readConfig } from '../settings/config.ts';
import { openModels } from '../settings/providers.ts';
import { reopenRunTools } from '../settings/run-tools.ts';
import { reopenWorkshop } from '../settings/workshop.ts';
import { openRecorded } from '../store.ts';
import { getStartCommand } from '../suggest.ts';
import { runInTerminal } from './run-in-terminal.ts';

/**
 * Runs `deliberate fork`: starts a run that shares its beginning with another one and continues
 * with changes. Resolves to the exit code.
 */
export async function fork(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const store = openRecorded(call);
  try {
    const parent = await confirmRunOf(call, store);
    const facts = store.facts(parent);
    const view = viewOf(facts);
    if (view.seq === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(parent)} was never started; nothing to fork`,
      );
    const { set } = call.flags;
    const { protocol, source, loadFork } = await call.protocols.ofRun(call, store, view);
    const forkOwn = await loadFork(view, facts);
    let forked: ForkOpening;
    if (call.flags.refresh) forked = await withFreshPages(call, view);
    else if (forkOwn === undefined) {
      const changes = set.map(parseChange);
      const at = checkPlace(facts, call.flags.at, changes);
      forked = (protocol.fork ?? prepareFork)({ view, facts }, at, changes);
    } else forked = forkOwn(call.flags.at, set);
    const { seats, config: changed } = forked;
    const models = openModels(call, config);
    const tools = await reopenRunTools(call, store, view, models, true);
    const journal = store.create(view.protocol, parent);
    for (const [name, path] of store.lookRoots(parent)) store.setLookRoot(journal.run, name, path);
    if (source !== undefined) store.setProtocolFile(journal.run, source.file);
    const workshop = reopenWorkshop(
      call,
      store,
      { id: journal.run, parent, config: view.config },
      models,
    );
    let inherited = 0;
    let asked = 0;
    const code = await runInTerminal({
      call,
      config,
      store,
      journal,
      protocol,
      source,
      models,
      tools: workshop?.tools ?? tools,
      workshop,
      start: (session) => {
        session.feed.subscribe({
          fact: (fact) => {
            if (!fact.type.startsWith('call.')) return;
            if ('inherited' in fact && fact.inherited === true) inherited += 1;
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
        `${formatCount(inherited, 'call')} reused from ${shortId(parent)}, ${formatCount(asked, 'call')} asked. Compare: ${getStartCommand(call.env)} diff ${shortId(parent)} ${shortId(journal.run)}\n`,
      );
    return code;
  } finally {
    store.close();
  }
}

/**
 * Returns the run's seats and settings with its web pages fetched again.
 * @throws UsageError if `--at` or `--set` is given as well
 */
async function withFreshPages(call: Invocation, { seats, config }: RunView): Promise<ForkOpening> {
  if (call.flags.at !== undefined || call.flags.set.length > 0)
    throw new UsageError(
      '--refresh changes what every call reads; it takes no --at and no --set',
      'Fork the new run for further changes.',
    );
  const { refreshPages } = await import('../settings/attachments.ts');
  return {
    seats,
    config: { ...config, attachments: await refreshPages(call, attachmentsOf(config)) },
  };
}

/**
 * Parses one change of a fork: `seat.critic.model=ollama/x`, `claim.C-2-1.text=…`, `synthesizer=…`
 * or `verifier=…`.
 *
 * @throws UsageError if the text is none of these
 */
export function parseChange(text: string): Change {
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
    `--set ${text}: cannot be changed`,
    'Use seat.critic.model=ollama/qwen3:8b, synthesizer=PROVIDER/MODEL, verifier=PROVIDER/MODEL or claim.C-2-1.text="It holds under load."',
  );
}

/**
 * Checks that a run can be forked at a step and that there are changes. Returns `at`.
 *
 * @param at the key of a step, such as `round-3/D`, or the part of a key before a slash, such as
 *   `round-3`; undefined if the person gave none
 * @throws UsageError if `at` is missing or matches no step, or if there is no change
 */
export function checkPlace(
  facts: readonly AnyFact[],
  at: string | undefined,
  changes: readonly Change[],
): string {
  const steps = stepsOf(facts);
  if (at === undefined || !steps.some((step) => step === at || step.startsWith(`${at}/`)))
    throw new UsageError(
      at === undefined ? '--at is required' : `--at ${at}: this run has no such step`,
      `Use one of ${placesOf(callsOf(facts))}, or a step below one of them.`,
    );
  if (changes.length === 0)
    throw new UsageError(
      'nothing to change: a fork needs at least one --set',
      'Name a change: --set seat.critic.model=PROVIDER/MODEL',
    );
  return at;
}

function stepsOf(facts: readonly AnyFact[]): string[] {
  return [
    ...new Set(
      facts
        .filter(KERNEL.owns)
        .flatMap((fact) =>
          fact.type === 'step.started' || fact.type === 'step.completed' ? [fact.step] : [],
        ),
    ),
  ].filter((step) => !step.startsWith('budget/'));
}

/** Returns the steps in which a model was asked. Steps that only compute are no place to fork at. */
function callsOf(facts: readonly AnyFact[]): string[] {
  const steps = facts.filter(KERNEL.owns).flatMap((fact) => {
    if (fact.type === 'step.started') return fact.kind === 'call' ? [fact.step] : [];
    // If the run is itself a fork, the steps that were copied into it have an end on record but no start.
    return fact.type === 'call.completed' ? [fact.step] : [];
  });
  return [...new Set(steps)];
}

/** Formats a list of steps briefly: `seat/advocate, synthesis/1`, or `round-1/A … H`. */
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
