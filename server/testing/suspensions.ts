import type { App } from '#server/app.ts';
import type { AccountSummary } from '#server/features/accounts/public.ts';
import { suspendPerson } from '#server/features/moderation/public.ts';

/** Suspends a person, given by id or email address, as a command does: permanently, or for a number of days. */
export const suspendByCommand = (
  app: App,
  name: string,
  { days = null, reason = 'Spam' }: { days?: number | null; reason?: string } = {},
): Promise<AccountSummary> => suspendPerson(app, name, { days, reason, moderator: { name: 'alice' } });
