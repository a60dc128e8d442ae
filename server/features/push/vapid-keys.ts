import webPush from 'web-push';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';
import * as repository from './vapid-key-repository.ts';

/** The key pair that identifies this server to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * Returns the function that reads the key pair, which all processes with the same database share. The first
 * call generates the key pair if there is none, or if the stored one cannot be decrypted because secrets.json
 * was replaced; in the latter case browsers must subscribe again.
 */
export const createVapidKeyReader = ({
  sql,
  clock,
  pepper,
}: {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
}): (() => Promise<VapidKeys>) => {
  const key = derivePurposeKey(pepper, 'push keys');

  const readKeys = async (from: Queryable): Promise<VapidKeys | undefined> => {
    const row = await repository.findVapidKeyRow(from);
    if (!row) return undefined;
    try {
      const opened = JSON.parse(decrypt(key, row.sealed)) as VapidKeys;
      return opened.publicKey === row.public_key ? opened : undefined;
    } catch {
      return undefined;
    }
  };

  const createKeys = (): Promise<VapidKeys> =>
    runInTransaction(sql, async (tx) => {
      await repository.lockVapidKeys(tx);
      const present = await readKeys(tx);
      if (present) return present;
      const { publicKey, privateKey } = webPush.generateVAPIDKeys();
      const keys = { publicKey, privateKey };
      const sealed = encrypt(key, JSON.stringify(keys));
      await repository.replaceVapidKeyRow(tx, { public_key: publicKey, sealed }, clock.now());
      return keys;
    });

  let cached: VapidKeys | undefined;
  return async () => {
    cached ??= (await readKeys(sql)) ?? (await createKeys());
    return cached;
  };
};
