import type { Campus } from '#contract/campus.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import {
  type DealNoticeFacts,
  type DealNoticeKind,
  type DealNoticeSource,
  isDeadlineWarning,
} from '#server/mail/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
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
  place: deal.agreed_place,
  firstDay: deal.first_day,
  lastDay: deal.last_day,
  longerHoldHours: transitions.includes('keep_hold') ? deal.hold_hours : null,
  transitions,
});

const isHandoverSoon = ({ time }: Pick<DealNoticeFacts, 'time'>, now: Date): boolean => {
  const handover = time === null ? Number.NaN : new Date(time).getTime();
  return handover >= now.getTime() && handover <= addSeconds(now, urgentHandoverSeconds).getTime();
};

interface NoticeSourceDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
}

/**
 * Returns those of the given notices to a person that still apply, each with the facts about its deal that its text
 * needs.
 */
export const listApplicableNotices = async (
  { sql, campus }: Pick<NoticeSourceDeps, 'sql' | 'campus'>,
  userId: string,
  notices: readonly { dealId: string; kind: DealNoticeKind; at: string }[],
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

/** Creates the source from which the mail worker reads the contents of emails about deals at the moment of sending. */
export const createDealNoticeSource = ({ sql, clock, campus }: NoticeSourceDeps): DealNoticeSource => ({
  findNotices: async ({ userId, notices }) => {
    const now = clock.now();
    const reader = (await repository.findNoticeRecipients(sql, [userId], { now, campus })).get(userId);
    if (!reader) return undefined;
    const wanted = notices.filter(({ kind }) => reader.wants_warnings || !isDeadlineWarning(kind));
    const found = await listApplicableNotices({ sql, campus }, userId, wanted, now);
    if (reader.is_quiet && found.length > 0 && !found.some((facts) => isHandoverSoon(facts, now)))
      return 'quiet';
    return found.length > 0 ? { readerName: reader.display_name, notices: found } : undefined;
  },
});
