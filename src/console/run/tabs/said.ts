/**
 * Collects the output of a step and all steps below it, or the content of a fact: laid out for reading, and as
 * it arrived. Everything was cleaned when it arrived.
 */
import { KERNEL } from '../../../kernel/facts.ts';
import { formatHint } from '../../../kernel/hints.ts';
import { shownModel } from '../../../kernel/providers/spec.ts';
import type { CallView } from '../../../kernel/view.ts';
import type { AnyFact } from '../../../kernel/vocabulary.ts';
import { formatRecord } from '../../../text/answers/answer.ts';
import { formatCount, formatMs } from '../../../text/numbers.ts';
import type { LogLine, RunModel } from '../../model/run-model.ts';
import type { ReadText } from './page.ts';

/**
 * Returns the output of all calls of a step and of the steps below it as one text to read. If there are no
 * calls, the text lists the facts of these steps.
 *
 * @param key the key of the step
 * @param title the heading, usually who wrote it; default: the key
 */
export function readStep(runModel: RunModel, key: string, title?: string): ReadText {
  const calls = Object.values(runModel.view.calls).filter(({ step }) => isBelow(step, key));
  return readCalls(runModel, calls, key, title);
}

/**
 * Returns the output of calls as one text to read; if there are several, with a heading for each. If `calls`
 * is empty, the text lists the facts of the step `key` and of the steps below it instead.
 *
 * @param key the key of the step to which the calls belong
 */
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
      title: [title, ...formatCallFacts(only)].join(' · '),
      markdown: formatCall(runModel, only),
      raw: formatCallJson(only),
    };
  const formatCalls = (text: (call: CallView) => string): string =>
    calls
      .map((call) => `# ${[call.step, ...formatCallFacts(call)].join(' · ')}\n\n${text(call)}`)
      .join('\n\n');
  return {
    name: key,
    title: `${title} · ${formatCount(calls.length, 'call')}`,
    markdown: formatCalls((call) => formatCall(runModel, call)),
    raw: formatCalls(formatCallJson),
  };
}

/** Returns a fact as a text to read; for a fact with which a call began, the output of that call. */
export function readFact(runModel: RunModel, { fact, summary }: LogLine): ReadText {
  const { run: _run, seq, at, type, v: _v, step, ...body } = fact;
  const isBegun = type === 'step.started' && step !== undefined && step in runModel.view.calls;
  const laid = isBegun ? readStep(runModel, step).markdown : factWords(runModel, fact, body);
  return {
    name: `fact-${seq}`,
    title: [type, step, `${at.slice(11, 19)} UTC`].filter(Boolean).join(' · '),
    markdown: laid.trim() === '' ? summary || '_Nothing more._' : laid,
    raw: toCodeBlock(JSON.stringify(fact, null, 2)),
  };
}

/** Formats a fact: its text first, then the other fields by name. */
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

/** Returns the log lines of a step that calls no model. */
function readLines(runModel: RunModel, key: string, title: string): ReadText {
  const lines = runModel.log.filter(({ step }) => isBelow(step, key));
  return {
    name: key,
    title,
    markdown: lines
      .map(({ at, type, summary, fact }) => `${formatRow(at, type, summary)}${resultOf(fact)}`)
      .join('\n'),
    raw: toCodeBlock(lines.map(({ fact }) => JSON.stringify(fact, null, 2)).join('\n')),
  };
}

/** Returns the result of a tool, which is read together with its call. */
function resultOf(fact: AnyFact): string {
  const kernelFact = KERNEL.own(fact);
  return kernelFact?.type === 'tool.called' && !kernelFact.refused
    ? `\n\n${toCodeBlock(kernelFact.text)}\n`
    : '';
}

function formatRow(at: string, type: string, summary: string): string {
  return `- ${at.slice(11, 19)} ${type}${summary === '' ? '' : `: ${summary}`}`;
}

/** Formats the output of a call and, unless it succeeded, how it ended. */
function formatCall(runModel: RunModel, call: CallView): string {
  const { step, state, message, next } = call;
  const stream = runModel.speaking(step);
  const said = (stream?.text.text ?? runModel.said(step)).trim();
  const why = [message, next && formatHint(next)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const END: Readonly<Record<CallView['state'], string>> = {
    running: said === '' ? 'No answer yet.' : '',
    done: said === '' ? 'Empty answer.' : '',
    failed: `✗ ${why || 'failed'}`,
    stopped: said === '' ? '■ stopped before the first word' : '■ stopped: the text is partial',
    lost: '✗ lost: the program ended during this call',
  };
  return [said, END[state]].filter((part) => part !== '').join('\n\n');
}

/** Formats everything recorded of a call, with texts unescaped. */
function formatCallJson({ text, thinking, value, ...rest }: CallView): string {
  return [
    ...(text === '' ? [] : [toCodeBlock(text)]),
    ...(text !== '' || value === undefined || value === null
      ? []
      : [toCodeBlock(formatValue(value))]),
    ...(thinking === '' ? [] : ['Thinking', toCodeBlock(thinking)]),
    toCodeBlock(formatValue(rest)),
  ].join('\n\n');
}

function formatValue(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns model, state and time of a call: `claude-haiku-4-5`, `4.3s`. */
function formatCallFacts({ model, state, latencyMs }: CallView): string[] {
  return [shownModel(model), ...(state === 'done' ? [formatMs(latencyMs)] : [state])];
}

/** Returns a code block whose fence is longer than any in the text. */
function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function isBelow(step: string, key: string): boolean {
  return step === key || step.startsWith(`${key}/`);
}
