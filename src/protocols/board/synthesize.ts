/** Writes a synthesis: chooses whose answers it contains, under which names, and asks the synthesizer. */

import type { Reply } from '../../kernel/call.ts';
import { shuffleItems } from '../../kernel/chance.ts';
import type { Exclusion } from '../../kernel/facts.ts';
import type { Run } from '../../kernel/handle.ts';
import type { Seat } from '../../kernel/model.ts';
import { isRehearsal } from '../../kernel/providers/spec.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { fitTexts } from '../../text/compact.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { makeEffortSetting } from '../common/asking/thinking.ts';
import { removeConfidence } from './ballots.ts';
import {
  type AnsweredSeat,
  type CollectedAnswer,
  sumUsage,
  type Usage,
} from './collect-answers.ts';
import type { BoardConfig } from './config.ts';
import { type FactBody, fact } from './facts.ts';
import {
  describeBoardRequest,
  HEADINGS,
  type HeardAnswer,
  type HeardBoard,
  synthesisMessages,
} from './prompts.ts';
import type { QuestionContext } from './questions.ts';

/** The answers of a panel, in the order and under the names in which the synthesizer sees them. */
export interface Panel {
  /** The seats that have answered, in the order of the prompt. */
  readonly order: readonly AnsweredSeat[];
  /**
   * The letters that stand for seats in the prompt: `{ A: 'critic' }`. Empty if names are shown.
   */
  readonly labels: Readonly<Record<string, string>>;
  /** The seats whose answers the synthesizer does not see, with the reasons. */
  readonly excluded: readonly Exclusion[];
  /**
   * Whether an invented option is added to the options of the ballots when a model has to group them,
   * to test whether the model reads the options.
   */
  readonly plantedOption: boolean;
  /** The question and answers as the prompt contains them. */
  readonly told: HeardBoard;
  /**
   * Tokens and cost of the answers. The failed calls of seats without an answer are included, except in a panel
   * that leaves out a seat on purpose.
   */
  readonly took: Usage;
}

/**
 * Puts the collected answers into the form for the synthesizer. The answers are shuffled by the run's
 * seed, unless the seats' names are shown.
 */
export function makePanel(
  collected: readonly CollectedAnswer[],
  asked: QuestionContext,
  config: BoardConfig,
): Panel {
  const present = collected.flatMap((answer) => ('text' in answer ? [answer] : []));
  const excluded = collected.flatMap((answer) =>
    'text' in answer ? [] : [{ seat: answer.seat.id, reason: answer.missing }],
  );
  const order = config.open ? present : shuffleItems(present, config.seed, 'synthesis');
  const took = sumUsage(collected.flatMap((answer) => answer.took ?? []));
  return { ...makePanelInOrder(order, excluded, collected.length, asked, config), took };
}

/**
 * Puts the answers into the form for the synthesizer, in the given order. On a board with ballots, the confidence is
 * removed from the answers.
 * @param of the number of seats that the prompt mentions
 */
export function makePanelInOrder(
  order: readonly AnsweredSeat[],
  excluded: readonly Exclusion[],
  of: number,
  asked: QuestionContext,
  config: BoardConfig,
): Panel {
  const heard: HeardAnswer[] = order.map((answer, index) => ({
    name: config.open ? answer.seat.title : `Advisor ${toLetter(index)}`,
    text: config.vote ? removeConfidence(answer.text) : answer.text,
  }));
  return {
    order,
    excluded,
    labels: config.open
      ? {}
      : Object.fromEntries(order.map(({ seat }, index) => [toLetter(index), seat.id])),
    told: {
      question: asked.text,
      heard,
      of,
      seed: config.seed,
      before: asked.before,
      attachments: config.attachments,
    },
    plantedOption: config.plantedOption === true,
    took: sumUsage(order.map((answer) => answer.took)),
  };
}

/** The model of a synthesis and its settings. */
export interface SynthesisOptions {
  readonly model: string;
  /** An instruction by the person. */
  readonly note?: string | undefined;
  /** The model's thinking effort. Ignored if the model does not support it. */
  readonly effort?: string | undefined;
  /** The seed for providers that use one. The prompt does not depend on it. */
  readonly seed: number;
}

/** An answer that was shortened for the synthesizer. */
interface Shortened {
  readonly seat: string;
  /** How many words were left out. */
  readonly words: number;
}

/** The share of the window that is used, because estimates are inexact. */
const FITTING = 0.95;

/**
 * Writes one version of the synthesis, or returns the recorded one. If the answers do not fit into
 * the synthesizer's context window, they are shortened, and the fact of the synthesis says by how much.
 */
export async function synthesize(
  run: Run,
  asked: QuestionContext,
  panel: Panel,
  version: number,
  { model, note, seed, effort }: SynthesisOptions,
): Promise<Reply> {
  const { told, order } = panel;
  const askSynthesizer = (
    step: string,
    heard: readonly HeardAnswer[],
    compacted: readonly Shortened[],
  ): Promise<Reply> => {
    const conclude = (reply: Reply): FactBody[] =>
      reply.status !== 'done'
        ? []
        : [
            fact('synthesis.completed', {
              version,
              model,
              text: reply.text,
              included: order.map((answer) => answer.seat.id),
              excluded: [...panel.excluded],
              labels: { ...panel.labels },
              ...withoutUndefined({ note }),
              missing: findMissingHeadings(reply.text),
              rehearsal: isRehearsal(model),
              ...(compacted.length === 0 ? {} : { compacted: [...compacted] }),
              ...(asked.number === 1 ? {} : { question: asked.number }),
            }),
          ];
    const messages = synthesisMessages({ ...told, heard, note });
    return run.ask(
      step,
      {
        task: 'board/synthesis',
        about: { ...describeBoardRequest({ ...told, heard }), headings: HEADINGS },
        labels: getLetters(panel),
        seat: makeSynthesizerSeat({ model, effort }),
        messages,
        seed,
      },
      { conclude, again: true },
    );
  };
  const step = `synthesis/${version}`;
  const reply = await askSynthesizer(step, told.heard, []);
  if (reply.status !== 'failed' || reply.window === undefined || reply.needs === undefined)
    return reply;
  // The prompt was too long. The recorded failure says by how many tokens, so that a replay shortens the answers
  // by the same amount.
  const said = told.heard.map(({ text }) => text);
  const size = said.reduce((sum, text) => sum + estimateTokens(text), 0);
  const cut = fitTexts(said, size * FITTING - (reply.needs - reply.window), estimateTokens);
  const heard = told.heard.map((answer, at) => ({ ...answer, text: cut[at]?.text ?? '' }));
  const compacted = order.flatMap(({ seat }, at) => {
    const words = cut[at]?.leftOut ?? 0;
    return words > 0 ? [{ seat: seat.id, words }] : [];
  });
  return askSynthesizer(`${step}/compacted`, heard, compacted);
}

/**
 * Returns the seats by the letters that stand for them in the prompt, or undefined if the synthesizer
 * sees the seats' names.
 */
export function getLetters({ labels }: Panel): Panel['labels'] | undefined {
  return Object.keys(labels).length === 0 ? undefined : labels;
}

/**
 * Returns the seat of the synthesizer, which also makes the table of positions, drafts predictions and compares
 * ablations.
 */
export function makeSynthesizerSeat({
  model,
  effort,
}: Pick<SynthesisOptions, 'model' | 'effort'>): Seat {
  const seat = { id: 'synthesizer', role: 'synthesizer', title: 'Synthesizer', model, brief: '' };
  return { ...seat, ...makeEffortSetting(effort) };
}

function toLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Returns which of the four headings a synthesis lacks. Case is ignored. */
export function findMissingHeadings(text: string): string[] {
  const found = new Set(
    [...text.matchAll(/^#{1,6}\s+(.+?)[\s#:*]*$/gm)].map((match) =>
      (match[1] ?? '').replaceAll('*', '').trim().toLowerCase(),
    ),
  );
  return HEADINGS.filter((heading) => !found.has(heading.toLowerCase()));
}
