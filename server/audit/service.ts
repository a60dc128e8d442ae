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

/** An actor outside of requests, such as an administrator in a shell, with the reason. */
export interface Actor {
  /** `shell:` with a user of the operating system. */
  name: string;
  reason: string;
}

interface Note {
  event: SecurityEvent;
  /** Id of the account concerned; undefined when no account has the address that was used. */
  userId?: string | undefined;
  /** Details such as the method or the object; never a secret. */
  detail?: string | undefined;
  /** The reason; derived from the event by default. */
  reason?: string | undefined;
}

interface AuditDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  /** Undefined in the server, where the request determines the actor. */
  actor?: Actor | undefined;
}

/** Events without proof that the caller owns the account, with their reasons. */
const unauthenticatedEvents: Partial<Record<SecurityEvent, string>> = {
  sign_in_failed: 'wrong credentials',
  refresh_token_replayed: 'token used twice',
};

const actorOf = ({ event, userId }: Note, request: RequestContext | undefined): string => {
  if (!request) return 'system';
  if (event in unauthenticatedEvents) return 'visitor';
  // Signing in and following a reset link prove ownership without a session.
  return request.userId ?? userId ?? 'visitor';
};

/** Creates the audit trail: security events, recorded for administrators. */
export const createAudit = ({ sql, clock, pepper, actor }: AuditDeps) => {
  const key = derivePurposeKey(pepper, 'clients of security events');
  const clientOf = (address: string): string =>
    createHmac('sha256', key).update(address).digest('base64url').slice(0, 12);

  return {
    /** Records an event, as part of the transaction that causes it if one is given. */
    note: async (note: Note, within: Queryable = sql): Promise<void> => {
      const { event, userId, detail, reason } = note;
      const request = findRequest();
      await insertSecurityEvent(within, {
        at: clock.now(),
        event,
        user_id: userId ?? null,
        client: request ? clientOf(request.address) : null,
        request_id: request?.id ?? null,
        detail: detail ?? null,
        actor: actor?.name ?? actorOf(note, request),
        reason: actor?.reason ?? reason ?? unauthenticatedEvents[event] ?? 'own request',
      });
    },

    /** Lists the newest events since an instant, optionally of one account or from one client address. */
    list: (wanted: {
      userId?: string | undefined;
      address?: string | undefined;
      since: Date;
      /** Only entries with a lower id. */
      before?: number | undefined;
      limit: number;
    }): Promise<SecurityEventRow[]> =>
      listSecurityEvents(sql, {
        userId: wanted.userId ?? null,
        client: wanted.address === undefined ? null : clientOf(wanted.address),
        since: wanted.since,
        before: wanted.before ?? null,
        limit: wanted.limit,
      }),
  };
};

export type Audit = ReturnType<typeof createAudit>;
