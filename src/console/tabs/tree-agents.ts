/**
 * Tab 5 where agents are at work: who set whom to work and why, what each does or waits for, and what
 * it took with all below it.
 */
import {
  type AgentsView,
  type AgentView,
  listed,
  tookMs,
  waitingFor,
} from '../../kernel/agents-view.ts';
import { formatMs, formatTokens, formatUsd } from '../../text/figures.ts';
import { Cursor } from '../cursor.ts';
import type { Command } from '../keymap.ts';
import type { Scene } from '../scene.ts';
import type { Theme } from '../theme.ts';
import type { Page, PageAround } from './page.ts';
import { figuresRow } from './tree.ts';

interface Line {
  readonly agent: AgentView;
  readonly depth: number;
}

const SIGNS: Readonly<Record<AgentView['state'], string>> = {
  running: '▮',
  done: '✓',
  failed: '✗',
  'timed-out': '✗',
  stopped: '■',
};

const WHY: Readonly<Record<AgentView['why'], string>> = {
  root: '',
  advisor: 'advises',
  routed: 'was chosen',
  'handed-off': 'takes over',
  member: 'member',
  supervisor: 'supervises',
};

export class AgentsTreePage implements Page {
  readonly #around: PageAround;
  readonly #cursor = new Cursor();
  /** Paths of agents below whom nobody is listed. */
  readonly #folded = new Set<string>();
  /** The cursor stands where work goes on, until the person moves it. */
  #follows = true;
  #query = '';
  #changed = 0;
  #drawn: { key: string; lines: Line[]; running: number } = { key: '', lines: [], running: -1 };

  constructor(around: PageAround) {
    this.#around = around;
  }

  get status(): string | undefined {
    return this.#query === '' ? undefined : `Agents with "${this.#query}". Esc shows all.`;
  }

  rows(scene: Scene): string[] {
    const { theme, columns } = scene;
    const height = this.#around.size().rows - 1;
    const lines = this.#lines();
    if (this.#follows && this.#drawn.running >= 0) this.#cursor.at = this.#drawn.running;
    const top = this.#cursor.top(lines.length, height);
    const at = Math.min(this.#cursor.at, lines.length - 1);
    const head = figuresRow(' ', 'agent', ['time', 'tokens', 'cost', 'calls'], columns);
    const rows = lines.slice(top, top + height).map((one, index) => {
      const chosen = top + index === at;
      const row = this.#row(one, scene, chosen);
      return chosen ? theme.inverse(row) : tinted(theme, one, row);
    });
    while (rows.length < height) rows.push('');
    return [theme.bold(head), ...rows];
  }

  move(command: Command): void {
    this.#follows = false;
    this.#cursor.move(command, this.#lines().length, this.#around.size().rows - 1);
  }

  /** Folds a branch, or unfolds it. */
  open(): void {
    const agent = this.#lines()[this.#cursor.at]?.agent;
    if (agent === undefined || agent.children.length === 0) return;
    if (!this.#folded.delete(agent.path)) this.#folded.add(agent.path);
    this.#changed += 1;
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

  /** The lines there are, worked out when the tree changes, not once a frame. */
  #lines(): Line[] {
    const { company } = this.#around.desk;
    const key = `${company.version} ${this.#changed}`;
    if (this.#drawn.key !== key) {
      const lines = listed(company.view).filter(
        ({ agent }) => this.#isUnfolded(agent) && agent.path.toLowerCase().includes(this.#query),
      );
      const running = lines.findLastIndex(({ agent }) => agent.speaking > 0);
      this.#drawn = { key, lines, running };
    }
    return this.#drawn.lines;
  }

  #isUnfolded({ path }: AgentView): boolean {
    return ![...this.#folded].some((folded) => path.startsWith(`${folded}/`));
  }

  #row({ agent, depth }: Line, { columns, now }: Scene, chosen: boolean): string {
    const { company } = this.#around.desk;
    const { all, children, path, endedAt } = agent;
    const folded = children.length > 0 && this.#folded.has(path) ? ` +${children.length}` : '';
    const doing = doingOf(agent, company.view);
    const text = `${'  '.repeat(depth)}${SIGNS[agent.state]} ${agent.agent}${folded}${doing && `  ${doing}`}`;
    const took = tookMs(agent, now);
    const time = endedAt === undefined ? Math.floor(took / 1000) * 1000 : took;
    const cost =
      all.unpriced === 0
        ? formatUsd(all.costUsd)
        : all.costUsd > 0
          ? `≥${formatUsd(all.costUsd)}`
          : 'unknown';
    const tokens = formatTokens(all.usage.input + all.usage.output);
    const figures = [formatMs(time), tokens, cost, String(all.calls)];
    return figuresRow(chosen ? '>' : ' ', text, figures, columns);
  }
}

/** `was chosen · team, cycle 2 · waits for operator, skeptic`: what ties it, and what it is about. */
export function doingOf(agent: AgentView, view: AgentsView): string {
  const { why, cycle, pattern, route, ended, handoff, state } = agent;
  const waits = waitingFor(view, agent);
  const rounds = view.agents[agent.children.at(-1) ?? '']?.cycle;
  const team =
    ended === undefined
      ? `team${rounds === undefined ? '' : `, cycle ${rounds}`}`
      : `team, ${ended.cycles} ${ended.cycles === 1 ? 'cycle' : 'cycles'}: ${ended.how}`;
  return [
    WHY[why] + (cycle === undefined ? '' : ` in cycle ${cycle}`),
    pattern === 'router' ? `router${route === undefined ? '' : ` → ${route.choice}`}` : '',
    pattern === 'team' ? team : '',
    agent.speaking > 0 ? 'speaks' : '',
    waits.length > 0 ? `waits for ${waits.join(', ')}` : '',
    handoff === undefined ? '' : `hands off to ${handoff}`,
    state === 'failed' || state === 'timed-out' ? (agent.reason ?? state) : '',
    agent.compactions.length > 0 ? 'its discussion was shortened' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function tinted(theme: Theme, { agent, depth }: Line, row: string): string {
  if (agent.state === 'failed' || agent.state === 'timed-out') return theme.tone('red', row);
  if (agent.state === 'stopped') return theme.tone('yellow', row);
  if (agent.speaking > 0) return theme.tone('green', row);
  return depth === 0 ? theme.bold(row) : row;
}
