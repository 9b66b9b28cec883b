/**
 * Renders what seats were told: their briefs, and every prompt as it was sent. A part with which several
 * prompts begin is written once; if there is too much for one file, the rest is listed and left out.
 */

import { KERNEL } from '../kernel/facts.ts';
import type { Prompt } from '../kernel/journal.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { type Block, makeFoldedSection, makeVerbatim } from '../plain/blocks.ts';
import { getSeatTitle } from '../plain/naming.ts';
import { formatCount } from '../text/numbers.ts';

/** The most characters of all prompts, so that the file of a long run stays below a megabyte. */
const MOST = 150_000;

/**
 * Returns the blocks that show the seats' briefs and the stored prompt of each call that the run itself made,
 * folded at first. A text that an earlier prompt contains is not repeated. A prompt that would bring the texts
 * of all prompts above 150,000 characters is left out, and the last block says how many were.
 *
 * @param prompts the stored prompts, by the id of the attempt at a call
 */
export function formatPrompts(
  facts: readonly AnyFact[],
  view: RunView,
  prompts: ReadonlyMap<string, Prompt>,
): Block[] {
  const briefs = view.seats.filter(({ brief }) => brief.trim() !== '');
  return [
    ...(briefs.length === 0
      ? []
      : [
          makeFoldedSection(
            'The briefs of the seats',
            ...briefs.map(({ title, brief }) => makeFoldedSection(title, makeVerbatim(brief))),
          ),
        ]),
    ...promptList(facts, view, prompts),
  ];
}

function promptList(
  facts: readonly AnyFact[],
  view: RunView,
  prompts: ReadonlyMap<string, Prompt>,
): Block[] {
  const shownIn = new Map<string, string>();
  const blocks: Block[] = [];
  let left = 0;
  let room = MOST;
  for (const fact of facts.filter(KERNEL.owns)) {
    if (fact.type !== 'step.started' || fact.kind !== 'call') continue;
    const prompt = prompts.get(fact.attempt);
    if (prompt === undefined) continue;
    const { step, seat = '' } = fact;
    const own: string[] = [];
    const texts = textsOf(prompt, (text) => {
      const where = shownIn.get(text) ?? (own.includes(text) ? step : undefined);
      if (where === undefined) own.push(text);
      return where;
    });
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    if (size > room) {
      left += 1;
      continue;
    }
    for (const text of own) shownIn.set(text, step);
    room -= size;
    blocks.push(
      makeFoldedSection(`${getSeatTitle(seat, view)}: ${step}`, ...texts.map(makeVerbatim)),
    );
  }
  if (left > 0)
    blocks.push(
      `${formatCount(left, 'prompt')} left out: this page would be too long. The view \`calls\` of the database has them in its column \`conversation\`.`,
    );
  return blocks;
}

/**
 * Returns the texts of a prompt.
 * @param known the step whose prompt contained the common part; undefined if none did
 */
function textsOf(
  { system, messages }: Prompt,
  known: (text: string) => string | undefined,
): string[] {
  const parts = [
    ...(system === '' ? [] : [{ who: 'system', text: system }]),
    ...messages.flatMap(({ role, parts: all }) => all.map((text) => ({ who: role, text }))),
  ];
  return parts.map(({ who: role, text }) => {
    const where = known(text);
    return where === undefined ? `[${role}]\n${text}` : `[${role}] as in ${where}`;
  });
}
