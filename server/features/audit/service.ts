import { createHmac } from 'node:crypto';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { findRequestContext, type RequestContext } from '#server/platform/process/request-context.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import * as repository from './repository.ts';

export type SecurityEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'sign_on_refused'
  | 'sign_on_connected'
  | 'sign_on_disconnected'
  | 'sign_on_moved'
  | 'data_exported'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'refresh_token_replayed'
  | 'session_ended'
  | 'sessions_ended'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'second_factor_proved'
  | 'second_factor_refused'
  | 'recovery_codes_created'
  | 'recovery_codes_removed'
  | 'password_reset'
  | 'password_changed'
  | 'account_created'
  | 'account_confirmed'
  | 'account_deleted'
  | 'reset_link_sent'
  | 'account_suspended'
  | 'suspension_lifted'
  | 'role_changed'
  | 'person_verified'
  | 'verification_undone'
  | 'campus_address_added'
  | 'campus_address_removed'
  | 'campus_address_moved'
  | 'campus_code_refused'
  | 'membership_confirmed'
  | 'membership_ending'
  | 'membership_ended'
  | 'membership_returned'
  | 'name_replaced'
  | 'listing_taken_down'
  | 'listing_restored'
  | 'listing_approved'
  | 'listing_changes_requested'
  | 'case_read'
  | 'case_dismissed'
  | 'person_warned'
  | 'changes_requested'
  | 'decision_reversed'
  | 'action_withdrawn'
  | 'review_removed'
  | 'review_restored'
  | 'rental_ended'
  | 'form_done'
  | 'form_reopened'
  | 'form_answered'
  | 'meeting_spot_added'
  | 'meeting_spot_changed'
  | 'meeting_spot_confirmed'
  | 'meeting_spot_removed'
  | 'courses_imported'
  | 'course_removed'
  | 'announcement_changed'
  | 'announcement_removed'
  | 'demo_removed'
  | 'signing_key_rotated';

/** Interval in which reading the same thing again is not recorded, in seconds. */
const readIntervalSeconds = 15 * 60;

interface AuditEntry {
  event: SecurityEvent;
  /** Id of the affected account, or undefined when no account has the email address that was entered. */
  userId?: string | undefined;
  /** Details such as the log-in method or the changed object; never a secret. */
  detail?: string | undefined;
  /** Reason for the event; if omitted, a standard reason for this kind of event is recorded. */
  reason?: string | undefined;
  /**
   * The person who decided that the event should happen, if not the actor of the request: for example the
   * moderator whose delayed action takes effect.
   */
  actor?: string | undefined;
}

/**
 * Events that can happen without proof that the caller owns the account, each with the standard reason that
 * is recorded for it.
 */
const unauthenticatedEvents: Partial<Record<SecurityEvent, string>> = {
  sign_in_failed: 'wrong credentials',
  sign_on_refused: 'invalid response of the sign-on',
  passkey_refused: 'invalid response of a passkey',
  refresh_token_replayed: 'token used twice',
  campus_address_moved: 'address verified for another account',
};

const findActor = ({ event, userId }: AuditEntry, request: RequestContext | undefined): string => {
  if (!request) return 'system';
  // A request has a reason only if it calls the moderation console.
  if (request.reason !== undefined) return request.userId ?? 'visitor';
  if (event in unauthenticatedEvents) return 'visitor';
  // Sign-ins and reset links prove ownership of the account without a session, so the account is
  // the actor.
  return request.userId ?? userId ?? 'visitor';
};

const hashClientAddress = ({ secrets }: App, address: string): string =>
  createHmac('sha256', derivePurposeKey(secrets.pepper, 'clients of security events'))
    .update(address)
    .digest('base64url')
    .slice(0, 12);

/**
 * Records a security event for administrators. Pass the transaction that causes the event as `within`, so that both
 * commit together.
 */
export const noteSecurityEvent = async (
  app: App,
  entry: AuditEntry,
  within: Queryable = app.sql,
): Promise<void> => {
  const { event, userId, detail, reason } = entry;
  const request = findRequestContext();
  await repository.insertSecurityEvent(within, {
    at: app.clock.now(),
    event,
    user_id: userId ?? null,
    client: request ? hashClientAddress(app, request.address) : null,
    request_id: request?.id ?? null,
    detail: detail ?? null,
    actor: app.actor?.name ?? entry.actor ?? findActor(entry, request),
    reason: app.actor?.reason ?? request?.reason ?? reason ?? unauthenticatedEvents[event] ?? 'own request',
  });
};

/**
 * Records that `actor` reads something, unless an entry of the last `readIntervalSeconds` already says so: open pages load
 * again what they display.
 */
export const noteReading = async (
  app: App,
  entry: Pick<AuditEntry, 'event' | 'userId' | 'detail'> & { actor: string },
): Promise<void> => {
  const since = addSeconds(app.clock.now(), -readIntervalSeconds);
  if (!(await repository.hasSecurityEvent(app.sql, { ...entry, since }))) await noteSecurityEvent(app, entry);
};

/**
 * Lists the newest security events since the given time, optionally only those of one account or from one client address.
 */
export const listSecurityEvents = (
  app: App,
  wanted: {
    userId?: string | undefined;
    address?: string | undefined;
    since: Date;
    /** If set, lists only events with an id lower than `before`. */
    before?: number | undefined;
    limit: number;
  },
): Promise<repository.SecurityEventRow[]> =>
  repository.listSecurityEvents(app.sql, {
    userId: wanted.userId ?? null,
    client: wanted.address === undefined ? null : hashClientAddress(app, wanted.address),
    since: wanted.since,
    before: wanted.before ?? null,
    limit: wanted.limit,
  });
