/**
 * Turns the spec of an accepted plan into a team's goal. The plan's decisions become requirements, and its
 * unsettled questions are put to the person before T1 plans.
 */
import * as z from 'zod';
import { toLine } from '../../../text/line.ts';
import type { TeamPlan } from '../forms/plan.ts';

const citedSchema = z.array(
  z.object({
    text: z.string(),
    from: z.array(z.string()),
    /**
     * What readers of the plan found wrong with the part, or which check of it no reader made. Absent if there is
     * nothing.
     */
    marks: z.array(z.string()).optional(),
  }),
);

/** The schema of the part of a plan's file `docs/roadmap/TOPIC.spec.json` that a team reads. */
export const specFileSchema = z.object({
  run: z.string(),
  title: z.string(),
  goal: z.string(),
  outOfScope: z.array(z.string()).default([]),
  decisions: citedSchema,
  interfaces: citedSchema.default([]),
  data: citedSchema.default([]),
  statements: z
    .array(z.object({ id: z.string(), text: z.string(), because: z.string().optional() }))
    .default([]),
  unsettled: z
    .array(z.object({ id: z.string(), question: z.string(), options: z.array(z.string()) }))
    .default([]),
  /** How readers of the plan judged the spec's parts. Needed only for older files, whose parts have no `marks`. */
  checks: z
    .object({
      carried: z.string(),
      notCarried: z
        .array(z.object({ text: z.string(), from: z.array(z.string()), why: z.string() }))
        .default([]),
      compared: z.string(),
      contradictions: z
        .array(z.object({ parts: z.array(z.string()), why: z.string() }))
        .default([]),
      notRead: z.array(z.unknown()).optional(),
    })
    .optional(),
});
type SpecFile = z.infer<typeof specFileSchema>;

/** The schema of what a team's run keeps of the spec (the written plan) that it began from. */
export const specSchema = z.object({
  /** The id of the run that wrote the spec. */
  run: z.string(),
  requirements: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      /** The statements of the plan that the requirement rests on: id, text and, if given, reason of each. */
      grounds: z.array(z.string()),
      /**
       * What readers found wrong with the part of the plan that became this requirement (a decision, an interface or a
       * change of data), or which check of it no reader made. Absent if there is nothing.
       */
      marks: z.array(z.string()).optional(),
    }),
  ),
  /** The questions that the plan left unsettled. */
  questions: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      options: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  ),
});
/** What a team's run keeps of the spec (the written plan) that it began from. */
export type TeamSpec = z.infer<typeof specSchema>;

/**
 * Converts a spec to what a team keeps of it: its decisions, interfaces and data changes, numbered
 * as requirements R1, R2, and so on, and its unsettled questions.
 */
export function specOf(file: SpecFile): TeamSpec {
  const texts = new Map(file.statements.map((statement) => [statement.id, statement]));
  const formatStatement = (id: string): string => {
    const statement = texts.get(id);
    if (statement === undefined) return id;
    return `${id}: ${toLine(statement.text)}${statement.because === undefined ? '' : ` Because: ${toLine(statement.because)}`}`;
  };
  return {
    run: file.run,
    requirements: [...file.decisions, ...file.interfaces, ...file.data].map((part, at) => {
      const marks = (part.marks ?? marksBefore(part, file.checks)).map(toLine);
      return {
        ...{ id: `R${at + 1}`, text: toLine(part.text), grounds: part.from.map(formatStatement) },
        ...(marks.length === 0 ? {} : { marks }),
      };
    }),
    questions: file.unsettled.map(({ id, question, options }) => ({
      id,
      question: toLine(question),
      options: options.map((option) => ({
        id: option,
        text: toLine(texts.get(option)?.text ?? ''),
      })),
    })),
  };
}

/** Said of a requirement whose decision the plan's readers doubted or did not read. */
const DOUBT = 'doubtful in the plan';

/**
 * Formats what the plan's readers found wrong with requirements of its spec, or did not read: a line for each
 * mark, after the requirement's id. Empty if there is no spec.
 */
export function doubtRows(spec: TeamSpec | undefined): string[] {
  return (spec?.requirements ?? []).flatMap(({ id, marks = [] }) =>
    marks.map((mark) => `${id}: ${mark}`),
  );
}

/**
 * Returns what is to be said of a part in a file of an earlier version, from how the plan's readers judged
 * all parts. Empty if the file has marks beside its parts, or none are needed.
 */
function marksBefore(
  { text, from }: { readonly text: string; readonly from: readonly string[] },
  checks: SpecFile['checks'],
): string[] {
  if (checks === undefined || checks.notRead !== undefined) return [];
  return [
    ...checks.notCarried
      .filter((mark) => mark.text === text && mark.from.join() === from.join())
      .map(({ why }) => `Not carried by what it cites: ${why}`),
    ...checks.contradictions
      .filter(({ parts }) => parts.includes(text))
      .map(({ parts, why }) => {
        const others = parts.filter((part) => part !== text).map((part) => `“${part}”`);
        return `Contradicts ${others.join(', ')}: ${why}`;
      }),
    ...(checks.carried === 'missed'
      ? ['Not read against what it cites: no reader found what was planted']
      : []),
    ...(checks.compared === 'missed'
      ? ['Not compared with the other parts: no reader found what was planted']
      : []),
  ];
}

/**
 * Formats the goal for the planning seat: the spec's title and goal, and the requirements with
 * their reasons.
 */
export function goalOf(file: SpecFile, { requirements }: TeamSpec): string {
  return [
    `${toLine(file.title)}\n\n${toLine(file.goal)}`,
    `These requirements were decided; they keep their numbers and their words:\n${requirements
      .map(({ id, text, grounds, marks = [] }) =>
        [
          `${id}: ${text}`,
          ...grounds.map((ground) => `  - rests on ${ground}`),
          ...marks.map((mark) => `  - ${DOUBT}: ${mark}`),
        ].join('\n'),
      )
      .join('\n')}`,
    ...(file.outOfScope.length === 0
      ? []
      : [`Out of scope:\n${file.outOfScope.map((item) => `- ${toLine(item)}`).join('\n')}`]),
  ].join('\n\n');
}

/**
 * Returns a sentence for the planning seat about each requirement of the spec that the plan has
 * dropped or reworded. Empty if all are kept, if the plan says that no team is needed, or if there is no spec.
 */
export function problemsWithSpec(
  { no_team, requirements }: Pick<TeamPlan, 'no_team' | 'requirements'>,
  spec: TeamSpec | undefined,
): string[] {
  if (no_team !== '') return [];
  return (spec?.requirements ?? []).flatMap(({ id, text }) => {
    const kept = requirements.find((requirement) => requirement.id === id);
    if (kept === undefined) return [`${id} of the spec is missing: ${text}`];
    return toLine(kept.text) === text ? [] : [`${id} is to say, to the letter: ${text}`];
  });
}
