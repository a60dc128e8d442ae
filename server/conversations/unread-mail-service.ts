import { displayName } from '#contract/profiles.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { UnreadMailSource } from '#server/mail/outbox.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import * as repository from './unread-mail-repository.ts';

/** A message that has waited this long for somebody who did nothing here meanwhile is told of by mail. */
const awaySeconds = 15 * 60;
/** How many messages of each conversation a mail quotes. */
const quotedMessages = 3;

export interface UnreadMailDeps {
  sql: Sql;
  clock: Clock;
  mailer: Pick<Mailer, 'sendUnreadMessages'>;
}

/** Tells people who are away, by mail, of what they have not read. */
export const createUnreadMail = ({ sql, clock, mailer }: UnreadMailDeps) => {
  // The conversations' own rows are the queue: they are locked, emptied and turned into one queued mail in one
  // transaction, so a crash leaves either all of it to be done again or nothing, and two processes never both do it.
  const tell = (userId: string, before: Date): Promise<void> =>
    sql.begin(async (tx) => {
      const waiting = await repository.lockWaiting(tx, userId);
      if (!waiting.some(({ waiting_since: since }) => since <= before)) return;
      await repository.endWaiting(tx, { userId, ids: waiting.map(({ id }) => id) });
      const person = await repository.findRecipient(tx, userId);
      if (!person?.email_messages) return;
      await mailer.sendUnreadMessages(tx, {
        to: person.email,
        userId,
        waiting: waiting.map((row) => ({ conversationId: row.id, fromSeq: row.from_seq, toSeq: row.to_seq })),
      });
    });

  return {
    /**
     * Queues one mail for everyone whose unread messages have waited long enough, about all that wait for them. Who
     * cannot be told now is left for the next time and keeps nobody else waiting; throws at the end then.
     */
    gather: async (): Promise<void> => {
      const before = secondsAfter(clock.now(), -awaySeconds);
      const failures: unknown[] = [];
      for (const userId of await repository.listOverdueRecipients(sql, before)) {
        await tell(userId, before).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0)
        throw new AggregateError(failures, 'Not everyone could be told of unread messages');
    },
  };
};

/** For the postman: what mails about messages say, read at the moment they leave. */
export const createUnreadMailSource = (sql: Sql): UnreadMailSource => ({
  findWillingSeller: ({ conversationId, to }) =>
    repository.findWillingSeller(sql, { conversationId, email: to }),

  findUnread: async ({ userId, waiting }) => {
    const person = await repository.findRecipient(sql, userId);
    if (!person?.email_messages) return undefined;
    const rows = await repository.listUnreadDigest(sql, {
      userId,
      newest: quotedMessages,
      waiting: waiting.map((it) => ({ id: it.conversationId, from_seq: it.fromSeq, to_seq: it.toSeq })),
    });
    if (rows.length === 0) return undefined;
    return {
      readerName: displayName(person),
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

/** After a restore: whoever messages waited for in the backup has been told by the server that it was made of. */
export const markAllAsNotified = (sql: Queryable): Promise<void> => repository.endAllWaiting(sql);
