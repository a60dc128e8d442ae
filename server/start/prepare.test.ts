import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { assertSameCurrency } from './campus-currency.ts';
import { prepareQuad } from './prepare.ts';

const store = {
  QUAD_S3_ENDPOINT: 'http://127.0.0.1:1',
  QUAD_S3_REGION: 'us-east-1',
  QUAD_S3_BUCKET: 'quad',
  QUAD_S3_ACCESS_KEY_ID: 'key',
  QUAD_S3_SECRET_ACCESS_KEY: 'secret',
};

test.each([
  ['Redis', { QUAD_REDIS_URL: 'redis://127.0.0.1:1' }, 'Cannot use Redis at QUAD_REDIS_URL 127.0.0.1:1'],
  ['S3', store, 'Cannot use the bucket quad at QUAD_S3_ENDPOINT http://127.0.0.1:1'],
])(
  '%s that cannot be reached ends the start before anything is migrated',
  async (_name, settings, sentence) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quad-prepare-'));
    const database = await createTestDatabase({ migrated: false });
    const sql = openDatabase(database.url, { max: 1 });
    onTestFinished(async () => {
      await sql.end();
      await database.drop();
      await rm(dataDir, { recursive: true });
    });
    const config = readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      QUAD_DATA_DIR: dataDir,
      QUAD_DATABASE_URL: database.url,
      ...settings,
    });
    await expect(prepareQuad(config, () => {}, silentLog)).rejects.toThrow(sentence);
    expect(await sql`SELECT to_regclass('users') AS users`).toEqual([{ users: null }]);
  },
);

test('the currency may change until there are prices, and then a start with another one is refused', async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 1 });
  onTestFinished(async () => {
    await sql.end();
    await database.drop();
  });
  await assertSameCurrency(sql, 'USD');
  await assertSameCurrency(sql, 'EUR');
  await sql`INSERT INTO users (email, created_at, updated_at) VALUES ('sam@usc.edu', now(), now())`;
  await sql`
    INSERT INTO listings (slug, user_id, price, status, created_at, updated_at)
    SELECT 'desk', id, 5, 'draft', now(), now() FROM users`;
  await assertSameCurrency(sql, 'EUR');
  await expect(assertSameCurrency(sql, 'JPY')).rejects.toThrow(
    'QUAD_CAMPUS_CURRENCY is JPY, but the prices in this database are in EUR: set it to EUR, or begin with an empty database',
  );
  // Prices of versions before 0.12 are in dollars.
  await sql`DELETE FROM private.campus_currency`;
  await expect(assertSameCurrency(sql, 'EUR')).rejects.toThrow('the prices in this database are in USD');
  await assertSameCurrency(sql, 'USD');
});
