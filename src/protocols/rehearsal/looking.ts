/**
 * What the stand-in does with tools: it lists the folder, reads the first file in it, and then answers.
 * It understands nothing of either, and says which it looked at.
 */
import type { ToolAnswer, ToolCall } from '../../kernel/tools/tools.ts';
import type { ProviderRequest } from '../../models/provider.ts';
import { isOffered } from '../../models/providers/tool-calls.ts';
import { isRecord } from '../../text/is-record.ts';
import { nextAct } from './team.ts';
import { wordsOf } from './topic.ts';

/** The next call; undefined where it has seen enough. */
export function nextLook(request: ProviderRequest): ToolCall | undefined {
  if (!isOffered(request)) return undefined;
  const results = resultsIn(request);
  const can = (name: string): boolean => request.tools?.some((one) => one.name === name) ?? false;
  const ask = (name: string, more: object = {}): ToolCall => ({
    id: `look-${results.length + 1}`,
    name,
    arguments: { ...rootOf(request), ...more },
  });
  if (request.task.startsWith('team/')) return nextAct(request, results.length);
  if (request.task === 'plan/research') return nextFind(request, results, ask);
  if (results.length === 0) return can('list') ? ask('list') : undefined;
  const [listed] = results;
  const path = results.length === 1 && can('read') ? fileIn(listed?.text ?? '') : undefined;
  return path === undefined ? undefined : ask('read', { path });
}

/** Looks for the last word of the question, then reads the first file that has it. */
function nextFind(
  { about }: ProviderRequest,
  results: readonly ToolAnswer[],
  ask: (name: string, more?: object) => ToolCall,
): ToolCall | undefined {
  const [found] = results;
  if (found === undefined) {
    // The question ends with `today`; before it stands a name, in the plural perhaps.
    const pattern =
      wordsOf(about?.items?.[0] ?? '')
        .at(-1)
        ?.replace(/s$/, '') ?? 'the';
    return ask('grep', { pattern, ignore_case: true });
  }
  const paths = [...found.text.matchAll(/^\d+: ([^\s:.][^\s:]*):\d+:/gm)].map(([, path]) => path);
  // What documents say is known already.
  const path = paths.find((one) => !/\.md$/.test(one ?? '')) ?? paths[0];
  return results.length === 1 && path !== undefined ? ask('read', { path }) : undefined;
}

/** `Looked at S-1, S-2#L1.`, for an answer; empty where it looked at nothing. */
export function lookedAt(request: ProviderRequest): string {
  const ids = resultsIn(request).flatMap(({ text }) => /from="(S-\d+):/.exec(text)?.[1] ?? []);
  const [list, file] = ids;
  if (list === undefined) return '';
  return `Looked at ${file === undefined ? `${list}#L1` : `${list} and ${file}#L1`}.\n\n`;
}

/** `S-2#L10`: the first line of what was found last; undefined where nothing was. */
export function placeSeen(seen: readonly string[]): string | undefined {
  const found = seen.map((text) => /from="(S-\d+):[^\n]*\n(\d+):/.exec(text));
  const [, id, line] = found.findLast((one) => one !== null) ?? [];
  return id === undefined ? undefined : `${id}#L${line}`;
}

function resultsIn({ messages }: ProviderRequest): readonly ToolAnswer[] {
  return messages.flatMap(({ results = [] }) => results);
}

/** Where there are several roots, the first. */
function rootOf({ tools }: ProviderRequest): { root?: string } {
  const properties = tools?.[0]?.parameters.properties;
  const root = isRecord(properties) ? properties.root : undefined;
  const [first] = isRecord(root) && Array.isArray(root.enum) ? (root.enum as unknown[]) : [];
  return typeof first === 'string' ? { root: first } : {};
}

/** What people read first, or else the first file of a list. */
function fileIn(listed: string): string | undefined {
  const files = [...listed.matchAll(/^\d+: ([^\s/]+)$/gm)].map(([, name = '']) => name);
  return files.find((name) => /^readme/i.test(name)) ?? files.find((name) => !/^\./.test(name));
}
