/** A board on a real database, sat on by scripted models; a process that dies is a session that is left. */

import type { ModelRequest, ModelResult, Models } from '../../src/kernel/model.ts';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { type Ending, Session } from '../../src/kernel/session.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { board } from '../../src/protocols/board/board.ts';
import { type BoardView, boardOf } from '../../src/protocols/board/fold.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fact } from '../every-fact.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { answerByDefault, temporaryStore } from '../kernel/desk.ts';
import { makeAnswer, makeSeat, ScriptedModels } from '../kernel/scripted-models.ts';

export const SYNTHESIS =
  '## Consensus\nYes.\n## Points of Agreement\nA.\n## Points of Divergence\nB.\n## Recommendation\nC.';
export const SEATS = [makeSeat('advocate'), makeSeat('critic'), makeSeat('analyst')];

export function makeBallot(option: string, confidence = 0.7): string {
  return `\n\n## Ballot\n- **Position:** ${option}, and soon.\n- **Option:** ${option}\n- **Confidence:** ${confidence}`;
}

/** What a call is for. */
export function taskOf(asked: ModelRequest): string {
  if (asked.seat.id !== 'synthesizer') return asked.seat.id;
  return asked.task.replace('board/', '');
}

type Script = (asked: ModelRequest, task: string) => ModelResult | undefined;

/** Advisors hold what their names say, synthesizers write the four headings; `script` comes first. */
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

export class BoardHarness {
  readonly store: Store = temporaryStore();
  readonly journal = this.store.create('board');
  session!: Session;

  open(models: Models): Session {
    this.session = new Session({
      journal: this.journal,
      models,
      protocol: board as Protocol,
      answer: answerByDefault,
    });
    return this.session;
  }

  begin(models: Models, config: Record<string, unknown> = {}): Promise<Ending> {
    return this.open(models).begin({
      question: 'Should we?',
      seats: SEATS,
      config: { synthesizer: 'test/chair', open: false, seed: 7, attachments: [], ...config },
    });
  }

  get facts(): Fact[] {
    return filterKnownFacts(this.store.facts(this.journal.run));
  }

  get view(): ReturnType<typeof viewOf> {
    return viewOf(this.facts);
  }

  get board(): BoardView {
    return boardOf(this.facts);
  }
}

/** The tasks that models were asked for, in their order. */
export function listAskedTasks({ requests }: ScriptedModels): string[] {
  return requests.map(taskOf);
}
