/**
 * Defines the facts of a plan's run: who was called in and why, what each seat was shown and said, which
 * conflicts were found and how they were settled, and the spec.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { defineVocabulary, factSchema } from '../../kernel/vocabulary.ts';
import { CONFLICT_KINDS } from './rules/conflicts.ts';
import { STATEMENT_KINDS } from './rules/statements.ts';
import { SQL_VIEWS } from './sql-views.ts';

const round = z.number().int().positive();
const makeListSchema = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const ids = makeListSchema(z.string());

/** The schema of a statement as a seat hands it in. */
export const handedSchema = z.object({
  kind: z.enum(STATEMENT_KINDS),
  title: z.string().optional(),
  text: z.string(),
  must: z.boolean().optional(),
  because: z.string().optional(),
  /** The id of the question for which the statement proposes a way out, which is a new option. */
  conflict: z.string().optional(),
});

/** A section of a document as a seat is shown it. */
const shownSchema = z.object({
  path: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  /** The lines as cited in a document with pages, such as `p3L10-L12`. */
  lines: z.string().optional(),
  heading: z.string(),
  text: z.string(),
  tokens: z.number().int(),
  clusters: ids,
  /** Set if a plan's researcher (a model) wrote the section and no person has confirmed it. */
  unconfirmed: z.literal(true).optional(),
});
/** A section of a document that a seat was shown. */
export type ShownSection = z.infer<typeof shownSchema>;

/** Schema of a part of a spec with the ids of the statements that it follows from. */
const citedSchema = z.object({ text: z.string(), from: ids });

/** Schema of a part of a spec with what is to be said about it. */
const remarkSchema = citedSchema.extend({ why: z.string() });

/** Whether a reader found the planted fault; `none` if there was nothing to read. */
const SHOWN = ['seen', 'missed', 'none'] as const;

const checksSchema = z.object({
  /** Whether a reader found the planted part that does not follow from its citation. */
  carried: z.enum(SHOWN),
  /** Parts that do not follow from what they cite. */
  notCarried: makeListSchema(remarkSchema),
  /**
   * Parts of the spec (decisions, interfaces, changes of data) that count as unread, each with the reason. For
   * example, the call to the reader failed, or no reader found the planted part. Absent before edition 7.
   */
  notRead: makeListSchema(remarkSchema).optional(),
  /** Whether a reader found the planted contradiction among all parts. */
  compared: z.enum(SHOWN),
  /**
   * Pairs that cannot both hold: two parts, or a part and an option that was given up. `parts` has their texts,
   * word for word; the text of such an option has its id before it.
   */
  contradictions: makeListSchema(z.object({ parts: makeListSchema(z.string()), why: z.string() })),
  /**
   * Parts of the spec whose comparison with the other parts does not count, each with the reason: for example,
   * every reader missed the planted contradiction. Absent before edition 7.
   */
  notCompared: makeListSchema(remarkSchema).optional(),
});

/**
 * The schema of a fix: a change that a plan proposes to existing code. It quotes the passage that
 * is to be changed, with its first (`from`) and last line (`to`). A `.fix.json` file has these fields and the run's id.
 */
export const fixSchema = z.object({
  title: z.string(),
  path: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  quotation: z.string(),
  problem: z.string(),
  change: z.string(),
  /** The text that replaces the quotation; absent if `change` only says in words what to do. */
  replacement: z.string().optional(),
});

/** The schema of a spec (the finished plan). */
export const specSchema = z.object({
  goal: z.string(),
  outOfScope: makeListSchema(z.string()),
  decisions: makeListSchema(citedSchema),
  interfaces: makeListSchema(citedSchema),
  data: makeListSchema(citedSchema),
  tasks: makeListSchema(
    z.object({
      title: z.string(),
      files: makeListSchema(z.object({ path: z.string(), isNew: z.boolean() })),
      from: ids,
      /** Numbers of the tasks, from 1, that have to be done before this one. */
      after: makeListSchema(z.number().int()),
      test: z.string(),
      doneWhen: z.string(),
    }),
  ),
  risks: makeListSchema(citedSchema),
  openQuestions: makeListSchema(citedSchema),
  notCarried: makeListSchema(z.object({ id: z.string(), why: z.string() })),
  /**
   * Ids of the statements that still count and that no part of the draft names; code lists them. Options of
   * open questions are left out.
   */
  forgotten: ids,
  /** Parts of the draft that code refused, with the reasons. */
  refused: makeListSchema(z.object({ text: z.string(), why: z.string() })),
  /** Files that a task takes for existing and that do not exist. */
  missingFiles: makeListSchema(z.object({ task: z.number().int(), path: z.string() })),
  /** Changes that the plan proposes to existing code. The program has found each quotation in its file. */
  fixes: makeListSchema(fixSchema),
  /** What readers found when they read the spec again; absent in old plans. */
  checks: checksSchema.optional(),
});

/**
 * How a plan ended. `unexamined`: the last model that looked for conflicts did not find a contradiction planted to
 * test it, or no model looked. `open`: a question is not settled, the spec leaves out a must, or readers of the spec
 * found a fault or proved unreliable. `converged`: otherwise.
 */
export const PLAN_STATES = ['converged', 'unexamined', 'open'] as const;

/**
 * The schema of a conflict: a question that several statements answer differently. These statements
 * are the options from which an answer is chosen.
 */
export const conflictSchema = z.object({
  id: z.string(),
  question: z.string(),
  kind: z.enum(CONFLICT_KINDS),
  why: z.string(),
  round,
  options: ids,
  /** Ids of statements that the question rests on and that are no options. */
  given: ids.optional(),
  alsoAsked: ids,
  /**
   * Set if no reader that passed its control has found this conflict. A finding that contains the control itself
   * does not count.
   */
  unconfirmed: z.literal(true).optional(),
});

/** Returns the schemas of a plan's facts. */
export const describePlanFacts = () =>
  [
    factSchema('plan.staffed', {
      /** The queries for the documents, with the clusters among the first hits of each. */
      queries: makeListSchema(z.object({ query: z.string(), clusters: ids })),
      /** Clusters that the chair named from their cards. */
      named: ids,
      seats: makeListSchema(z.object({ seat: z.string(), by: ids })),
      /** Clusters that the search for documents found or the chair named, and that no role speaks for. */
      unowned: ids,
      /** The name of the plan's files, mostly chosen by the chair. Absent if the name in the run's settings stays. */
      slug: z.string().optional(),
      /** Whether the queries come from an earlier run on the same topic. */
      kept: z.literal(true).optional(),
    }),
    factSchema('question.looked-up', {
      seat: z.string(),
      /** An id such as `security?1`. */
      id: z.string(),
      question: z.string(),
      /** Where the answer stands; absent if none was found. */
      answer: z.object({ place: z.string(), quotation: z.string() }).optional(),
      /** Why no answer was found: for example, no document has one, or the call failed. */
      why: z.string().optional(),
      /** What the answer leaves open; present if it answers the question only partly. */
      missing: z.string().optional(),
    }),
    factSchema('question.researched', {
      id: z.string(),
      found: makeListSchema(
        z.object({ text: z.string(), place: z.string(), quotation: z.string() }),
      ),
      /** Claims that a text, `pattern`, occurs nowhere below `paths`; code searched for it literally. */
      absent: makeListSchema(
        z.object({ text: z.string(), pattern: z.string(), paths: ids }),
      ).optional(),
      /** Claims of the plan's researcher (a model) that were dropped, with the reasons. */
      dropped: makeListSchema(z.object({ text: z.string(), why: z.string() })),
      /** Why nothing was researched: the call failed or was stopped, or its answers did not have the right form. */
      why: z.string().optional(),
    }),
    factSchema('context.gated', {
      seat: z.string(),
      round,
      shown: makeListSchema(shownSchema),
      /** Hits for the topic that belong to none of the seat's clusters. */
      withheld: makeListSchema(
        z.object({
          path: z.string(),
          heading: z.string(),
          tokens: z.number().int(),
          clusters: ids,
        }),
      ),
      /** Sections for which the seat's share of tokens had no room. */
      cut: makeListSchema(
        z.object({ path: z.string(), heading: z.string(), tokens: z.number().int() }),
      ),
      notKnown: makeListSchema(z.string()),
    }),
    factSchema('statements.made', {
      role: z.string(),
      round,
      add: makeListSchema(handedSchema),
      change: makeListSchema(
        z.object({ id: z.string(), text: z.string(), because: z.string().optional() }),
      ),
      withdraw: makeListSchema(
        z.object({ id: z.string(), why: z.string(), conflict: z.string().optional() }),
      ),
    }),
    factSchema('conflicts.examined', {
      round,
      /** The model that looked for conflicts. */
      model: z.string(),
      found: makeListSchema(
        z.object({
          question: z.string(),
          statements: ids,
          given: ids.optional(),
          why: z.string(),
          kind: z.enum(CONFLICT_KINDS),
        }),
      ),
      /**
       * All conflicts of the plan after this search, as code made them from the findings. They are recorded so that
       * later versions of the program, with other rules, read them the same way.
       */
      conflicts: makeListSchema(conflictSchema),
      /** Findings that code refused, with the reasons. */
      refused: makeListSchema(z.object({ question: z.string(), why: z.string() })),
      /** Why no conflicts were found: the call to the model that was to look for them failed. */
      why: z.string().optional(),
      /** The seat whose objection to the person's decision was recorded; absent if a reader searched all statements. */
      seat: z.string().optional(),
      /** Whether one model plays the chair and every seat, so that it examined itself. */
      isAlone: z.literal(true).optional(),
      /** The planted statement and the one that it contradicts; absent if none was planted. */
      control: z
        .object({
          planted: z.string(),
          of: z.string(),
          text: z.string(),
          seen: z.boolean(),
          /** The id that the planted statement had in the reader's prompt; absent if equal to `planted`. */
          shownAs: z.string().optional(),
          /** The model that wrote the planted statement; absent if code made it. */
          by: z.string().optional(),
        })
        .optional(),
    }),
    factSchema('conflicts.answered', {
      role: z.string(),
      round,
      answers: makeListSchema(
        z.union([
          z.object({
            conflict: z.string(),
            accepts: ids,
            prefers: z.string().optional(),
            why: z.string(),
          }),
          z.object({ conflict: z.string(), compatible: z.string() }),
          /** In `misread`, the seat says why its statements do not say what the question claims. */
          z.object({ conflict: z.string(), misread: z.string() }),
        ]),
      ),
    }),
    /** A question was decided or left open. */
    factSchema('conflict.decided', {
      round,
      conflict: z.string(),
      option: z.string().optional(),
      /**
       * Given if the person says that there is no conflict: in `how`, how the options go together, and in `options` the
       * ids of the options that nobody had given up.
       */
      together: z.object({ how: z.string(), options: z.array(z.string()) }).optional(),
      /**
       * `agreement`: all seats concerned accept the option, and code found no reason to ask the person.
       * `default`: nobody decided.
       */
      by: z.enum(['person', 'agreement', 'default']),
      /** Why the person's choice was refused, so that the question stays open. */
      why: z.string().optional(),
    }),
    /**
     * A seat said that a question misreads its statements, and a reader has checked this. The reader was shown only
     * the question and its statements.
     */
    factSchema('conflict.reread', {
      round,
      conflict: z.string(),
      /**
       * True if the reader found that the statements say something else than the question claims, and the same
       * reader judged two built-in examples rightly. False otherwise.
       */
      isMisread: z.boolean(),
      why: z.string(),
    }),
    /** A seat was asked alone about its own must before the must is given up. */
    factSchema('must.asked', {
      role: z.string(),
      conflict: z.string(),
      statement: z.string(),
      /** Whether the seat insists on the must; absent if it did not answer. */
      holds: z.boolean().optional(),
      why: z.string(),
    }),
    factSchema('seat.unheard', {
      role: z.string(),
      round,
      why: z.string(),
    }),
    factSchema('plan.written', {
      state: z.enum(PLAN_STATES),
      title: z.string(),
      spec: specSchema,
    }),
    /** The plan's files were written into the repository after the run. */
    factSchema('files.written', {
      /** The files by their paths in the repository, with the SHA-256 of their content. */
      files: z.array(z.object({ path: z.string(), sha256: z.string() })).readonly(),
    }),
  ] as const;

/**
 * The types of facts that the log of a plan's run may contain, with their SQL views. Some of these
 * types belong to runs of every protocol, the others only to plans.
 */
export const PLAN = defineVocabulary(
  () => [...KERNEL_FACTS, ...describePlanFacts()],
  {},
  SQL_VIEWS,
);

/**
 * The content of a fact that only plans record, without the run's id, the fact's number and its
 * time.
 */
export type OwnBody = z.infer<ReturnType<typeof describePlanFacts>[number]>;
/**
 * The content of any fact of a plan's run, without the run's id, the fact's number and its time.
 */
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describePlanFacts>[number]
>;
type FactType = FactBody['type'];
/** The content of a fact of type `T`, without the run's id, the fact's number and its time. */
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;

/** Makes the content of a fact in the present version of its schema. */
export const fact = PLAN.make;
