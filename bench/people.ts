import { randomUUID } from 'node:crypto';
import { hashPassword } from '#server/platform/passwords.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

const password = 'a-bench-of-much-1';

/** Creates a user who can sign in with this module's `password`; returns the user's id. */
export const addUser = async (sql: Sql, email: string): Promise<string> => {
  const id = randomUUID();
  await sql`
    INSERT INTO users (id, email, full_name, created_at, updated_at)
    VALUES (${id}, ${email}, 'Rita Reader', now(), now())`;
  await sql`
    INSERT INTO private.credentials (user_id, password_hash, confirmed_at, updated_at)
    VALUES (${id}, ${await hashPassword(password)}, now(), now())`;
  return id;
};

/** Creates a user with `count` conversations, each about a different listing; returns the user's id. */
export const addUserWithConversations = async (sql: Sql, email: string, count: number): Promise<string> => {
  const id = await addUser(sql, email);
  await sql`
    WITH talks AS (
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT id, title, ${id}, user_id, now(), created_at, 1 FROM listings WHERE status = 'published'
      ORDER BY created_at DESC LIMIT ${count}
      RETURNING id
    )
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, 1, ${id}, gen_random_uuid(), 'Is it still available, and could we meet on Friday?', now() FROM talks`;
  return id;
};

/** Creates conversations about every tenth listing. Each has one message, and the buyers vary. */
export const addConversations = async (sql: Sql): Promise<void> => {
  await sql`
    WITH talks AS (
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT subject.id, title, buyer.id, user_id, created_at, created_at, 1
      FROM (SELECT *, row_number() OVER () AS number FROM listings WHERE substr(slug, 9)::int % 10 = 0) AS subject
      JOIN (SELECT id, row_number() OVER () AS number, count(*) OVER () AS total FROM users) AS buyer
        ON buyer.number = 1 + subject.number % buyer.total AND buyer.id <> subject.user_id
      ON CONFLICT DO NOTHING
      RETURNING id, buyer_id, created_at
    )
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, 1, buyer_id, gen_random_uuid(), 'Is it still available?', created_at FROM talks`;
  await sql`VACUUM ANALYZE conversations, messages`;
};

/** Signs in a user created by this module; returns the access token. */
export const signIn = async (origin: string, email: string): Promise<string> => {
  const post = async (path: string, body: object) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as { authPassword: string; access_token: string };
  };
  const { authPassword } = await post('/functions/v1/login-password', { email, password });
  return (await post('/auth/v1/token?grant_type=password', { email, password: authPassword })).access_token;
};
