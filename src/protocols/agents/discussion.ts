/**
 * Formats the discussion of a team for its members and supervisor. In a discussion that is too
 * long, the earliest messages are shortened, and a note in the text says so. The same messages
 * always give the same text, so that a replay sends the same prompt.
 */
import { estimateTokens } from '../../kernel/tokens.ts';
import type { Attachment } from '../../text/documents/attachment.ts';
import { encloseAnswer } from '../common/prompts/attached.ts';
import { encloseInTags } from '../common/prompts/fence.ts';

/** A message in a team's discussion. */
export interface TeamMessage {
  /** The round of the discussion, from 1. */
  readonly cycle: number;
  readonly from: string;
  readonly by: 'member' | 'supervisor';
  readonly text: string;
  /** Whether the member failed; `text` then gives the reason. */
  readonly failed: boolean;
}

/** The text of a discussion, shortened if necessary. */
interface Discussion {
  readonly text: string;
  /** The number of the last shortened message, from 1. Messages before it may be complete. 0 if all are. */
  readonly shortened: number;
  /** Estimated tokens of the whole discussion and of this text. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/**
 * How many characters of an early message are kept in the first step of shortening. In the second
 * step, the message is replaced by a note.
 */
const SHORT = 400;

/**
 * Formats a team's discussion as text, and shortens messages if the text is too long: early ones first, those of the
 * last round only if that does not suffice. The text may still be too long then.
 * @param nonce the random part of the fence's name, which messages cannot guess
 * @param most the limit in estimated tokens
 * @param attachments the documents that messages may cite
 */
export function formatDiscussion(
  said: readonly TeamMessage[],
  nonce: string,
  most: number,
  attachments: readonly Attachment[] = [],
): Discussion {
  const whole = said.map((message) => messageOf(message, nonce, attachments));
  const tokensBefore = tokensOf(whole);
  const last = said.at(-1)?.cycle ?? 0;
  const shown = [...whole];
  let shortened = 0;
  // If a team's discussion does not fit into a prompt, messages of its last cycle (round) are shortened only after
  // all others, because whoever speaks next replies to the last cycle.
  const passes = [
    { shorten: shortForm, ofLast: false },
    { shorten: traceOf, ofLast: false },
    { shorten: shortForm, ofLast: true },
  ];
  for (const { shorten, ofLast } of passes)
    for (const [index, message] of said.entries()) {
      if (tokensOf(shown) <= most) break;
      if ((message.cycle === last) !== ofLast) continue;
      const shorter = shorten(message, nonce, attachments);
      if (shorter.length >= (shown[index]?.length ?? 0)) continue;
      shown[index] = shorter;
      shortened = Math.max(shortened, index + 1);
    }
  const note =
    shortened === 0
      ? []
      : [
          `[The first ${shortened} messages are shortened here: the whole discussion does not fit.]`,
        ];
  const text = [...note, ...byCycle(said, shown)].join('\n\n');
  return { text, shortened, tokensBefore, tokensAfter: tokensOf(shown) };
}

function byCycle(said: readonly TeamMessage[], shown: readonly string[]): string[] {
  return shown.flatMap((text, index) => {
    const cycle = said[index]?.cycle;
    return cycle === said[index - 1]?.cycle ? [text] : [`### Cycle ${cycle}`, text];
  });
}

function messageOf(
  message: TeamMessage,
  nonce: string,
  attachments: readonly Attachment[],
): string {
  const from = nameOf(message);
  return message.failed
    ? encloseInTags('answer', nonce, from, `[No message: ${message.text}]`)
    : encloseAnswer('answer', nonce, { from, text: message.text }, attachments);
}

function shortForm(
  message: TeamMessage,
  nonce: string,
  attachments: readonly Attachment[],
): string {
  const text = message.text.trim();
  if (message.failed || text.length <= SHORT) return messageOf(message, nonce, attachments);
  return encloseInTags('answer', nonce, nameOf(message), `${text.slice(0, SHORT)} … [shortened]`);
}

function traceOf(message: TeamMessage): string {
  return `${nameOf(message)} spoke in cycle ${message.cycle} [left out].`;
}

function nameOf({ from, by }: TeamMessage): string {
  return by === 'supervisor' ? `the supervisor, ${from}` : from;
}

function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
