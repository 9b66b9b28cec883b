/** A run as Markdown: what `show` prints and `export` writes, fit to send to a colleague. */
import { type BoardView, EMPTY_BOARD, type QuestionView } from '../kernel/board-view.ts';
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { isBallot } from '../records/votes.ts';
import { formatMs, formatTokens, formatUsd } from '../text/figures.ts';
import { sanitise } from '../text/sanitise.ts';
import {
  agreementTable,
  ballotTable,
  baselineLine,
  influenceTable,
  tallyLine,
  weighedVersions,
} from './board-report.ts';
import { absence, legend, line, REHEARSAL, seatHeading, synthesisHeading } from './naming.ts';

/**
 * `status` says more than the log can: `interrupted` where the run's process died. `board` is what a
 * board has beyond the view that all runs share.
 */
export function report(
  view: RunView,
  status: string = view.status,
  board: BoardView = EMPTY_BOARD,
): string {
  const questions = board.questions.filter(({ number }) => number > 1);
  return `${[
    `# ${line(view.question)}`,
    facts(view, status),
    ...(view.rehearsal ? [`**${REHEARSAL}**`] : []),
    ...(line(view.question) === view.question.trim() ? [] : ['## Question', quoted(view.question)]),
    ...answered(1, view, board),
    ...questions.flatMap(({ number, text }) => [
      `# Question ${number}: ${line(text)}`,
      ...(line(text) === text.trim() ? [] : [quoted(text)]),
      ...answered(number, view, board),
    ]),
    '## Costs',
    costs(view),
  ].join('\n\n')}\n`;
}

/** One question: what it came to, who said what, and what is known of the weight of both. */
function answered(number: number, view: RunView, board: BoardView): string[] {
  const question = board.questions.find((one) => one.number === number);
  const own = view.syntheses.filter((one) => (one.question ?? 1) === number);
  const metered = weighedVersions(board);
  const made = own.filter(({ version }) => metered.has(version));
  return [
    ...syntheses(
      own.filter(({ version }) => !metered.has(version)),
      view,
      board,
      question,
    ),
    ...answers(view, number),
    ...(question === undefined || question.ballots.length === 0
      ? []
      : ['## Ballots', ...ballotTable(question, view)]),
    ...(question?.baselines ?? []).flatMap((one) => [
      `## Baseline: ${one.kind}`,
      baselineLine(one),
      nested(one.text),
    ]),
    ...made.flatMap((one) => [
      `## ${synthesisHeading(one, view)} · made to weigh v${metered.get(one.version)?.base}`,
      nested(one.text),
    ]),
  ];
}

function facts(view: RunView, status: string): string {
  const reason = view.reason === undefined ? '' : ` (${line(view.reason)})`;
  return [
    `- protocol: ${view.protocol}`,
    `- run: ${view.id}`,
    `- started: ${view.startedAt}`,
    `- status: ${status}${reason}`,
    `- panel: ${view.seats.map(seatHeading).join(', ')}`,
  ].join('\n');
}

function syntheses(
  own: readonly SynthesisView[],
  view: RunView,
  board: BoardView,
  question: QuestionView | undefined,
): string[] {
  if (own.length === 0) return ['## Synthesis', 'There is none.'];
  return own.toReversed().flatMap((synthesis) => {
    const names = legend(synthesis, view);
    const agreement = board.agreements[synthesis.version];
    const tally = question === undefined ? undefined : tallyLine(question, view, agreement);
    const weighed = influenceTable(board.influences[synthesis.version] ?? [], view);
    return [
      `## ${synthesisHeading(synthesis, view)}`,
      `Written by ${line(synthesis.model)}.${names ? ` ${names}` : ''}`,
      ...(tally === undefined ? [] : [`**${tally}**`]),
      ...(synthesis.note === undefined ? [] : [`Asked for: ${line(synthesis.note)}`]),
      ...(synthesis.missing.length === 0
        ? []
        : [`Headings it lacks: ${synthesis.missing.map(line).join(', ')}.`]),
      nested(synthesis.text),
      ...(agreement === undefined
        ? []
        : ['### Who holds what', ...agreementTable(agreement, synthesis, view)]),
      ...(weighed.length === 0
        ? []
        : [`### What v${synthesis.version} becomes without each seat`, ...weighed]),
    ];
  });
}

function answers(view: RunView, question: number): string[] {
  const of = (step: string) => Number(/^question-(\d+)\//.exec(step)?.[1] ?? 1) === question;
  return view.seats.flatMap((seat) => {
    const call = Object.entries(view.calls).find(
      ([step, one]) => one.seat === seat.id && !isBallot(step) && of(step),
    )?.[1];
    const missing = absence(call);
    return [
      `## ${seatHeading(seat)}`,
      ...(call && call.text.trim() !== '' ? [nested(call.text)] : []),
      ...(missing === undefined ? [] : [`_${missing}_`]),
      ...(call?.notes.length ? [`Notes: ${call.notes.map(line).join('; ')}`] : []),
    ];
  });
}

function costs(view: RunView): string {
  const rows = Object.values(view.calls).map((call) =>
    [
      line(call.seat),
      line(call.model),
      call.inherited ? `${call.state}, taken over` : call.state,
      formatTokens(call.usage.input),
      formatTokens(call.usage.output),
      call.costUsd === undefined ? 'unknown' : formatUsd(call.costUsd),
      formatMs(call.latencyMs),
      String(call.attempts),
    ].join(' | '),
  );
  const total = `In all ${formatTokens(view.usage.input)} tokens in, ${formatTokens(view.usage.output)} out, ${formatUsd(view.costUsd)}${view.unpriced > 0 ? ` and ${view.unpriced} calls whose price is not known` : ''}; attempts of earlier sittings included${view.parent === undefined ? '' : `, calls taken over from ${view.parent} not`}.`;
  return [
    '| seat | model | state | tokens in | tokens out | cost | time | attempts |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
    '',
    total,
  ].join('\n');
}

/** A model's Markdown below our headings: its own headings move three levels down. */
function nested(text: string): string {
  let fence: string | undefined;
  return sanitise(text)
    .trim()
    .split('\n')
    .map((row) => {
      const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(row)?.[1];
      if (mark !== undefined) {
        if (fence === undefined) fence = mark;
        else if (mark.startsWith(fence)) fence = undefined;
        return row;
      }
      return fence === undefined
        ? row.replace(/^\s{0,3}(#{1,6})(?=\s)/, (_all, marks: string) =>
            '#'.repeat(Math.min(6, marks.length + 2)),
          )
        : row;
    })
    .concat(fence === undefined ? [] : [fence])
    .join('\n');
}

function quoted(text: string): string {
  return sanitise(text)
    .trim()
    .split('\n')
    .map((row) => `> ${row}`)
    .join('\n');
}
