/** Writes the table of `npm run real` as Markdown. */
import type { CallFigures } from './figures.ts';
import type { CommandEnd } from './session.ts';
import type { ReportedFinding } from './statuses.ts';

/** The result of one row of the table, which is a list of commands run with one server and model. */
export interface RowResult {
  readonly name: string;
  /** The server and the model, such as `ollama, smollm2-135m`. */
  readonly on: string;
  /** How each of the commands ended. */
  readonly ended: readonly CommandEnd[];
  readonly figures: CallFigures;
  /** The sums of `--estimate`, or why there are none; empty if the command has no such flag. */
  readonly estimate: string;
  /** What the runs reported as established, such as claims that were decided, by kind. */
  readonly reported: ReadonlyMap<string, readonly ReportedFinding[]>;
}

/** Matches words that no person should read, which show an error of the program itself. */
const DEFECT =
  /\b(?:TypeError|ReferenceError|RangeError|SyntaxError|UnhandledPromise|at \S+ \(file:|undefined is not)\b/;
/** Matches the sentence of a run in which every seat's answer was empty. */
const ONLY_EMPTY = /failed: no advisor answered \((?:[\w-]+: empty answer(?:; )?)+\)/;
/** The most characters of a sentence, and of a text that something rests on. */
const [SENTENCE, RESTS] = [160, 900];

const HEAD = [
  'row',
  'on',
  'ended',
  'last sentence',
  'calls',
  'asked again',
  'refused',
  'failed',
  'prompt tokens: counted',
  'our estimate',
  'after correction',
  'said',
  's',
  'estimated before',
];

/** Formats the table of `npm run real` as Markdown, a line per command, and then what each row reported. */
export function formatTable(results: readonly RowResult[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...results.flatMap(rowsOf)];
  return [
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...results.flatMap(formatReported),
  ].join('\n');
}

function rowsOf(result: RowResult): string[][] {
  const { name, on, ended, figures, estimate } = result;
  return ended.map((command, index) => {
    const isLast = index === ended.length - 1;
    return [
      ended.length === 1 ? name : `${name} (${command.args[0]})`,
      on,
      command.note?.includes('\n') === false ? `${command.code}, ${command.note}` : command.code,
      formatCell(lastSentence(command)),
      ...(isLast ? formatFigures(figures) : Array.from({ length: 8 }, () => '')),
      command.seconds.toFixed(0),
      isLast ? formatCell(estimate) : '',
    ];
  });
}

function formatFigures(figures: CallFigures): string[] {
  const { calls, askedAgain, refused, failed, counted, estimated, corrected, tokensOut } = figures;
  const off = counted === 0 ? '' : ` (${formatSigned(estimated / counted - 1)})`;
  return [
    ...[calls, askedAgain, refused, failed, counted].map(String),
    `${estimated}${off}`,
    corrected === undefined
      ? ''
      : `${formatSigned(corrected[0] - 1)} to ${formatSigned(corrected[1] - 1)}`,
    String(tokensOut),
  ];
}

function formatSigned(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)} %`;
}

/**
 * Returns whether a command ended well. Its output must show no error of the program itself, and its exit code
 * must be 0. Exit code 1 is also good if the run failed because every seat's answer was empty.
 */
export function isGood(ended: CommandEnd): boolean {
  const sentence = lastSentence(ended);
  if (sentence.startsWith('DEFECT')) return false;
  return ended.code === '0' || (ended.code === '1' && ONLY_EMPTY.test(sentence));
}

/**
 * Returns the last line with a letter that a command wrote: on its last screen, else to standard error, else to
 * standard output; `nothing` if no line has a letter. If the output shows an error of the program itself, returns
 * `DEFECT: ` and the line with the error.
 */
export function lastSentence({ out, err, note }: CommandEnd): string {
  const defect = `${err}\n${out}`.split('\n').find((line) => DEFECT.test(line));
  if (defect !== undefined) return `DEFECT: ${defect}`;
  // If a command ran in a terminal, its note has several lines: the screens that it showed, the latest one last.
  const lines = (note?.includes('\n') === true ? note : err || out).split('\n');
  return lines.map((line) => line.trim()).findLast((line) => /\p{L}/u.test(line)) ?? 'nothing';
}

function formatReported({ name, on, reported }: RowResult): string[] {
  if (reported.size === 0) return [];
  const items = [...reported].flatMap(([kind, found]) => [
    `- **${kind}**`,
    ...found.map(
      ({ what, rests }) => `  - ${formatCell(what, RESTS)} — rests on: ${formatCell(rests, RESTS)}`,
    ),
  ]);
  return [`## ${name}, ${on}`, '', ...items, ''];
}

function formatCell(text: unknown, most = SENTENCE): string {
  const line = String(text ?? '')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()} …`;
}
