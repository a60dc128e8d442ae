import { secondsAfter } from '#server/platform/clock.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createDeletableAccounts } from './account-deletion.ts';
import { expectOk, type Person, type TestApp } from './app.ts';
import { createConversationClient } from './conversations.ts';
import { saveListing } from './listings.ts';

const fillProfile = async (quad: TestApp, person: Person): Promise<void> => {
  const avatar = await createDeletableAccounts(quad).upload(person, 'avatars');
  const payload = { role: 'Student', bio: 'Moving out in May', avatar_url: avatar.publicUrl };
  await expectOk(quad.app.inject({ method: 'PATCH', url: '/rest/v1/me', headers: person.headers, payload }));
};

const fillCredentials = async (
  { app, sql, clock }: TestApp,
  { userId, email, refreshToken }: Person,
): Promise<void> => {
  const post = (url: string, payload: object) => expectOk(app.inject({ method: 'POST', url, payload }));
  await post('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' });
  await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
  for (const url of ['/functions/v1/send-otp', '/functions/v1/forgot-password']) {
    clock.advance(60);
    await post(url, { email });
  }
  // `signup_device` was cleared when the account was confirmed. `suspended_at` is set directly, because suspending through
  // the service would end the session, which the test needs to download the data and delete the account.
  await sql`
    UPDATE private.credentials SET suspended_at = ${secondsAfter(clock.now(), -50)}, signup_device = '\\x01'
    WHERE user_id = ${userId}`;
};

const fillListings = async (quad: TestApp, person: Person): Promise<string> => {
  const photo = await createDeletableAccounts(quad).upload(person);
  const contact = {
    contactEmail: 'dora@home.example',
    contactPhone: '(213) 555-0100',
    photos: [photo.publicUrl],
  };
  const { body } = await saveListing(quad, person, contact);
  const hidden = await saveListing(quad, person, { ...contact, title: 'Two tickets for Saturday' });
  const [gameDate, at] = ['2026-09-12', secondsAfter(quad.clock.now(), -40)];
  await quad.sql`
    UPDATE listings SET category = 'game-day', game_date = ${gameDate}, client_id = gen_random_uuid(), status = 'draft',
      hidden_at = ${at}, hidden_with = 'listing', hidden_reason = 'Sold twice'
    WHERE id = ${hidden.body.listing.id}`;
  return body.listing.id;
};

const fillConversations = async (
  quad: TestApp,
  person: Person,
  other: Person,
  listingId: string,
): Promise<void> => {
  const conversations = createConversationClient(quad);
  const { body: sold } = await conversations.open(other, listingId);
  const bought = await conversations.begin(person, other);
  for (const id of [sold.id, bought.id]) {
    for (const sender of [other, person]) {
      quad.clock.advance(1);
      await expectOk(
        quad.app.inject({
          method: 'POST',
          url: conversations.at(id, '/messages'),
          headers: sender.headers,
          payload: { client_id: crypto.randomUUID(), message_text: `From ${sender.email}` },
        }),
      );
    }
  }
  const at = secondsAfter(quad.clock.now(), -30);
  await quad.sql`
    UPDATE conversations SET seller_told_at = ${at}, buyer_waiting_since = ${at}, buyer_waiting_from = 1,
      seller_waiting_since = ${at}, seller_waiting_from = 1`;
};

const fillOtherTables = async ({ sql, clock }: TestApp, { userId, email }: Person): Promise<void> => {
  const [now, at] = [clock.now(), secondsAfter(clock.now(), -20)];
  const content = { name: 'Dora', email, resume: { key: 'forms/1/resume.pdf', name: 'cv.pdf', bytes: 5 } };
  await sql`
    INSERT INTO private.forms (kind, user_id, email, content, created_at, done_at, done_by)
    VALUES ('application', ${userId}, ${email}, ${sql.json(content)}, ${at}, ${now}, 'shell:alice')`;
  await sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES (${email}, 'Your code', '123456', '123456', ${now})`;
  await sql`INSERT INTO private.uploads_under_way (user_id, place, until) VALUES (${userId}, 1, ${now})`;
  await createRateLimits(sql).consume('write', { address: '10.0.0.1', userId });
};

/** Fills every column that may contain data about a person, in all tables, with a value for this person. */
export const fillEveryColumn = async (quad: TestApp, person: Person, other: Person): Promise<void> => {
  await fillProfile(quad, person);
  await fillCredentials(quad, person);
  const listingId = await fillListings(quad, person);
  await fillConversations(quad, person, other, listingId);
  await fillOtherTables(quad, person);
};
