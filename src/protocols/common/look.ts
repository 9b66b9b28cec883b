/** The folders that a run's seats may look into, as its settings keep them: by name, whatever they lie at. */
import * as z from 'zod';

export const lookSchema = z
  .array(z.object({ name: z.string().min(1), path: z.string() }))
  .min(1)
  .optional();
export type Look = NonNullable<z.infer<typeof lookSchema>>;

/** Those of a run's settings; none where it was given none. */
export function lookIn({ look }: Readonly<Record<string, unknown>>): Look {
  return lookSchema.safeParse(look).data ?? [];
}
