import type { JWK } from 'jose';
import { accessTokenSeconds, jwksCacheSeconds } from '#contract/accounts.ts';
import type { Audit } from '#server/audit/public.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { decrypt, type EarlierKey, encrypt, makeSigningKey, purposeKey } from '#server/platform/secrets.ts';
import { insertKey, listKeys, lockKeys, retireKeys, type SigningKeyRow } from './signing-key-repository.ts';

/** How long a process may cache the keys. */
const readSeconds = 60;
/**
 * From the publication of a key to its first signature. By then the caches of processes and clients have expired, with
 * a margin for clock skew.
 */
const publicationSeconds = readSeconds + jwksCacheSeconds + 4 * 60;
/** How long a retired key verifies beyond the expiry of its last token, as a margin for clock skew. */
const clockToleranceSeconds = 3600;

/** A current or retired key for access tokens; retired keys of earlier versions have no private part. */
export interface SigningKey {
  kid: string;
  jwk: JWK;
  signsFrom: Date;
}

export interface SigningKeys {
  /** Returns the keys that verify now, at most a minute out of date, in the order in which they begin to sign. */
  list(): Promise<readonly SigningKey[]>;
}

interface SigningKeysDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
}

const createSealing = (pepper: Buffer) => {
  const key = purposeKey(pepper, 'signing keys');
  return {
    toRow: ({ kid, jwk, signsFrom }: SigningKey, verifiesUntil: Date | null = null): SigningKeyRow => ({
      kid,
      sealed: encrypt(key, JSON.stringify({ kid, jwk })),
      signs_from: signsFrom,
      verifies_until: verifiesUntil,
    }),

    /** Returns undefined for a key sealed with another pepper: a new secrets.json invalidates it. */
    fromRow: ({ kid, sealed, signs_from: signsFrom }: SigningKeyRow): SigningKey[] => {
      try {
        const opened = JSON.parse(decrypt(key, sealed)) as { kid: string; jwk: JWK };
        return opened.kid === kid ? [{ kid, jwk: opened.jwk, signsFrom }] : [];
      } catch {
        return [];
      }
    },
  };
};

/**
 * Creates the signing keys of a process that signs and verifies; it reads them from the database with the first use. The
 * first process creates the first key or imports `earlier`: the keys that versions without this table stored in
 * secrets.json, which processes of such a version still use while they are being replaced.
 */
export const createSigningKeys = (
  { sql, clock, pepper }: SigningKeysDeps,
  earlier: readonly EarlierKey[],
): SigningKeys => {
  const { toRow, fromRow } = createSealing(pepper);
  const read = async (from: Queryable = sql): Promise<SigningKey[]> =>
    (await listKeys(from, clock.now())).flatMap(fromRow);

  const addFirst = (): Promise<SigningKey[]> =>
    sql.begin(async (tx) => {
      await lockKeys(tx);
      const present = await read(tx);
      if (present.length > 0) return present;
      const [current, ...retired] = earlier;
      await insertKey(tx, toRow({ ...(current ?? (await makeSigningKey())), signsFrom: clock.now() }));
      for (const { kid, jwk, verifiesUntil = clock.now() } of retired) {
        await insertKey(tx, toRow({ kid, jwk, signsFrom: new Date(0) }, verifiesUntil));
      }
      return read(tx);
    }) as Promise<SigningKey[]>;

  const load = async (): Promise<SigningKey[]> => {
    const found = await read();
    return found.length > 0 ? found : addFirst();
  };

  let cached: { keys: SigningKey[]; readAt: number } | undefined;
  let reading: Promise<SigningKey[]> | undefined;
  const reload = async (): Promise<SigningKey[]> => {
    const readAt = clock.elapsed();
    const keys = await load();
    cached = { keys, readAt };
    return keys;
  };
  return {
    list: async () => {
      if (cached && clock.elapsed() - cached.readAt < readSeconds * 1000) return cached.keys;
      reading ??= reload().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
};

/** Returns the key that signs at an instant; the first one when the clock is behind all keys. */
export const signerAt = (keys: readonly SigningKey[], now: Date): SigningKey | undefined => {
  const able = keys.filter(({ jwk }) => jwk.d !== undefined);
  return able.findLast(({ signsFrom }) => signsFrom <= now) ?? able[0];
};

/** Creates the service with which administrators rotate signing keys. */
export const createKeyRotation = ({
  sql,
  clock,
  pepper,
  audit,
}: SigningKeysDeps & { audit: Pick<Audit, 'note'> }) => ({
  /**
   * Publishes a new key and returns when it begins to sign: 15 minutes later, when every process and every client that
   * caches the key set knows it. The keys it replaces verify until everything they signed has expired. Throws an error
   * with a one-line message while an earlier rotation is pending.
   */
  rotate: (): Promise<{ kid: string; signsFrom: Date; retiredUntil: Date }> =>
    sql.begin(async (tx) => {
      await lockKeys(tx);
      const { toRow, fromRow } = createSealing(pepper);
      const now = clock.now();
      const upcoming = (await listKeys(tx, now)).flatMap(fromRow).find(({ signsFrom }) => signsFrom > now);
      if (upcoming) {
        const instant = upcoming.signsFrom.toISOString();
        throw new Error(`A rotation is under way: key ${upcoming.kid} signs from ${instant} on.`);
      }
      const made = await makeSigningKey();
      const signsFrom = secondsAfter(now, publicationSeconds);
      const retiredUntil = secondsAfter(signsFrom, accessTokenSeconds + clockToleranceSeconds);
      await retireKeys(tx, retiredUntil);
      await insertKey(tx, toRow({ ...made, signsFrom }));
      await audit.note({ event: 'signing_key_rotated', detail: made.kid }, tx);
      return { kid: made.kid, signsFrom, retiredUntil };
    }) as Promise<{ kid: string; signsFrom: Date; retiredUntil: Date }>,
});
