/**
 * How the stand-in uses tools: it lists the folder, reads the first file, uses one tool of each tool server,
 * and then answers. It does not understand the results, and only says which it looked at.
 */
import type { ToolAnswer, ToolCall, ToolInfo } from '../../kernel/tools/tools.ts';
import type { ProviderRequest } from '../../models/provider.ts';
import { isOffered } from '../../models/providers/tool-calls.ts';
import { isRecord } from '../../text/json.ts';
import { Chance } from './chance.ts';
import { makeSchemaValue } from './json.ts';
import { chooseNextAct } from './team.ts';
import { deriveTopic, findMeaningfulWords } from './topic.ts';

/** Returns the stand-in's next tool call, or undefined if the stand-in has looked up enough. */
export function chooseNextLook(request: ProviderRequest): ToolCall | undefined {
  if (!isOffered(request)) return undefined;
  const results = resultsIn(request);
  const canUse = (name: string): boolean =>
    request.tools?.some((tool) => tool.name === name) ?? false;
  const makeCall = (name: string, more: object = {}): ToolCall => ({
    id: `look-${results.length + 1}`,
    name,
    arguments: { ...rootOf(request), ...more },
  });
  if (request.task.startsWith('team/')) return chooseNextAct(request, results.length);
  const own = results.filter(({ name }) => serverOf(request, name) === undefined);
  if (request.task === 'plan/research')
    return nextFind(request, own, makeCall) ?? nextOfServers(request, results);
  if (own.length === 0 && canUse('list')) return makeCall('list');
  const [listed] = own;
  const path = own.length === 1 && canUse('read') ? fileIn(listed?.text ?? '') : undefined;
  return path === undefined ? nextOfServers(request, results) : makeCall('read', { path });
}

/** Calls the first tool of each tool server once, with arguments that fit its schema. */
function nextOfServers(
  request: ProviderRequest,
  results: readonly ToolAnswer[],
): ToolCall | undefined {
  const asked = new Set(results.map(({ name }) => serverOf(request, name)));
  const tool = request.tools?.find(({ server }) => server !== undefined && !asked.has(server));
  if (tool === undefined) return undefined;
  return {
    id: `look-${results.length + 1}`,
    name: tool.name,
    arguments: argumentsFor(tool, request),
  };
}

function serverOf({ tools }: ProviderRequest, name: string): string | undefined {
  return tools?.find((tool) => tool.name === name)?.server;
}

/** Makes arguments: a text field gets an address or the words of the question. */
function argumentsFor(
  { parameters }: ToolInfo,
  { about, model, seatId }: ProviderRequest,
): Record<string, unknown> {
  const question = about?.question ?? about?.items?.[0] ?? '';
  const { properties, required } = parameters;
  const needed = (Array.isArray(required) ? required : []) as readonly string[];
  const wanted = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) =>
    needed.includes(name),
  );
  const made = makeSchemaValue(
    { type: 'object', properties: Object.fromEntries(wanted), required: needed },
    deriveTopic(question),
    new Chance('arguments', model, seatId),
  );
  const address = /https?:\/\/[^\s)>"']+/.exec(question)?.[0] ?? 'https://example.org/';
  const words = findMeaningfulWords(question).slice(0, 6).join(' ') || 'rehearsal';
  return Object.fromEntries(
    Object.entries(Object(made)).map(([name, value]) => {
      const isFree = isRecord(parameters.properties) && isPlainText(parameters.properties[name]);
      return [name, !isFree ? value : /ur[il]/i.test(name) ? address : words];
    }),
  );
}

function isPlainText(schema: unknown): boolean {
  return isRecord(schema) && schema.type === 'string' && schema.enum === undefined;
}

/** Searches for the last word of the question, then reads the first file that contains it. */
function nextFind(
  { about }: ProviderRequest,
  results: readonly ToolAnswer[],
  makeCall: (name: string, more?: object) => ToolCall,
): ToolCall | undefined {
  const [found] = results;
  if (found === undefined) {
    // In a rehearsal, a researcher searches the files for the last meaningful word of the question, without its
    // last `s`: for example, for `session` if the question ends with `in sessions today?`.
    const pattern =
      findMeaningfulWords(about?.items?.[0] ?? '')
        .at(-1)
        ?.replace(/s$/, '') ?? 'the';
    return makeCall('grep', { pattern, ignore_case: true });
  }
  const paths = [...found.text.matchAll(/^\d+: ([^\s:.][^\s:]*):\d+:/gm)].map(([, path]) => path);
  // Prefer a file that is no Markdown document, because a researcher is asked what is true of the code.
  const path = paths.find((path) => !/\.md$/.test(path ?? '')) ?? paths[0];
  return results.length === 1 && path !== undefined ? makeCall('read', { path }) : undefined;
}

/**
 * Returns a sentence that names the tool results that the stand-in saw: `Looked at S-1 and S-2#L1.`
 * Empty if there are none.
 */
export function describeLookups(request: ProviderRequest): string {
  const found = resultsIn(request).flatMap(({ text }) => {
    const [, id, label] = /from="(S-\d+):[^\n]*(?:\n([^\n:]{0,70}L\d+): )?/.exec(text) ?? [];
    return id === undefined ? [] : [{ id, place: `${id}#${label ?? 'L1'}` }];
  });
  const last = found.at(-1);
  if (last === undefined) return '';
  const before = found
    .slice(0, -1)
    .map(({ id }) => id)
    .join(', ');
  return `Looked at ${before === '' ? '' : `${before} and `}${last.place}.\n\n`;
}

/**
 * Returns the citation of the first line in the last tool result that can be cited, such as `S-2#L10`;
 * undefined if there is no such result.
 * @param seen the tool results in the stand-in's prompt, in order
 */
export function findLastCitation(seen: readonly string[]): string | undefined {
  const found = seen.map((text) => /from="(S-\d+):[^\n]*\n(\d+|[^\n:]{1,70}L\d+):/.exec(text));
  const [, id, line = ''] = found.findLast((match) => match !== null) ?? [];
  if (id === undefined) return undefined;
  return `${id}#${/^\d+$/.test(line) ? `L${line}` : line}`;
}

function resultsIn({ messages }: ProviderRequest): readonly ToolAnswer[] {
  return messages.flatMap(({ results = [] }) => results);
}

/** Returns the first of several roots. */
function rootOf({ tools }: ProviderRequest): { root?: string } {
  const properties = tools?.[0]?.parameters.properties;
  const root = isRecord(properties) ? properties.root : undefined;
  const [first] = isRecord(root) && Array.isArray(root.enum) ? (root.enum as unknown[]) : [];
  return typeof first === 'string' ? { root: first } : {};
}

/** Returns the file that people usually read first, or else the first file of a list. */
function fileIn(listed: string): string | undefined {
  const files = [...listed.matchAll(/^\d+: ([^\s/]+)$/gm)].map(([, name = '']) => name);
  return files.find((name) => /^readme/i.test(name)) ?? files.find((name) => !/^\./.test(name));
}
