import { categoryFilterFields } from '#contract/category-fields.ts';
import { createCategoryValue, createCategoryValues } from '#contract/testing.ts';
import { foldNewMessages } from '#server/features/conversations/message-texts.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { json, toAssignments } from '#server/platform/postgres/sql-fragments.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createAccountClient } from './account-deletion.ts';
import { expectOk, type Person, type TestApp } from './app.ts';
import { createConversationClient } from './conversations.ts';
import { appendEventLine } from './event-lines.ts';
import { submitListingForm } from './listings.ts';

const fillProfile = async (testApp: TestApp, person: Person): Promise<void> => {
  const avatar = await createAccountClient(testApp).upload(person, 'avatars');
  const payload = { role: 'Student', bio: 'Moving out in May', avatar_url: avatar.publicUrl };
  await expectOk(
    testApp.server.inject({ method: 'PATCH', url: '/rest/v1/me', headers: person.headers, payload }),
  );
  await expectOk(
    testApp.server.inject({
      method: 'PUT',
      url: '/rest/v1/me/away',
      headers: person.headers,
      payload: { until: '2026-03-20' },
    }),
  );
};

const fillCredentials = async (
  { server, sql, clock }: TestApp,
  { userId, email, refreshToken }: Person,
): Promise<void> => {
  const post = (url: string, payload: object) => expectOk(server.inject({ method: 'POST', url, payload }));
  await post('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' });
  await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
  for (const url of ['/functions/v1/send-otp', '/functions/v1/forgot-password']) {
    clock.advance(60);
    await post(url, { email });
  }
  await sql`
    INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
    VALUES (${userId}, 'dora.campus@usc.edu', ${addSeconds(clock.now(), -70)}, ${addSeconds(clock.now(), -60)})`;
  await sql`
    INSERT INTO private.memberships (user_id, confirmed_at, confirmed_with, due_on, questions, ends_on, notices, ended_at,
      is_denied, had_badge, link_mailed_at)
    VALUES (${userId}, ${addSeconds(clock.now(), -70)}, 'sign_on', '2026-10-03', 2, '2026-11-04', 2,
      ${addSeconds(clock.now(), -48)}, true, true, ${addSeconds(clock.now(), -47)})
    ON CONFLICT (user_id) DO UPDATE SET confirmed_at = excluded.confirmed_at, confirmed_with = excluded.confirmed_with,
      due_on = excluded.due_on, questions = 2, ends_on = excluded.ends_on, notices = 2, ended_at = excluded.ended_at,
      is_denied = true, had_badge = true, link_mailed_at = excluded.link_mailed_at`;
  await sql`
    INSERT INTO private.identities (user_id, issuer, subject, email, role, created_at, last_used_at)
    VALUES (${userId}, 'https://login.usc.edu', 'dora-1', 'dora@usc.edu', 'Student', ${addSeconds(clock.now(), -50)},
      ${addSeconds(clock.now(), -49)})`;
  await sql`
    UPDATE private.auth_passwords SET authenticated_at = ${addSeconds(clock.now(), -50)} WHERE user_id = ${userId}`;
  await sql`
    INSERT INTO private.sign_on_flows (token_hash, stage, browser_hash, code_challenge, redirect_to, session_id, identity,
      expires_at)
    SELECT '\\x01', 'returned', '\\x02', 'challenge', 'http://quad.test/', id, '{}', ${addSeconds(clock.now(), 600)}
    FROM private.sessions WHERE user_id = ${userId} LIMIT 1`;
  await sql`
    INSERT INTO private.passkeys (user_id, credential_id, public_key, counter, transports, name, created_at, last_used_at)
    VALUES (${userId}, '\\x01', '\\x02', 3, '{internal}', 'Firefox on Linux', ${addSeconds(clock.now(), -48)},
      ${addSeconds(clock.now(), -47)})`;
  await sql`
    INSERT INTO private.passkey_challenges (challenge, session_id, expires_at)
    SELECT '\\x03', id, ${addSeconds(clock.now(), 300)} FROM private.sessions WHERE user_id = ${userId} LIMIT 1`;
  // Set `signup_device` directly, because it was cleared when the account was confirmed.
  await sql`
    UPDATE private.credentials SET badge_removed_at = ${addSeconds(clock.now(), -45)}, signup_device = '\\x01',
      console_role = 'moderator', availability_asked_at = ${addSeconds(clock.now(), -40)}
    WHERE user_id = ${userId}`;
  await fillSecondFactor({ sql, clock }, userId);
};

// Adds an authenticator app without finishing its set-up; otherwise, the session that the test uses would
// need the second factor.
const fillSecondFactor = async (
  { sql, clock }: Pick<TestApp, 'sql' | 'clock'>,
  userId: string,
): Promise<void> => {
  const at = addSeconds(clock.now(), -40);
  await sql`
    UPDATE private.sessions SET second_factor_at = ${at}, second_factor_method = 'totp', reauthenticated_at = ${at},
      device_name = 'Firefox on Linux'
    WHERE user_id = ${userId}`;
  await sql`
    INSERT INTO private.second_factors (user_id, kind, name, sealed_secret, created_at, updated_at, last_used_step,
      wrong_codes, last_wrong_at)
    VALUES (${userId}, 'totp', 'Phone', 'sealed', ${at}, ${at}, 5, 1, ${at})`;
  const [set] = await sql<{ id: string }[]>`
    INSERT INTO private.second_factors (user_id, kind, name, created_at, verified_at, updated_at)
    VALUES (${userId}, 'recovery_code', 'Recovery codes', ${at}, ${at}, ${at}) RETURNING id`;
  await sql`INSERT INTO private.recovery_codes (factor_id, code_hash) VALUES (${set?.id ?? ''}, '\\x01')`;
  await sql`
    INSERT INTO private.factor_challenges (session_id, factor_id, created_at)
    SELECT id, ${set?.id ?? ''}, ${at} FROM private.sessions WHERE user_id = ${userId}`;
};

const fillListings = async (testApp: TestApp, person: Person, other: Person): Promise<string> => {
  const photo = await createAccountClient(testApp).upload(person);
  const contact = {
    contactEmail: 'dora@home.example',
    contactPhone: '(213) 555-0100',
    photos: [photo.publicUrl],
  };
  const { body } = await submitListingForm(testApp, person, contact);
  const hidden = await submitListingForm(testApp, person, { ...contact, title: 'Two tickets for Saturday' });
  const [gameDate, at] = ['2026-09-12', addSeconds(testApp.clock.now(), -40)];
  await testApp.sql`
    UPDATE listings SET category = 'game-day', game_date = ${gameDate}, client_id = gen_random_uuid(), copied_from = id,
      status = 'draft',
      hidden_at = ${at}, hidden_with = 'listing', hidden_reason = 'Sold twice', draw_closes_at = ${at}, drawn_at = ${at},
      sold_at = ${at}, rented_until = ${gameDate}, sold_to = ${other.userId}, sale_confirmed_at = ${at},
      held_at = ${at}, wording_approved_at = ${at}, requested_changes = 'Another photo, please',
      ended_at = ${at}, paused_at = ${at}, away_until = ${gameDate}, confirmed_at = ${at}, asked_at = ${at},
      ${toAssignments(createCategoryValues('column'))}
    WHERE id = ${hidden.body.listing.id}`;
  const deleted = await submitListingForm(testApp, person, {
    title: 'A desk that was just deleted',
    description: 'Deleted a moment ago – nobody but its owner may read this sentence again.',
  });
  await testApp.sql`
    UPDATE listings SET status = 'draft', deleted_at = ${at}, status_before_deletion = 'published'
    WHERE id = ${deleted.body.listing.id}`;
  return body.listing.id;
};

const fillConversations = async (
  testApp: TestApp,
  person: Person,
  other: Person,
  listingId: string,
): Promise<void> => {
  const conversations = createConversationClient(testApp);
  const { body: sold } = await conversations.open(other, listingId);
  const bought = await conversations.begin(person, other);
  for (const id of [sold.id, bought.id]) {
    for (const sender of [other, person]) {
      testApp.clock.advance(1);
      await expectOk(
        testApp.server.inject({
          method: 'POST',
          url: conversations.at(id, '/messages'),
          headers: sender.headers,
          payload: { client_id: crypto.randomUUID(), message_text: `From ${sender.email}` },
        }),
      );
    }
  }
  const photo = await conversations.uploadPhoto(person);
  const { body: sent } = await conversations.sendPhotos(person, sold.id, [photo.id]);
  await conversations.reply(person, sold.id, sent.id, 'The scratch is on the left');
  const { body: unsent } = await conversations.send(person, sold.id, 'On the right');
  await expectOk(
    testApp.server.inject({
      method: 'DELETE',
      url: conversations.at(sold.id, `/messages/${unsent.id}`),
      headers: person.headers,
    }),
  );
  await appendEventLine(testApp, { conversationId: sold.id, actorId: person.userId });
  const at = addSeconds(testApp.clock.now(), -30);
  await testApp.sql`
    UPDATE conversations SET seller_told_at = ${at}, buyer_waiting_since = ${at}, buyer_waiting_from = 1,
      seller_waiting_since = ${at}, seller_waiting_from = 1, buyer_archived_seq = 1, seller_archived_seq = 1,
      buyer_muted_until = ${at}, seller_muted_until = ${at}, buyer_marked_unread = true, seller_marked_unread = true`;
  await foldNewMessages(testApp.app);
};

const fillDeals = async ({ sql, clock }: TestApp, person: Person, other: Person): Promise<void> => {
  const at = addSeconds(clock.now(), -25);
  // Several deals are needed to fill every column, because some columns are mutually exclusive.
  await sql`
    INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, first_day, last_day,
      deadline_at, draw_rank, spot_id, place, proposed_times, handover_proposed_by, handover_at, handover_agreed_at,
      agreed_spot_id, agreed_place, requested_last_day, cancelled_by, reported, buyer_late_at, seller_late_at,
      created_at, changed_at, completed_at, ticket_price_cap, pickup_time, return_time,
      deposit, requested_extra_price, extra_price)
    SELECT listing_id, id, buyer_id, seller_id, 'rental', 'offered', 'seller', listing_title, 40, '2026-09-01', '2026-09-12',
      ${at}, 7, gen_random_uuid(), 'The fountain', ${[at]}, 'buyer', ${at}, ${at},
      gen_random_uuid(), 'The library', '2026-09-13', 'seller', 'buyer', ${at}, ${at}, ${at}, ${at}, ${at}, 100, '14:00', '12:00',
      80, 12, 10
    FROM conversations WHERE ${person.userId} IN (buyer_id, seller_id) AND ${other.userId} IN (buyer_id, seller_id)`;
  await sql`
    UPDATE private.objects SET deal_id = (SELECT id FROM deals LIMIT 1), deal_step = 'pick_up'
    WHERE owner_id = ${person.userId} AND message_id IS NOT NULL`;
  await sql`
    INSERT INTO pending_listing_changes (deal_id, listing_id, before)
    SELECT d.id, l.id, '{"title": "Desk"}' FROM deals d, listings l WHERE l.user_id = ${person.userId} LIMIT 1`;
};

const fillReviews = async ({ sql, clock }: TestApp, person: Person, other: Person): Promise<void> => {
  const at = addSeconds(clock.now(), -25);
  await sql`UPDATE users SET rating = 4.5, review_count = 2 WHERE id = ${person.userId}`;
  for (const [author, subject] of [
    [person, other],
    [other, person],
  ] as const) {
    await sql`
      INSERT INTO reviews (deal_id, author_party, author_id, author_key, subject_id, rating, tags, review_text, public_at,
        removed_at, created_at, updated_at)
      VALUES ((SELECT id FROM deals LIMIT 1), ${author === person ? 'buyer' : 'seller'}, ${author.userId}, gen_random_uuid(),
        ${subject.userId}, 4, ${['Friendly']}, ${`Written by ${author.email}`}, ${at}, ${at}, ${at}, ${at})`;
  }
};

const fillSavedListings = async (testApp: TestApp, person: Person, other: Person): Promise<void> => {
  const { body } = await submitListingForm(testApp, other, { title: 'A lamp of somebody else' });
  const url = `/rest/v1/me/saved-listings/${body.listing.id}`;
  await expectOk(testApp.server.inject({ method: 'PUT', url, headers: person.headers }));
};

const fillSavedSearches = async (testApp: TestApp, person: Person, other: Person): Promise<void> => {
  const query = {
    q: 'desk',
    category: 'furniture',
    min_price: 5,
    max_price: 80,
    condition: 'good',
    location: 'Village',
    verified: 'true',
    available: 'true',
    game_date: 'this-week',
    kind: 'tickets',
    seller: other.userId,
    ...Object.fromEntries(categoryFilterFields.map((field) => [field.column, createCategoryValue(field)])),
  };
  const { headers } = person;
  const search = { name: 'Desks near campus', query, alert: 'daily' };
  const { id } = await expectOk(
    testApp.server.inject({ method: 'POST', url: '/rest/v1/me/saved-searches', headers, payload: search }),
  );
  const now = testApp.clock.now();
  await testApp.sql`
    UPDATE saved_searches SET announced_at = ${now}, deleted_at = ${now}, searched_isbn = '9780131103627' WHERE id = ${id}`;
  await testApp.sql`
    INSERT INTO saved_search_matches (search_id, listing_id, matched_at, announce_at)
    SELECT ${id}, id, ${now}, ${now} FROM listings WHERE user_id = ${other.userId}`;
  await testApp.sql`
    UPDATE listings_to_match w SET before = to_jsonb(l) FROM listings l
    WHERE l.id = w.listing_id AND l.user_id = ${person.userId}`;
};

const fillWantedPosts = async (
  { sql, clock }: TestApp,
  { userId }: Person,
  listingId: string,
): Promise<void> => {
  const now = clock.now();
  await sql`
    INSERT INTO wanted_posts (user_id, client_id, title, category, max_price, words, isbns, text_key, until, created_at, updated_at,
      closed_at, hidden_at, hidden_reason)
    VALUES (${userId}, gen_random_uuid(), 'A mini fridge', 'electronics', 40, '{mini,fridge}', '{NULL,NULL}', 'idg', '2026-04-01', ${now},
      ${now}, ${now}, ${now}, 'Not allowed here')`;
  await sql`INSERT INTO wanted_alerts (listing_id, user_id, told_at) VALUES (${listingId}, ${userId}, ${now})`;
};

const fillListingChanges = async ({ sql, clock }: TestApp, { userId }: Person): Promise<void> => {
  const now = clock.now();
  await sql`
    INSERT INTO listing_prices (listing_id, price, rental_period, until)
    SELECT id, 120, 'flexible', ${now} FROM listings WHERE user_id = ${userId}`;
  await sql`
    INSERT INTO saved_listing_changes (listing_id, change, due_at)
    SELECT id, 'price', ${now} FROM listings WHERE user_id = ${userId}`;
};

const fillNotifications = async ({ sql, clock }: TestApp, { userId }: Person): Promise<void> => {
  const [now, at] = [clock.now(), addSeconds(clock.now(), -30)];
  await sql`
    INSERT INTO notifications (user_id, kind, event, subject_id, facts, count, job_id, created_at, read_at, email_due_at,
      emailed_count)
    VALUES (${userId}, 'security', 'password_changed', ${userId}, ${json({ at: at.toISOString() })}, 2,
      gen_random_uuid(), ${at}, ${now}, ${now}, 1)`;
  await sql`
    INSERT INTO notification_settings (user_id, channels_off, quiet_from, quiet_until, digest_hour, digest_content,
      push_content)
    VALUES (${userId}, '{reviews.email,saved_searches.app}', 21, 7, 9, 'brief', 'hidden')`;
  await sql`
    INSERT INTO private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device_name, created_at, used_at)
    SELECT user_id, id, 'https://push.test/abc', 'key', 'secret', 'Firefox on Linux', ${at}, ${now}
    FROM private.sessions WHERE user_id = ${userId} LIMIT 1`;
  await sql`
    INSERT INTO due_pushes (user_id, source, subject_id, kind, detail, due_at)
    VALUES (${userId}, 'deal', gen_random_uuid(), 'deals', 'overdue', ${now})`;
};

const fillOtherTables = async ({ sql, clock }: TestApp, { userId, email }: Person): Promise<void> => {
  const [now, at] = [clock.now(), addSeconds(clock.now(), -20)];
  const content = { name: 'Dora', email, resume: { key: 'forms/1/resume.pdf', name: 'cv.pdf', bytes: 5 } };
  await sql`
    INSERT INTO private.forms (kind, user_id, email, content, created_at, done_at, done_by)
    VALUES ('application', ${userId}, ${email}, ${json(content)}, ${at}, ${now}, 'shell:alice')`;
  await sql`
    INSERT INTO private.form_answers (id, form_id, author_id, author_name, answer_text, created_at)
    SELECT gen_random_uuid(), id, ${userId}, 'shell:alice', 'Thank you', ${now} FROM private.forms LIMIT 1`;
  await sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES (${email}, 'Your code', '123456', '123456', ${now}),
      ('dora.campus@usc.edu', 'Your code', '123456', '123456', ${now})`;
  await sql`INSERT INTO private.uploads_under_way (user_id, place, until) VALUES (${userId}, 1, ${now})`;
  await createRateLimits(sql).consume('write', { address: '10.0.0.1', userId });
};

const fillReports = async (testApp: TestApp, person: Person, other: Person): Promise<void> => {
  const { clock, sql } = testApp;
  const report = (reporter: Person, subject_id: string) =>
    expectOk(
      testApp.server.inject({
        method: 'POST',
        url: '/rest/v1/reports',
        headers: reporter.headers,
        payload: { subject: 'user', subject_id, reason: 'scam', text: 'Asked me to pay in advance' },
      }),
    );
  await report(person, other.userId);
  await report(other, person.userId);
  const at = addSeconds(clock.now(), -20);
  await sql`
    INSERT INTO private.moderation_signals (case_id, quote_id, kind, detail, raised_at)
    SELECT case_id, id, 'no_shows', '3 uncontested no-shows', ${at} FROM private.moderation_quotes`;
  await sql`
    UPDATE private.moderation_cases SET assigned_to = ${person.userId}, assigned_until = ${at}, resolved_at = ${at},
      reopened_at = ${at}`;
  await sql`
    INSERT INTO private.moderation_cases (subject, subject_id, person_id, title, risk, opened_at, updated_at)
    VALUES ('listing', gen_random_uuid(), ${person.userId}, 'A desk', 2, ${at}, ${at})`;
  await sql`
    INSERT INTO private.moderation_actions (case_id, action, reason, days, template, actor_id, actor_name, actor_role, chosen_at,
      takes_effect_at, applied_at, undone_at, restored_at, appeal_hash, failure, listing_version, listing_status)
    SELECT id, 'suspend', 'Asked for money first', 3, 'scam', ${other.userId}, 'shell:alice', 'administrator', ${at}, ${at}, ${at},
      ${at}, ${at}, '\\x01', 'None', 'abc', 'published'
    FROM private.moderation_cases WHERE person_id = ${person.userId} AND subject = 'listing'`;
  await sql`
    INSERT INTO private.moderation_appeals (action_id, person_id, appeal_text, created_at, decided_at, is_granted)
    SELECT id, ${person.userId}, 'It was not me', ${at}, ${at}, true FROM private.moderation_actions`;
};

// Fill the blocks last, because afterwards the two people can no longer contact each other. The account is
// suspended directly, because the service would also end the session, with which the test downloads the data
// and deletes the account. The block by the other person must not be in the export, because the blocked
// person must not learn of it.
const fillBlocks = async ({ sql, clock }: TestApp, person: Person, other: Person): Promise<void> => {
  await sql`
    UPDATE private.credentials SET suspended_at = ${addSeconds(clock.now(), -50)},
      suspended_until = ${addSeconds(clock.now(), 86_400)}, suspended_by = gen_random_uuid()
    WHERE user_id = ${person.userId}`;
  await sql`
    INSERT INTO blocks (user_id, blocked_id, created_at)
    VALUES (${person.userId}, ${other.userId}, ${addSeconds(clock.now(), -15)}),
      (${other.userId}, ${person.userId}, ${addSeconds(clock.now(), -14)})`;
};

/** Sets every column that may contain personal data, in all tables, to a value about this person. */
export const fillEveryPersonalColumn = async (
  testApp: TestApp,
  person: Person,
  other: Person,
): Promise<void> => {
  await fillProfile(testApp, person);
  await fillCredentials(testApp, person);
  const listingId = await fillListings(testApp, person, other);
  await fillConversations(testApp, person, other, listingId);
  await fillDeals(testApp, person, other);
  await fillReviews(testApp, person, other);
  await fillSavedListings(testApp, person, other);
  await fillSavedSearches(testApp, person, other);
  await fillWantedPosts(testApp, person, listingId);
  await fillListingChanges(testApp, person);
  await fillNotifications(testApp, person);
  await fillReports(testApp, person, other);
  await fillOtherTables(testApp, person);
  await fillBlocks(testApp, person, other);
};
