/** The state of an evaluation as its screen knows it: answers, figures of each arm, the time left. */
import type { AnswerNews, EvaluationHead, EvaluationStanding } from './ports.ts';

/** The figures in an arm's row. */
interface ArmFigures {
  /** How many answers are final: read, unreadable or missing. */
  readonly ended: number;
  readonly unreadable: number;
  readonly missing: number;
  readonly running: number;
  readonly tokens: number;
  /** Dollars spent; null as soon as one price is unknown. */
  readonly usd: number | null;
}

const NONE: ArmFigures = { ended: 0, unreadable: 0, missing: 0, running: 0, tokens: 0, usd: 0 };

/** How many answers must have arrived before the remaining time is estimated. */
const LEAST_FOR_PACE = 3;

/** Which answers to list. */
interface Listed {
  /** The row of the upper part whose answers are listed; undefined: all. */
  readonly arm: string | undefined;
  readonly onlyFailed: boolean;
  /** Words to search for, in lower case. */
  readonly words: string;
}

/** Collects what happens in an evaluation and computes what its screen shows. */
export class EvaluationModel {
  /** The plan of the evaluation. */
  readonly head: EvaluationHead;
  /** When the screen was opened, in milliseconds. */
  readonly openedAt: number;
  /** Whether the evaluation is running, stopping, left unfinished or over. */
  standing: EvaluationStanding = { kind: 'live' };
  /** Answers by id; the one that changed last is last. */
  readonly #answers = new Map<string, AnswerNews>();
  readonly #figures = new Map<string, ArmFigures>();
  #alone: ArmFigures = NONE;
  #all: ArmFigures = NONE;
  /** How many answers of each turn have arrived, by the turn's index. */
  readonly #byTurn = new Map<number, number>();
  #turns = 0;
  #calls = 0;
  #resent = 0;
  #fresh = { answers: 0, tokens: 0 };
  #endedAt: number | undefined;
  /** The list returned last, and the arguments it was made from. */
  #listed: { readonly key: string; readonly list: readonly AnswerNews[] } | undefined;
  #version = 0;

  constructor(head: EvaluationHead, openedAt: number) {
    this.head = head;
    this.openedAt = openedAt;
  }

  /** Stores the new state of an answer. */
  tell(news: AnswerNews): void {
    const before = this.#answers.get(news.id);
    if (before !== undefined) this.#count(before, -1);
    this.#answers.delete(news.id);
    this.#answers.set(news.id, news);
    this.#count(news, 1);
    this.#version += 1;
  }

  /**
   * Stores a change of the evaluation's own state, such as that it has ended.
   * @param now the time in milliseconds
   */
  stand(standing: EvaluationStanding, now: number): void {
    this.standing = standing;
    if (standing.kind === 'ended') this.#endedAt ??= now;
  }

  /** Whether answers are still awaited: the evaluation runs or is stopping. */
  get isLive(): boolean {
    return this.standing.kind === 'live' || this.standing.kind === 'stopping';
  }

  /** Whether the evaluation has ended, by all answers or by its budget, and has a report. */
  get isOver(): boolean {
    return this.standing.kind === 'ended';
  }

  /**
   * How many turns are done, and how many there are. A turn (a group of items in one repetition) is
   * done when every compared way to answer has answered it.
   */
  get turns(): { readonly done: number; readonly of: number } {
    const { standing, head } = this;
    const done = standing.kind === 'ended' ? standing.turns : this.#turns;
    return { done, of: head.turns.length };
  }

  /** How many model calls are running. */
  get calls(): number {
    return this.#calls;
  }

  /** How many calls were sent again. */
  get resent(): number {
    return this.#resent;
  }

  /** Tokens and dollars of all answers so far, including those that are not finished. */
  get spent(): Pick<ArmFigures, 'tokens' | 'usd'> {
    return this.#all;
  }

  /** Returns the numbers in the row of an arm (a compared way to answer). */
  figuresOf(arm: string): ArmFigures {
    return this.#figures.get(arm) ?? NONE;
  }

  /**
   * Returns the mean cost of an arm's answer divided by that of an answer of the single model: 2 means
   * twice as expensive. Compares dollars if both have a price, otherwise tokens. Undefined until both
   * have a final answer.
   */
  ratioOf(arm: string): number | undefined {
    const own = this.figuresOf(arm);
    const alone = this.#alone;
    const isPriced = (own.usd ?? 0) > 0 && (alone.usd ?? 0) > 0;
    const getCost = ({ usd, tokens }: ArmFigures): number => (isPriced ? (usd ?? 0) : tokens);
    if (own.ended === 0 || alone.ended === 0 || getCost(alone) === 0) return undefined;
    return getCost(own) / own.ended / (getCost(alone) / alone.ended);
  }

  /**
   * How many samples of the single model the votes on all items are likely to take, so that a vote
   * costs at least as much as the most expensive panel; undefined while no cost is known.
   */
  get samplesOf(): number | undefined {
    const { items } = this;
    const ratios = this.head.arms.flatMap(({ name, of }) =>
      of === undefined ? [] : [this.ratioOf(name) ?? 0],
    );
    const most = Math.max(0, ...ratios);
    // Round up to an odd number of samples for each item, as the vote does.
    return most === 0 ? undefined : (Math.ceil(most) | 1) * items;
  }

  /** Whether votes among samples of the single model are one of the compared ways to answer. */
  get votes(): boolean {
    return this.head.arms.some(({ of }) => of === undefined);
  }

  /** How many answers each arm (compared way to answer) gives in all. */
  get items(): number {
    return Math.max(0, ...this.head.arms.map(({ of = 0 }) => of));
  }

  /** Returns the milliseconds from the opening of the screen to `now`, or to the evaluation's end. */
  elapsedMs(now: number): number {
    return (this.#endedAt ?? now) - this.openedAt;
  }

  /**
   * Estimates the milliseconds until the end, from the answers that arrived since the screen was
   * opened. Undefined while there are fewer than 3, or while an arm other than a vote has none.
   */
  leftMs(now: number): number | undefined {
    const { answers, tokens } = this.#fresh;
    const expected = this.#expected();
    if (expected === undefined || answers < LEAST_FOR_PACE || tokens === 0) return undefined;
    const left = Math.max(0, expected - this.#all.tokens);
    return (this.elapsedMs(now) / tokens) * left;
  }

  /** Returns the tokens that all arms will have taken at the end. */
  #expected(): number | undefined {
    const arms = this.head.arms.filter(({ of }) => of !== undefined);
    const means = arms.map(({ name }) => {
      const { ended, tokens } = this.figuresOf(name);
      return ended === 0 ? undefined : tokens / ended;
    });
    if (means.includes(undefined)) return undefined;
    const known = means.filter((mean) => mean !== undefined);
    const sum = arms.reduce((all, { of = 0 }, index) => all + of * (known[index] ?? 0), 0);
    const isVoted = arms.length < this.head.arms.length;
    return sum + (isVoted ? Math.max(0, ...known) * this.items : 0);
  }

  /** Returns the answers to list: running ones first, and of each kind the latest change first. */
  list(wanted: Listed): readonly AnswerNews[] {
    const key = `${this.#version} ${JSON.stringify(wanted)}`;
    if (this.#listed?.key === key) return this.#listed.list;
    const shown = [...this.#answers.values()]
      .reverse()
      .filter((answer) => isListed(answer, wanted));
    const list = [
      ...shown.filter(({ state }) => state === 'running'),
      ...shown.filter(({ state }) => state !== 'running'),
    ];
    this.#listed = { key, list };
    return list;
  }

  /** How many answers are known. */
  get known(): number {
    return this.#answers.size;
  }

  #count(news: AnswerNews, by: 1 | -1): void {
    for (const arm of news.arms) this.#figures.set(arm, addAnswer(this.figuresOf(arm), news, by));
    if (news.isAlone) this.#alone = addAnswer(this.#alone, news, by);
    this.#all = addAnswer(this.#all, news, by);
    this.#calls += by * news.calls;
    this.#resent += by * news.resent;
    if (!isEnded(news)) return;
    if (!news.isOld) {
      const { answers, tokens } = this.#fresh;
      this.#fresh = { answers: answers + by, tokens: tokens + by * news.tokens };
    }
    const { turn } = news;
    if (turn === undefined) return;
    const wanted = this.head.turns[turn];
    const before = this.#byTurn.get(turn) ?? 0;
    this.#byTurn.set(turn, before + by);
    this.#turns += Number(before + by === wanted) - Number(before === wanted);
  }
}

/** Returns whether an answer is final, so that nothing waits for it any more. */
function isEnded({ state }: AnswerNews): boolean {
  return state !== 'running' && state !== 'stopped';
}

function addAnswer(figures: ArmFigures, news: AnswerNews, by: 1 | -1): ArmFigures {
  const { state, tokens, usd } = news;
  const ended = Number(isEnded(news));
  // An unfinished or failed answer may have made no call, so a missing price counts as 0.
  const price = usd ?? (ended === 1 && state !== 'failed' ? null : 0);
  return {
    ended: figures.ended + by * ended,
    unreadable: figures.unreadable + by * Number(state === 'unreadable'),
    missing: figures.missing + by * Number(state === 'failed'),
    running: figures.running + by * Number(state === 'running'),
    tokens: figures.tokens + by * tokens,
    usd: figures.usd === null || price === null ? null : figures.usd + by * price,
  };
}

function isListed(news: AnswerNews, { arm, onlyFailed, words }: Listed): boolean {
  const { arms, state, item, label, answer = '', reason = '' } = news;
  if (arm !== undefined && !arms.includes(arm)) return false;
  if (onlyFailed && state !== 'failed' && state !== 'unreadable' && state !== 'stopped')
    return false;
  if (words === '') return true;
  const text = `${item} ${label} ${state} ${answer} ${reason}`.toLowerCase();
  return words.split(/\s+/).every((word) => text.includes(word));
}
