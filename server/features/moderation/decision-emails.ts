import type { App } from '#server/app.ts';
import { type NotificationFacts, renderDecision } from '#server/features/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { setAppealTokenHash } from './action-repository.ts';
import { listSuspendedPeople } from './appeal-repository.ts';

interface DecisionAboutPerson {
  actionId: string;
  personId: string;
  facts: NotificationFacts<'decision_made'>;
  now: Date;
}

/**
 * Emails a decision to the person concerned if their account is suspended, because they can read no notifications and
 * get no emails about them. The email has a link for an appeal, which needs no log-in.
 */
export const mailDecision = async (
  { mail }: App,
  tx: Queryable,
  { actionId, personId, facts, now }: DecisionAboutPerson,
): Promise<void> => {
  for (const { email } of await listSuspendedPeople(tx, { ids: [personId], now })) {
    const appealToken = facts.action === 'restore' ? undefined : generateToken();
    if (appealToken) await setAppealTokenHash(tx, actionId, hashToken(appealToken));
    await mail.send(tx, { kind: 'decision_made', to: email, ...renderDecision(facts), appealToken });
  }
};
