import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createPageCache } from './page-cache.ts';
import type { PageDependencies } from './page-dependencies.ts';
import { createPageInvalidation } from './page-invalidation.ts';
import type { RenderedPage } from './render.ts';

const nothing = (): PageDependencies => ({
  listings: new Set(),
  people: new Set(),
  lists: new Set(),
  today: false,
});

/** A cache whose renderings end when the test says so; a page's text tells which rendering it is of. */
const setUp = (options: { room?: { plain: number; narrowed: number } } = {}) => {
  const clock = createTestClock();
  const bus = createProcessBus();
  let gap = () => {};
  const waiting: (() => void)[] = [];
  let made = 0;
  let held = false;
  const shown = nothing();
  const special: Partial<RenderedPage> = {};
  const cache = createPageCache({
    render: async (path) => {
      made += 1;
      const body = `${path} ${made}`;
      if (held) await new Promise<void>((done) => waiting.push(done));
      return { status: 200, headers: {}, body, shown, ...special };
    },
    // Paths are their own addresses; those with a query are narrowed; some are not kept at all.
    findCacheKey: (url) =>
      url.startsWith('/private') ? undefined : { address: url, narrowed: url.includes('?') },
    bus: {
      subscribe: (hear, onGap) => {
        gap = onGap ?? gap;
        return bus.subscribe(hear, onGap);
      },
    },
    clock,
    campus: defaultCampus,
    protection: {},
    ...options,
  });
  const textOf = async (path: string) => {
    const page = cache.find(path) ?? (await cache.load(path, 'identity'));
    return page.forms.identity?.body.toString();
  };
  const finish = async () => {
    // A rendering is asked for in a later turn of the queue than the page.
    await new Promise((done) => setImmediate(done));
    for (const done of waiting.splice(0)) done();
  };
  return {
    clock,
    invalidation: createPageInvalidation(bus),
    cache,
    shown,
    special,
    textOf,
    finish,
    hold: (hold: boolean) => {
      held = hold;
    },
    tellGap: () => gap(),
    made: () => made,
  };
};

test('a page is made once and then kept', async () => {
  const { textOf, made } = setUp();
  expect(await textOf('/')).toBe('/ 1');
  expect(await textOf('/')).toBe('/ 1');
  expect(made()).toBe(1);
});

test('a hundred who ask at once for a page that is not kept wait for one rendering', async () => {
  const { textOf, hold, finish, made } = setUp();
  hold(true);
  const asked = Array.from({ length: 100 }, () => textOf('/'));
  await finish();
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['/ 1']));
  expect(made()).toBe(1);
});

test('a page that could not be made is tried again by the next who asks', async () => {
  const { textOf, special } = setUp();
  Object.defineProperty(special, 'status', {
    configurable: true,
    enumerable: true,
    get: () => {
      throw new Error('cannot');
    },
  });
  await expect(textOf('/')).rejects.toThrow('cannot');
  Reflect.deleteProperty(special, 'status');
  expect(await textOf('/')).toBe('/ 2');
});

test('a page whose making began before a change of what it shows is not kept, and nobody who asks later gets it', async () => {
  const { textOf, hold, finish, invalidation, shown } = setUp();
  const listing = randomUUID();
  shown.listings.add(listing);
  hold(true);
  const early = textOf('/');
  await new Promise((done) => setImmediate(done));
  await invalidation.listingChanged(listing, []);
  const late = textOf('/');
  await finish();
  expect(await early).toBe('/ 1');
  expect(await late).toBe('/ 2');
  hold(false);
  expect(await textOf('/')).toBe('/ 2');
});

test('a change of something else during the making does no harm', async () => {
  const { textOf, hold, finish, invalidation, shown, made } = setUp();
  shown.listings.add(randomUUID());
  hold(true);
  const page = textOf('/');
  await new Promise((done) => setImmediate(done));
  await invalidation.listingChanged(randomUUID(), ['kitchen']);
  await finish();
  await page;
  expect(await textOf('/')).toBe('/ 1');
  expect(made()).toBe(1);
});

test('after a gap in the announcements nothing is trusted, not even what is being made', async () => {
  const { textOf, hold, finish, tellGap, made } = setUp();
  await textOf('/');
  hold(true);
  const page = textOf('/other');
  await new Promise((done) => setImmediate(done));
  tellGap();
  hold(false);
  await finish();
  await page;
  await textOf('/');
  await textOf('/other');
  expect(made()).toBe(4);
});

test('a lost announcement does harm for a minute at most', async () => {
  const { textOf, clock } = setUp();
  await textOf('/');
  clock.advance(59);
  expect(await textOf('/')).toBe('/ 1');
  clock.advance(1);
  expect(await textOf('/')).toBe('/ 2');
});

test('what depends on the day is not kept over midnight of the campus; the rest is', async () => {
  const { textOf, clock, shown } = setUp();
  const halfAMinuteBefore = new Date('2026-03-03T07:59:30Z');
  for (const today of [true, false]) {
    shown.today = today;
    clock.set(halfAMinuteBefore);
    await textOf(`/${today}`);
    clock.advance(29);
    await textOf(`/${today}`);
    clock.advance(1);
    await textOf(`/${today}`);
  }
  expect(await textOf('/true')).toBe('/true 3');
  expect(await textOf('/false')).toBe('/false 4');
});

test.each([
  ['missing', { status: 404 }],
  ['a failure', { status: 500 }],
  ['moved', { status: 302 }],
  ['setting a cookie', { headers: { 'set-cookie': 'a=b' } }],
])('an answer that is %s is not kept', async (_what, answer) => {
  const { textOf, special, made } = setUp();
  Object.assign(special, answer);
  await textOf('/');
  await textOf('/');
  expect(made()).toBe(2);
});

test('what has no address to be kept under is made for each who asks', async () => {
  const { textOf, made } = setUp();
  await Promise.all([textOf('/private'), textOf('/private')]);
  await textOf('/private');
  expect(made()).toBe(3);
});

test('searches without end displace each other and no plain page, and the room stays bounded', async () => {
  const { cache, textOf } = setUp({ room: { plain: 50_000, narrowed: 50_000 } });
  await textOf('/');
  for (let number = 0; number < 500; number += 1) await textOf(`/search?q=${number}`);
  expect(await textOf('/')).toBe('/ 1');
  expect(cache.find('/search?q=0')).toBeUndefined();
  const left = Array.from({ length: 500 }, (_, number) => cache.find(`/search?q=${number}`)).filter(Boolean);
  expect(left.length).toBeGreaterThan(5);
  expect(left.length).toBeLessThan(13);
});
