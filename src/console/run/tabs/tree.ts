/** The tab Tree: all steps, as a tree of the parts of their keys, with what they took. */
import { formatMs, formatTokens } from '../../../text/numbers.ts';
import type { RunModel } from '../../model/run-model.ts';
import type { StepView } from '../../model/steps.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Copyable } from '../copyable.ts';
import { formatCallCost, OutlinePage } from './outline.ts';
import type { Page, PageAround } from './page.ts';
import { readStep } from './said.ts';

interface Node {
  /** The whole key up to this node. */
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly children: Map<string, Node>;
  /** Absent if the key is only a prefix of other keys. */
  step?: StepView;
  /** The sum over the step and everything below it. */
  sum: {
    /** The steps with calls of this run. Calls that a fork copied count nowhere. */
    called: number;
    tokens: number;
    costUsd: number;
    unpriced: number;
    onPlan: number;
    estimated: boolean;
    running: number;
    failed: number;
  };
}

const SIGNS: Readonly<Record<StepView['state'], string>> = {
  running: '▮',
  done: '✓',
  failed: '✗',
  stopped: '■',
  lost: '✗',
};

/** Words for parts of keys that people read differently; recorded keys cannot change. */
const WORDS: ReadonlyMap<string, string> = new Map([['heed', 'notes']]);

/** Formats a key: `round-2/heed` becomes `round-2/notes`. */
function formatKey(key: string, runModel: RunModel): string {
  return key
    .split('/')
    .map((part) => WORDS.get(part) ?? runModel.partWords(part))
    .join('/');
}

/** Creates the page of the tab Tree, with all steps of the run. */
export function stepsPage(around: PageAround): Page {
  const { runModel } = around;
  const listUnfolded = (nodes: ReadonlyMap<string, Node>, folded: ReadonlySet<string>): Node[] =>
    [...nodes.values()].flatMap((node) => [
      node,
      ...(folded.has(node.key) ? [] : listUnfolded(node.children, folded)),
    ]);
  const getBranch = ({ key, children }: Node): string | undefined =>
    children.size === 0 ? undefined : key;
  const findCopyable = ({ key }: Node): Copyable | undefined => {
    const markdown = runModel.said(key);
    return markdown.trim() === ''
      ? undefined
      : { name: key, title: `Call ${formatKey(key, runModel)}`, markdown };
  };
  return new OutlinePage<Node>(around, {
    name: 'Steps',
    head: ['step', 'time', 'tokens', 'cost', 'tries'],
    version: () => runModel.steps.version,
    lines: (query, folded) => listUnfolded(treeOf(runModel, query), folded),
    branch: getBranch,
    runs: ({ step }) => step?.state === 'running',
    row: (node, folded, { now }) => rowOf(node, folded, runModel, now),
    tinted: tintRow,
    copyable: findCopyable,
    read: ({ key }) => readStep(runModel, key, formatKey(key, runModel)),
  });
}

function rowOf(
  { key, step, sum, name, depth, children }: Node,
  folded: boolean,
  runModel: RunModel,
  now: number,
): { text: string; figures: readonly string[] } {
  const running = step?.state === 'running' || sum.running > 0;
  const sign = running ? '▮' : step !== undefined ? SIGNS[step.state] : sum.failed > 0 ? '✗' : '✓';
  const below = folded ? ` +${children.size}` : '';
  const taken = step === undefined ? '' : step.inherited ? ' (reused)' : '';
  const model = step?.kind === 'call' ? `  ${step.model}` : '';
  const found = step?.found === undefined ? '' : `  ${step.found}`;
  const time =
    step === undefined || step.inherited
      ? ''
      : step.state === 'running'
        ? formatMs(Math.floor(Math.max(0, now - step.startedAt) / 1000) * 1000)
        : formatMs(step.tookMs);
  const saying = running ? runModel.spokenBelow(key) : 0;
  const tokens = sum.tokens + saying;
  const spends = sum.called > 0 || tokens > 0;
  return {
    text: `${'  '.repeat(depth)}${sign} ${formatKey(name, runModel)}${below}${taken}${model}${found}`,
    figures: [
      time,
      spends ? formatTokens(tokens, sum.estimated || saying > 0) : '',
      spends ? formatCallCost(sum, sum.estimated) : '',
      step === undefined || step.attempts === 1 ? '' : String(step.attempts),
    ],
  };
}

/** Returns the steps whose keys contain the words, with the branches that lead to them. */
function treeOf(runModel: RunModel, query: string): Map<string, Node> {
  const roots = new Map<string, Node>();
  for (const step of runModel.steps.all.values()) {
    if (query !== '' && !formatKey(step.step, runModel).toLowerCase().includes(query)) continue;
    const parts = step.step.split('/');
    let level = roots;
    for (const [depth, name] of parts.entries()) {
      const key = parts.slice(0, depth + 1).join('/');
      const node: Node = level.get(name) ?? {
        key,
        name,
        depth,
        children: new Map(),
        sum: {
          called: 0,
          tokens: 0,
          costUsd: 0,
          unpriced: 0,
          onPlan: 0,
          estimated: false,
          running: 0,
          failed: 0,
        },
      };
      level.set(name, node);
      node.sum.called += step.kind === 'call' && !step.inherited ? 1 : 0;
      node.sum.tokens += step.tokens;
      node.sum.costUsd += step.costUsd;
      node.sum.unpriced += step.unpriced;
      node.sum.onPlan += step.onPlan;
      node.sum.estimated ||= step.estimated;
      node.sum.running += step.state === 'running' ? 1 : 0;
      node.sum.failed += step.state === 'failed' || step.state === 'lost' ? 1 : 0;
      if (depth === parts.length - 1) node.step = step;
      level = node.children;
    }
  }
  return roots;
}

function tintRow({ step, depth }: Node, row: string, theme: Theme): string {
  if (step?.state === 'failed' || step?.state === 'lost') return theme.tone('red', row);
  if (step?.state === 'stopped') return theme.tone('yellow', row);
  if (step?.state === 'running') return theme.tone('green', row);
  return depth === 0 ? theme.bold(row) : step?.kind === 'work' ? theme.dim(row) : row;
}
