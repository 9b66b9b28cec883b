/** The repository that a run works on, as its settings keep it: by the name of one of its folders. */
import * as z from 'zod';

export const workshopSchema = z.object({
  /** Which of the run's folders (`look`) it is. */
  root: z.string().min(1),
});
type WorkshopSettings = z.infer<typeof workshopSchema>;

/** Of a run's settings; undefined where it works on no repository. */
export function workshopIn({
  workshop,
}: Readonly<Record<string, unknown>>): WorkshopSettings | undefined {
  return workshopSchema.safeParse(workshop).data;
}
