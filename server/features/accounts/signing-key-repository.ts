import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface SigningKeyRow extends Pick<Tables['signing_keys'], 'kid' | 'sealed' | 'signs_from'> {
  /** When tokens signed with this key stop being accepted, or null until another key replaces it. */
  verifies_until: Tables['signing_keys']['verifies_until'];
}

/** Prevents other processes from adding or retiring keys until the transaction ends; they can still read the keys. */
export const lockSigningKeys = async (tx: Queryable): Promise<void> => {
  await tx`LOCK TABLE private.signing_keys IN SHARE ROW EXCLUSIVE MODE`;
};

/** Lists the keys valid for verification at `now`, ordered by when they start signing. */
export const listSigningKeyRows = (sql: Queryable, now: Date): Promise<SigningKeyRow[]> =>
  sql<SigningKeyRow[]>`
    SELECT kid, sealed, signs_from, verifies_until FROM private.signing_keys
    WHERE verifies_until IS NULL OR verifies_until > ${now}
    ORDER BY signs_from, kid`;

export const insertSigningKey = async (tx: Queryable, key: SigningKeyRow): Promise<void> => {
  await tx`
    INSERT INTO private.signing_keys (kid, sealed, signs_from, verifies_until)
    VALUES (${key.kid}, ${key.sealed}, ${key.signs_from}, ${key.verifies_until})
    ON CONFLICT (kid) DO NOTHING`;
};

/**
 * Retires all keys that are not retired yet: tokens signed with them are accepted until `until`.
 */
export const retireSigningKeys = async (tx: Queryable, until: Date): Promise<void> => {
  await tx`UPDATE private.signing_keys SET verifies_until = ${until} WHERE verifies_until IS NULL`;
};
