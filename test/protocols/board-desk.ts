/**
 * Runs a board with scripted models on a real database. A test that leaves a session and opens another one
 * stands for a process that died and one that resumes its run.
 */

import type { ModelRequest, ModelResult, Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { board } from '../../src/protocols/board/board.ts';
import { type BoardView, boardOf } from '../../src/protocols/board/fold.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { stopAtGate, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeSeat, ScriptedModels } from '../kernel/scripted-models.ts';

/** A synthesis with the four headings of a board. */
export const SYNTHESIS =
  '## Consensus\nYes.\n## Points of Agreement\nA.\n## Points of Divergence\nB.\n## Recommendation\nC.';
/** The three seats of the board. */
export const SEATS = [makeSeat('advocate'), makeSeat('critic'), makeSeat('analyst')];

/** Returns the text of a ballot as a seat writes it at the end of an answer. */
export function makeBallot(option: string, confidence = 0.7): string {
  return `\n\n## Ballot\n- **Position:** ${option}, and soon.\n- **Option:** ${option}\n- **Confidence:** ${confidence}`;
}

/**
 * Returns the id of the seat that a request asks. For the synthesizer, returns the request's task without the
 * prefix `board/` instead: `synthesis`, `agreement` (the table of positions) or `comparison`.
 */
export function taskOf(asked: ModelRequest): string {
  if (asked.seat.id !== 'synthesizer') return asked.seat.id;
  return asked.task.replace('board/', '');
}

type Script = (asked: ModelRequest, task: string) => ModelResult | undefined;

/**
 * Returns models that answer with the result of `script`, which gets each request and its `taskOf`. If `script`
 * returns undefined, a seat answers with a ballot for an option named after itself, and the synthesizer with a
 * valid synthesis, an empty table of positions or a valid comparison.
 */
export function makePanel(script: Script = () => undefined): ScriptedModels {
  return new ScriptedModels((asked) => {
    const task = taskOf(asked);
    const own = script(asked, task);
    if (own !== undefined) return own;
    if (task === 'synthesis') return makeAnswer(SYNTHESIS);
    if (task === 'agreement') return makeAnswer('{}', { value: { points: [], same: [] } });
    if (task === 'comparison')
      return makeAnswer('{}', { value: { change: 'course', how: 'It waits.' } });
    return makeAnswer(`${task} holds this and says why.${makeBallot(`Option of ${task}`)}`);
  });
}

/** One run of a board and the session that works on it. */
export class BoardHarness {
  /** A database that is removed when the test ends. */
  readonly store: Store = temporaryStore();
  /** The journal of the run. */
  readonly journal = this.store.create('board');
  /** The newest session; there is none before `open` or `begin`. */
  session!: Session;

  /** Opens a new session for the run, as a new process would, and returns it. */
  open(models: Models): Session {
    this.session = new Session({
      journal: this.journal,
      models,
      protocol: board as Protocol,
      answer: stopAtGate,
    });
    return this.session;
  }

  /**
   * Opens a session and runs the board until it ends or stops. `config` replaces some of the board's
   * settings.
   */
  begin(models: Models, config: Record<string, unknown> = {}): Promise<Ending> {
    return this.open(models).begin({
      question: 'Should we?',
      seats: SEATS,
      config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [], ...config },
    });
  }

  /** Returns the recorded facts. */
  get facts(): Fact[] {
    return filterKnownFacts(this.store.facts(this.journal.run));
  }

  /** Returns the recorded facts, folded to a run. */
  get view(): ReturnType<typeof viewOf> {
    return viewOf(this.facts);
  }

  /** Returns the recorded facts, folded to a board. */
  get board(): BoardView {
    return boardOf(this.facts);
  }
}

/** Returns `taskOf` of all requests that the models got, in their order. */
export function listAskedTasks({ requests }: ScriptedModels): string[] {
  return requests.map(taskOf);
}
