import { createECDH } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import {
  maxPushDevices,
  type PushDevice,
  type PushDevices,
  type PushSubscriptionBody,
  pushErrorMessages,
} from '#contract/push.ts';
import type { App } from '#server/app.ts';
import { isUniqueViolation, runInTransaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { unlistedPrivateNetwork } from './connections.ts';
import * as repository from './subscription-repository.ts';
import { getVapidKeys } from './vapid-keys.ts';

const unlistedNetwork = ipaddr.IPv6.parseCIDR(unlistedPrivateNetwork);

const isPrivateAddress = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() !== 'unicast' || (address instanceof ipaddr.IPv6 && address.match(unlistedNetwork));

const isPrivateHost = (hostname: string): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address)) return isPrivateAddress(ipaddr.parse(address));
  return /(^|\.)(localhost|local|internal)\.?$/.test(address);
};

const isPointOfCurve = (p256dh: string): boolean => {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
};

const presentDevice = (row: repository.PushSubscriptionRow, { sessionId }: Session): PushDevice => ({
  id: row.id,
  device_name: row.device_name,
  created_at: row.created_at.toISOString(),
  last_used_at: row.used_at?.toISOString() ?? null,
  is_current: row.session_id === sessionId,
});

/**
 * Lists the browsers in which a person enabled push, newest first, with the server's public key (VAPID)
 * for subscribing.
 */
export const listPushDevices = async (app: App, session: Session): Promise<PushDevices> => ({
  application_server_key: (await getVapidKeys(app)).publicKey,
  items: (await repository.listPushSubscriptions(app.sql, session.userId, maxPushDevices)).map((row) =>
    presentDevice(row, session),
  ),
});

/**
 * Subscribes the browser of a session to push notifications. Throws a validation error for an endpoint
 * address or a key that cannot be used.
 */
export const savePushSubscription = async (
  { sql, clock, pushConnections: { allowsPrivateHosts } }: App,
  session: Session,
  body: PushSubscriptionBody,
  deviceName: string,
): Promise<PushDevice> => {
  const { href, hostname, username, password } = new URL(body.endpoint);
  if (username !== '' || password !== '' || (!allowsPrivateHosts && isPrivateHost(hostname)))
    throw createFieldProblem({ endpoint: pushErrorMessages.endpoint });
  if (!isPointOfCurve(body.keys.p256dh)) throw createFieldProblem({ 'keys.p256dh': pushErrorMessages.keys });
  const { userId, sessionId } = session;
  const store = () =>
    runInTransaction(sql, async (tx) => {
      const stored = await repository.replacePushSubscription(tx, {
        ...body,
        endpoint: href,
        userId,
        sessionId,
        deviceName,
        now: clock.now(),
      });
      if (stored)
        await repository.removeSurplusSubscriptions(tx, { userId, id: stored.id, limit: maxPushDevices });
      return stored;
    });
  // Two sessions of one browser may subscribe at the same time. Try again, so that the later session
  // replaces the other.
  const row = await store().catch((error: unknown) => {
    if (isUniqueViolation(error)) return store();
    throw error;
  });
  if (!row) throw createProblem('not_authenticated');
  return presentDevice(row, session);
};

/**
 * Ends push notifications in the person's browser with this id or, if `id` is undefined, in the browser
 * of the session.
 */
export const removePushDevice = (
  { sql }: App,
  { userId, sessionId }: Session,
  id: string | undefined,
): Promise<void> => repository.removePushSubscription(sql, { userId, id, sessionId });
