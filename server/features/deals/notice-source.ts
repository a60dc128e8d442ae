import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import type { App } from '#server/app.ts';
import { type DealNoticeFacts, type DealNoticeKind, isDeadlineWarning } from '#server/mail/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import * as repository from './notice-repository.ts';
import { isNoticeApplicable, listPossibleNotices } from './notices.ts';
import { listAllowedTransitions } from './presenter.ts';
import { getPartyId } from './process.ts';
import type { DealWithContext } from './repository.ts';
import { urgentHandoverSeconds } from './sql.ts';

const toFacts = (
  deal: DealWithContext,
  {
    kind,
    reader,
    otherName,
    transitions,
  }: Pick<DealNoticeFacts, 'kind' | 'reader' | 'otherName' | 'transitions'>,
): DealNoticeFacts => ({
  kind,
  dealKind: deal.kind,
  reader,
  otherName,
  title: deal.title,
  conversationId: deal.conversation_id,
  deadline: deal.deadline_at?.toISOString() ?? null,
  time: deal.handover_at?.toISOString() ?? null,
  place: deal.agreed_place && [deal.agreed_place, deal.agreed_landmark].filter(Boolean).join(', '),
  firstDay: deal.first_day,
  lastDay: deal.last_day,
  pickupTime: deal.pickup_time,
  returnTime: deal.return_time,
  longerHoldHours: transitions.includes('keep_hold') ? deal.hold_hours : null,
  transitions,
});

const isHandoverSoon = ({ time }: Pick<DealNoticeFacts, 'time'>, now: Date): boolean => {
  const handover = time === null ? Number.NaN : new Date(time).getTime();
  return handover >= now.getTime() && handover <= addSeconds(now, urgentHandoverSeconds).getTime();
};

/** A notice as a queued email or push notification names it. */
interface NoticeReference {
  dealId: string;
  kind: DealNoticeKind;
  at: string;
}

/**
 * Returns those of the given notices to a person that still apply, each with the facts about its deal that its text
 * needs.
 */
export const listApplicableNotices = async (
  { sql, config: { campus } }: App,
  userId: string,
  notices: readonly NoticeReference[],
  now: Date,
): Promise<DealNoticeFacts[]> => {
  const deals = await repository.listDealsByIds(
    sql,
    notices.map(({ dealId }) => dealId),
  );
  const names = await repository.findDisplayNames(
    sql,
    deals.flatMap((deal) => [deal.buyer_id, deal.seller_id]).filter((id) => id !== null),
  );
  return notices.flatMap(({ dealId, kind, at }) => {
    const deal = deals.find(({ id }) => id === dealId);
    if (!deal) return [];
    const party: DealParty = deal.buyer_id === userId ? 'buyer' : 'seller';
    if (getPartyId(deal, party) !== userId) return [];
    const isCurrent = listPossibleNotices(deal, campus).some(
      (notice) =>
        notice.kind === kind &&
        notice.at.toISOString() === at &&
        notice.to.includes(party) &&
        isNoticeApplicable(deal, notice, now),
    );
    const otherId = getPartyId(deal, getOtherParty(party));
    const otherName = names.get(otherId ?? '') ?? deletedUserName;
    const transitions = listAllowedTransitions(deal, party, { now, campus });
    return isCurrent ? [toFacts(deal, { kind, reader: party, otherName, transitions })] : [];
  });
};

/**
 * Returns the content of an email about deals at the moment of sending: those of its notices that still apply. Returns
 * undefined when there are none, or when the recipient no longer exists, is suspended or has unsubscribed. Returns
 * 'quiet' when the email must be postponed, because the recipient has quiet hours.
 */
export const findDealNotices = async (
  app: App,
  { userId, notices }: { userId: string; notices: readonly NoticeReference[] },
): Promise<{ readerName: string; notices: DealNoticeFacts[] } | 'quiet' | undefined> => {
  const now = app.clock.now();
  const { campus } = app.config;
  const reader = (await repository.findNoticeRecipients(app.sql, [userId], { now, campus })).get(userId);
  if (!reader) return undefined;
  const wanted = notices.filter(({ kind }) => reader.wants_warnings || !isDeadlineWarning(kind));
  const found = await listApplicableNotices(app, userId, wanted, now);
  if (reader.is_quiet && found.length > 0 && !found.some((facts) => isHandoverSoon(facts, now)))
    return 'quiet';
  return found.length > 0 ? { readerName: reader.display_name, notices: found } : undefined;
};
