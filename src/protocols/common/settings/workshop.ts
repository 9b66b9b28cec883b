/** The part of a run's settings that says which repository it works on. */
import * as z from 'zod';

/** The schema of the repository on which a run works. */
export const workshopSchema = z.object({
  /** The name, in the setting `look`, of the folder with the repository on which the run works. */
  root: z.string().min(1),
});
type WorkshopSettings = z.infer<typeof workshopSchema>;

/** Returns the repository in a run's settings, or undefined if the run works on none. */
export function getWorkshop({
  workshop,
}: Readonly<Record<string, unknown>>): WorkshopSettings | undefined {
  return workshopSchema.safeParse(workshop).data;
}
