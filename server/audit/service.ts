import { createHmac } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { findRequest, type RequestContext } from '#server/platform/process/request-context.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import { insertSecurityEvent, listSecurityEvents, type SecurityEventRow } from './repository.ts';

/** The kinds of security events. */
export type SecurityEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'refresh_token_replayed'
  | 'session_ended'
  | 'sessions_ended'
  | 'password_reset'
  | 'password_changed'
  | 'account_created'
  | 'account_confirmed'
  | 'account_deleted'
  | 'reset_link_sent'
  | 'account_suspended'
  | 'suspension_lifted'
  | 'person_verified'
  | 'verification_undone'
  | 'name_replaced'
  | 'listing_taken_down'
  | 'listing_restored'
  | 'form_done'
  | 'form_reopened'
  | 'signing_key_rotated';

/** An actor outside of requests, such as an administrator in a shell, and the reason for the action. */
export interface Actor {
  /** `shell:` followed by a user name of the operating system. */
  name: string;
  reason: string;
}

interface Note {
  event: SecurityEvent;
  /** Id of the affected account; undefined when no account has the email address that was entered. */
  userId?: string | undefined;
  /** Details such as the log-in method or the changed object; never a secret. */
  detail?: string | undefined;
  /** The reason; by default it is derived from the event. */
  reason?: string | undefined;
}

interface AuditDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  /** The actor of all events; undefined in the server, where the actor depends on the request. */
  actor?: Actor | undefined;
}

/** Events in which the caller has not proved to own the account, with the recorded reasons. */
const unauthenticatedEvents: Partial<Record<SecurityEvent, string>> = {
  sign_in_failed: 'wrong credentials',
  refresh_token_replayed: 'token used twice',
};

const findActor = ({ event, userId }: Note, request: RequestContext | undefined): string => {
  if (!request) return 'system';
  if (event in unauthenticatedEvents) return 'visitor';
  // Signing in and using a reset link prove ownership of the account without a session.
  return request.userId ?? userId ?? 'visitor';
};

/** Creates the audit trail: security events, recorded for administrators. */
export const createAudit = ({ sql, clock, pepper, actor }: AuditDeps) => {
  const key = derivePurposeKey(pepper, 'clients of security events');
  const hashClientAddress = (address: string): string =>
    createHmac('sha256', key).update(address).digest('base64url').slice(0, 12);

  return {
    /** Records an event; `within` is the transaction that causes it, if there is one. */
    note: async (note: Note, within: Queryable = sql): Promise<void> => {
      const { event, userId, detail, reason } = note;
      const request = findRequest();
      await insertSecurityEvent(within, {
        at: clock.now(),
        event,
        user_id: userId ?? null,
        client: request ? hashClientAddress(request.address) : null,
        request_id: request?.id ?? null,
        detail: detail ?? null,
        actor: actor?.name ?? findActor(note, request),
        reason: actor?.reason ?? reason ?? unauthenticatedEvents[event] ?? 'own request',
      });
    },

    /** Lists the newest events since an instant, optionally only those of one account or from one client address. */
    list: (wanted: {
      userId?: string | undefined;
      address?: string | undefined;
      since: Date;
      /** Only events with a lower id. */
      before?: number | undefined;
      limit: number;
    }): Promise<SecurityEventRow[]> =>
      listSecurityEvents(sql, {
        userId: wanted.userId ?? null,
        client: wanted.address === undefined ? null : hashClientAddress(wanted.address),
        since: wanted.since,
        before: wanted.before ?? null,
        limit: wanted.limit,
      }),
  };
};

export type Audit = ReturnType<typeof createAudit>;
