/**
 * What was said in a step and in all below it, or told by a fact: laid out for reading, and as it came.
 * All of it was cleaned when it arrived.
 */
import { KERNEL } from '../../../kernel/facts.ts';
import { hint } from '../../../kernel/hints.ts';
import { shownModel } from '../../../kernel/providers/spec.ts';
import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { formatRecord } from '../../../text/answers/answer.ts';
import { formatMs, plural } from '../../../text/numbers.ts';
import type { LogLine, RunModel } from '../../model/run-model.ts';
import type { ReadText } from './page.ts';

/** `title`: who says it; absent: the step itself. */
export function readStep(runModel: RunModel, key: string, title?: string): ReadText {
  const calls = Object.values(runModel.view.calls).filter(({ step }) => isBelow(step, key));
  return readCalls(runModel, calls, key, title);
}

/** Calls in their order; several stand under a heading each. */
export function readCalls(
  runModel: RunModel,
  calls: readonly CallView[],
  key: string,
  title = key,
): ReadText {
  const [only] = calls;
  if (only === undefined) return readLines(runModel, key, title);
  if (calls.length === 1)
    return {
      name: only.step,
      title: [title, ...facts(only)].join(' · '),
      markdown: words(runModel, only),
      raw: record(only),
    };
  const under = (text: (call: CallView) => string): string =>
    calls
      .map((call) => `# ${[call.step, ...facts(call)].join(' · ')}\n\n${text(call)}`)
      .join('\n\n');
  return {
    name: key,
    title: `${title} · ${plural(calls.length, 'call')}`,
    markdown: under((call) => words(runModel, call)),
    raw: under(record),
  };
}

/** A line of the log. */
export function readFact(runModel: RunModel, { fact, summary }: LogLine): ReadText {
  const { run: _run, seq, at, type, v: _v, step, ...body } = fact;
  const isBegun = type === 'step.started' && step !== undefined && step in runModel.view.calls;
  const laid = isBegun ? readStep(runModel, step).markdown : factWords(runModel, fact, body);
  return {
    name: `fact-${seq}`,
    title: [type, step, `${at.slice(11, 19)} UTC`].filter(Boolean).join(' · '),
    markdown: laid.trim() === '' ? summary || '_Nothing more._' : laid,
    raw: verbatim(JSON.stringify(fact, null, 2)),
  };
}

/** Its text first, the rest by its names. */
function factWords(runModel: RunModel, fact: AnyFact, body: Record<string, unknown>): string {
  const { text, value, thinking: _thinking, ...rest } = body;
  const said =
    value !== undefined && value !== null
      ? runModel.reads(fact.step ?? '', value)
      : typeof text === 'string'
        ? text
        : '';
  const others = formatRecord(rest);
  return said.trim() === '' ? others : `${said.trim()}\n\n---\n\n${others}`;
}

/** A step that asks no model has no words but those of the log. */
function readLines(runModel: RunModel, key: string, title: string): ReadText {
  const lines = runModel.log.filter(({ step }) => isBelow(step, key));
  return {
    name: key,
    title,
    markdown: lines
      .map(({ at, type, summary, fact }) => `${row(at, type, summary)}${resultOf(fact)}`)
      .join('\n'),
    raw: verbatim(lines.map(({ fact }) => JSON.stringify(fact, null, 2)).join('\n')),
  };
}

/** What a tool found is read with it. */
function resultOf(fact: AnyFact): string {
  const one = KERNEL.own(fact);
  return one?.type === 'tool.called' && !one.refused ? `\n\n${verbatim(one.text)}\n` : '';
}

function row(at: string, type: string, summary: string): string {
  return `- ${at.slice(11, 19)} ${type}${summary === '' ? '' : `: ${summary}`}`;
}

/** What a call said, as people read it, and how it ended where it did not end well. */
function words(runModel: RunModel, call: CallView): string {
  const { step, state, message, next } = call;
  const stream = runModel.speaking(step);
  const said = (stream?.text.text ?? runModel.said(step)).trim();
  const why = [message, next && hint(next)]
    .filter((one) => one !== undefined && one !== '')
    .join(' ');
  const END: Readonly<Record<CallView['state'], string>> = {
    running: said === '' ? 'No answer yet.' : '',
    done: said === '' ? 'Empty answer.' : '',
    failed: `✗ ${why || 'failed'}`,
    stopped: said === '' ? '■ stopped before the first word' : '■ stopped: the text is partial',
    lost: '✗ lost: the program ended during this call',
  };
  return [said, END[state]].filter((one) => one !== '').join('\n\n');
}

/** Everything that is on record of a call; texts are not escaped. */
function record({ text, thinking, value, ...rest }: CallView): string {
  return [
    ...(text === '' ? [] : [verbatim(text)]),
    ...(text !== '' || value === undefined || value === null ? [] : [verbatim(pretty(value))]),
    ...(thinking === '' ? [] : ['Thinking', verbatim(thinking)]),
    verbatim(pretty(rest)),
  ].join('\n\n');
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** `claude-haiku-4-5`, `4.3s` */
function facts({ model, state, latencyMs }: CallView): string[] {
  return [shownModel(model), ...(state === 'done' ? [formatMs(latencyMs)] : [state])];
}

/** As a block of code, which no backticks in it can end. */
function verbatim(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function isBelow(step: string, key: string): boolean {
  return step === key || step.startsWith(`${key}/`);
}
