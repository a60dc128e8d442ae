import type { JWK } from 'jose';
import { accessTokenLifetimeSeconds, jwksCacheSeconds } from '#contract/accounts.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import {
  decrypt,
  derivePurposeKey,
  encrypt,
  generateSigningKey,
  type LegacySigningKey,
} from '#server/platform/secrets.ts';
import { deleteAllSessions } from './session-repository.ts';
import {
  insertSigningKey,
  listSigningKeyRows,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-key-repository.ts';

/** How long a process caches the keys it has read. */
const keyCacheSeconds = 60;
/**
 * Time between the publication of a key and its first signature. By then the caches of all processes and clients have
 * expired; the last summand is a margin for clock skew.
 */
const publishAheadSeconds = keyCacheSeconds + jwksCacheSeconds + 4 * 60;
/**
 * How long a retired key stays valid for verification after its last token has expired, as a margin
 * for clock skew.
 */
const clockSkewMarginSeconds = 3600;

/** A current or retired key for access tokens. Retired keys imported from earlier versions have no private part. */
export interface SigningKey {
  kid: string;
  jwk: JWK;
  signsFrom: Date;
}

export interface SigningKeyStore {
  /**
   * Returns the keys that verify tokens now, ordered by the time from which they sign. The result is at most a minute
   * old.
   */
  list(): Promise<readonly SigningKey[]>;
}

interface SigningKeysDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
}

const createKeyEncryption = (pepper: Buffer) => {
  const key = derivePurposeKey(pepper, 'signing keys');
  return {
    toSealedRow: ({ kid, jwk, signsFrom }: SigningKey, verifiesUntil: Date | null = null): SigningKeyRow => ({
      kid,
      sealed: encrypt(key, JSON.stringify({ kid, jwk })),
      signs_from: signsFrom,
      verifies_until: verifiesUntil,
    }),

    /**
     * Returns a list with the decrypted key. The list is empty when the key was encrypted with
     * another pepper, which happens when secrets.json was replaced.
     */
    toSigningKeys: ({ kid, sealed, signs_from: signsFrom }: SigningKeyRow): SigningKey[] => {
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
 * Creates the store of signing keys, which reads them from the database at first use. If the table
 * is empty, the store imports the `earlier` keys, or creates a key if there are none. Earlier keys
 * are those that versions without this table stored in secrets.json; running processes of such a
 * version may still sign with them. If the table contains only keys that were encrypted with another
 * pepper, the store also ends all sessions and logs a warning.
 */
export const createSigningKeyStore = (
  { sql, clock, pepper, log = silentLog }: SigningKeysDeps & { log?: Pick<Log, 'warn'> | undefined },
  earlier: readonly LegacySigningKey[],
): SigningKeyStore => {
  const { toSealedRow, toSigningKeys } = createKeyEncryption(pepper);
  const readKeys = async (from: Queryable): Promise<SigningKey[]> =>
    (await listSigningKeyRows(from, clock.now())).flatMap(toSigningKeys);

  const addFirstKeys = (): Promise<SigningKey[]> =>
    sql.begin(async (tx) => {
      await lockSigningKeys(tx);
      const rows = await listSigningKeyRows(tx, clock.now());
      const present = rows.flatMap(toSigningKeys);
      if (present.length > 0) return present;
      // The pepper was replaced. The hashes of refresh tokens do not depend on it, so sessions must be ended here.
      if (rows.length > 0) {
        await deleteAllSessions(tx);
        log.warn('the signing keys belong to another secrets.json, so all sessions were ended');
      }
      const [current, ...retired] = earlier;
      await insertSigningKey(
        tx,
        toSealedRow({ ...(current ?? (await generateSigningKey())), signsFrom: clock.now() }),
      );
      for (const { kid, jwk, verifiesUntil = clock.now() } of retired) {
        await insertSigningKey(tx, toSealedRow({ kid, jwk, signsFrom: new Date(0) }, verifiesUntil));
      }
      return readKeys(tx);
    }) as Promise<SigningKey[]>;

  const loadKeys = async (): Promise<SigningKey[]> => {
    const found = await readKeys(sql);
    return found.length > 0 ? found : addFirstKeys();
  };

  let cached: { keys: SigningKey[]; readAt: number } | undefined;
  let pendingReload: Promise<SigningKey[]> | undefined;
  const reloadKeys = async (): Promise<SigningKey[]> => {
    const readAt = clock.elapsed();
    const keys = await loadKeys();
    cached = { keys, readAt };
    return keys;
  };
  return {
    list: async () => {
      if (cached && clock.elapsed() - cached.readAt < keyCacheSeconds * 1000) return cached.keys;
      pendingReload ??= reloadKeys().finally(() => {
        pendingReload = undefined;
      });
      return pendingReload;
    },
  };
};

/**
 * Returns the key that signs at the given time. If the clock is earlier than the start of every key,
 * returns the first key.
 */
export const findSigningKeyAt = (keys: readonly SigningKey[], now: Date): SigningKey | undefined => {
  const keysWithPrivatePart = keys.filter(({ jwk }) => jwk.d !== undefined);
  return keysWithPrivatePart.findLast(({ signsFrom }) => signsFrom <= now) ?? keysWithPrivatePart[0];
};

/** Creates the service with which administrators replace the signing key. */
export const createSigningKeyRotationService = ({
  sql,
  clock,
  pepper,
  audit,
}: SigningKeysDeps & { audit: Pick<AuditTrail, 'note'> }) => ({
  /**
   * Publishes a new key and returns when it begins to sign: 15 minutes later, when every process and every client that
   * caches the key set knows it. The keys it replaces continue to verify until everything they signed has expired.
   * Throws an Error with a one-line message while an earlier rotation is pending, and if every key was encrypted with
   * another pepper, because the servers could not decrypt the new key.
   */
  rotate: (): Promise<{ kid: string; signsFrom: Date; retiredUntil: Date }> =>
    sql.begin(async (tx) => {
      await lockSigningKeys(tx);
      const { toSealedRow, toSigningKeys } = createKeyEncryption(pepper);
      const now = clock.now();
      const rows = await listSigningKeyRows(tx, now);
      const keys = rows.flatMap(toSigningKeys);
      if (rows.length > 0 && keys.length === 0)
        throw new Error(
          'The signing keys belong to another secrets.json. Use the file of the servers, or start a server with this one first.',
        );
      const pendingKey = keys.find(({ signsFrom }) => signsFrom > now);
      if (pendingKey) {
        const instant = pendingKey.signsFrom.toISOString();
        throw new Error(`A rotation is under way: key ${pendingKey.kid} signs from ${instant} on.`);
      }
      const newKey = await generateSigningKey();
      const signsFrom = addSeconds(now, publishAheadSeconds);
      const retiredUntil = addSeconds(signsFrom, accessTokenLifetimeSeconds + clockSkewMarginSeconds);
      await retireSigningKeys(tx, retiredUntil);
      await insertSigningKey(tx, toSealedRow({ ...newKey, signsFrom }));
      await audit.note({ event: 'signing_key_rotated', detail: newKey.kid }, tx);
      return { kid: newKey.kid, signsFrom, retiredUntil };
    }) as Promise<{ kid: string; signsFrom: Date; retiredUntil: Date }>,
});
