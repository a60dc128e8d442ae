import { z } from 'zod';

const daySchema = z.iso.date();

export const membershipSchema = z.object({
  /** The day from which on the membership counts as unconfirmed, or null if that never happens by itself. */
  due_on: daySchema.nullable(),
  /** The first day without the membership, or null while it does not end. */
  ends_on: daySchema.nullable(),
  has_ended: z.boolean(),
  /** Whether a link that is mailed to the person's campus address confirms the membership. */
  can_confirm: z.boolean(),
  /** Whether the person was asked to confirm the membership, and has not done so yet. */
  is_asked: z.boolean(),
});
export type Membership = z.infer<typeof membershipSchema>;
