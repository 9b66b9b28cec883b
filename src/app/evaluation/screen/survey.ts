/**
 * Polls the database for the answers of an evaluation and tells the screen. It works the same whoever works on
 * the evaluation. Results of answers are read from the database only if another process works on them; this
 * process reports its own.
 */
import type { AnswerNews } from '../../../console/evaluation/ports.ts';
import { readAnswer, repairQuestion } from '../../../evaluation/answers.ts';
import { SINGLE } from '../../../evaluation/arms.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { KERNEL } from '../../../kernel/facts.ts';
import { viewOf } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import type { ModelGateway } from '../../../models/gateway.ts';
import type { Store } from '../../../store/store.ts';
import type { Protocols } from '../../invocation.ts';
import type { ArmMaker } from '../arm-maker.ts';
import { cellKey, countUnfinished, factsOfCell, sumUsage } from '../cells.ts';
import type { ReceivedAnswer } from '../work.ts';
import { type AnswerPosition, type AnswerPositions, getAnswerNames } from './places.ts';

interface SurveyParts {
  readonly store: Store;
  readonly places: AnswerPositions;
  readonly gateway: Pick<ModelGateway, 'price'>;
  /** Reads answers from runs, by arm; empty if this process reports its own answers. */
  readonly makers: ReadonlyMap<string, ArmMaker>;
  readonly tell: (news: AnswerNews) => void;
}

/** The most milliseconds of one slice of work. Keys are handled between slices. */
const SLICE_MS = 12;

/** An answer that was being worked on at the last look. */
interface AtWork {
  readonly run: string;
  readonly places: readonly AnswerPosition[];
  readonly facts: AnyFact[];
}

/** Tells the screen the state of an evaluation's answers, from the database and from `hear`. */
export class Survey {
  readonly #parts: SurveyParts;
  #after = 0;
  /** Cells whose key matches no position so far, with their runs. */
  readonly #elsewhere = new Map<string, string>();
  #keysKnown = 0;
  /** Cells whose end has yet to be read. */
  readonly #unread = new Map<
    string,
    { readonly run: string; readonly places: readonly AnswerPosition[] }
  >();
  readonly #atWork = new Map<string, AtWork>();
  /** Keys of cells with unreadable answers, by the key of the cell that was asked to state the answer. */
  readonly #repairs = new Map<string, string>();
  /** Ids of answers that the work of this process has reported. */
  readonly #heard = new Set<string>();
  /** Runs that existed before the first look. */
  readonly #old = new Set<string>();
  /** Runs from before the first look that were worked on since then. */
  readonly #renewed = new Set<string>();
  #isFirst = true;

  constructor(parts: SurveyParts) {
    this.#parts = parts;
  }

  /** How many answers are being worked on. */
  get atWork(): number {
    return this.#atWork.size;
  }

  /**
   * Reads from the database what is new, for a few milliseconds. Returns false if not everything was read, so
   * that the caller should soon call again.
   */
  look(): boolean {
    const { store, places } = this.#parts;
    const isLearned = places.learn(SLICE_MS);
    this.#readArrivals();
    // If no process works on a run any more, the run has ended or was given up. Its last facts then have to be
    // read.
    const owned = new Map(
      store.evaluations.cellsAtWork().map(({ key, run }) => [key, run] as const),
    );
    for (const [key, { run, places: own, facts }] of this.#atWork)
      if (!owned.has(key)) {
        this.#atWork.delete(key);
        this.#unread.set(key, { run, places: own });
        this.#tellRunning(run, own, facts, false);
      }
    for (const [repair, key] of this.#repairs) {
      const run = store.evaluations.cell(key)?.run;
      if (owned.has(repair) || run === undefined) continue;
      if (store.evaluations.cell(repair) === undefined) continue;
      this.#repairs.delete(repair);
      this.#unread.set(key, { run, places: places.at(key) });
    }
    for (const [key, run] of owned) {
      const found = places.at(key);
      if (found.length > 0) this.#follow(key, run, found);
    }
    this.#isFirst = false;
    return this.#readEnds() && isLearned;
  }

  /** Tells the screen an answer that this process has just received. */
  hear({ arm, item, repetition, sample, reply }: ReceivedAnswer): void {
    const place = this.#parts.places.of(arm, item, repetition, sample);
    this.#heard.add(place.id);
    const { run, state, answer, tokens, costUsd, resent, isRepaired } = reply;
    this.#parts.tell({
      ...this.#about(place, run),
      state: state === 'missing' ? 'failed' : state,
      ...(answer === null ? {} : { answer }),
      ...(state === 'missing' ? reasonIn(this.#parts.store.facts(run)) : {}),
      isRepaired,
      tokens,
      usd: costUsd,
      calls: 0,
      resent,
    });
  }

  #readArrivals(): void {
    const { store, places } = this.#parts;
    const arrived = store.evaluations.cellsAfter(this.#after);
    this.#after = arrived.at(-1)?.arrived ?? this.#after;
    for (const { key, run } of arrived) {
      if (this.#isFirst) this.#old.add(run);
      this.#elsewhere.set(key, run);
    }
    if (arrived.length === 0 && this.#keysKnown === places.known) return;
    this.#keysKnown = places.known;
    for (const [key, run] of this.#elsewhere) {
      const found = places.at(key);
      if (found.length === 0) continue;
      this.#elsewhere.delete(key);
      this.#unread.set(key, { run, places: found });
    }
  }

  #follow(key: string, run: string, places: readonly AnswerPosition[]): void {
    const { store } = this.#parts;
    this.#unread.delete(key);
    this.#renewed.add(run);
    const known = this.#atWork.get(key) ?? { run, places, facts: [] };
    const news = store.facts(run, known.facts.at(-1)?.seq ?? 0);
    const isNew = !this.#atWork.has(key);
    this.#atWork.set(key, known);
    if (news.length === 0 && !isNew) return;
    known.facts.push(...news);
    this.#tellRunning(run, places, known.facts, true);
  }

  /**
   * Reports an answer under way.
   * @param isCalling whether calls without a recorded end are still being waited for
   */
  #tellRunning(
    run: string,
    places: readonly AnswerPosition[],
    facts: readonly AnyFact[],
    isCalling: boolean,
  ): void {
    const { tokens, costUsd } = sumUsage(facts, this.#parts.gateway);
    const begun = facts.findLastIndex((fact) => KERNEL.own(fact)?.type === 'run.resumed');
    const resent = countUnfinished(facts.slice(0, Math.max(0, begun)));
    const calls = isCalling ? countUnfinished(facts) - resent : 0;
    for (const place of places)
      if (!this.#heard.has(place.id))
        this.#parts.tell({
          ...this.#about(place, run),
          state: 'running',
          tokens,
          usd: costUsd,
          calls,
          resent,
        });
  }

  #readEnds(): boolean {
    const reportsOwnAnswers = this.#parts.makers.size === 0;
    if (reportsOwnAnswers) {
      this.#unread.clear();
      return true;
    }
    const until = performance.now() + SLICE_MS;
    for (const [key, { run, places }] of this.#unread) {
      if (performance.now() > until) return false;
      for (const place of places) this.#parts.tell(this.#ended(key, place, run));
      this.#unread.delete(key);
    }
    return true;
  }

  #ended(key: string, place: AnswerPosition, run: string): AnswerNews {
    const { store, gateway, makers } = this.#parts;
    const facts = factsOfCell(store, run);
    const { tokens, costUsd } = sumUsage(facts, gateway);
    const view = viewOf(facts);
    const took = { tokens, usd: costUsd, calls: 0, resent: countUnfinished(facts) };
    const about = { ...this.#about(place, run), ...took };
    const final = view.status === 'done' ? makers.get(place.arm)?.finalText(facts) : undefined;
    if (final === undefined) {
      const isLeft = view.status === 'running' || view.status === 'stopped';
      return { ...about, state: isLeft ? 'stopped' : 'failed', ...reasonIn(facts) };
    }
    const { answer } = readAnswer(final.text, place.item);
    return answer === null
      ? this.#repaired(key, place, final.text, about)
      : { ...about, state: 'answered', answer };
  }

  /** Reads the answer from the repair call, which asked the model for its answer line alone. */
  #repaired(
    of: string,
    place: AnswerPosition,
    text: string,
    about: Omit<AnswerNews, 'state'>,
  ): AnswerNews {
    const { store, places, gateway, makers } = this.#parts;
    const hash = entryOf(places.plan.hashes, SINGLE) ?? '';
    const key = cellKey(repairQuestion(text, place.item), hash, places.seedOf(place));
    const cell = store.evaluations.cell(key);
    if (cell === undefined || store.isOwned(cell.run)) {
      this.#repairs.set(key, of);
      return { ...about, state: 'unreadable' };
    }
    const facts = factsOfCell(store, cell.run);
    const { tokens, costUsd } = sumUsage(facts, gateway);
    const final = makers.get(SINGLE)?.finalText(facts);
    const { answer } = readAnswer(final?.text ?? '', place.item);
    return {
      ...about,
      tokens: about.tokens + tokens,
      usd: about.usd === null || costUsd === null ? null : about.usd + costUsd,
      resent: about.resent + countUnfinished(facts),
      ...(answer === null ? { state: 'unreadable' } : { state: 'answered', answer }),
      isRepaired: answer !== null,
    };
  }

  #about(place: AnswerPosition, run: string) {
    const { places } = this.#parts;
    const { id, item, repetition, sample, turn, arm } = place;
    return {
      id,
      run,
      ...getAnswerNames(place, places.plan.arms),
      item: item.id,
      repetition,
      ...(sample === 0 ? { turn } : {}),
      isAlone: arm === SINGLE && sample === 0,
      isOld: this.#old.has(run) && !this.#renewed.has(run),
    };
  }
}

/** Returns the reason of a failed run, if it is recorded. */
function reasonIn(facts: readonly AnyFact[]): { readonly reason?: string } {
  const { reason } = viewOf(facts);
  return reason === undefined ? {} : { reason };
}

/** Loads, for each arm of an evaluation, the code that reads its answers. */
export async function loadArmMakers(
  protocols: Protocols,
  { plan, asked }: AnswerPositions,
): Promise<ReadonlyMap<string, ArmMaker>> {
  const kinds = new Map(plan.arms.panels.map(({ name, kind }) => [name, kind]));
  const alone = await protocols.loadSingleModelArm();
  return new Map([
    [SINGLE, alone],
    ...(await Promise.all(
      asked.map(async (name) => {
        const kind = kinds.get(name);
        return [name, kind === undefined ? alone : await protocols.loadArm(kind)] as const;
      }),
    )),
  ]);
}
