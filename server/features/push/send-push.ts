import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import webPush from 'web-push';
import type { App } from '#server/app.ts';
import { getVapidKeys } from './vapid-keys.ts';

/** A browser that gets push notifications. */
export interface PushRecipient {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** A push notification to send, with its recipient and delivery options. */
export interface OutgoingPush {
  to: PushRecipient;
  content: string;
  /** Subject of the notification; the push service replaces an undelivered notification with the same tag. */
  tag: string;
  isUrgent: boolean;
  /** How long the push service tries to deliver the notification, in seconds. */
  lifetimeSeconds: number;
}

/**
 * The outcome of sending a push notification: `gone` when the subscription has ended or its address must not be called,
 * `refused` when the push service will never accept this notification, `unanswered` when the push service did not
 * respond in time.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'unanswered';

/**
 * Maximum number of bytes of a response that are read. The content is not used, but the connection can be
 * reused only after the whole response has been read.
 */
const maxResponseBytes = 16 * 1024;

// The HTTP agent reports a blocked address with an error that has no code, so only its message identifies it.
const isBlockedAddress = (error: unknown): boolean =>
  error instanceof Error && /is not allowed\. Because,? [Ii]t is /.test(error.message);

/** Reads the rest of a response, or closes the connection when there is too much. */
const discardBody = (response: IncomingMessage): void => {
  let bytes = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) response.destroy();
  });
};

const toOutcome = (status: number): PushOutcome => {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429 || status >= 500) throw new Error(`The push service responded with ${status}`);
  return 'refused';
};

// RFC 8030 §5.4: at most 32 characters of base64url. A hash hides what the notification is about.
const toTopic = (endpoint: string, tag: string): string =>
  createHash('sha256').update(`${endpoint}\n${tag}`).digest('base64url').slice(0, 32);

/**
 * Encrypts a push notification (RFC 8291), signs the request (RFC 8292) and sends it (RFC 8030). Calls no private or
 * loopback address, follows no redirect, and gives up after a few seconds. Rejects when sending failed and should be
 * retried, and when the server stops.
 */
export const sendPush = async (
  app: App,
  { to: { endpoint, p256dh, auth }, content, tag, isUrgent, lifetimeSeconds }: OutgoingPush,
): Promise<PushOutcome> => {
  const { agent, requestTimeoutMs, stopping } = app.pushConnections;
  const { publicKey, privateKey } = await getVapidKeys(app);
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    content,
    {
      // Operators of push services can contact the operator of this server at this address.
      vapidDetails: { subject: `mailto:${app.config.campus.supportEmail}`, publicKey, privateKey },
      TTL: lifetimeSeconds,
      urgency: isUrgent ? 'high' : 'normal',
      topic: toTopic(endpoint, tag),
    },
  );
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const signal = AbortSignal.any([stopping.signal, timeout]);
  try {
    const sending = request(endpoint, { method, headers: { ...headers }, agent, signal });
    sending.end(body);
    // Aborting the signal makes the request fail, even if it was already aborted when the request was created.
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    discardBody(response);
    return toOutcome(response.statusCode ?? 0);
  } catch (error) {
    if (isBlockedAddress(error)) return 'gone';
    if (timeout.aborted && !stopping.signal.aborted) return 'unanswered';
    throw error;
  }
};
