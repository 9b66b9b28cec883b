/** The figures that a protocol can show: plain values, drawn by the console and the report. */
import * as z from 'zod';

const title = z.string().min(1);
/** One sentence below the figure. */
const note = z.string().optional();

/** The schema of a figure that a protocol shows, such as bars or a table. */
export const figureSchema = z.discriminatedUnion('kind', [
  /** Bars in the given order. `text` is shown beside the bar instead of the value. */
  z.object({
    kind: z.literal('bars'),
    title,
    unit: z.string().optional(),
    /** The value that a full bar stands for; absent: the largest value, without its sign. */
    whole: z.number().positive().optional(),
    rows: z.array(z.object({ label: z.string(), value: z.number(), text: z.string().optional() })),
    note,
  }),
  /**
   * A chart of ranges on one common axis: each row is a bar from `low` to `high` with `mid` marked on it.
   * `quarters` are the lower and the upper quartile, if given.
   */
  z.object({
    kind: z.literal('ranges'),
    title,
    unit: z.string().optional(),
    scale: z.enum(['linear', 'log']),
    rows: z.array(
      z.object({
        label: z.string(),
        low: z.number(),
        mid: z.number(),
        high: z.number(),
        quarters: z.tuple([z.number(), z.number()]).optional(),
      }),
    ),
    note,
  }),
  /** Rows with a text before and a text after, such as the first and the last choice of each seat. */
  z.object({
    kind: z.literal('changes'),
    title,
    rows: z.array(
      z.object({
        label: z.string(),
        before: z.string(),
        after: z.string(),
        text: z.string().optional(),
      }),
    ),
    note,
  }),
  z.object({
    kind: z.literal('table'),
    title,
    columns: z.array(z.string()).min(1),
    rows: z.array(z.array(z.string())),
    note,
  }),
  z.object({ kind: z.literal('lines'), title, lines: z.array(z.string()), note }),
]);

/** A figure that a protocol shows, such as bars or a table. */
export type Figure = z.infer<typeof figureSchema>;

/**
 * Checks the figure that a protocol's code wants to show, and returns it.
 * @param key the key of the step that shows the figure, for the error
 * @throws TypeError that says what is wrong with the figure
 */
export function readFigure(key: string, figure: unknown): Figure {
  const read = figureSchema.safeParse(figure);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TypeError(`show ${key}: ${issue?.path.join('.') || 'figure'}: ${issue?.message}`);
}
