/**
 * The part of the vocabulary that a plan needs: who was called in and why, what each was shown, what they
 * said, where that cannot all be done, how it was settled and by whom, and the spec that accounts for it.
 */
import * as z from 'zod';
import { KERNEL_FACTS } from '../../kernel/facts.ts';
import { vocabulary } from '../../kernel/vocabulary.ts';
import { CONFLICT_KINDS } from './rules/conflicts.ts';
import { STATEMENT_KINDS } from './rules/statements.ts';
import { SQL_VIEWS } from './sql-views.ts';

const round = z.number().int().positive();
const list = <T extends z.ZodType>(of: T) => z.array(of).readonly();
const ids = list(z.string());

export const handedSchema = z.object({
  kind: z.enum(STATEMENT_KINDS),
  title: z.string().optional(),
  text: z.string(),
  must: z.boolean().optional(),
  because: z.string().optional(),
  /** The question that it is a way out of. */
  conflict: z.string().optional(),
});

/** A piece of context as a seat is shown it. */
const shownSchema = z.object({
  path: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  /** The lines as they are cited in a document with pages: `p3L10-L12`. */
  lines: z.string().optional(),
  heading: z.string(),
  text: z.string(),
  tokens: z.number().int(),
  clusters: ids,
  /** Said of what a researcher wrote and nobody has confirmed. */
  unconfirmed: z.literal(true).optional(),
});
export type Shown = z.infer<typeof shownSchema>;

const citedSchema = z.object({ text: z.string(), from: ids });

/** Whether a reader has shown that they can see what they look for; `none`: nothing was there to be read. */
const SHOWN = ['seen', 'missed', 'none'] as const;

const checksSchema = z.object({
  /** Whether readers found the planted part that its citation does not carry. */
  carried: z.enum(SHOWN),
  /** Parts that are not carried by what they cite. */
  notCarried: list(citedSchema.extend({ why: z.string() })),
  /** Whether whoever compared all parts found the planted contradiction. */
  compared: z.enum(SHOWN),
  /** Parts, or a part and a statement that was given up, that cannot both hold. */
  contradictions: list(z.object({ parts: list(z.string()), why: z.string() })),
});

/**
 * A fix: a passage of code to change, with its present words. A file in `docs/fixes` holds the same fields.
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

export const specSchema = z.object({
  goal: z.string(),
  outOfScope: list(z.string()),
  decisions: list(citedSchema),
  interfaces: list(citedSchema),
  data: list(citedSchema),
  tasks: list(
    z.object({
      title: z.string(),
      files: list(z.object({ path: z.string(), isNew: z.boolean() })),
      from: ids,
      after: list(z.number().int()),
      test: z.string(),
      doneWhen: z.string(),
    }),
  ),
  risks: list(citedSchema),
  openQuestions: list(citedSchema),
  notCarried: list(z.object({ id: z.string(), why: z.string() })),
  forgotten: ids,
  refused: list(z.object({ text: z.string(), why: z.string() })),
  missingFiles: list(z.object({ task: z.number().int(), path: z.string() })),
  /** Of the code as it stands: each quotation was looked up. */
  fixes: list(fixSchema),
  /** What reading the spec again came to; absent of plans from before it was. */
  checks: checksSchema.optional(),
});

/** `unexamined`: no detector showed that it can see. `open`: a question is left to the person. */
export const PLAN_STATES = ['converged', 'unexamined', 'open'] as const;

export const conflictSchema = z.object({
  id: z.string(),
  question: z.string(),
  kind: z.enum(CONFLICT_KINDS),
  why: z.string(),
  round,
  options: ids,
  /** What it rests on, which is no option. */
  given: ids.optional(),
  alsoAsked: ids,
  /** Only readers who missed their control have named it. */
  unconfirmed: z.literal(true).optional(),
});

export const describePlanFacts = () =>
  [
    z.object({
      v: z.literal(1),
      type: z.literal('plan.staffed'),
      /** What the documents were searched for, and the clusters among the first hits of each. */
      queries: list(z.object({ query: z.string(), clusters: ids })),
      /** Clusters that the chair named from the cards. */
      named: ids,
      seats: list(z.object({ seat: z.string(), by: ids })),
      /** Clusters that were hit and that no role owns. */
      unowned: ids,
      /** What the chair calls the files of this plan; absent where the topic's own file says so. */
      slug: z.string().optional(),
      /** The queries are those of an earlier run on the same topic. */
      kept: z.literal(true).optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('question.looked-up'),
      seat: z.string(),
      /** `security?1` */
      id: z.string(),
      question: z.string(),
      /** Where the answer stands; absent where it is not known. */
      answer: z.object({ place: z.string(), quotation: z.string() }).optional(),
      /** Why it is not known. */
      why: z.string().optional(),
      /** What the answer leaves open: the question is partly known. */
      missing: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('question.researched'),
      id: z.string(),
      found: list(z.object({ text: z.string(), place: z.string(), quotation: z.string() })),
      /** What was looked for, letter for letter, and stands nowhere below these paths. */
      absent: list(z.object({ text: z.string(), pattern: z.string(), paths: ids })).optional(),
      /** What the researcher said and nobody is shown, and why. */
      dropped: list(z.object({ text: z.string(), why: z.string() })),
      /** Why nothing was researched: the call failed, or the share was used up. */
      why: z.string().optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('context.gated'),
      seat: z.string(),
      round,
      shown: list(shownSchema),
      /** Hits of the topic that belong to clusters of others. */
      withheld: list(
        z.object({
          path: z.string(),
          heading: z.string(),
          tokens: z.number().int(),
          clusters: ids,
        }),
      ),
      /** What the seat's share had no room for. */
      cut: list(z.object({ path: z.string(), heading: z.string(), tokens: z.number().int() })),
      notKnown: list(z.string()),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('statements.made'),
      role: z.string(),
      round,
      add: list(handedSchema),
      change: list(z.object({ id: z.string(), text: z.string(), because: z.string().optional() })),
      withdraw: list(
        z.object({ id: z.string(), why: z.string(), conflict: z.string().optional() }),
      ),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('conflicts.examined'),
      round,
      /** Who looked. */
      model: z.string(),
      found: list(
        z.object({
          question: z.string(),
          statements: ids,
          given: ids.optional(),
          why: z.string(),
          kind: z.enum(CONFLICT_KINDS),
        }),
      ),
      /** The questions there are with it, as code took them: what it means does not change with the program. */
      conflicts: list(conflictSchema),
      /** Findings that code did not take, and why. */
      refused: list(z.object({ question: z.string(), why: z.string() })),
      /** Why nobody looked: the call failed. */
      why: z.string().optional(),
      /** The seat that was told what the person decided and objects; absent where somebody looked through all. */
      seat: z.string().optional(),
      /** One model plays the chair and every seat: it has examined itself. */
      isAlone: z.literal(true).optional(),
      /** The planted statement and the one that it contradicts; absent where none could be planted. */
      control: z
        .object({
          planted: z.string(),
          of: z.string(),
          text: z.string(),
          seen: z.boolean(),
          /** The model that wrote it; absent where code turned the other statement. */
          by: z.string().optional(),
        })
        .optional(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('conflicts.answered'),
      role: z.string(),
      round,
      answers: list(
        z.union([
          z.object({
            conflict: z.string(),
            accepts: ids,
            prefers: z.string().optional(),
            why: z.string(),
          }),
          z.object({ conflict: z.string(), compatible: z.string() }),
          /** Which statement does not say what the question takes it to say. */
          z.object({ conflict: z.string(), misread: z.string() }),
        ]),
      ),
    }),
    /** What the person chose: an option, or to leave it open. */
    z.object({
      v: z.literal(1),
      type: z.literal('conflict.decided'),
      round,
      conflict: z.string(),
      option: z.string().optional(),
      /** The person says that there is no conflict: how these options, all that stood then, go together. */
      together: z.object({ how: z.string(), options: z.array(z.string()) }).optional(),
      /** `agreement`: all seats concerned accept it, and code found nothing against it. */
      by: z.enum(['person', 'agreement', 'default']),
      /** Why the person's choice was not taken; the question then stays open. */
      why: z.string().optional(),
    }),
    /** What came of it that a seat called a question misread: somebody read its statements alone. */
    z.object({
      v: z.literal(1),
      type: z.literal('conflict.reread'),
      round,
      conflict: z.string(),
      /** The statements do not say it, and the reader told the program's own examples apart. */
      isMisread: z.boolean(),
      why: z.string(),
    }),
    /** What a seat said that was asked alone, before a must of its own would fall. */
    z.object({
      v: z.literal(1),
      type: z.literal('must.asked'),
      role: z.string(),
      conflict: z.string(),
      statement: z.string(),
      /** Absent where it did not answer. */
      holds: z.boolean().optional(),
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('seat.unheard'),
      role: z.string(),
      round,
      why: z.string(),
    }),
    z.object({
      v: z.literal(1),
      type: z.literal('plan.written'),
      state: z.enum(PLAN_STATES),
      title: z.string(),
      spec: specSchema,
    }),
    /** Files of the plan that a person had written into the repository, after the run. */
    z.object({
      v: z.literal(1),
      type: z.literal('files.written'),
      /** As seen from the repository, with the SHA-256 of what was written. */
      files: z.array(z.object({ path: z.string(), sha256: z.string() })).readonly(),
    }),
  ] as const;

/** What a run of this kind says: the kernel's facts, and these. */
export const PLAN = vocabulary(() => [...KERNEL_FACTS, ...describePlanFacts()], {}, SQL_VIEWS);

/** Those that are not the kernel's. */
export type OwnBody = z.infer<ReturnType<typeof describePlanFacts>[number]>;
export type FactBody = z.infer<
  (typeof KERNEL_FACTS)[number] | ReturnType<typeof describePlanFacts>[number]
>;
type FactType = FactBody['type'];
export type FactOf<T extends FactType> = Extract<FactBody, { type: T }>;

/** Makes a fact's body. */
export const fact = PLAN.make;
