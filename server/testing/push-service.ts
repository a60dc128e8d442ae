import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushPayload, PushSubscriptionBody } from '#contract/push.ts';

// A certificate for localhost and 127.0.0.1 to 127.0.0.7, valid until 2125, that only tests trust.
const certificate = `-----BEGIN CERTIFICATE-----
MIIBzjCCAXSgAwIBAgIULQ2E2Rzr5/rxJ+ho8QTr/4LVtHwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNDIzMTIxOFoYDzIxMjUwNjE4
MjMxMjE4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR8/6WtMyuZLJ2HH/MJY8pow3kX26n++qwC0JacoLHtMRmY307diXOk
ZQndmDFeEb28Qystkbn42uJlVHD4KVtSo4GhMIGeMB0GA1UdDgQWBBS39GcDcO/j
iO0Az1oolVRPFLFIkzAfBgNVHSMEGDAWgBS39GcDcO/jiO0Az1oolVRPFLFIkzAP
BgNVHRMBAf8EBTADAQH/MD4GA1UdEQQ3MDWCCWxvY2FsaG9zdIcEfwAAAYcEfwAA
AocEfwAAA4cEfwAABIcEfwAABYcEfwAABocEfwAABzALBgNVHQ8EBAMCAoQwCgYI
KoZIzj0EAwIDSAAwRQIhAOK47mMYpO3Fb6D17v5klAg3dem2aXB/pnUOi9PpRi6F
AiAIEvPsyt4c4FtcB+9mSqdDljHYAdX2dkO2MlL8TalFSA==
-----END CERTIFICATE-----`;
const certificateKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEICXthrZyevddK9rHjNYBSn2grFjmraYOPQnbgYfkEUHboAoGCCqGSM49
AwEHoUQDQgAEfP+lrTMrmSydhx/zCWPKaMN5F9up/vqsAtCWnKCx7TEZmN9O3Ylz
pGUJ3ZgxXhG9vEMrLZG5+NriZVRw+ClbUg==
-----END EC PRIVATE KEY-----`;

/**
 * Creates a browser that receives push notifications. Returns its subscription, in the form in which browsers
 * send it, and a function that decrypts pushes.
 */
export const createTestPushSubscription = (endpoint = 'https://push.example/abc') => {
  const keys = createECDH('prime256v1');
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  const form: PushSubscriptionBody = {
    endpoint,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
  };
  const derive = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length));
  return {
    form,
    /** Decrypts a body that has the content coding aes128gcm (RFC 8188, RFC 8291); throws when it was altered. */
    decrypt: (body: Buffer): PushPayload => {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const senderKey = body.subarray(21, 21 + keyLength);
      const sealed = body.subarray(21 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const secret = derive(keys.computeSecret(senderKey), auth, info, 32);
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
    },
  };
};

/** How a test push service responds: with this status, or never. */
export type PushServiceMode = number | 'hang';

/** A request that a push service has received. */
export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Starts a push service (RFC 8030) on this machine, at localhost or another of the names in the certificate. */
export const startPushService = async (hostname = 'localhost') => {
  const received: ReceivedPush[] = [];
  let mode: PushServiceMode = 201;
  let notify = () => {};
  let waiting = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await buffer(request) });
    notify();
    if (mode === 'hang') {
      waiting += 1;
      response.on('close', () => {
        waiting -= 1;
      });
      return;
    }
    response.writeHead(mode, mode === 302 ? { location: 'https://localhost/elsewhere' } : {}).end('response');
  };
  const server = createServer(
    { cert: certificate, key: certificateKey },
    (request, response) => void handle(request, response),
  );
  const connections = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  server.listen(0, hostname === 'localhost' ? '127.0.0.1' : hostname);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `https://${hostname}:${port}`;
  let subscriptions = 0;

  return {
    origin,
    received,
    respondWith: (next: PushServiceMode): void => {
      mode = next;
    },
    /** Returns the number of requests that the service leaves without a response. */
    countWaiting: (): number => waiting,
    /** Resolves when the service has received at least `count` requests. */
    waitFor: (count: number): Promise<void> =>
      new Promise((resolve) => {
        notify = () => {
          if (received.length >= count) resolve();
        };
        notify();
      }),
    /**
     * Subscribes a new browser. The returned `pushes` function returns the decrypted pushes that the browser
     * has received so far.
     */
    subscribe: () => {
      subscriptions += 1;
      const path = `/push/${subscriptions}`;
      const { form, decrypt } = createTestPushSubscription(`${origin}${path}`);
      const listPushes = () => received.filter((push) => push.path === path);
      return { form, requests: listPushes, pushes: () => listPushes().map(({ body }) => decrypt(body)) };
    },
    close: async (): Promise<void> => {
      server.close();
      // `closeAllConnections` would leave open those whose TLS handshake has not ended yet.
      for (const connection of connections) connection.destroy();
      await once(server, 'close');
    },
  };
};

/** Makes the application trust the certificate of test push services. */
export const trustedPushServices = { ca: certificate };
