import { randomUUID } from 'node:crypto';
import { readConfig } from '#server/config.ts';
import { signAccessToken } from '#server/features/accounts/access-tokens.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { createStubApp } from '#server/testing/stub-app.ts';

/** A signed-in user with one conversation. */
export interface Person {
  id: string;
  token: string;
  conversation: string;
  /** User id of the other party of the conversation. */
  other: string;
  /** IP address from which this person's connections come. */
  address: string;
}

/**
 * Local IP addresses of the clients. There are many, because the server still limits the connections from one
 * address.
 */
const clientAddresses = Array.from({ length: 50 }, (_, index) => `127.0.1.${index + 1}`);

/**
 * Creates `count` users in pairs; the two users of a pair have a conversation. The server with this `dataDir`
 * and `publicUrl` accepts their access tokens.
 */
export const createPeople = async (
  sql: Sql,
  { count, dataDir, publicUrl }: { count: number; dataDir: string; publicUrl: string },
): Promise<Person[]> => {
  const secrets = await loadSecrets(dataDir);
  const app = createStubApp({
    sql,
    secrets,
    config: readConfig({ QUAD_PUBLIC_URL: publicUrl, QUAD_MAIL: 'off' }),
  });
  const ids = Array.from({ length: count }, () => randomUUID());
  const sessions = ids.map(() => randomUUID());
  const buyers = ids.filter((_, index) => index % 2 === 0);
  const sellers = ids.filter((_, index) => index % 2 === 1);
  const conversations = buyers.map(() => randomUUID());
  const now = systemClock.now();
  await sql`INSERT INTO users (id, email, full_name, created_at, updated_at)
    SELECT id, id || '@usc.edu', 'A student', ${now}, ${now} FROM unnest(${ids}::uuid[]) AS id`;
  await sql`INSERT INTO private.sessions (id, user_id, method, created_at, last_used_at)
    SELECT id, user_id, 'password', ${now}, ${now}
    FROM unnest(${sessions}::uuid[], ${ids}::uuid[]) AS made (id, user_id)`;
  await sql`INSERT INTO conversations (id, listing_title, buyer_id, seller_id, seller_told_at, created_at, updated_at)
    SELECT id, 'A desk', buyer_id, seller_id, ${now}, ${now}, ${now}
    FROM unnest(${conversations}::uuid[], ${buyers}::uuid[], ${sellers}::uuid[]) AS made (id, buyer_id, seller_id)`;
  await sql`ANALYZE`;
  return Promise.all(
    ids.map(async (id, index) => {
      const claims = {
        userId: id,
        sessionId: sessions[index] ?? '',
        email: `${id}@usc.edu`,
        proofs: [{ method: 'password', at: now }],
        hasSecondFactor: false,
      };
      const { token } = await signAccessToken(app, claims);
      const pair = Math.floor(index / 2);
      return {
        ...{ id, token, conversation: conversations[pair] ?? '' },
        other: (index % 2 === 0 ? sellers : buyers)[pair] ?? '',
        address: clientAddresses[pair % clientAddresses.length] ?? '',
      };
    }),
  );
};
