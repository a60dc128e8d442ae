import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import webPush from 'web-push';
import type { VapidKeys } from './vapid-keys.ts';

/** Push services that tests run on this machine; `ca` is the certificate of the authority that signed theirs. */
export interface LocalPushServices {
  ca: string;
}

/** A browser that gets push notifications. */
export interface PushRecipient {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What one push notification needs. */
export interface OutgoingPush {
  to: PushRecipient;
  content: string;
  /** Replaces what the push service has not delivered yet about the same subject. */
  tag: string;
  isUrgent: boolean;
  /** How long the push service tries to deliver it, in seconds. */
  lifetimeSeconds: number;
}

/**
 * What became of a push notification: `gone` when the subscription has ended or its address must not be called, `refused`
 * when the push service will never accept this notification, `unanswered` when it did not answer in time.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'unanswered';

/** Sends one push notification; rejects when sending failed and should be retried. */
export type SendPush = (push: OutgoingPush) => Promise<PushOutcome>;

/** Time for a whole request, from the look-up of the name to the response, in ms. */
const requestTimeoutMs = 8_000;
/** Responses say nothing that is needed; this much is read so that the connection can be used again, in bytes. */
const maxResponseBytes = 16 * 1024;

// The agent reports a blocked address as an error without a code.
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
 * Creates the function that encrypts push notifications (RFC 8291), signs the request (RFC 8292) and sends it (RFC 8030).
 * It calls no private or loopback address, follows no redirect, and gives up after a few seconds. `stopping` cancels what
 * is being sent.
 */
export const createPushSender = ({
  getKeys,
  contact,
  stopping,
  localServices,
}: {
  getKeys(): Promise<VapidKeys>;
  /** Whom a push service can ask about this server: a mailto: or https: URL. */
  contact: string;
  stopping: AbortSignal;
  localServices: LocalPushServices | undefined;
}): SendPush => {
  const agent = new RequestFilteringHttpsAgent({
    keepAlive: true,
    ...(localServices ? { ca: localServices.ca, allowPrivateIPAddress: true } : {}),
  });
  stopping.addEventListener('abort', () => agent.destroy());

  return async ({ to: { endpoint, p256dh, auth }, content, tag, isUrgent, lifetimeSeconds }) => {
    const { publicKey, privateKey } = await getKeys();
    const { method, headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      content,
      {
        vapidDetails: { subject: contact, publicKey, privateKey },
        TTL: lifetimeSeconds,
        urgency: isUrgent ? 'high' : 'normal',
        topic: toTopic(endpoint, tag),
      },
    );
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    const signal = AbortSignal.any([stopping, timeout]);
    try {
      const sending = request(endpoint, { method, headers: { ...headers }, agent, signal });
      sending.end(body);
      // Aborting the signal makes the request fail, even if it was already aborted when the request was created.
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      discardBody(response);
      return toOutcome(response.statusCode ?? 0);
    } catch (error) {
      if (isBlockedAddress(error)) return 'gone';
      if (timeout.aborted && !stopping.aborted) return 'unanswered';
      throw error;
    }
  };
};
