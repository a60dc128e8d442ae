import type { Campus } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { isDeadlineWarning } from '#server/mail/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
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

const dealsPerBatch = 500;

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

const queueMails = async (app: App, tx: Queryable, notices: readonly AddressedNotice[]): Promise<void> => {
  const { clock, mail, config } = app;
  const readers = await repository.findNoticeRecipients(
    tx,
    notices.map(({ userId }) => userId),
    { now: clock.now(), campus: config.campus },
  );
  const wanted = notices.filter(
    ({ userId, kind }) => !isDeadlineWarning(kind) || readers.get(userId)?.wants_warnings,
  );
  for (const group of groupByMail(wanted)) {
    const reader = readers.get(group[0]?.userId ?? '');
    if (!reader) continue;
    await mail.send(tx, {
      kind: 'deal_notices',
      to: reader.email,
      userId: reader.id,
      notices: group.map(({ dealId, kind, at }) => ({ dealId, kind, at: at.toISOString() })),
    });
  }
};

/** Queues the due notices of locked deals, and stores when their next notices are due. */
const queueNotices = async (
  app: App,
  tx: Queryable,
  deals: readonly repository.DealForNotices[],
  now: Date,
): Promise<void> => {
  const { campus } = app.config;
  const notices = deals.flatMap((deal) => listDueNotices(deal, now, campus));
  await queueMails(app, tx, notices);
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

/**
 * Processes a batch of deals, or the deal with this id, in one transaction. Returns the ids of these deals, and the error
 * if the transaction was rolled back.
 */
const handleDueDeals = async (
  app: App,
  { id, except }: { id?: string | undefined; except: string[] },
): Promise<{ ids: string[]; error?: unknown }> => {
  let ids: string[] = [];
  try {
    await runInTransaction(app.sql, async (tx) => {
      const now = app.clock.now();
      const limit = dealsPerBatch;
      const deals = await repository.lockDealsWithDueNotices(tx, { now, limit, id, except });
      ids = deals.map((deal) => deal.id);
      await queueNotices(app, tx, deals, now);
    });
    return { ids };
  } catch (error) {
    if (ids.length === 0) throw error;
    return { ids, error };
  }
};

/**
 * Mails reminders, warnings and questions about deals. One transaction queues the emails of a batch and stores when the
 * next notices are due, so each notice is queued once even if runs are interrupted or overlap. When a batch fails, its
 * deals are processed one by one; deals that fail again are logged and skipped, and the run fails.
 */
export const sendDealNotices = async (app: App): Promise<void> => {
  const failures = new Map<string, unknown>();
  let handled: number;
  do {
    const { ids, error } = await handleDueDeals(app, { except: [...failures.keys()] });
    handled = ids.length;
    if (!error) continue;
    // A failure for one deal must not stop the others; the next run retries it.
    for (const id of ids) {
      const { error: cause } = await handleDueDeals(app, { id, except: [...failures.keys()] });
      if (!cause) continue;
      failures.set(id, cause);
      app.log.error({ err: cause, deal_id: id }, 'the notices of a deal failed');
    }
  } while (handled === dealsPerBatch);
  const [first] = failures.values();
  if (first) throw first;
};
