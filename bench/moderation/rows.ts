import type { Sql } from '#server/platform/postgres/database.ts';
import { identifier, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Creates `count` confirmed accounts that signed up one after the other before `now`. All have a session, one
 * in ten has a campus address and one in a hundred has a second factor; one in a thousand is suspended.
 */
export const addPeople = async (sql: Sql, count: number, now: Date): Promise<void> => {
  await sql`
    INSERT INTO users (email, full_name, usc_verified, created_at, updated_at)
    SELECT CASE WHEN n % 10 = 0 THEN 'private' || n || '@home.example' ELSE 'student' || n || '@usc.edu' END,
      (ARRAY['Ada', 'Bola', 'Chen', 'Dora', 'Emil', 'Farah', 'Gita', 'Hugo', 'Ines', 'Jan'])[1 + n % 10] || ' '
        || initcap(substr(md5(n::text), 1, 8)), n % 3 > 0, ${now}::timestamptz - n * interval '10 minutes', ${now}
    FROM generate_series(1, ${count}::int) AS n`;
  await sql`
    INSERT INTO private.credentials (user_id, confirmed_at, updated_at, suspended_at)
    SELECT id, created_at, ${now}, CASE WHEN row_number() OVER (ORDER BY created_at) % 1000 = 0 THEN ${now}::timestamptz END
    FROM users`;
  await sql`
    INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
    SELECT id, 'otp', created_at, created_at FROM users`;
  await sql`
    INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
    SELECT id, split_part(email, '@', 1) || '@usc.edu', created_at, created_at FROM users
    WHERE email LIKE '%@home.example'`;
  await sql`
    INSERT INTO private.second_factors (user_id, kind, sealed_secret, created_at, verified_at, updated_at)
    SELECT id, 'totp', 'sealed', created_at, created_at, created_at FROM users WHERE email LIKE '%00@home.example'`;
};

/**
 * Creates `count` forms that were submitted before `now`. One in a hundred is open, and one in fifty is a job
 * application.
 */
export const addForms = async (sql: Sql, count: number, now: Date): Promise<void> => {
  await sql`
    INSERT INTO private.forms (kind, email, user_id, content, created_at, done_at, done_by)
    SELECT CASE WHEN n % 50 = 0 THEN 'application' WHEN n % 20 = 1 THEN 'deletion-request' WHEN n % 4 = 2 THEN 'report'
      ELSE 'contact' END, 'student' || n || '@usc.edu', CASE WHEN n % 2 = 0 THEN u.id END,
      jsonb_build_object('topic', 'Other', 'message', repeat('Where is my lamp? ', 20)),
      ${now}::timestamptz - n * interval '10 minutes', CASE WHEN n % 100 > 0 THEN ${now}::timestamptz END,
      CASE WHEN n % 100 > 0 THEN 'shell:alice' END
    FROM generate_series(1, ${count}::int) AS n
    LEFT JOIN users u ON u.email = 'student' || n || '@usc.edu'`;
};

/**
 * Creates `reportCount` moderation reports, and four fifths as many cases. A tenth of the cases are open;
 * some of these are assigned to a moderator, and some were reopened by an appeal. Few cases have a high risk.
 * Every resolved case has an action that has taken effect.
 */
export const addCases = async (sql: Sql, reportCount: number, now: Date): Promise<void> => {
  const caseCount = Math.ceil((reportCount * 4) / 5);
  await sql`
    INSERT INTO private.moderation_cases (subject, person_id, title, risk, report_count, opened_at, updated_at, resolved_at,
      assigned_to, assigned_until, reopened_at)
    SELECT 'user', p.id, p.full_name, CASE WHEN n % 100 = 1 THEN 3 WHEN n % 3 = 0 THEN 2 ELSE 1 END, 1, opened_at,
      opened_at, CASE WHEN n % 10 > 0 THEN opened_at + interval '1 day' END,
      CASE WHEN n % 400 = 0 THEN p.id END, CASE WHEN n % 400 = 0 THEN ${now}::timestamptz + interval '10 minutes' END,
      CASE WHEN n % 250 = 0 THEN ${now}::timestamptz END
    FROM (SELECT id, full_name, row_number() OVER (ORDER BY id) AS n FROM users LIMIT ${caseCount}) AS p,
      LATERAL (SELECT ${now}::timestamptz - n * interval '10 minutes' AS opened_at) AS opening`;
  await sql`
    INSERT INTO private.moderation_quotes (case_id, content, photo_count, quoted_at)
    SELECT id, jsonb_build_object('subject', 'user', 'name', title, 'bio', NULL), 0, opened_at
    FROM private.moderation_cases`;
  // Gives one case in four a second report.
  await sql`
    INSERT INTO private.moderation_reports (case_id, quote_id, reason, report_text, created_at)
    SELECT c.id, q.id, reason, 'Asked me to pay in advance.', c.opened_at
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM private.moderation_cases) AS c
    JOIN private.moderation_quotes q ON q.case_id = c.id
    CROSS JOIN LATERAL unnest(CASE WHEN c.n % 4 = 0 THEN ARRAY['scam', 'spam'] ELSE ARRAY['scam'] END) AS reason`;
  await sql`
    INSERT INTO private.moderation_signals (case_id, kind, quote_id, detail, raised_at)
    SELECT case_id, 'many_reports', id, '3 people', quoted_at FROM private.moderation_quotes
    ORDER BY case_id LIMIT ${Math.ceil(caseCount / 20)}`;
  await sql`
    INSERT INTO private.moderation_actions (case_id, action, reason, actor_name, chosen_at, takes_effect_at, applied_at)
    SELECT id, 'dismiss', 'No breach', 'shell:alice', resolved_at, resolved_at, resolved_at
    FROM private.moderation_cases WHERE resolved_at IS NOT NULL`;
};

/**
 * Creates `count` sales that were completed before `now`. The listings and conversations that they refer to
 * do not exist.
 */
export const addCompletedDeals = async (sql: Sql, count: number, now: Date): Promise<void> => {
  await sql.begin(async (tx) => {
    // Disable foreign-key checks; the database role must be a superuser.
    await tx`SET LOCAL session_replication_role = replica`;
    await tx`
      INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, title, price, created_at, changed_at,
        completed_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'sale', 'completed', 'A desk', 40,
        at, at, at
      FROM generate_series(1, ${count}::int) AS n, LATERAL (SELECT ${now}::timestamptz - n * interval '5 minutes' AS at) AS times`;
  });
};

/**
 * Creates `count` listings before `now`, one per minute, most of them published. Their texts are short, and
 * the search indexes are dropped permanently, because the console uses neither. The database role must be a
 * superuser.
 */
export const addListings = async (sql: Sql, count: number, now: Date): Promise<void> => {
  await sql.begin(async (tx) => {
    await tx`SET LOCAL maintenance_work_mem = '512MB'`;
    // Disable triggers and foreign-key checks.
    await tx`SET LOCAL session_replication_role = replica`;
    const indexes = await tx<{ name: string; definition: string; is_search: boolean }[]>`
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition, a.amname = 'gin' AS is_search
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE i.indrelid = 'listings'::regclass AND NOT i.indisunique`;
    for (const { name } of indexes) await tx`DROP INDEX ${identifier(name)}`;
    await tx`
      INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status, contact_email,
        created_at, updated_at, published_at)
      SELECT 'listing-' || n, u.ids[1 + (n::bigint * 7919) % cardinality(u.ids)], 'A desk of solid oak',
        'A desk of solid oak with two drawers and a lamp.', 40, 'furniture', 'good', 'Village',
        CASE WHEN n % 20 = 0 THEN 'draft' ELSE 'published' END, 'seller@usc.edu', at, at, at
      FROM (SELECT array_agg(id ORDER BY email) AS ids FROM users) AS u, generate_series(1, ${count}::int) AS n,
        LATERAL (SELECT ${now}::timestamptz - n * interval '1 minute' AS at) AS times`;
    for (const { definition, is_search: isSearch } of indexes)
      if (!isSearch) await tx`${trustedSql(definition)}`;
  });
};
