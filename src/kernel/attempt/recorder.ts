/**
 * Reads and writes the journal for one attempt. Everything written is delivered to the run's listeners, and
 * the usage of calls is summed.
 */
import { randomUUID } from 'node:crypto';
import { sanitiseText } from '../../text/sanitise.ts';
import { BUDGET_GATE } from '../budget.ts';
import type { Bus } from '../bus.ts';
import { isCall } from '../call.ts';
import { computeDigest } from '../digest.ts';
import { fact, KERNEL } from '../facts.ts';
import type { Journal, Prompt, StepRecord } from '../journal.ts';
import type { SpentTotal } from '../model.ts';
import type { ToolOutput, ToolResult, Tools, ToolUse } from '../tools/tools.ts';
import { addSpent, getSpending, NO_SPENDING } from '../usage.ts';
import type { AnyBody, AnyFact } from '../vocabulary.ts';

/** The record of a step, or the mark that a record for other inputs exists. */
interface Recalled {
  readonly record?: { readonly result: unknown; readonly facts: () => readonly AnyFact[] };
  /** Spread into the `step.started` fact. */
  readonly stale: { stale?: true };
}

/** Looks up steps in the journal, and records facts, tool results and usage. */
export class Recorder {
  readonly #journal: Journal;
  readonly #bus: Bus;
  /** The usage and cost of each step's calls, however they ended. */
  readonly #spent = new Map<string, SpentTotal>();
  /** The number of the last tool result; undefined until it is first needed. */
  #lastSource: number | undefined;

  constructor(journal: Journal, bus: Bus) {
    this.#journal = journal;
    this.#bus = bus;
    for (const fact of journal.facts()) if (isCall(fact)) this.count(fact);
  }

  /**
   * Looks up a step. If only the run's parent has a record, the record is copied into this run:
   * `before` are facts to copy first, and `prompt` makes the prompt that is stored with a copied
   * call.
   *
   * @returns `record`: the step's result and facts, absent if the step has to be done; `stale`: the mark for
   *   the step's `step.started` fact, empty unless the step is recorded with other inputs
   */
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
    // A fork copies its parent's record, so that the fork stays complete if the parent is deleted.
    const attempt = randomUUID();
    const knownFacts = known.facts();
    const call = knownFacts.findLast(isCall);
    const facts = [
      ...before,
      ...knownFacts
        .filter((fact) => fact.type !== 'step.started' && fact.type !== 'step.completed')
        .map((fact) => (isCall(fact) ? { ...fact, inherited: true } : fact)),
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
   * Looks up the answer to a gate; the result is that of `recall`. A parent's answer counts only if the parent
   * was asked the same question, since a fork may reach another question with the same options. A parent's answer to a
   * budget gate never counts, and neither do imported answers, which nobody on this machine gave.
   */
  recallGate(step: string, hash: string, question: string): Recalled {
    const known = this.#journal.recall(step, hash);
    if (known.kind !== 'recorded') return this.recall(step, hash);
    if (known.isForeign) return { stale: {} };
    if (known.inheritedFrom === undefined) return this.recall(step, hash);
    const put = (this.#journal.parentFacts?.() ?? [])
      .filter(KERNEL.is('gate.opened'))
      .findLast((gate) => gate.step === step);
    return put?.prompt !== question || step.startsWith(BUDGET_GATE)
      ? { stale: {} }
      : this.recall(step, hash, undefined, [put]);
  }

  /** Records a finished step with its facts and prompt, and delivers the facts to listeners. */
  commit(record: StepRecord, facts: readonly AnyBody[], prompt?: Prompt): void {
    this.#bus.facts(this.#journal.commit(record, facts, prompt));
  }

  /** Records facts that finish no step, and delivers them to listeners. */
  note(facts: readonly AnyBody[], prompt?: Prompt): void {
    this.#bus.facts(this.#journal.note(facts, prompt));
  }

  /** Adds the usage and cost of an ended call to the sum of its step. A call copied from a parent adds nothing. */
  count(call: Parameters<typeof getSpending>[0] & { readonly step: string }): void {
    this.#spent.set(
      call.step,
      addSpent(this.#spent.get(call.step) ?? NO_SPENDING, getSpending(call)),
    );
  }

  /**
   * Uses a tool and records its result, or returns the recorded result. A call with a `refusal` and
   * a tool that is not in `offered` are refused; `offered` absent: every tool is allowed.
   * @throws the reason of `limit` if the run was stopped before the tool answered
   */
  async callTool(
    tools: Tools | undefined,
    use: ToolUse & { readonly step: string; readonly seat: string },
    limit: AbortSignal,
    offered?: readonly string[],
  ): Promise<ToolResult> {
    const { step, seat, name: tool, arguments: given, refusal } = use;
    const hash = computeDigest({ tool, given });
    const known = this.recall(step, hash);
    const recorded = known.record?.facts().findLast(KERNEL.is('tool.called'));
    if (recorded !== undefined) return resultOf(recorded);
    limit.throwIfAborted();
    const attempt = randomUUID();
    const began = performance.now();
    const isOffered = offered?.includes(tool) ?? true;
    const carryOut = async (): Promise<ToolOutput> =>
      (await tools?.use({ name: tool, arguments: given }, limit)) ?? NO_TOOLS;
    const found: ToolOutput = !isOffered
      ? notOffered(tool, offered ?? [])
      : refusal === undefined
        ? await carryOut()
        : { about: tool, text: refusal, from: 1, refused: true as const };
    limit.throwIfAborted();
    const { uncited, ...kept } = found;
    const called = fact('tool.called', {
      step,
      attempt,
      seat,
      tool,
      arguments: given,
      // Await nothing between taking the number and recording the result: otherwise, two results could get the
      // same number.
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

  /**
   * Returns the number of the next tool result, beyond all numbers that the fork may still copy from its
   * parent.
   */
  #nextSource(): number {
    this.#lastSource ??= [...(this.#journal.parentFacts?.() ?? []), ...this.#journal.facts()]
      .filter(KERNEL.is('tool.called'))
      .reduce((last, { id }) => Math.max(last, Number(id?.replace('S-', '') ?? 0)), 0);
    this.#lastSource += 1;
    return this.#lastSource;
  }

  /**
   * Sums the usage of all steps whose keys begin with the prefix. `of` selects steps by the rest of
   * the key.
   */
  sumSpent(prefix: string, of: (step: string) => boolean = () => true): SpentTotal {
    return [...this.#spent].reduce(
      (sum, [step, spent]) =>
        step.startsWith(prefix) && of(step.slice(prefix.length)) ? addSpent(sum, spent) : sum,
      NO_SPENDING,
    );
  }
}

const NO_TOOLS: ToolOutput = {
  about: '',
  text: 'there are no tools in this run',
  from: 1,
  refused: true,
};

/** Refuses a tool that was not offered. The name comes from a model and may be any text. */
function notOffered(tool: string, offered: readonly string[]): ToolOutput {
  const name = sanitiseText(tool).replace(/\s+/g, ' ').slice(0, 60);
  const text = `there is no tool ${name}; there are ${offered.join(', ')}`;
  return { about: name, text, from: 1, refused: true };
}

function resultOf(result: ToolResult): ToolResult {
  const { id, about, text, from, parts, more, refused, state, fetched } = result;
  return { id, about, text, from, parts, more, refused, state, fetched };
}
