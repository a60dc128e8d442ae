import type { JWK } from 'jose';
import { accessTokenLifetimeSeconds, jwksCacheSeconds } from '#contract/accounts.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import {
  afterCommit,
  type Queryable,
  runInTransaction,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import { decrypt, derivePurposeKey, encrypt, generateSigningKey } from '#server/platform/secrets.ts';
import { deleteAllSessions } from './session-repository.ts';
import { keyCacheSeconds, type SigningKey, type SigningKeySet } from './signing-key-cache.ts';
import {
  insertSigningKey,
  listSigningKeyRows,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
} from './signing-key-repository.ts';

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

const deriveEncryptionKey = ({ secrets }: App) => derivePurposeKey(secrets.pepper, 'signing keys');

const toSealedRow = (
  app: App,
  { kid, jwk, signsFrom }: SigningKey,
  verifiesUntil: Date | null = null,
): SigningKeyRow => ({
  kid,
  sealed: encrypt(deriveEncryptionKey(app), JSON.stringify({ kid, jwk })),
  signs_from: signsFrom,
  verifies_until: verifiesUntil,
});

/**
 * Returns the decrypted keys, without those that were encrypted with another pepper, which happens when secrets.json was
 * replaced.
 */
const toSigningKeys = (app: App, rows: readonly SigningKeyRow[]): SigningKey[] => {
  const encryptionKey = deriveEncryptionKey(app);
  return rows.flatMap(({ kid, sealed, signs_from: signsFrom }) => {
    try {
      const opened = JSON.parse(decrypt(encryptionKey, sealed)) as { kid: string; jwk: JWK };
      return opened.kid === kid ? [{ kid, jwk: opened.jwk, signsFrom }] : [];
    } catch {
      return [];
    }
  });
};

const loadKeysFrom = async (app: App, from: Queryable): Promise<SigningKey[]> =>
  toSigningKeys(app, await listSigningKeyRows(from, app.clock.now()));

/** Adds the first keys, unless another process has added them in the meantime. Returns the keys. */
const addFirstKeys = async (app: App, tx: Transaction): Promise<SigningKey[]> => {
  const { clock, secrets, log } = app;
  await lockSigningKeys(tx);
  const rows = await listSigningKeyRows(tx, clock.now());
  const present = toSigningKeys(app, rows);
  if (present.length > 0) return present;
  // The pepper was replaced. The hashes of refresh tokens do not depend on it, so sessions must be ended here.
  if (rows.length > 0) {
    await deleteAllSessions(tx);
    afterCommit(tx, async () =>
      log.warn('the signing keys belong to another secrets.json, so all sessions were ended'),
    );
  }
  const [current, ...retired] = secrets.earlierKeys;
  await insertSigningKey(
    tx,
    toSealedRow(app, { ...(current ?? (await generateSigningKey())), signsFrom: clock.now() }),
  );
  for (const { kid, jwk, verifiesUntil = clock.now() } of retired) {
    await insertSigningKey(tx, toSealedRow(app, { kid, jwk, signsFrom: new Date(0) }, verifiesUntil));
  }
  return loadKeysFrom(app, tx);
};

const loadKeys = async (app: App): Promise<SigningKey[]> => {
  const found = await loadKeysFrom(app, app.sql);
  return found.length > 0 ? found : runInTransaction(app.sql, (tx) => addFirstKeys(app, tx));
};

/**
 * Returns the keys that verify access tokens now. They are at most a minute old.
 *
 * If the table of keys is empty, imports the keys that versions without this table stored in secrets.json, because
 * running processes of such a version may still sign with them; creates a key if there are none. If the table contains
 * only keys that were encrypted with another pepper, also ends all sessions and logs a warning.
 */
export const readSigningKeys = (app: App): Promise<SigningKeySet> =>
  app.signingKeys.read(app.clock, () => loadKeys(app));

/**
 * Returns the key that signs at the given time. If the clock is earlier than the start of every key,
 * returns the first key.
 */
export const findSigningKeyAt = (keys: readonly SigningKey[], now: Date): SigningKey | undefined => {
  const keysWithPrivatePart = keys.filter(({ jwk }) => jwk.d !== undefined);
  return keysWithPrivatePart.findLast(({ signsFrom }) => signsFrom <= now) ?? keysWithPrivatePart[0];
};

/**
 * Publishes a new key and returns when it begins to sign: 15 minutes later, when every process and every client that
 * caches the key set knows it. The keys it replaces continue to verify until everything they signed has expired.
 * Throws an Error with a one-line message while an earlier rotation is pending, and if every key was encrypted with
 * another pepper, because the servers could not decrypt the new key.
 */
export const rotateSigningKey = (app: App): Promise<{ kid: string; signsFrom: Date; retiredUntil: Date }> =>
  runInTransaction(app.sql, async (tx) => {
    await lockSigningKeys(tx);
    const now = app.clock.now();
    const rows = await listSigningKeyRows(tx, now);
    const keys = toSigningKeys(app, rows);
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
    await insertSigningKey(tx, toSealedRow(app, { ...newKey, signsFrom }));
    await noteSecurityEvent(app, { event: 'signing_key_rotated', detail: newKey.kid }, tx);
    return { kid: newKey.kid, signsFrom, retiredUntil };
  });
