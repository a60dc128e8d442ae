import webPush from 'web-push';
import type { App } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';
import type { VapidKeys } from './vapid-key-cache.ts';
import * as repository from './vapid-key-repository.ts';

const deriveKey = ({ secrets }: App): Buffer => derivePurposeKey(secrets.pepper, 'push keys');

const readKeys = async (app: App, from: Queryable): Promise<VapidKeys | undefined> => {
  const row = await repository.findVapidKeyRow(from);
  if (!row) return undefined;
  try {
    const opened = JSON.parse(decrypt(deriveKey(app), row.sealed)) as VapidKeys;
    return opened.publicKey === row.public_key ? opened : undefined;
  } catch {
    return undefined;
  }
};

const createKeys = (app: App): Promise<VapidKeys> =>
  runInTransaction(app.sql, async (tx) => {
    await repository.lockVapidKeys(tx);
    const present = await readKeys(app, tx);
    if (present) return present;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const keys = { publicKey, privateKey };
    const sealed = encrypt(deriveKey(app), JSON.stringify(keys));
    await repository.replaceVapidKeyRow(tx, { public_key: publicKey, sealed }, app.clock.now());
    return keys;
  });

/**
 * Returns the key pair that identifies this server, which all processes with the same database share. The first call
 * generates the key pair if there is none, or if the stored one cannot be decrypted because secrets.json was replaced; in
 * the latter case browsers must subscribe again.
 */
export const getVapidKeys = async (app: App): Promise<VapidKeys> => {
  const { vapidKeyCache: cache, sql } = app;
  cache.keys ??= (await readKeys(app, sql)) ?? (await createKeys(app));
  return cache.keys;
};
