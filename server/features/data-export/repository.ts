import type { MessageKind } from '#contract/conversations.ts';
import {
  type ExportedDeal,
  type ExportedListing,
  exportedDealSchema,
  exportedListingSchema,
} from '#contract/data-export.ts';
import type { EventLine } from '#contract/deal-event-lines.ts';
import type { StorageBucket } from '#contract/photos.ts';
import type { ReportReason, ReportSubjectType } from '#contract/reports.ts';
import type { SavedSearch } from '#contract/saved-searches.ts';
import { conversationSides } from '#server/features/conversations/sql.ts';
import type { CampusAddressColumns } from '#server/features/profiles/sql.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { columnList } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface PersonRow
  extends CampusAddressColumns,
    Pick<
      Tables['users'],
      | 'id'
      | 'email'
      | 'full_name'
      | 'role'
      | 'bio'
      | 'is_bio_public'
      | 'avatar_url'
      | 'usc_verified'
      | 'email_messages'
      | 'show_full_name'
      | 'show_seen'
      | 'show_typing'
      | 'away_until'
      | 'created_at'
      | 'updated_at'
    >,
    Pick<
      Tables['credentials'],
      'console_role' | 'confirmed_at' | 'suspended_at' | 'suspended_until' | 'badge_removed_at'
    > {
  credentials_changed_at: Date;
}

type NullableTimestampField =
  | 'published_at'
  | 'hidden_at'
  | 'draw_closes_at'
  | 'confirmed_at'
  | 'asked_at'
  | 'sold_at'
  | 'sale_confirmed_at';
type TimestampField = 'created_at' | 'updated_at' | NullableTimestampField;
export type ExportedListingRow = Omit<ExportedListing, TimestampField> & {
  created_at: Date;
  updated_at: Date;
} & Record<NullableTimestampField, Date | null>;

export interface ExportedMessageRow {
  seq: number;
  sender_id: string | null;
  message_text: string;
  created_at: Date;
  kind: MessageKind;
  data: EventLine | null;
  /** Ids of its photos. */
  photos: string[] | null;
  reply_to_seq: number | null;
  unsent_number: number | null;
}

export interface ExportedConversationRow {
  id: string;
  listing_title: string;
  buyer_id: string | null;
  other_name: string | null;
  created_at: Date;
  read_messages: number;
  last_seen_at: Date | null;
  archived_messages: number | null;
  muted_until: Date | null;
  marked_unread: boolean;
}

export const findPerson = async (sql: Sql, userId: string): Promise<PersonRow | undefined> => {
  const [person] = await sql<PersonRow[]>`
    SELECT u.id, u.email, u.full_name, u.role, u.bio, u.is_bio_public, u.avatar_url, u.usc_verified, u.email_messages,
      a.email AS campus_email, a.requested_at AS campus_email_requested_at,
      a.verified_at AS campus_email_verified_at, u.show_full_name, u.show_seen, u.show_typing, u.away_until,
      u.created_at, u.updated_at,
      c.console_role, c.confirmed_at, c.suspended_at, c.suspended_until, c.badge_removed_at, c.updated_at AS credentials_changed_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
      LEFT JOIN private.campus_addresses a ON a.user_id = u.id
    WHERE u.id = ${userId}`;
  return person;
};

type MembershipRow = Pick<
  Tables['memberships'],
  'confirmed_at' | 'confirmed_with' | 'due_on' | 'ends_on' | 'ended_at' | 'is_denied' | 'had_badge'
>;

export const findMembership = async (sql: Sql, userId: string): Promise<MembershipRow | undefined> => {
  const [row] = await sql<MembershipRow[]>`
    SELECT confirmed_at, confirmed_with, due_on, ends_on, ended_at, is_denied, had_badge
    FROM private.memberships WHERE user_id = ${userId}`;
  return row;
};

type SessionRow = Pick<
  Tables['sessions'],
  | 'method'
  | 'created_at'
  | 'last_used_at'
  | 'second_factor_at'
  | 'second_factor_method'
  | 'reauthenticated_at'
  | 'device_name'
>;

export const listSessions = (sql: Sql, userId: string) =>
  sql<SessionRow[]>`
    SELECT method, created_at, last_used_at, second_factor_at, second_factor_method, reauthenticated_at, device_name
    FROM private.sessions WHERE user_id = ${userId} ORDER BY created_at`;

type IdentityRow = Pick<
  Tables['identities'],
  'issuer' | 'subject' | 'email' | 'role' | 'created_at' | 'last_used_at'
>;

export const listIdentities = (sql: Sql, userId: string) =>
  sql<IdentityRow[]>`
    SELECT issuer, subject, email, role, created_at, last_used_at FROM private.identities WHERE user_id = ${userId}`;

export const listPasskeys = (sql: Sql, userId: string) =>
  sql<Pick<Tables['passkeys'], 'name' | 'created_at' | 'last_used_at'>[]>`
    SELECT name, created_at, last_used_at FROM private.passkeys WHERE user_id = ${userId} ORDER BY created_at, id`;

type SecondFactorRow = Pick<
  Tables['second_factors'],
  'kind' | 'name' | 'created_at' | 'verified_at' | 'updated_at'
>;

export const listSecondFactors = (sql: Sql, userId: string) =>
  sql<SecondFactorRow[]>`
    SELECT kind, name, created_at, verified_at, updated_at FROM private.second_factors
    WHERE user_id = ${userId} ORDER BY created_at, id`;

export const listDevices = (sql: Sql, userId: string) =>
  sql<{ first_used_at: Date; last_used_at: Date }[]>`
    SELECT first_used_at, last_used_at FROM private.known_devices WHERE user_id = ${userId} ORDER BY first_used_at`;

export type ExportedPhotoRow = Pick<Tables['objects'], 'url' | 'path' | 'width' | 'height' | 'created_at'> & {
  bucket: StorageBucket;
  /** The conversation in which the photo was sent, or null when it is not a photo of a message. */
  conversation_id: string | null;
};

/** Lists the next photos of a person after the given URL, ordered by URL. */
export const listPhotos = (sql: Sql, userId: string, after: string, limit: number) =>
  sql<ExportedPhotoRow[]>`
    SELECT url, bucket, path, width, height, created_at,
      (SELECT conversation_id FROM messages WHERE id = message_id) AS conversation_id
    FROM private.objects
    WHERE owner_id = ${userId} AND url > ${after} ORDER BY url LIMIT ${limit}`;

const toIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Lists the ids of a person's listings, newest first. */
export const listListingIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT id FROM listings WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`,
  );

/** Lists the given listings that still exist and belong to the person, newest first. */
export const listListings = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedListingRow[]>`
    SELECT ${columnList(Object.keys(exportedListingSchema.shape))} FROM listings
    WHERE id = ANY (${ids}) AND user_id = ${userId} ORDER BY created_at DESC, id DESC`;

export type ExportedReviewRow = Pick<
  Tables['reviews'],
  'rating' | 'tags' | 'review_text' | 'created_at' | 'updated_at' | 'public_at' | 'removed_at'
>;

/** Lists the ids of the reviews that a person wrote, or of the public reviews about the person, oldest first. */
export const listReviewIds = async (
  sql: Sql,
  userId: string,
  { side, now }: { side: 'written' | 'received'; now: Date },
): Promise<string[]> =>
  toIds(
    side === 'written'
      ? await sql<
          { id: string }[]
        >`SELECT id FROM reviews WHERE author_id = ${userId} ORDER BY created_at, id`
      : await sql<{ id: string }[]>`
          SELECT id FROM reviews WHERE subject_id = ${userId} AND public_at <= ${now} ORDER BY created_at, id`,
  );

/** Lists the given reviews that still exist and concern the person, oldest first. */
export const listReviews = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedReviewRow[]>`
    SELECT rating, tags, review_text, created_at, updated_at, public_at, removed_at FROM reviews
    WHERE id = ANY (${ids}) AND ${userId} IN (author_id, subject_id) ORDER BY created_at, id`;

/** Lists the ids of the forms that a person sent, oldest first. */
export const listFormIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT id FROM private.forms WHERE user_id = ${userId} ORDER BY created_at, id`,
  );

/**
 * Lists the given forms that still exist and belong to the person, oldest first, with the names of
 * their attachments but without storage keys.
 */
export const listFormSubmissions = (sql: Sql, userId: string, ids: string[]) =>
  sql<{ kind: string; content: Record<string, unknown>; created_at: Date; done_at: Date | null }[]>`
    SELECT kind, content #- '{resume,key}' AS content, created_at, done_at
    FROM private.forms WHERE id = ANY (${ids}) AND user_id = ${userId} ORDER BY created_at, id`;

/** Lists the ids of the reports that a person made, oldest first. */
export const listReportIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT id FROM private.moderation_reports WHERE reporter_id = ${userId} ORDER BY created_at, id`,
  );

/** Lists the given reports that still exist and were made by the person, oldest first. */
export const listReports = (sql: Sql, userId: string, ids: string[]) =>
  sql<{ subject: ReportSubjectType; reason: ReportReason; report_text: string; created_at: Date }[]>`
    SELECT c.subject, r.reason, r.report_text, r.created_at
    FROM private.moderation_reports r JOIN private.moderation_cases c ON c.id = r.case_id
    WHERE r.id = ANY (${ids}) AND r.reporter_id = ${userId} ORDER BY r.created_at, r.id`;

/** Lists the ids of the decisions about a person, oldest first. */
export const listDecisionIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT a.id FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
      WHERE c.person_id = ${userId} AND a.applied_at IS NOT NULL AND a.action <> 'dismiss' ORDER BY a.applied_at, a.id`,
  );

export interface ExportedDecisionRow
  extends Pick<Tables['moderation_actions'], 'action' | 'reason' | 'days' | 'restored_at'> {
  subject: ReportSubjectType;
  applied_at: Date;
  appeal_text: string | null;
  appealed_at: Date | null;
  decided_at: Date | null;
  is_granted: boolean | null;
}

/** Lists the given decisions that still exist and are about the person, oldest first. */
export const listDecisions = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedDecisionRow[]>`
    SELECT c.subject, a.action, a.reason, a.days, a.applied_at, a.restored_at, p.appeal_text, p.created_at AS appealed_at,
      p.decided_at, p.is_granted
    FROM private.moderation_actions a JOIN private.moderation_cases c ON c.id = a.case_id
    LEFT JOIN private.moderation_appeals p ON p.action_id = a.id
    WHERE a.id = ANY (${ids}) AND c.person_id = ${userId} ORDER BY a.applied_at, a.id`;

/** Lists the ids of the conversations that a person can see, oldest first. */
export const listConversationIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT id FROM ${conversationSides} AS side WHERE user_id = ${userId} AND is_visible ORDER BY created_at, id`,
  );

/** Lists the given conversations that the person is still a party of, oldest first. */
export const listConversations = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedConversationRow[]>`
    SELECT c.id, coalesce(l.title, c.listing_title) AS listing_title, c.buyer_id, o.display_name AS other_name,
      c.created_at, c.read_seq AS read_messages, c.seen_at AS last_seen_at,
      c.archived_seq AS archived_messages, c.muted_until, c.marked_unread
    FROM ${conversationSides} AS c
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status IN ('published', 'sold')
    LEFT JOIN users o ON o.id = c.other_id
    WHERE c.id = ANY (${ids}) AND c.user_id = ${userId}
    ORDER BY c.created_at, c.id`;

/** Lists the next messages of a conversation after the given sequence number, oldest first. */
export const listMessages = (sql: Sql, conversationId: string, afterSeq: number, limit: number) =>
  sql<ExportedMessageRow[]>`
    SELECT seq, sender_id, message_text, created_at, kind, data, photos, reply_to_seq, unsent_number FROM messages
    WHERE conversation_id = ${conversationId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`;

/** Lists the people whom a person blocked, at most `maxBlockedPeople`, oldest first. */
export const listBlockedPeople = (sql: Sql, userId: string) =>
  sql<{ user_id: string; name: string; blocked_at: Date }[]>`
    SELECT b.blocked_id AS user_id, u.display_name AS name, b.created_at AS blocked_at
    FROM blocks b JOIN users u ON u.id = b.blocked_id
    WHERE b.user_id = ${userId} ORDER BY b.created_at, b.blocked_id`;

/** Lists the listings that a person saved, at most `maxSavedListings`, oldest first. */
export const listSavedListings = (sql: Sql, userId: string) =>
  sql<{ listing_id: string; title: string; price: number; rental_period: string; saved_at: Date }[]>`
    SELECT listing_id, title, price, rental_period, saved_at FROM saved_listings
    WHERE user_id = ${userId} ORDER BY saved_at, listing_id`;

/** Lists the searches that a person saved, at most `maxSavedSearches`, oldest first. */
export const listSavedSearches = (sql: Sql, userId: string) =>
  sql<
    (Pick<SavedSearch, 'id' | 'name' | 'query' | 'alert'> & {
      created_at: Date;
      visited_at: Date;
      announced_at: Date | null;
    })[]
  >`
    SELECT id, name, query, alert, created_at, visited_at, announced_at FROM saved_searches
    WHERE user_id = ${userId} ORDER BY created_at, id`;

/** Lists the ids of a person's wanted posts, oldest first. */
export const listWantedPostIds = async (sql: Sql, userId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM wanted_posts WHERE user_id = ${userId} ORDER BY created_at, id`;
  return rows.map(({ id }) => id);
};

/** Lists those of a person's wanted posts that have these ids, oldest first. */
export const listWantedPosts = (sql: Sql, userId: string, ids: string[]) =>
  sql<Omit<Tables['wanted_posts'], 'id' | 'user_id' | 'client_id' | 'words' | 'text_key'>[]>`
    SELECT title, category, max_price, until, created_at, updated_at, closed_at, hidden_at, hidden_reason FROM wanted_posts
    WHERE user_id = ${userId} AND id = ANY (${ids}::uuid[]) ORDER BY created_at, id`;

/** Lists a person's notifications after the one with the given time and id, oldest first. */
export const listNotifications = (
  sql: Sql,
  userId: string,
  after: { createdAt: Date; id: string },
  limit: number,
) =>
  sql<
    {
      id: string;
      kind: string;
      event: string;
      subject_id: string;
      facts: Record<string, unknown>;
      count: number;
      created_at: Date;
      read_at: Date | null;
    }[]
  >`
    SELECT id, kind, event, subject_id, facts, count, created_at, read_at FROM notifications
    WHERE user_id = ${userId} AND (date_trunc('milliseconds', created_at), id) > (${after.createdAt}, ${after.id}::uuid)
    ORDER BY date_trunc('milliseconds', created_at), id LIMIT ${limit}`;

/** Lists the browsers that get a person's push notifications, oldest first. */
export const listPushDevices = (sql: Sql, userId: string) =>
  sql<{ endpoint: string; device_name: string; created_at: Date; used_at: Date | null }[]>`
    SELECT endpoint, device_name, created_at, used_at FROM private.push_subscriptions
    WHERE user_id = ${userId} ORDER BY created_at, id`;

/** Lists the ids of a person's deals, oldest first. */
export const listDealIds = async (sql: Sql, userId: string): Promise<string[]> =>
  toIds(
    await sql<{ id: string }[]>`
      SELECT id FROM deals WHERE buyer_id = ${userId} OR seller_id = ${userId} ORDER BY created_at, id`,
  );

const dealColumns = Object.keys(exportedDealSchema.omit({ you_are: true }).shape);

/**
 * A deal as read from the database: its timestamps are Date objects, which are not yet converted to the strings of
 * the export.
 */
export type ExportedDealRow = { [Field in keyof ExportedDeal]: ExportedDeal[Field] | Date | Date[] };

/** Lists the given deals that the person is still a party of, oldest first. */
export const listDeals = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedDealRow[]>`
    SELECT ${columnList(dealColumns)}, CASE WHEN buyer_id = ${userId} THEN 'buyer' ELSE 'seller' END AS you_are FROM deals
    WHERE id = ANY (${ids}) AND (buyer_id = ${userId} OR seller_id = ${userId}) ORDER BY created_at, id`;

/** Lists security events after the one with the given id, oldest first, except that a moderator read a case. */
export const listSecurityEvents = (sql: Sql, userId: string, after: number, limit: number) =>
  sql<{ id: number; at: Date; event: string; detail: string | null }[]>`
    SELECT id, at, event, detail FROM private.security_events
    WHERE user_id = ${userId} AND id > ${after} AND event <> 'case_read' ORDER BY id LIMIT ${limit}`;
