/**
 * What an attempt looks up in the journal and writes into it. Everything written is heard by whoever
 * listens to the run, and what its calls took is summed up.
 */
import { randomUUID } from 'node:crypto';
import { sanitise } from '../text/sanitise.ts';
import { BUDGET_GATE } from './budget.ts';
import type { Bus } from './bus.ts';
import { isCall } from './call.ts';
import { digest } from './digest.ts';
import { fact, KERNEL } from './facts.ts';
import type { Journal, Prompt, StepRecord } from './journal.ts';
import type { Found, ToolCall, ToolResult, Tools } from './tools/tools.ts';
import { NOTHING, plus, type Spent, spentBy } from './usage.ts';
import type { AnyBody, AnyFact } from './vocabulary.ts';

/** What is known of a step: its record, or that there is one for other inputs. */
interface Recalled {
  readonly record?: { readonly result: unknown; readonly facts: () => readonly AnyFact[] };
  /** To be spread into the fact that says that the step begins. */
  readonly stale: { stale?: true };
}

export class Recorder {
  readonly #journal: Journal;
  readonly #bus: Bus;
  /** By step, what its calls took, however they ended. */
  readonly #spent = new Map<string, Spent>();
  /** The number of the last result of a tool; undefined until somebody asks. */
  #lastSource: number | undefined;

  constructor(journal: Journal, bus: Bus) {
    this.#journal = journal;
    this.#bus = bus;
    for (const one of journal.facts()) if (isCall(one)) this.count(one);
  }

  /** `prompt`: of a call, to be kept with it where it is taken over; `before`: what is copied besides. */
  recall(
    step: string,
    hash: string,
    prompt?: (attempt: string) => Prompt,
    before: readonly AnyFact[] = [],
  ): Recalled {
    const known = this.#journal.recall(step, hash);
    if (known.kind === 'absent') return { stale: {} };
    if (known.kind === 'stale') return { stale: { stale: true } };
    if (known.inheritedFrom === undefined) return { record: known, stale: {} };
    // A fork takes over its parent's record, so that it stays whole when the parent is removed.
    const attempt = randomUUID();
    const theirs = known.facts();
    const call = theirs.findLast(isCall);
    const facts = [
      ...before,
      ...theirs
        .filter((one) => one.type !== 'step.started' && one.type !== 'step.completed')
        .map((one) => (isCall(one) ? { ...one, inherited: true } : one)),
      fact('step.completed', { step, attempt, inherited: known.inheritedFrom }),
    ];
    this.commit(
      { step, hash, result: known.result },
      facts,
      call === undefined ? undefined : prompt?.(call.attempt),
    );
    return { record: known, stale: {} };
  }

  /**
   * The answer to a gate. What the run that this one was forked from was told stands for the very question
   * that was put there: a fork may come to another plan under the same choices. Of its budget nobody has
   * said anything yet. What came with a run out of somebody's file is no answer of anybody here.
   */
  recallGate(step: string, hash: string, question: string): Recalled {
    const known = this.#journal.recall(step, hash);
    if (known.kind !== 'recorded') return this.recall(step, hash);
    if (known.isForeign) return { stale: {} };
    if (known.inheritedFrom === undefined) return this.recall(step, hash);
    const put = (this.#journal.parentFacts?.() ?? [])
      .filter(KERNEL.is('gate.opened'))
      .findLast((one) => one.step === step);
    return put?.prompt !== question || step.startsWith(BUDGET_GATE)
      ? { stale: {} }
      : this.recall(step, hash, undefined, [put]);
  }

  commit(record: StepRecord, facts: readonly AnyBody[], prompt?: Prompt): void {
    this.#bus.facts(this.#journal.commit(record, facts, prompt));
  }

  note(facts: readonly AnyBody[], prompt?: Prompt): void {
    this.#bus.facts(this.#journal.note(facts, prompt));
  }

  count(call: Parameters<typeof spentBy>[0] & { readonly step: string }): void {
    this.#spent.set(call.step, plus(this.#spent.get(call.step) ?? NOTHING, spentBy(call)));
  }

  /**
   * Uses a tool, unless what it found is on record; refuses one that is not among those `offered`.
   * @throws the signal's reason where the run was stopped before anything was found.
   */
  async callTool(
    tools: Tools | undefined,
    use: Omit<ToolCall, 'id'> & { readonly step: string; readonly seat: string },
    limit: AbortSignal,
    offered?: readonly string[],
  ): Promise<ToolResult> {
    const { step, seat, name: tool, arguments: given } = use;
    const hash = digest({ tool, given });
    const known = this.recall(step, hash);
    const recorded = known.record?.facts().findLast(KERNEL.is('tool.called'));
    if (recorded !== undefined) return resultOf(recorded);
    limit.throwIfAborted();
    const attempt = randomUUID();
    const began = performance.now();
    const isOffered = offered?.includes(tool) ?? true;
    const found = isOffered
      ? ((await tools?.use({ name: tool, arguments: given }, limit)) ?? NO_TOOLS)
      : notOffered(tool, offered ?? []);
    limit.throwIfAborted();
    const { uncited, ...kept } = found;
    const called = fact('tool.called', {
      ...{ step, attempt, seat, tool, arguments: given },
      // Numbered when it is recorded, in one go: no two have the same number.
      ...(found.refused || uncited ? {} : { id: `S-${this.#nextSource()}` }),
      ...kept,
      bytes: Buffer.byteLength(found.text),
      ms: Math.round(performance.now() - began),
    });
    this.commit({ step, hash, result: null }, [
      fact('step.started', { step, attempt, kind: 'work', seat, ...known.stale }),
      called,
      fact('step.completed', { step, attempt }),
    ]);
    return resultOf(called);
  }

  /** The number of the next result of a tool: none that a fork may still take over from its parent has it. */
  #nextSource(): number {
    this.#lastSource ??= [...(this.#journal.parentFacts?.() ?? []), ...this.#journal.facts()]
      .filter(KERNEL.is('tool.called'))
      .reduce((last, { id }) => Math.max(last, Number(id?.replace('S-', '') ?? 0)), 0);
    this.#lastSource += 1;
    return this.#lastSource;
  }

  /** What the calls of all steps took whose keys begin so. `of`: by the rest of the key. */
  sumSpent(prefix: string, of: (step: string) => boolean = () => true): Spent {
    return [...this.#spent].reduce(
      (sum, [step, one]) =>
        step.startsWith(prefix) && of(step.slice(prefix.length)) ? plus(sum, one) : sum,
      NOTHING,
    );
  }
}

const NO_TOOLS: Found = {
  about: '',
  text: 'there are no tools in this run',
  from: 1,
  refused: true,
};

/** `tool` is a model's word: anything. */
function notOffered(tool: string, offered: readonly string[]): Found {
  const name = sanitise(tool).replace(/\s+/g, ' ').slice(0, 60);
  const text = `there is no tool ${name}; there are ${offered.join(', ')}`;
  return { about: name, text, from: 1, refused: true };
}

function resultOf(result: ToolResult): ToolResult {
  const { id, about, text, from, parts, more, refused, state, fetched } = result;
  return { id, about, text, from, parts, more, refused, state, fetched };
}
