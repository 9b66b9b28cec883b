/** Tests that models' text is shown letter for letter wherever a team's work is read as Markdown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/html-report/rendered.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import { foldAllTeamFacts } from '../../src/protocols/team/fold.ts';
import { pageOf } from '../../src/protocols/team/outcome.ts';
import { Costs } from '../../src/protocols/team/view/costs.ts';
import { designBlocks, proposalBlocks } from '../../src/protocols/team/view/design-text.ts';
import { deriveTeamed } from '../../src/protocols/team/view/display-state.ts';
import { text } from '../../src/protocols/team/view/plain.ts';
import { report } from '../../src/protocols/team/view/report.ts';
import { requirementBlocks } from '../../src/protocols/team/view/requirement-text.ts';
import { taskBlocks } from '../../src/protocols/team/view/task-text.ts';
import { readingText as read } from '../../src/record-kinds/tab.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { rowText } from '../../src/text/rows/row.ts';
import { factsOf, STAGES } from './facts-of-a-run.ts';
import { BOUNDARIES, PLAN, TASKS } from './plan-of-a-run.ts';

/** Renders Markdown as the console, a terminal and an HTML page do, without characters that break lines. */
const SURFACES = {
  'the console': (markdown: string) => {
    const column = new ColumnBuffer(50_000);
    column.push(markdown);
    column.end();
    return column.slice(0, column.length).map(rowText).join('\n');
  },
  'an HTML page': (markdown: string) =>
    renderMarkdown(markdown, { link: (text: string) => text } as Parameters<
      typeof renderMarkdown
    >[1])
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
};

/** Returns all pages of a run in which every text by a model is the given one. */
function pagesWith(said: string): Record<string, string> {
  const stage: FactBody[] = STAGES.done.map((body) => {
    switch (body.type) {
      case 'team.planned':
        return {
          ...body,
          plan: {
            ...PLAN,
            requirements: PLAN.requirements.map((requirement) => ({ ...requirement, text: said })),
            workstreams: PLAN.workstreams.map((workstream) => ({ ...workstream, goal: said })),
          },
        };
      case 'team.graphed':
        return {
          ...body,
          tasks: TASKS.map((task) => ({ ...task, title: said, brief: said, done_when: said })),
        };
      case 'verdict.given':
        return { ...body, items: body.items.map((item) => ({ ...item, why: said, quote: said })) };
      default:
        return body;
    }
  });
  const proposal = { domain: 'd', design: said, interfaces: [], needs: [], risks: [said] };
  const designed = fact('team.designed', {
    boundaries: BOUNDARIES,
    proposals: [proposal],
    contradictions: [],
    cycles: 0,
    architecture: {
      summary: said,
      interfaces: [],
      decisions: [],
      settled: [],
      open: [said],
    },
    refused: [],
  });
  const facts = factsOf(stage);
  const view = viewOf(facts);
  const team = foldAllTeamFacts(facts);
  const teamed = deriveTeamed(view, team, Costs.of(facts));
  const [task] = team.tasks;
  const [requirement] = team.requirements;
  if (task === undefined || requirement === undefined) throw new Error('nothing to show');
  return {
    'the report': formatReport(facts, report),
    'the page that is kept': pageOf('A goal', team, [], undefined, 3),
    'a task': read(taskBlocks(task, teamed)),
    'a requirement': read(requirementBlocks(requirement, teamed)),
    'a design': read(designBlocks(designed)),
    'a proposal': read(proposalBlocks(designed, 'd')),
    'an answer of T3': text.answer('team/graph', {
      tasks: [{ id: 'a', title: said, brief: said, done_when: said }],
    }) as string,
    'an answer of T2': text.answer('team/propose', { design: said, risks: [said] }) as string,
    'an answer of T5': text.answer('team/verify', {
      verdict: 'fail',
      items: [{ requirement: 'R1', met: 'no', why: said, path: said, quote: said }],
    }) as string,
  };
}

const marks = fc.constantFrom(
  ...['_', '*', '`', '[', ']', '(', ')', '\\', '~', '~~', '<b>', '&lt;', '#', '# ', '- ', '1. '],
  ...['|', '>', '---', '===', '!', 'a', 'Z', 'word', ' ', '{', '}', ':', '__', '**', 'http://x'],
);
const said = fc
  .array(marks, { minLength: 1, maxLength: 12 })
  .map((parts) => `${parts.join('').replace(/\s+/g, ' ').trim()}x`);

describe.each(Object.entries(SURFACES))(
  'a team’s report, tasks and answers, shown in %s,',
  (_name, shown) => {
    it('contain every character that a model wrote', () => {
      fc.assert(
        fc.property(said, (words) => {
          for (const [page, markdown] of Object.entries(pagesWith(words)))
            if (!shown(markdown).includes(words))
              expect.fail(`${page} lost letters of ${JSON.stringify(words)}`);
        }),
        { numRuns: 15, examples: [['gives { _: [...] }'], ['# *a* _b_ `c` [d](e) \\ ~~f~~']] },
      );
    });

    it('keep the line breaks of a text by a model', () => {
      const lines = ['# A', '- _b_', '3. c', '---', '```'];
      const page = shown(text.answer('team/propose', { design: lines.join('\n') }) as string);
      for (const line of lines) expect(page.split('\n').map((row) => row.trim())).toContain(line);
    });
  },
);
