/** Formats what seats looked up, and what they cite of it that does not exist. */
import { KERNEL } from '../kernel/facts.ts';
import {
  citedFile,
  formatFetched,
  type Source,
  sourceRefsIn,
  sourcesOf,
} from '../kernel/tools/sources.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { textLines } from '../text/lines.ts';
import { makeSection, makeTableBlock, type Section } from './blocks.ts';
import { escapeLine } from './markdown.ts';
import { getSeatTitle } from './naming.ts';

/**
 * Returns the report's section on what seats looked up with tools, what they cite of the results, and what they
 * cite that does not exist. Empty if they looked nothing up and cite no missing file.
 */
export function lookupSection(facts: readonly AnyFact[], view: RunView): Section {
  const sources = sourcesOf(facts);
  const missing = missingFiles(facts);
  if (sources.length + missing.length === 0) return makeSection('Lookups');
  const cited = new Map<string, { there: Set<string>; missing: Set<string> }>();
  for (const { seat, text, calls } of Object.values(view.calls)) {
    if (calls !== undefined) continue;
    const said = cited.get(seat) ?? { there: new Set(), missing: new Set() };
    for (const { ref, why } of sourceRefsIn(text, sources))
      if (why === undefined) said.there.add(ref);
      else said.missing.add(`${ref} (${why})`);
    cited.set(seat, said);
  }
  const rows = [...cited].flatMap(([seat, { there, missing }]) => [
    ...(there.size === 0 ? [] : [`- ${getSeatTitle(seat, view)}: ${[...there].join(', ')}`]),
    ...(missing.size === 0
      ? []
      : [
          `- ${getSeatTitle(seat, view)} cites results that do not exist: ${[...missing].join(', ')}`,
        ]),
  ]);
  for (const [seat, places] of Map.groupBy(missing, (citation) => citation.seat))
    rows.push(
      `- ${getSeatTitle(seat, view)} cites what is not there: ${places.map(({ place }) => escapeLine(place)).join(', ')}`,
    );
  // If a tool changed files, the tool calls are not only lookups, so the section needs another title.
  const works = facts.some((any) => {
    const fact = KERNEL.own(any);
    return fact?.type === 'tool.called' && fact.state !== undefined;
  });
  return makeSection(
    works ? 'Tool use' : 'Lookups',
    makeTableBlock(
      '',
      ['id', 'seat', 'what', '>lines'],
      sources.map(({ id, seat, tool, about, text }) => [
        id,
        getSeatTitle(seat, view),
        `${tool} ${about}`,
        String(textLines(text).length),
      ]),
    ),
    ...fetchedLines(sources),
    rows.length === 0 ? (works ? '' : 'None is cited.') : `Cited:\n\n${rows.join('\n')}`,
  );
}

/** Returns places in files that an agent cites and that could not be read, with the reason. */
function missingFiles(facts: readonly AnyFact[]): { seat: string; place: string }[] {
  return facts.filter(KERNEL.is('tool.called')).flatMap((called) => {
    const path = citedFile(called);
    const { seat, text, refused } = called;
    return path === undefined || refused !== true ? [] : [{ seat, place: `${path} (${text})` }];
  });
}

/** Returns lines on results that came from servers and may differ today; empty if all came from folders. */
function fetchedLines(sources: readonly Source[]): string[] {
  const ids = new Map<string, string[]>();
  for (const { id, fetched } of sources) {
    if (fetched === undefined) continue;
    const from = formatFetched(fetched);
    ids.set(from, [...(ids.get(from) ?? []), id]);
  }
  if (ids.size === 0) return [];
  const rows = [...ids].map(([from, all]) => `- ${all.join(', ')}: ${escapeLine(from)}`);
  return [
    `As a server answered then; it may answer otherwise now, and nobody asked it again:\n\n${rows.join('\n')}`,
  ];
}
