import type { Campus } from '#contract/campus.ts';
import { getDisplayName } from '#contract/profiles.ts';
import type { Mailer, UnreadMailSource } from '#server/mail/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import * as repository from './unread-mail-repository.ts';

/** How long a message waits, while its recipient is inactive, before an email about it is sent. */
const unreadMailDelaySeconds = 15 * 60;
/** Maximum number of messages that an email quotes per conversation. */
const maxQuotedMessages = 3;

interface UnreadMailSourceDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
}

export interface UnreadMailDeps extends UnreadMailSourceDeps {
  mailer: Pick<Mailer, 'sendUnreadMessages'>;
}

/** Creates the service that emails people who are away about their unread messages. */
export const createUnreadMailService = ({ sql, clock, campus, mailer }: UnreadMailDeps) => {
  // The conversation rows record who must be emailed; there is no separate queue. One transaction
  // locks these rows, marks their messages as no longer waiting for an email, and queues the email.
  // After a crash, therefore, either both changes are stored or neither is, and two processes never
  // both send the email.
  const queueEmail = (userId: string, before: Date): Promise<void> =>
    sql.begin(async (tx) => {
      const waiting = await repository.lockWaitingConversations(tx, userId);
      if (!waiting.some(({ waiting_since: since }) => since <= before)) return;
      await repository.cancelDueUnreadMail(tx, { userId, ids: waiting.map(({ id }) => id) });
      const person = await repository.findUnreadMailRecipient(tx, userId, { now: clock.now(), campus });
      if (!person?.email_messages) return;
      await mailer.sendUnreadMessages(tx, {
        to: person.email,
        userId,
        waiting: waiting.map((row) => ({ conversationId: row.id, fromSeq: row.from_seq, toSeq: row.to_seq })),
      });
    });

  return {
    /**
     * Queues one email for each person whose unread messages have waited long enough. A failure for one person does not
     * delay the others: it is thrown at the end, and the next run tries again.
     */
    gather: async (): Promise<void> => {
      const now = clock.now();
      const before = addSeconds(now, -unreadMailDelaySeconds);
      const failures: unknown[] = [];
      for (const userId of await repository.listOverdueRecipients(sql, before, { now, campus })) {
        await queueEmail(userId, before).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0)
        throw new AggregateError(failures, 'Failed to queue mail about unread messages for some people');
    },
  };
};

export type UnreadMailService = ReturnType<typeof createUnreadMailService>;

/**
 * Creates the source from which the mail worker reads the contents of emails about messages at the moment of sending.
 * In the recipient's quiet hours, and while the recipient is suspended, it returns no contents and marks the messages as
 * waiting for an email again.
 */
export const createUnreadMailSource = ({ sql, clock, campus }: UnreadMailSourceDeps): UnreadMailSource => ({
  findWillingSeller: async ({ conversationId, toSeq = 1, to }) => {
    const now = clock.now();
    const mail = { conversationId, toSeq, email: to };
    const seller = await repository.findSubscribedSeller(sql, { ...mail, now, campus });
    if (!seller?.must_wait) return seller && { id: seller.id, wantsQuotes: seller.wants_quotes };
    await repository.postponeUnreadMail(sql, {
      userId: seller.id,
      ids: [conversationId],
      fromSeqs: [1],
      now,
    });
    return undefined;
  },

  findUnread: async ({ userId, waiting }) => {
    const now = clock.now();
    const person = await repository.findUnreadMailRecipient(sql, userId, { now, campus });
    if (!person?.email_messages) return undefined;
    if (person.must_wait) {
      const ids = waiting.map(({ conversationId }) => conversationId);
      await repository.postponeUnreadMail(sql, {
        userId,
        ids,
        fromSeqs: waiting.map((it) => it.fromSeq),
        now,
      });
      return undefined;
    }
    const rows = await repository.listUnreadDigest(sql, {
      userId,
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
        beginnings: row.beginnings,
      })),
    };
  },
});

/**
 * Marks all messages as mailed after a restore, because the server from which the backup came has already sent those
 * emails.
 */
export const skipDueUnreadMail = (sql: Queryable): Promise<void> => repository.cancelAllDueUnreadMail(sql);
