/** What a calling program asks for when it starts a run: the arguments of `convene`, as schemas. */
import * as z from 'zod';
import { TOOL_SERVER } from '../app/settings/servers.ts';
import type { ToolPart } from '../app/tool-part.ts';
import type { ToolParts } from '../protocols/desks.ts';

/** The schema of a budget that the calling program sets. */
export const budgetSchema = z.object({
  tokens: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
});

/** The schema of a question that the calling program asks. */
export const questionSchema = z
  .string()
  .max(200_000)
  .regex(/[\p{L}\p{N}]/u, 'expected a question')
  .describe('The decision to deliberate, with all the context that the panel needs');

/**
 * Returns the schema of the arguments of the MCP tool `convene`, which starts a run. `parts` are the
 * protocols that can be started.
 */
export function conveneSchemaOf(parts: ToolParts) {
  const kinds = [...parts.keys()] as [string, ...string[]];
  const joinWords = (wordsOf: (part: ToolPart) => string | undefined): string =>
    [...parts].flatMap(([kind, part]) => wordsOf(part)?.replace(/^/, `${kind}: `) ?? []).join('; ');
  return z.object({
    question: questionSchema,
    kind: z
      .enum(kinds)
      .default(kinds[0])
      .describe(joinWords(({ about }) => about)),
    preset: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        `${joinWords(({ fields }) => fields.preset)}. A name that does not exist is answered with those that do`,
      ),
    seats: z
      .array(z.string().min(1).max(300))
      .max(20)
      .optional()
      .describe(joinWords(({ fields }) => fields.seats)),
    rounds: z
      .number()
      .int()
      .min(1)
      .max(13)
      .optional()
      .describe(joinWords(({ fields }) => fields.rounds)),
    gates: z
      .boolean()
      .optional()
      .describe(joinWords(({ fields }) => fields.gates)),
    attachments: z
      .array(z.string().min(1).max(4_000))
      .max(50)
      .optional()
      .describe('Files or folders below the working folder, or addresses of web pages'),
    tools: z
      .array(z.string().regex(TOOL_SERVER, 'expected the name of a tool server'))
      .max(8)
      .optional()
      .describe("Tool servers of the person's configuration whose tools seats may use"),
    budget: budgetSchema.optional().describe("Below the person's own limits"),
    again: z
      .boolean()
      .optional()
      .describe('Begin another run although the same was asked within the last hour'),
  });
}
/** The arguments of the MCP tool `convene`: the run that a calling program wants to start. */
export type ConveneArguments = z.output<ReturnType<typeof conveneSchemaOf>>;
/** A budget that the calling program sets. */
export type Budget = z.infer<typeof budgetSchema>;
