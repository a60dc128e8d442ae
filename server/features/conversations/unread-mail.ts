import { getDisplayName } from '#contract/profiles.ts';
import type { App } from '#server/app.ts';
import type { MailOf, UnreadMessagesDigest } from '#server/mail/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './unread-mail-repository.ts';

/** How long a message waits, while its recipient is inactive, before an email about it is sent. */
const unreadMailDelaySeconds = 15 * 60;
const maxQuotedMessages = 3;

// The conversation rows record who must be emailed; there is no separate queue. One transaction
// locks these rows, marks their messages as no longer waiting for an email, and queues the email.
// After a crash, therefore, either both changes are stored or neither is, and two processes never
// both send the email.
const queueEmail = ({ sql, clock, config: { campus }, mail }: App, userId: string, before: Date) =>
  runInTransaction(sql, async (tx) => {
    const waiting = await repository.lockWaitingConversations(tx, userId);
    if (!waiting.some(({ waiting_since: since }) => since <= before)) return;
    await repository.cancelDueUnreadMail(tx, { userId, ids: waiting.map(({ id }) => id) });
    const person = await repository.findUnreadMailRecipient(tx, userId, { now: clock.now(), campus });
    if (!person?.email_messages) return;
    await mail.send(tx, {
      kind: 'unread_messages',
      to: person.email,
      userId,
      waiting: waiting.map((row) => ({ conversationId: row.id, fromSeq: row.from_seq, toSeq: row.to_seq })),
    });
  });

/**
 * Queues one email for each person whose unread messages have waited long enough. A failure for one person does not
 * delay the others: it is thrown at the end, and the next run tries again.
 */
export const queueUnreadMail = async (app: App): Promise<void> => {
  const { sql, clock, config } = app;
  const now = clock.now();
  const before = addSeconds(now, -unreadMailDelaySeconds);
  const failures: unknown[] = [];
  for (const userId of await repository.listOverdueRecipients(sql, before, { now, campus: config.campus })) {
    await queueEmail(app, userId, before).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'Failed to queue mail about unread messages for some people');
};

/**
 * For the mail worker, at the moment of sending the email about a first message: returns its seller. In quiet hours that
 * the seller has chosen, and while the seller is suspended, returns undefined and marks the message as waiting for an email
 * again. Also returns undefined when the account no longer exists, or the seller has read the message or unsubscribed.
 */
export const findWillingSeller = async (
  { sql, clock, config: { campus } }: App,
  { conversationId, toSeq = 1, to }: MailOf<'first_message'>,
): Promise<{ id: string; wantsQuotes: boolean } | undefined> => {
  const now = clock.now();
  const mail = { conversationId, toSeq, email: to };
  const seller = await repository.findSubscribedSeller(sql, { ...mail, now, campus });
  if (!seller?.must_wait) return seller && { id: seller.id, wantsQuotes: seller.wants_quotes };
  await repository.postponeUnreadMail(sql, { userId: seller.id, ids: [conversationId], fromSeqs: [1], now });
  return undefined;
};

/**
 * For the mail worker, at the moment of sending an email about unread messages: returns those that are still unread.
 * In the recipient's quiet hours, and while the recipient is suspended, returns undefined and marks the messages as
 * waiting for an email again.
 */
export const findUnreadDigest = async (
  { sql, clock, config: { campus } }: App,
  { userId, waiting }: MailOf<'unread_messages'>,
): Promise<UnreadMessagesDigest | undefined> => {
  const now = clock.now();
  const person = await repository.findUnreadMailRecipient(sql, userId, { now, campus });
  if (!person?.email_messages) return undefined;
  if (person.must_wait) {
    const ids = waiting.map(({ conversationId }) => conversationId);
    const fromSeqs = waiting.map((it) => it.fromSeq);
    await repository.postponeUnreadMail(sql, { userId, ids, fromSeqs, now });
    return undefined;
  }
  const rows = await repository.listUnreadDigest(sql, {
    userId,
    now,
    newest: person.wants_quotes ? maxQuotedMessages : 0,
    waiting: waiting.map((it) => ({ id: it.conversationId, from_seq: it.fromSeq, to_seq: it.toSeq })),
  });
  if (rows.length === 0) return undefined;
  return {
    readerName: getDisplayName(person),
    conversations: rows.map((row) => ({
      id: row.id,
      otherName: row.other_name,
      listingTitle: row.listing_title,
      count: row.unread_count,
      isWritten: row.has_text,
      beginnings: row.beginnings,
    })),
  };
};

/**
 * Marks all messages as mailed after a restore, because the server from which the backup came has already sent those
 * emails.
 */
export const skipDueUnreadMail = (sql: Queryable): Promise<void> => repository.cancelAllDueUnreadMail(sql);
