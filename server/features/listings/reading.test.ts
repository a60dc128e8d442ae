import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListingPage, listingPageSchema, listingSorts } from '#contract/listing-queries.ts';
import { type ListingCard, listingCardSchema, listingSchema } from '#contract/listings.ts';
import { isTicketListing } from '#contract/tickets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let unverifiedSeller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  [seller, unverifiedSeller] = [
    await testApp.signIn(),
    await testApp.signIn({ email: 'guest@example.com', fullName: 'Gus Guest' }),
  ];
});
afterAll(() => testApp.close());

const postListing = async (form: ListingForm, person = seller) => {
  testApp.clock.advance(20);
  const { status, body } = await submitListingForm(testApp, person, form);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.listing as { id: string; slug: string };
};
const requestListings = async (path: string) => testApp.server.inject({ url: `/rest/v1/listings${path}` });
const listPage = async (query: Record<string, string>): Promise<ListingPage> => {
  const response = await requestListings(`?${new URLSearchParams(query)}`);
  return listingPageSchema.parse(response.json());
};
const listTitles = async (query: Record<string, string>) =>
  (await listPage(query)).items.map((item) => item.title);

describe('lists', () => {
  test('show the newest listings first, each with its seller but without an email address', async () => {
    await postListing({ title: 'First kettle of all', category: 'kitchen' });
    await postListing({ title: 'Second kettle of all', category: 'kitchen' }, unverifiedSeller);
    const page = await listPage({ category: 'kitchen' });
    expect(page.items.map((item) => item.title)).toEqual(['Second kettle of all', 'First kettle of all']);
    expect(page.total).toBe(2);
    expect(page.items[0]?.user_id).toBe(unverifiedSeller.userId);
    expect(page.items[0]?.seller).toEqual({
      name: 'Gus Guest',
      avatar_url: null,
      usc_verified: false,
      rating: null,
      review_count: 0,
    });
    expect(JSON.stringify(page)).not.toContain('guest@example.com');
    expect(() => page.items.map((item) => listingCardSchema.strict().parse(item))).not.toThrow();
  });

  test('of game-day listings are sorted by game date, then newest first; listings without a date come last', async () => {
    const gameDay = (title: string, gameDate: string | null) =>
      postListing({ title, category: 'game-day', gameDate });
    await gameDay('Undated old parking pass', null);
    await gameDay('Late game ticket pair', '2026-11-21');
    await gameDay('Early game ticket pair', '2026-09-05');
    await gameDay('Undated new parking pass', null);
    expect(await listTitles({ category: 'game-day' })).toEqual([
      'Early game ticket pair',
      'Late game ticket pair',
      'Undated new parking pass',
      'Undated old parking pass',
    ]);
  });

  test('can be filtered by price, condition, location, verified sellers, and size', async () => {
    const shirt = (title: string, form: ListingForm, person = seller) =>
      postListing({ title, category: 'clothing', ...form }, person);
    await shirt('Cheap shirt, size small', { price: 5, condition: 'fair', location: 'Webb Tower' });
    await shirt("Pricey women's shirt", { price: 60, condition: 'new', location: 'Cardinal Gardens' });
    await shirt(
      'Middling shirt XL',
      { price: 30, condition: 'new', location: 'WEBB tower' },
      unverifiedSeller,
    );
    const narrowed = (query: Record<string, string>) => listTitles({ category: 'clothing', ...query });
    expect(await narrowed({ min_price: '5', max_price: '30' })).toHaveLength(2);
    expect(await narrowed({ condition: 'new' })).toHaveLength(2);
    expect(await narrowed({ location: 'webb' })).toHaveLength(2);
    expect(await narrowed({ verified: 'true' })).toHaveLength(2);
    expect(await narrowed({ size: 'small' })).toEqual(['Cheap shirt, size small']);
    expect(await narrowed({ size: 'xl' })).toEqual(['Middling shirt XL']);
    expect(await narrowed({ sort: 'price' })).toEqual([
      'Cheap shirt, size small',
      'Middling shirt XL',
      "Pricey women's shirt",
    ]);
    expect(await narrowed({ sort: 'condition' })).toEqual([
      'Middling shirt XL',
      "Pricey women's shirt",
      'Cheap shirt, size small',
    ]);
  });

  test('can be filtered by size, without confusing Large with Extra Large', async () => {
    const tee = (size: string) =>
      postListing({ title: `Tee for the season, ${size}`, category: 'merchandise' });
    for (const size of ['Large', 'L', 'Extra Large', 'X-Large', 'XL', 'X-L', 'extra small', 'MEDIUM'])
      await tee(size);
    const sized = async (size: string) =>
      (await listTitles({ category: 'merchandise', size })).map((title) =>
        title.slice('Tee for the season, '.length),
      );
    expect(await sized('large')).toEqual(['L', 'Large']);
    expect(await sized('xl')).toEqual(['X-L', 'XL', 'X-Large', 'Extra Large']);
    expect(await sized('small')).toEqual([]);
    expect(await sized('medium')).toEqual(['MEDIUM']);
  });

  test('can be filtered by kind of game-day item, where the title takes precedence over the description', async () => {
    const offer = (title: string, description: string) =>
      postListing({ title, description: description.padEnd(60, '.'), category: 'rentals' });
    await offer('Two TICKETS, north end', 'Row 12, next to the best parking spots on campus');
    await offer('Pop-up canopy, ten by ten', 'Pick it up when you collect your tickets');
    await offer('Parking pass for Saturday', 'Good for a tailgate right at the gates');
    await offer('Everything for Saturday', 'Charcoal grill, tongs and a cooler');
    await offer('Ticketing clerk costume', 'Worn once, hat included');
    const kind = (name: string) => listTitles({ category: 'rentals', kind: name });
    expect(await kind('tickets')).toEqual(['Two TICKETS, north end']);
    expect(await kind('tailgate-gear')).toEqual(['Everything for Saturday', 'Pop-up canopy, ten by ten']);
    expect(await kind('parking-passes')).toEqual(['Parking pass for Saturday']);
    expect((await requestListings('?kind=boats')).statusCode).toBe(400);
  });

  test('of Game Day are filtered as tickets by what counts as tickets for the cap, and by their words', async () => {
    const description = 'In the shade, near the gate'.padEnd(60, '.');
    const person = await testApp.signIn();
    const offer = (title: string, form: object = {}) =>
      postListing({ title, description, category: 'game-day', ...form }, person);
    await offer('Derby, section 112', { section: '112', seats: '7-8' });
    await offer('Student tix for the derby');
    await offer('Two places for the derby', { description: 'Tickets for the north end'.padEnd(60, '.') });
    await offer('Parking pass for lot 9', { section: 'North', seatRow: 'B' });
    await offer('Parking ticket for the game');
    await offer('Folding chairs for the derby', { eventName: 'Derby' });
    expect(await listTitles({ category: 'game-day', kind: 'tickets', seller: person.userId })).toEqual([
      'Two places for the derby',
      'Student tix for the derby',
      'Derby, section 112',
    ]);
  });

  test('count as tickets in the database exactly when they do for the cap', async () => {
    const word = fc.constantFrom(
      'Derby',
      'ticket',
      'TICKETS',
      'tix',
      'parking',
      'tailgate',
      'Tailgating',
      'seats',
      'pass',
    );
    // Letters and digits outside ASCII, also those that JavaScript takes for one of ASCII when it ignores the case.
    const character = fc.constantFrom(' ', '-', '_', '7', 'ö', '字', '٣', '²', '\u0301', '\u0345', 'ſ', 'İ');
    const maybe = <Value>(value: Value) => fc.option(fc.constant(value), { freq: 1 });
    const facts = fc.record({
      category: fc.constantFrom('game-day', 'game-day', 'rentals', null),
      title: fc.option(
        fc.oneof(
          fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
          fc.array(fc.oneof(word, character), { maxLength: 6 }).map((parts) => parts.join('')),
        ),
        { freq: 9 },
      ),
      section: maybe('112'),
      seat_row: maybe('B'),
      seats: maybe('7-8'),
      ticket_count: maybe(2),
      ticket_sale: maybe('singly' as const),
      face_value: maybe(50),
    });
    const listings = fc.sample(facts, { numRuns: 1000, seed: 20_261_130 });
    const rows = await testApp.sql<{ is_ticket: boolean | null }[]>`
      SELECT private.offers_tickets(category, title, '', section, seat_row, seats, ticket_count, ticket_sale, face_value)
        AS is_ticket
      FROM jsonb_array_elements(${JSON.stringify(listings)}::text::jsonb) WITH ORDINALITY AS e (listing, place),
        jsonb_populate_record(NULL::listings, listing) ORDER BY place`;
    for (const [index, listing] of listings.entries())
      if (listing.category === 'game-day')
        expect([listing, rows[index]?.is_ticket ?? false]).toEqual([listing, isTicketListing(listing)]);
  });

  test('refuse an invalid query with a message for each field', async () => {
    const response = await requestListings('?min_price=cheap&limit=0&sort=best&cursor=abc');
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields).sort()).toEqual(['limit', 'min_price', 'sort']);
    expect((await requestListings('?cursor=bm90IGEgY3Vyc29y')).json().fields).toHaveProperty('cursor');
  });
});

describe('paging', () => {
  test.each(listingSorts)(
    'by %s shows every listing once and in order, whatever the page size',
    async (sort) => {
      const person = await testApp.signIn();
      const places = ['Aldine', 'bovard', 'Cowlings'];
      for (let count = 0; count < 14; count += 1) {
        // Make several listings share a sort key, and several a creation time, so that only their ids order them.
        if (count % 3 === 0) testApp.clock.advance(60);
        await submitListingForm(testApp, person, {
          title: `Paged listing ${String(count).padStart(2, '0')} by ${sort}`,
          category: 'textbooks',
          price: 10 + (count % 3),
          condition: ['new', 'like-new', 'good', 'fair'][count % 4],
          location: places[count % 3],
        });
      }
      const whole = (await listPage({ category: 'textbooks', sort, limit: '100' })).items.map(
        (item) => item.id,
      );
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const page: ListingPage = await listPage({
              category: 'textbooks',
              sort,
              limit: String(limit),
              ...(cursor ? { cursor } : {}),
            });
            expect(page.total).toBe(whole.length);
            seen.push(...page.items.map((item) => item.id));
            cursor = page.next_cursor;
          } while (cursor);
          expect(seen).toEqual(whole);
        }),
        { numRuns: 5 },
      );
    },
  );

  test('of a search lists matches in the title before others, newest first, whatever the page size', async () => {
    const inDescription = `A quokka is on it. ${'It is soft and warm. '.repeat(3)}`;
    for (const [title, description] of [
      ['Old poster of a quokka', undefined],
      ['Old blanket with animals', inDescription],
      ['New poster of a QUOKKA', inDescription],
      ['New blanket with animals', inDescription],
    ] as const) {
      testApp.clock.advance(60);
      await postListing({ title, category: 'furniture', ...(description ? { description } : {}) });
    }
    const expected = [
      'New poster of a QUOKKA',
      'Old poster of a quokka',
      'New blanket with animals',
      'Old blanket with animals',
    ];
    for (const limit of ['1', '2', '3', '24']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: ListingPage = await listPage({ q: 'quokka', limit, ...(cursor ? { cursor } : {}) });
        expect(page.total).toBe(4);
        seen.push(...page.items.map((item) => item.title));
        cursor = page.next_cursor;
      } while (cursor);
      expect([limit, seen]).toEqual([limit, expected]);
    }
    expect(await listTitles({ q: 'quokka', sort: 'newest' })).toEqual([
      'New blanket with animals',
      'New poster of a QUOKKA',
      'Old blanket with animals',
      'Old poster of a quokka',
    ]);
  });

  test('a cursor is valid only for the sort order that it was created for', async () => {
    const { next_cursor } = await listPage({ category: 'textbooks', sort: 'price', limit: '1' });
    expect((await requestListings(`?category=textbooks&sort=newest&cursor=${next_cursor}`)).statusCode).toBe(
      400,
    );
  });

  test('a search continues with the cursor of the previous version, which sorted it newest first', async () => {
    const query = { q: 'by newest', limit: '3' };
    const first = await listPage({ ...query, sort: 'newest' });
    const rest = { ...query, cursor: first.next_cursor ?? '' };
    expect((await listPage(rest)).items).toEqual((await listPage({ ...rest, sort: 'newest' })).items);
  });
});

describe('search', () => {
  test('finds text in title, description, category, its label, and location, ignoring case', async () => {
    await postListing({
      title: 'Zebra striped lampshade',
      description: `Made of QUILTED paper. ${'It shines. '.repeat(5)}`,
      category: 'study-items',
      location: 'Xylophone Hall',
    });
    for (const q of ['zebra', 'STRIPED lamp', 'quilted', 'xylophone', 'e'])
      expect(await listTitles({ q })).toContain('Zebra striped lampshade');
    for (const q of ['study-items', 'Study Items'])
      expect(await listTitles({ q })).toContain('Zebra striped lampshade');
    expect((await listPage({ q: 'no such thing anywhere' })).total).toBe(0);
  });

  test('finds composed and decomposed letters by each other', async () => {
    await postListing({ title: 'Composed jardinière' });
    await postListing({ title: 'Decomposed jardinie\u0300re' });
    for (const q of ['jardinière', 'jardinie\u0300re', 'JARDINIÈRE'])
      expect(await listTitles({ q })).toEqual(['Decomposed jardinière', 'Composed jardinière']);
  });

  test('finds mascot merchandise by the label of this campus', async () => {
    const { id } = await postListing({ title: 'Foam finger and scarf' });
    await testApp.sql`UPDATE listings SET category = 'trojan-merch' WHERE id = ${id}`;
    expect(await listTitles({ q: 'trojan merch' })).toContain('Foam finger and scarf');
  });

  test('promise 33: treats %, _, \\ and quotes as plain characters', async () => {
    await postListing({ title: '100% wool_blend "deluxe" \\o/ it\'s' });
    for (const q of ['100%', 'wool_blend', '"deluxe"', '\\o/', "it's"])
      expect(await listTitles({ q })).toEqual(['100% wool_blend "deluxe" \\o/ it\'s']);
    for (const q of ['1%l', 'w_ol', '\\\\', "' OR 1=1 --"]) expect((await listPage({ q })).total).toBe(0);
  });

  test('promise 33: accepts 10 KB of text and any other input without failing', async () => {
    expect((await listPage({ q: 'a'.repeat(10_000) })).total).toBe(0);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (q) => {
        expect((await requestListings(`?${new URLSearchParams({ q })}`)).statusCode).toBeLessThan(500);
      }),
      { numRuns: 50 },
    );
  });
});

describe('one listing', () => {
  test('shows the public fields and nothing else', async () => {
    const { slug } = await postListing({ title: 'Bookshelf with a history', contactPhone: '(213) 555-0100' });
    const body = (await requestListings(`/${slug}`)).json();
    expect(() => listingSchema.strict().parse(body)).not.toThrow();
    expect(body).toMatchObject({ contact_email: 'seller@usc.edu', contact_phone: '(213) 555-0100' });
    expect(JSON.stringify(body)).not.toContain(seller.email);
  });

  test('has up to four similar listings: the newest others of its category', async () => {
    const slugs: string[] = [];
    for (let count = 0; count < 6; count += 1)
      slugs.push((await postListing({ title: `Rental bicycle no. ${count}`, category: 'rentals' })).slug);
    const similar = (await requestListings(`/${slugs[4]}/similar`)).json().items as ListingCard[];
    expect(similar.map((item) => item.slug)).toEqual([slugs[5], slugs[3], slugs[2], slugs[1]]);
    const { slug } = await postListing({ title: 'The only electronic thing', category: 'electronics' });
    expect((await requestListings(`/${slug}/similar`)).json()).toEqual({ items: [] });
  });

  test.each(['/no-such-slug', '/no-such-slug/similar', '/%00', `/${'x'.repeat(250)}`])(
    '%s is not found',
    async (path) => {
      const response = await requestListings(path);
      expect(response.statusCode).toBe(404);
      expect(response.json().code).toBe('listing_not_found');
    },
  );
});
