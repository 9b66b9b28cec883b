/** Shows runs of users' own protocols without a console; the protocol need not be installed. */
import { type AnyFact, formatFactBody } from '../../kernel/vocabulary.ts';
import { diffRuns, formatListDiff, formatRunDiffParts, joinDiffParts } from '../../plain/diff.ts';
import {
  COMMON_TEXT,
  type ProtocolText,
  type RecordedRun as Run,
  toProgress,
} from '../../plain/protocol-text.ts';
import { makeComparer } from '../../record-kinds/diff.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { SDK } from '../facts.ts';
import { type SdkView, sdkViewOf } from '../fold.ts';
import { recordedIn } from '../recorded.ts';
import { compareRecorded } from './recorded.ts';

/** How a run of a user's own protocol is shown as plain text. */
export const OWN_TEXT: ProtocolText = {
  ...COMMON_TEXT,
  teller: () => ({
    tell: (fact, { title }) => wordsOf(fact, title).map((said) => toProgress(toLine(said))),
    above: () => [],
  }),
  diff: diffOwn,
};

/** Returns lines of progress; the outcome follows as the conclusion. */
function wordsOf(any: AnyFact, title: (seat: string) => string): string[] {
  const fact = SDK.own(any);
  switch (fact?.type) {
    case 'figure.shown':
      return [`Figure: ${fact.figure.title}`];
    case 'entry.added':
      return [
        `${fact.id}${fact.by === '' ? '' : ` by ${title(fact.by)}`}: ${fact.text}${fact.unquoted === undefined ? '' : ' (its quotation was not found)'}`,
      ];
    case 'entry.marked':
      return [`${fact.id} is ${fact.status}${fact.why === '' ? '' : `: ${fact.why}`}`];
    case 'items.grouped':
      return [`${fact.items.length} ${fact.of} in ${formatCount(fact.groups.length, 'group')}`];
    case 'method.chosen':
      return [`Method: ${fact.method} (${fact.reason})`];
    default: {
      const said = formatFactBody(any);
      return said === undefined ? [] : [`${any.type}: ${said}`];
    }
  }
}

/** Compares two runs: their panels and conclusions, the entries of their ledgers, and what they recorded. */
function diffOwn(before: Run, after: Run): ReturnType<ProtocolText['diff']> {
  const run = diffRuns(before.view, after.view);
  const entries = compareEntries(sdkViewOf(before.facts), sdkViewOf(after.facts));
  const records = compareRecorded(recordedIn(before.facts), recordedIn(after.facts));
  return {
    found: { ...run, entries, records },
    text: joinDiffParts([
      ...formatRunDiffParts(run),
      ...formatListDiff('Entries', entries),
      ...records.flatMap(({ name, compared }) => formatListDiff(name, compared)),
    ]),
  };
}

const compareEntries = makeComparer({
  all: ({ ledgers }: SdkView) =>
    ledgers.flatMap(({ name, entries }) =>
      entries.map((entry) => ({ ...entry, id: `${name} ${entry.id}` })),
    ),
  id: ({ id }) => id,
  compared: ({ text, status, why }) => ({ text, status, why }),
  sentence: ({ text, status }) => `${text} (${status})`,
});
