/** The screen of an evaluation whose answers and clock a test sets itself. */
import { EvaluationModel } from '../../src/console/evaluation/model.ts';
import { type OpenEvaluation, openEvaluation } from '../../src/console/evaluation/open.ts';
import type { AnswerNews, EvaluationHead } from '../../src/console/evaluation/ports.ts';
import { TestKeyboard, TestScreen, waitForKey } from './terminal.ts';

/** The plan of an evaluation of 20 puzzles by three arms. */
export const EVALUATION_HEAD: EvaluationHead = {
  id: '01a20959-52f9-7000-8000-000000000000',
  set: 'puzzles:3',
  units: 20,
  again: 0,
  models: ['anthropic/claude-haiku-4-5'],
  primary: 'board',
  rehearsal: false,
  arms: [{ name: 'single', of: 20 }, { name: 'vote' }, { name: 'board', of: 20 }],
  turns: Array.from({ length: 20 }, () => 2),
  limits: {},
  isOwn: true,
};

/** The time at which the evaluation starts, in milliseconds since 1970. */
export const START_MS = Date.parse('2026-03-01T10:00:00Z');

/**
 * Returns the news of an answer of an arm to the item with the index `turn`. The answer is complete and without
 * an error unless `more` says otherwise. For the arm `single`, a `sample` above 0 makes it an additional answer
 * that only the vote uses.
 */
export function makeAnswer(
  arm: 'single' | 'board',
  turn: number,
  more: Partial<AnswerNews> & { readonly sample?: number } = {},
): AnswerNews {
  const { sample = 0, ...rest } = more;
  const isSingle = arm === 'single';
  return {
    id: `${arm} ${turn} ${sample}`,
    run: `run-${arm}-${turn}-${sample}`,
    label: sample === 0 ? arm : `vote ${sample + 1}`,
    arms: isSingle ? (sample === 0 ? ['single', 'vote'] : ['vote']) : ['board'],
    item: `knights-3-1-${turn}`,
    repetition: 1,
    ...(sample === 0 ? { turn } : {}),
    isAlone: isSingle && sample === 0,
    state: 'answered',
    answer: String(turn),
    tokens: isSingle ? 300 : 3_000,
    usd: isSingle ? 0.002 : 0.02,
    calls: 0,
    resent: 0,
    isOld: false,
    ...rest,
  };
}

/**
 * Returns an evaluation in which the single model has ended ten answers, one of them unreadable, and the board
 * nine, one of them failed. Three more answers are running: two of the board and one of the single model.
 */
export function makeAnswers(head: EvaluationHead = EVALUATION_HEAD): EvaluationModel {
  const model = new EvaluationModel(head, START_MS);
  for (let turn = 0; turn < 9; turn += 1) {
    model.tell(
      makeAnswer('single', turn, turn === 4 ? { state: 'unreadable', answer: undefined } : {}),
    );
    const failed = { state: 'failed', answer: undefined, reason: 'overloaded', usd: null } as const;
    model.tell(makeAnswer('board', turn, turn === 7 ? { ...failed, tokens: 900 } : {}));
  }
  model.tell(makeAnswer('single', 9));
  const running = { state: 'running', answer: undefined, tokens: 1_100, usd: 0.007 } as const;
  model.tell(makeAnswer('board', 9, { ...running, calls: 1, resent: 1 }));
  model.tell(makeAnswer('board', 10, { ...running, calls: 3, tokens: 0, usd: null }));
  model.tell(makeAnswer('single', 10, { ...running, calls: 1, tokens: 0, usd: null }));
  return model;
}

/** An open screen of an evaluation, with the means to read it and to type. */
export interface OpenedEvaluation {
  /** The screen on which the evaluation is drawn. */
  readonly screen: TestScreen;
  /** The open screen as the program uses it: to redraw it, to close it and to wait for its end. */
  readonly opened: OpenEvaluation;
  /** What the screen asked for, in order, such as `stop`, `export m`, or `copy 120` for 120 characters. */
  readonly done: string[];
  /** Types each argument as a chunk of its own, and waits until the screen is settled. */
  press(...chunks: string[]): Promise<void>;
}

/**
 * Opens the screen of an evaluation on a terminal for tests. Exports and copies are only noted in `done`. A
 * stop is noted there, too, and makes the evaluation wait for three answers.
 */
export function openEvaluationScreen(
  model: EvaluationModel,
  {
    columns = 80,
    rows = 24,
    env = { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    keys = {},
    passed = 72_000,
  }: {
    columns?: number;
    rows?: number;
    env?: Record<string, string>;
    keys?: Record<string, string>;
    /** Milliseconds since the start of the evaluation, which the screen shows. */
    passed?: number;
  } = {},
): OpenedEvaluation {
  const screen = new TestScreen(columns, rows);
  const keyboard = new TestKeyboard();
  const done: string[] = [];
  const opened = openEvaluation({
    model,
    outside: {
      copy: (text) => {
        done.push(`copy ${text.length}`);
        return Promise.resolve('pbcopy');
      },
    },
    exports: ['m', 'h', 'i', 'w'].map((key) => ({
      key,
      label: `Form ${key}`,
      about: 'to send',
      write: () => {
        done.push(`export ${key}`);
        return Promise.resolve(`/tmp/report.${key}`);
      },
    })),
    stop: () => {
      done.push('stop');
      model.stand({ kind: 'stopping', waits: 3 }, START_MS + passed);
    },
    screen,
    stdin: keyboard as unknown as NodeJS.ReadStream,
    env,
    keys,
    now: () => START_MS + passed,
  });
  return {
    screen,
    opened,
    done,
    press: async (...chunks) => {
      await keyboard.waitForReader();
      for (const chunk of chunks) {
        keyboard.write(chunk);
        await waitForKey();
      }
      await screen.settled();
    },
  };
}
