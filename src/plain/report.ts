/** A run as Markdown: what `show` prints and `export` writes, fit to send to a colleague. */
import { interrupted, type RunView } from '../kernel/view.ts';
import { isBallot } from '../records/votes.ts';
import { formatMs, formatTokens, formatUsd } from '../text/figures.ts';
import { sanitise } from '../text/sanitise.ts';
import { absence, legend, line, REHEARSAL, seatHeading, synthesisHeading } from './naming.ts';

/** `status` says more than the log can: `interrupted` where the run's process died. */
export function report(known: RunView, status: string = known.status): string {
  const view = status === 'interrupted' ? interrupted(known) : known;
  return `${[
    `# ${line(view.question)}`,
    facts(view, status),
    ...(view.rehearsal ? [`**${REHEARSAL}**`] : []),
    ...(line(view.question) === view.question.trim() ? [] : ['## Question', quoted(view.question)]),
    ...syntheses(view),
    ...answers(view),
    '## Costs',
    costs(view),
  ].join('\n\n')}\n`;
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

function syntheses(view: RunView): string[] {
  if (view.syntheses.length === 0) return ['## Synthesis', 'There is none.'];
  return view.syntheses.toReversed().flatMap((synthesis) => {
    const names = legend(synthesis, view);
    return [
      `## ${synthesisHeading(synthesis, view)}`,
      `Written by ${line(synthesis.model)}.${names ? ` ${names}` : ''}`,
      ...(synthesis.note === undefined ? [] : [`Asked for: ${line(synthesis.note)}`]),
      ...(synthesis.missing.length === 0
        ? []
        : [`Headings it lacks: ${synthesis.missing.map(line).join(', ')}.`]),
      nested(synthesis.text),
    ];
  });
}

function answers(view: RunView): string[] {
  return view.seats.flatMap((seat) => {
    const call = Object.entries(view.calls).find(
      ([step, one]) => one.seat === seat.id && !isBallot(step),
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
