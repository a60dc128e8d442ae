import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type PasskeyRow = Pick<Tables['passkeys'], 'id' | 'name' | 'created_at' | 'last_used_at'>;

/** Lists a person's passkeys, oldest first. */
export const listPasskeys = (sql: Queryable, userId: string): Promise<PasskeyRow[]> => sql<PasskeyRow[]>`
  SELECT id, name, created_at, last_used_at FROM private.passkeys
  WHERE user_id = ${userId} ORDER BY created_at, id`;

type CredentialRow = Pick<Tables['passkeys'], 'credential_id' | 'transports'>;

/** Lists the credentials of a person's passkeys, which a browser does not add again. */
export const listCredentials = (sql: Queryable, userId: string): Promise<CredentialRow[]> =>
  sql<CredentialRow[]>`SELECT credential_id, transports FROM private.passkeys WHERE user_id = ${userId}`;

export const countPasskeys = async (sql: Queryable, userId: string): Promise<number> => {
  const { count } = await sql`SELECT FROM private.passkeys WHERE user_id = ${userId}`;
  return count;
};

type NewPasskey = Omit<Tables['passkeys'], 'id' | 'last_used_at' | 'counter'> & { counter: number };

/** Inserts a passkey, or returns undefined when its credential exists already. */
export const insertPasskey = async (tx: Queryable, passkey: NewPasskey): Promise<PasskeyRow | undefined> => {
  const [row] = await tx<PasskeyRow[]>`
    INSERT INTO private.passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES (${passkey.user_id}, ${passkey.credential_id}, ${passkey.public_key}, ${passkey.counter},
      ${passkey.transports}, ${passkey.name}, ${passkey.created_at})
    ON CONFLICT (credential_id) DO NOTHING
    RETURNING id, name, created_at, last_used_at`;
  return row;
};

type StoredCredential = Pick<
  Tables['passkeys'],
  'id' | 'user_id' | 'credential_id' | 'public_key' | 'counter' | 'transports'
>;

export const findPasskeyByCredential = async (
  sql: Queryable,
  credentialId: Buffer,
): Promise<StoredCredential | undefined> => {
  const [row] = await sql<StoredCredential[]>`
    SELECT id, user_id, credential_id, public_key, counter, transports FROM private.passkeys
    WHERE credential_id = ${credentialId}`;
  return row;
};

/**
 * Records a log-in with a passkey. Returns false when the passkey was removed, or when a log-in with the same or a higher
 * counter came first.
 */
export const recordPasskeyUse = async (
  tx: Queryable,
  { id, counter, now }: { id: string; counter: number; now: Date },
): Promise<boolean> => {
  const { count } = await tx`
    UPDATE private.passkeys SET counter = ${counter}, last_used_at = ${now}
    WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))`;
  return count > 0;
};

export const renamePasskey = async (
  sql: Queryable,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<PasskeyRow | undefined> => {
  const [row] = await sql<PasskeyRow[]>`
    UPDATE private.passkeys SET name = ${name} WHERE id = ${id} AND user_id = ${userId}
    RETURNING id, name, created_at, last_used_at`;
  return row;
};

/** Deletes a passkey of a person, or all of them when `id` is undefined. Returns the names of the deleted ones. */
export const deletePasskeys = async (
  tx: Queryable,
  { id, userId }: { id?: string | undefined; userId: string },
): Promise<string[]> => {
  const rows = await tx<{ name: string }[]>`
    DELETE FROM private.passkeys
    WHERE user_id = ${userId} AND (${id ?? null}::uuid IS NULL OR id = ${id ?? null}::uuid)
    RETURNING name`;
  return rows.map(({ name }) => name);
};

/** Stores a challenge and returns its id. */
export const insertChallenge = async (
  sql: Queryable,
  challenge: Omit<Tables['passkey_challenges'], 'id'>,
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO private.passkey_challenges (challenge, session_id, expires_at)
    VALUES (${challenge.challenge}, ${challenge.session_id}, ${challenge.expires_at}) RETURNING id`;
  return (row as { id: string }).id;
};

/**
 * Deletes a challenge and returns it. Returns undefined for one that was used, that has expired, or that was made for
 * something else: for another session, or for a log-in if `sessionId` is not null.
 */
export const takeChallenge = async (
  sql: Queryable,
  { id, sessionId, now }: { id: string; sessionId: string | null; now: Date },
): Promise<Buffer | undefined> => {
  const [row] = await sql<{ challenge: Buffer }[]>`
    DELETE FROM private.passkey_challenges
    WHERE id = ${id} AND session_id IS NOT DISTINCT FROM ${sessionId}::uuid AND expires_at > ${now}
    RETURNING challenge`;
  return row?.challenge;
};
