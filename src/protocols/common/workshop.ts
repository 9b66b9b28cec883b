/** The part of a run's settings that says which repository it works on. */
import * as z from 'zod';

export const workshopSchema = z.object({
  /** The name of the run's folder (in `look`) that is the repository. */
  root: z.string().min(1),
});
type WorkshopSettings = z.infer<typeof workshopSchema>;

/** Returns the repository in a run's settings; undefined if it works on none. */
export function workshopIn({
  workshop,
}: Readonly<Record<string, unknown>>): WorkshopSettings | undefined {
  return workshopSchema.safeParse(workshop).data;
}
