import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';

describe.each([
  ['DE', '030/23125 123', '(030) 23125-123', '030 23125123'],
  ['JP', '03.0000.0001', '03 0000 0001', '03-0000-0001'],
])('a campus in %s', (country, refused, typed, stored) => {
  let testApp: TestApp;
  let seller: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ environment: { QUAD_CAMPUS_COUNTRY: country } });
    seller = await testApp.signIn();
  });
  afterAll(() => testApp.close());
  beforeEach(() => testApp.clock.advance(11));

  const save = (contactPhone: string, status = 'published') =>
    submitListingForm(testApp, seller, { contactPhone, status });
  const publish = (id: string) =>
    testApp.server.inject({
      method: 'PATCH',
      url: `/rest/v1/me/listings/${id}`,
      headers: seller.headers,
      payload: { status: 'published' },
    });

  test('stores a number as the country writes it, and one of another country in international form', async () => {
    expect((await save(typed)).body.listing).toMatchObject({ contact_phone: stored });
    testApp.clock.advance(11);
    expect((await save('+1 (213) 555-0100')).body.listing).toMatchObject({
      contact_phone: '+1 213 555 0100',
    });
  });

  test.each([
    [refused, 'Invalid phone number format'],
    ['0000000000', 'Invalid phone number format'],
    ['+1 213 555', 'Invalid phone number format'],
    ['030 1234', 'Phone number must be at least 10 digits'],
  ])('refuses %j', async (phone, sentence) => {
    expect((await save(phone)).body.fields).toEqual({ contactPhone: sentence });
  });

  test('a draft keeps what is no number, and is not published with it', async () => {
    const { listing } = (await save('0000000000', 'draft')).body;
    expect(listing).toMatchObject({ contact_phone: '0000000000' });
    const response = await publish(listing.id);
    expect(response.json()).toMatchObject({
      code: 'listing_incomplete',
      fields: { contactPhone: 'Invalid phone number format' },
    });
  });
});
