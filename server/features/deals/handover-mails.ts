import { formatDealTerms } from '#contract/deal-event-lines.ts';
import type { App } from '#server/app.ts';
import { type CalendarHandover, renderCalendar } from '#server/features/handovers/public.ts';
import type { HandoverChange } from '#server/mail/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { findHandoverRecipients } from './handover-repository.ts';
import type { DealRow } from './process.ts';
import type { DealWithContext } from './repository.ts';

/** A deal with the landmark of its agreed meeting spot. */
type DealWithLandmark = DealRow & Pick<DealWithContext, 'agreed_landmark'>;

/** Returns the agreed handover of a deal as a calendar entry, or undefined when none was agreed. */
export const toCalendarHandover = (deal: DealWithLandmark): CalendarHandover | undefined =>
  deal.handover_at && deal.agreed_place !== null
    ? {
        dealId: deal.id,
        conversationId: deal.conversation_id,
        title: deal.title,
        place: deal.agreed_place,
        landmark: deal.agreed_landmark,
        time: deal.handover_at,
        sequence: deal.calendar_sequence,
        isCancelled: deal.state === 'cancelled' || deal.state === 'closed',
        changedAt: deal.changed_at,
      }
    : undefined;

const findHandoverChange = (before: DealRow, deal: DealRow): HandoverChange | undefined => {
  if (deal.calendar_sequence === before.calendar_sequence) return undefined;
  if (deal.state === 'held') return before.handover_at ? 'changed' : 'agreed';
  return before.handover_at ? 'cancelled' : undefined;
};

/**
 * Mails a calendar file to both parties when a transition agrees, changes or cancels the handover. The email is queued
 * in the transaction of the deal's transition.
 */
export const mailHandoverChange = async (
  { mail, config }: App,
  tx: Queryable,
  before: DealRow,
  deal: DealWithLandmark,
): Promise<void> => {
  const news = findHandoverChange(before, deal);
  const handover = toCalendarHandover(deal);
  if (!news || !handover) return;
  const calendar = renderCalendar([handover], config);
  for (const recipient of await findHandoverRecipients(tx, deal))
    await mail.send(tx, {
      kind: 'handover',
      ...recipient,
      news,
      title: deal.title,
      place: handover.place,
      landmark: handover.landmark,
      terms: deal.kind === 'gift' ? '' : formatDealTerms(deal, config.campus),
      time: handover.time.toISOString(),
      conversationId: deal.conversation_id,
      calendar,
    });
};
