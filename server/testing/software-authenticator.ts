import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// A software authenticator (WebAuthn): creates ES256 keys, and signs challenges as a browser sends them to the server.

const hash = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encode = (data: Buffer): string => data.toString('base64url');

/** Encodes the head of a CBOR item (RFC 8949, section 3). */
const encodeHead = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
};

type CborValue = number | string | Buffer | Map<number | string, CborValue>;

/** Encodes a value as CBOR. */
const encodeCbor = (value: CborValue): Buffer => {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return Buffer.concat([encodeHead(5, value.size), ...entries]);
};

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredentialData = 0x40;

/** What an attack changes in a response. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  isVerified?: boolean;
  crossOrigin?: boolean;
  userHandle?: string;
  /** Statement about the maker, instead of none. */
  statement?: { format: string; value: Map<string, CborValue> };
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

/** Creates an authenticator for the site with this origin. */
export const createAuthenticator = (siteOrigin: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = '';

  const createClientData = (type: string, challenge: string, forged: Forgery): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? siteOrigin,
        crossOrigin: forged.crossOrigin ?? false,
      }),
    );

  const createAuthenticatorData = (rpId: string, flags: number, forged: Forgery): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forged.counter ?? counter);
    const verified = forged.isVerified === false ? 0 : userVerified;
    return Buffer.concat([hash(forged.rpId ?? rpId), Buffer.from([flags | userPresent | verified]), count]);
  };

  const envelope = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} };
  return {
    credentialId: envelope.id,
    /** Creates a passkey, as `navigator.credentials.create` does. */
    create: ({ challenge, rp, user }: CreationOptions, forged: Forgery = {}) => {
      userHandle = user.id;
      const key = new Map<number, CborValue>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const credentialData = [Buffer.alloc(16), Buffer.from([0, id.length]), id, encodeCbor(key)];
      const authenticatorData = Buffer.concat([
        createAuthenticatorData(rp.id ?? '', hasCredentialData, forged),
        ...credentialData,
      ]);
      const attestation = new Map<string, CborValue>([
        ['fmt', forged.statement?.format ?? 'none'],
        ['attStmt', forged.statement?.value ?? new Map()],
        ['authData', authenticatorData],
      ]);
      return {
        ...envelope,
        response: {
          clientDataJSON: encode(createClientData('webauthn.create', challenge, forged)),
          attestationObject: encode(encodeCbor(attestation)),
          transports: ['internal'],
        },
      };
    },
    /** Signs a challenge, as `navigator.credentials.get` does. */
    get: ({ challenge, rpId = '' }: { challenge: string; rpId?: string }, forged: Forgery = {}) => {
      counter += 1;
      const clientData = createClientData('webauthn.get', challenge, forged);
      const authenticatorData = createAuthenticatorData(rpId, 0, forged);
      return {
        ...envelope,
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(authenticatorData),
          signature: encode(sign('sha256', Buffer.concat([authenticatorData, hash(clientData)]), privateKey)),
          userHandle: forged.userHandle ?? userHandle,
        },
      };
    },
  };
};
