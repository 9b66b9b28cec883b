/** Tab 5: every step as a tree by the parts of its key, with what it took. */
import { formatMs, formatTokens, formatUsd } from '../../text/figures.ts';
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import { Cursor } from '../cursor.ts';
import type { Command } from '../keymap.ts';
import type { Passage } from '../passage.ts';
import type { Scene } from '../scene.ts';
import type { Steps, StepView } from '../steps.ts';
import type { Theme } from '../theme.ts';
import { passageOfRecord } from './claim-cards.ts';
import type { Page, PageAround } from './page.ts';

interface Node {
  /** The whole key up to here. */
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly children: Map<string, Node>;
  /** Absent where the key is only the beginning of others. */
  step?: StepView;
  /** Of the step and all below it. */
  sum: { tokens: number; costUsd: number; unpriced: number; running: number; failed: number };
}

const SIGNS: Readonly<Record<StepView['state'], string>> = {
  running: '▮',
  done: '✓',
  failed: '✗',
  stopped: '■',
  lost: '✗',
};

export class TreePage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  /** Branches whose steps are not listed. */
  readonly #folded = new Set<string>();
  /** The cursor stands where work goes on, until the person moves it. */
  #follows = true;
  #query = '';
  #changed = 0;
  /** The lines, and which of them runs last; -1: none. */
  #drawn: { key: string; nodes: Node[]; running: number } = { key: '', nodes: [], running: -1 };

  constructor(around: PageAround) {
    this.#around = around;
  }

  get status(): string | undefined {
    return this.#query === '' ? undefined : `Steps with "${this.#query}". Esc shows all.`;
  }

  rows(scene: Scene): string[] {
    const { theme, columns } = scene;
    const height = this.#around.size().rows - 1;
    const nodes = this.#nodes();
    if (this.#follows && this.#drawn.running >= 0) this.#cursor.at = this.#drawn.running;
    const top = this.#cursor.top(nodes.length, height);
    const at = Math.min(this.#cursor.at, nodes.length - 1);
    const head = figuresRow(' ', 'step', ['time', 'tokens', 'cost', 'tries'], columns);
    const rows = nodes.slice(top, top + height).map((node, index) => {
      const row = this.#row(node, scene, top + index === at);
      return top + index === at ? theme.inverse(row) : tinted(theme, node, row);
    });
    while (rows.length < height) rows.push('');
    return [theme.bold(head), ...rows];
  }

  move(command: Command): void {
    this.#follows = false;
    this.#cursor.move(command, this.#nodes().length, this.#around.size().rows - 1);
  }

  /** Folds a branch, or unfolds it. */
  open(): void {
    const node = this.#nodes()[this.#cursor.at];
    if (node === undefined || node.children.size === 0) return;
    if (!this.#folded.delete(node.key)) this.#folded.add(node.key);
    this.#changed += 1;
  }

  /** What the call of the step said. */
  passage(): Passage | undefined {
    const { desk } = this.#around;
    const key = this.#nodes()[this.#cursor.at]?.key ?? '';
    return desk.view.calls[key] && passageOfRecord({ kind: 'call', id: key }, desk);
  }

  back(): boolean {
    if (this.#query === '') return false;
    this.find('');
    return true;
  }

  find(query: string): boolean {
    this.#query = query.toLowerCase();
    this.#changed += 1;
    this.#cursor.at = 0;
    return true;
  }

  /** The lines there are, worked out when a step begins or ends, not once a frame. */
  #nodes(): Node[] {
    const { steps } = this.#around.desk;
    const key = `${steps.version} ${this.#changed}`;
    if (this.#drawn.key !== key) {
      const nodes = this.#unfolded(treeOf(steps, this.#query));
      const running = nodes.findLastIndex(({ step }) => step?.state === 'running');
      this.#drawn = { key, nodes, running };
    }
    return this.#drawn.nodes;
  }

  #unfolded(nodes: ReadonlyMap<string, Node>): Node[] {
    return [...nodes.values()].flatMap((node) => [
      node,
      ...(this.#folded.has(node.key) ? [] : this.#unfolded(node.children)),
    ]);
  }

  #row(node: Node, { columns, now }: Scene, chosen: boolean): string {
    const { step, sum, name, depth, children } = node;
    const running = step?.state === 'running' || sum.running > 0;
    const sign = running
      ? '▮'
      : step !== undefined
        ? SIGNS[step.state]
        : sum.failed > 0
          ? '✗'
          : '✓';
    const folded = children.size > 0 && this.#folded.has(node.key) ? ` +${children.size}` : '';
    const taken = step === undefined ? '' : step.inherited ? ' (taken over)' : '';
    const model = step?.kind === 'call' ? `  ${step.model}` : '';
    const text = `${'  '.repeat(depth)}${sign} ${name}${folded}${taken}${model}`;
    const time =
      step === undefined
        ? ''
        : step.state === 'running'
          ? formatMs(Math.floor(Math.max(0, now - step.startedAt) / 1000) * 1000)
          : formatMs(step.tookMs);
    const spends = step?.kind === 'call' || step === undefined || sum.tokens > 0;
    const cost =
      sum.unpriced === 0
        ? formatUsd(sum.costUsd)
        : sum.costUsd > 0
          ? `≥${formatUsd(sum.costUsd)}`
          : 'unknown';
    const figures = [
      time,
      spends ? formatTokens(sum.tokens) : '',
      spends ? cost : '',
      step === undefined || step.attempts === 1 ? '' : String(step.attempts),
    ];
    return figuresRow(chosen ? '>' : ' ', text, figures, columns);
  }
}

/** The steps whose keys have the words, under the branches that lead to them. */
function treeOf(steps: Steps, query: string): Map<string, Node> {
  const roots = new Map<string, Node>();
  for (const step of steps.all.values()) {
    if (query !== '' && !step.step.toLowerCase().includes(query)) continue;
    const parts = step.step.split('/');
    let level = roots;
    for (const [depth, name] of parts.entries()) {
      const key = parts.slice(0, depth + 1).join('/');
      const node: Node = level.get(name) ?? {
        key,
        name,
        depth,
        children: new Map(),
        sum: { tokens: 0, costUsd: 0, unpriced: 0, running: 0, failed: 0 },
      };
      level.set(name, node);
      node.sum.tokens += step.tokens;
      node.sum.costUsd += step.costUsd;
      node.sum.unpriced += step.unpriced;
      node.sum.running += step.state === 'running' ? 1 : 0;
      node.sum.failed += step.state === 'failed' || step.state === 'lost' ? 1 : 0;
      if (depth === parts.length - 1) node.step = step;
      level = node.children;
    }
  }
  return roots;
}

/** `> ✓ critic  qwen3:8b           6.1s    1.2k   $0.004     2` */
export function figuresRow(
  mark: string,
  text: string,
  figures: readonly string[],
  columns: number,
): string {
  const right = figures.map((one) => ' '.repeat(Math.max(0, 9 - textWidth(one))) + one).join('');
  const room = columns - textWidth(right) - 3;
  return `${mark} ${padEnd(truncate(text, room), room)}${right} `;
}

function tinted(theme: Theme, { step, depth }: Node, row: string): string {
  if (step?.state === 'failed' || step?.state === 'lost') return theme.tone('red', row);
  if (step?.state === 'stopped') return theme.tone('yellow', row);
  if (step?.state === 'running') return theme.tone('green', row);
  return depth === 0 ? theme.bold(row) : step?.kind === 'work' ? theme.dim(row) : row;
}
