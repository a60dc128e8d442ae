import type { Campus } from '#contract/campus.ts';
import { isDeadlineWarning, type Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import * as repository from './notice-repository.ts';
import {
  type DealNotice,
  findNextNoticeTime,
  getEarliestUnsentNoticeTime,
  isNoticeApplicable,
  listPossibleNotices,
} from './notices.ts';
import { getPartyId } from './process.ts';
import { toNoticePushDetail } from './push-detail.ts';

/** Number of deals per transaction. */
const dealsPerBatch = 500;

export interface NoticeJobDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  mailer: Pick<Mailer, 'sendDealNotices'>;
}

/** A notice about a deal for one of its parties. */
interface AddressedNotice extends Pick<DealNotice, 'kind' | 'at'> {
  dealId: string;
  userId: string;
}

const listDueNotices = (deal: repository.DealForNotices, now: Date, campus: Campus): AddressedNotice[] => {
  const since = getEarliestUnsentNoticeTime(deal.next_notice_at, now);
  return listPossibleNotices(deal, campus)
    .filter((notice) => notice.at >= since && notice.at <= now && isNoticeApplicable(deal, notice, now))
    .flatMap(({ kind, at, to }) =>
      to.flatMap((party) => {
        const userId = getPartyId(deal, party);
        return userId === null ? [] : [{ dealId: deal.id, userId, kind, at }];
      }),
    );
};

/** Groups notices into emails: warnings for the same person share one email, and every other notice gets its own. */
const groupByMail = (notices: readonly AddressedNotice[]): AddressedNotice[][] => [
  ...Map.groupBy(notices, ({ userId, dealId, kind, at }) =>
    isDeadlineWarning(kind) ? userId : `${userId} ${dealId} ${kind} ${at.getTime()}`,
  ).values(),
];

/**
 * Returns the job that mails reminders, warnings and questions about deals. One transaction queues
 * the emails of a batch and stores when the next notices are due, so each notice is queued once
 * even if runs are interrupted or overlap. When a batch fails, its deals are processed one by one;
 * deals that fail again are logged and skipped, and the run fails.
 */
export const createNoticeJob = ({ sql, clock, campus, mailer }: NoticeJobDeps) => {
  const queueMails = async (tx: Queryable, notices: readonly AddressedNotice[]): Promise<void> => {
    const readers = await repository.findNoticeRecipients(
      tx,
      notices.map(({ userId }) => userId),
      { now: clock.now(), campus },
    );
    const wanted = notices.filter(
      ({ userId, kind }) => !isDeadlineWarning(kind) || readers.get(userId)?.wants_warnings,
    );
    for (const group of groupByMail(wanted)) {
      const reader = readers.get(group[0]?.userId ?? '');
      if (!reader) continue;
      await mailer.sendDealNotices(tx, {
        to: reader.email,
        userId: reader.id,
        notices: group.map(({ dealId, kind, at }) => ({ dealId, kind, at: at.toISOString() })),
      });
    }
  };

  const handleLocked = async (tx: Queryable, deals: readonly repository.DealForNotices[], now: Date) => {
    const notices = deals.flatMap((deal) => listDueNotices(deal, now, campus));
    await queueMails(tx, notices);
    await repository.queueNoticePushNotifications(
      tx,
      notices.map(({ dealId, userId, kind, at }) => ({
        dealId,
        userId,
        detail: toNoticePushDetail(kind, at),
      })),
      now,
    );
    const later = getEarliestUnsentNoticeTime(null, now);
    await repository.setNextNoticeTimes(
      tx,
      deals.map((deal) => ({ id: deal.id, nextNoticeAt: findNextNoticeTime(deal, later, campus) })),
    );
  };

  return async (log: Pick<Log, 'error'>): Promise<void> => {
    const failures = new Map<string, unknown>();

    /**
     * Processes a batch of deals, or a single deal, in one transaction. Returns the ids of these deals, and the error
     * if the transaction was rolled back.
     */
    const handle = async (id?: string): Promise<{ ids: string[]; error?: unknown }> => {
      let ids: string[] = [];
      try {
        await runInTransaction(sql, async (tx) => {
          const now = clock.now();
          const limit = dealsPerBatch;
          const deals = await repository.lockDealsWithDueNotices(tx, {
            now,
            limit,
            id,
            except: [...failures.keys()],
          });
          ids = deals.map((deal) => deal.id);
          await handleLocked(tx, deals, now);
        });
        return { ids };
      } catch (error) {
        if (ids.length === 0) throw error;
        return { ids, error };
      }
    };

    let handled: number;
    do {
      const { ids, error } = await handle();
      handled = ids.length;
      if (!error) continue;
      // A failure for one deal must not stop the others; the next run retries it.
      for (const id of ids) {
        const { error: cause } = await handle(id);
        if (!cause) continue;
        failures.set(id, cause);
        log.error({ err: cause, deal_id: id }, 'the notices of a deal failed');
      }
    } while (handled === dealsPerBatch);
    const [first] = failures.values();
    if (first) throw first;
  };
};
