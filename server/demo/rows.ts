import { randomUUID } from 'node:crypto';
import { categoryColumns, categoryFieldByColumn } from '#contract/category-fields.ts';
import { defaultGiftDrawHours } from '#contract/selling.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList, joinFragments, json } from '#server/platform/postgres/sql-fragments.ts';
import { subtractDays } from './demo-times.ts';
import type { StoredPhoto } from './photos.ts';
import type { PlannedConversation } from './plan-conversations.ts';
import type { PlannedListing, SeededPerson } from './plan-listings.ts';

/** Age of all demo accounts in days. It is greater than the age of the oldest demo listing. */
const accountAgeDays = 40;

export const insertPerson = async (
  sql: Queryable,
  { id, email, fullName, role, bio, verified, consoleRole }: SeededPerson,
  { passwordHash, start }: { passwordHash: string; start: Date },
): Promise<void> => {
  const joined = subtractDays(start, accountAgeDays);
  await sql`
    INSERT INTO users (id, email, full_name, role, bio, is_bio_public, usc_verified, email_messages, created_at, updated_at)
    VALUES (${id}, ${email}, ${fullName}, ${role}, ${bio}, true, ${verified}, true, ${joined}, ${joined})`;
  await sql`
    INSERT INTO private.credentials (user_id, password_hash, confirmed_at, updated_at, console_role)
    VALUES (${id}, ${passwordHash}, ${joined}, ${joined}, ${consoleRole ?? null})`;
};

/** Stores that a person, whose listings are already inserted, is away until a day (YYYY-MM-DD). */
export const storeAwayDay = async (sql: Queryable, personId: string, until: string): Promise<void> => {
  await sql`UPDATE users SET away_until = ${until} WHERE id = ${personId}`;
  await sql`UPDATE listings SET away_until = ${until} WHERE user_id = ${personId}`;
};

export const insertPhoto = async (sql: Queryable, photo: StoredPhoto): Promise<void> => {
  const { bucket, path, ownerId, width, height, thumbhash, bytes, createdAt } = photo;
  await sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    VALUES (${bucket}, ${path}, ${ownerId}, ${width}, ${height}, ${thumbhash}, ${bytes}, ${createdAt})`;
};

export const insertListing = async (sql: Queryable, listing: PlannedListing): Promise<void> => {
  const { id, slug, seller, title, description, price, category, condition, location, createdAt } = listing;
  const isDraft = listing.draft || listing.endedAt || listing.pausedAt;
  const status = isDraft ? 'draft' : listing.soldAt ? 'sold' : 'published';
  await sql`
    INSERT INTO listings (id, slug, user_id, title, description, price, photos, category, condition, location,
      status, game_date, contact_email, contact_phone, created_at, updated_at, published_at, rental_period, sold_at,
      sold_to, gift_mode, draw_hours, draw_closes_at, ended_at, confirmed_at, asked_at, paused_at, ${columnList(categoryColumns)})
    VALUES (${id}, ${slug}, ${seller.id}, ${title}, ${description}, ${price},
      ${listing.photos.map(({ url }) => url)}, ${category}, ${condition}, ${location}, ${status}, ${listing.gameDate},
      ${listing.contactEmail}, ${listing.contactPhone}, ${createdAt}, ${createdAt},
      ${listing.draft ? null : createdAt}, ${listing.rentalPeriod}, ${listing.soldAt}, ${listing.soldToId},
      ${listing.drawHours ? 'draw' : 'first_come'}, ${listing.drawHours ?? defaultGiftDrawHours}, ${listing.drawClosesAt},
      ${listing.endedAt}, ${listing.confirmedAt}, ${listing.askedAt}, ${listing.pausedAt},
      ${joinFragments(
        categoryColumns.map((column) => listing[categoryFieldByColumn[column]] ?? null),
        ', ',
      )})`;
};

/** Notifies the seller of a listing that was asked about. The email about it counts as sent. */
export const insertAvailabilityQuestion = async (
  sql: Queryable,
  { id, seller }: PlannedListing,
  askedAt: Date,
): Promise<void> => {
  await sql`UPDATE private.credentials SET availability_asked_at = ${askedAt} WHERE user_id = ${seller.id}`;
  await sql`
    INSERT INTO notifications (user_id, kind, event, subject_id, facts, job_id, created_at, emailed_count)
    VALUES (${seller.id}, 'availability', 'availability_asked', ${randomUUID()},
      ${json({ asked_at: askedAt.toISOString(), listing_ids: [id] })}, ${randomUUID()}, ${askedAt}, 1)`;
};

export const insertConversation = async (
  sql: Queryable,
  conversation: PlannedConversation,
): Promise<void> => {
  const { id, listing, buyerId, sellerId, buyerReadSeq, sellerReadSeq, messages } = conversation;
  const first = messages[0]?.createdAt ?? listing.createdAt;
  const last = messages.at(-1)?.createdAt ?? first;
  // Setting seller_told_at marks the seller as notified, so that no emails about demo messages are
  // sent.
  await sql`
    INSERT INTO conversations (id, listing_id, listing_title, buyer_id, seller_id, last_seq, buyer_read_seq,
      seller_read_seq, seller_told_at, created_at, updated_at)
    VALUES (${id}, ${listing.id}, ${listing.title}, ${buyerId}, ${sellerId}, ${messages.length}, ${buyerReadSeq},
      ${sellerReadSeq}, ${first}, ${first}, ${last})`;
  for (const { seq, senderId, text, createdAt, replyTo, unsentNumber } of messages) {
    await sql`
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at, reply_to_seq, unsent_number)
      VALUES (${id}, ${seq}, ${senderId}, ${randomUUID()}, ${text}, ${createdAt}, ${replyTo}, ${unsentNumber})`;
  }
};

/**
 * Marks all messages of a conversation as read by both parties, except the party named in `unread`, if any.
 */
export const markConversationAsRead = async (
  sql: Queryable,
  id: string,
  unread: 'buyer' | 'seller' | undefined,
): Promise<void> => {
  await sql`
    UPDATE conversations SET
      buyer_read_seq = CASE WHEN ${unread === 'buyer'} THEN buyer_read_seq ELSE last_seq END,
      seller_read_seq = CASE WHEN ${unread === 'seller'} THEN seller_read_seq ELSE last_seq END
    WHERE id = ${id}`;
};

/** Adds a listing to a person's saved listings, with the current price of the listing or an earlier one. */
export const insertSavedListing = async (
  sql: Queryable,
  saved: { personId: string; listing: PlannedListing; price: number | null; savedAt: Date },
): Promise<void> => {
  const { personId, listing, price, savedAt } = saved;
  await sql`
    INSERT INTO saved_listings (user_id, listing_id, title, price, rental_period, saved_at)
    VALUES (${personId}, ${listing.id}, ${listing.title}, ${price}, ${listing.rentalPeriod}, ${savedAt})`;
};
