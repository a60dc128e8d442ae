import type { ModerationSignalKind } from '#contract/moderation.ts';
import type { ReportSubjectType } from '#contract/reports.ts';
import type { TicketFacts } from '#contract/tickets.ts';
import type { FieldsLockedByDeals, ListingRow, OwnedListing } from './features/listings/listing-row.ts';
import type { ListingTerms } from './features/listings/sql.ts';

/**
 * What features report to the features above them, which they do not know; `react` (app.ts) runs the reactions, which
 * reactions.ts lists. Names in the past tense report a change that the transaction has made. Names that start with
 * `before` report one that it is about to make; a reaction to them may refuse it by throwing a Problem.
 */
export interface Events {
  /** The owner is about to change a listing. */
  before_listing_edit: { listing: OwnedListing; to: FieldsLockedByDeals };
  /** A published listing is about to be edited, and stays published. */
  before_published_listing_edit: { listingId: string };
  /** The terms of a listing may have changed. */
  listing_edited: { listingId: string; before: ListingTerms; after: ListingTerms & TicketFacts };
  /** A listing was published that was not public before. */
  listing_published: { listingId: string };
  /** A listing that had been published before was published, or was edited while it was public. */
  listing_republished: { listingId: string };
  /**
   * A listing is about to be withdrawn, held for review, sold or listed again. Handovers to `exceptBuyerId` do not
   * prevent this.
   */
  before_listing_withdrawal: { listingId: string; exceptBuyerId?: string | undefined };
  /** The owner made a listing a draft; `listing` is as it was before. */
  listing_unpublished: { listing: OwnedListing };
  /** Moderators took a listing down, or made it a draft because they ask its owner for changes. */
  listing_taken_down: { listingId: string };
  /** A listing is available again: published after a review, restored, or listed again after a sale. */
  listing_available_again: { listingId: string };
  /** A listing was marked as sold, or rented `until` a day. */
  listing_sold: { listingId: string; until: string | null };
  /** A person is about to say whether they got a listing that was sold to them. */
  before_sale_answer: { listingId: string; buyerId: string };
  /** The buyer confirmed a sale that was made without a deal. */
  sale_confirmed: { listing: ListingRow; buyerId: string; now: Date };
  /** What a person is asked, or can do, about a sale has changed. */
  sale_changed: { listingId: string; buyerId: string };
  /** The owner is about to delete a listing, which can be restored for a few seconds. */
  before_listing_deletion: { listingId: string };
  /** A deleted listing is about to be removed for good. Reported outside of a transaction. */
  before_listing_removal: { listingId: string };

  /** A seller is away until a day (YYYY-MM-DD), or is back if `until` is null. */
  away_changed: { userId: string; until: string | null };

  /** A person's membership of the campus has ended, or they are a member again. */
  membership_ended: { userId: string };
  membership_returned: { userId: string };

  before_account_suspension: { userId: string };
  account_suspended: { userId: string };
  suspension_lifted: { userId: string };
  before_account_deletion: { userId: string };
  /** A person is about to lose the power of a moderator or administrator, by a lost role or a suspension. */
  before_role_loss: { userId: string };
  /** A person chose another hour for daily notifications. */
  digest_hour_changed: { userId: string };
  /** A person is about to unsend a message with photos. */
  before_photos_unsent: { messageId: string };
  before_block: { userIds: readonly [string, string] };
  person_blocked: { userIds: readonly [string, string] };

  /** Something was noticed that moderators should see. */
  signal_noticed: ModerationSignal;
}

/** Something that was noticed about a listing, a person or a message. */
export interface ModerationSignal {
  subject: ReportSubjectType;
  /** The id of the listing, the person or the message. */
  subjectId: string;
  kind: ModerationSignalKind;
  /** What was noticed, for moderators: one or two sentences. */
  detail: string;
  /** Whether the listing is held for review until a moderator decides; such cases come first. */
  isHeld?: boolean;
}
