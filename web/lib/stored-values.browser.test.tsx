import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findFile, removeExpiredAccountData, removeFiles, saveFile } from './stored-files.ts';
import {
  declareStoredValue,
  eraseAccountData,
  eraseOnAccountChange,
  readBrowserList,
  readBrowserText,
  writeBrowserText,
} from './stored-values.ts';

const dayMs = 24 * 60 * 60_000;
const now = Date.UTC(2026, 2, 2, 10);

const parse = (value: unknown, saved_at: number) => ({ saved_at, value });
const listings = declareStoredValue({ name: 'listing', scope: 'device', parse });
const outbox = declareStoredValue({ name: 'outbox', scope: 'tab', parse: (value) => value });

const logIn = (userId: string): void => {
  localStorage.removeItem('quad.logged-out');
  localStorage.setItem('quad.session', JSON.stringify({ user: { id: userId } }));
};
const loseSession = (hasLoggedOut: boolean): void => {
  if (hasLoggedOut) localStorage.setItem('quad.logged-out', 'ada');
  localStorage.removeItem('quad.session');
};
const listCacheNames = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith('quad.saved.'));
const photo = new File(['pixels'], 'désk.jpg', { type: 'image/jpeg' });

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  logIn('ada');
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  sessionStorage.clear();
  localStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
});

/** Saves as the given number of days before. */
const saveDaysAgo = async (days: number, save: () => unknown): Promise<void> => {
  vi.setSystemTime(now - days * dayMs);
  await save();
  vi.setSystemTime(now);
};

test('a saved value is found only by the account that saved it', () => {
  expect(listings.save('ada', { title: 'Desk' }, 'new')).toBe(true);
  expect(listings.find('ada', 'new')).toEqual({ saved_at: now, value: { title: 'Desk' } });
  expect(listings.find('ben', 'new')).toBeUndefined();
  expect(listings.find('ada', 'other')).toBeUndefined();
  listings.remove('ada', 'new');
  expect(listings.find('ada', 'new')).toBeUndefined();
});

test('a saved value lasts 30 days, and survives a lost session', () => {
  listings.save('ada', 'text', 'new');
  loseSession(false);
  vi.setSystemTime(now + 30 * dayMs - 1);
  expect(listings.find('ada', 'new')).toBeDefined();
  vi.setSystemTime(now + 30 * dayMs);
  expect(listings.find('ada', 'new')).toBeUndefined();
  // A time of saving in the future comes from a wrong clock, so the value counts as expired.
  vi.setSystemTime(now - 1);
  expect(listings.find('ada', 'new')).toBeUndefined();
});

test('nothing is saved once the session has ended, in this tab or in another', () => {
  localStorage.removeItem('quad.session');
  expect(listings.save('ada', 'text', 'new')).toBe(false);
  logIn('ben');
  expect(listings.save('ada', 'text', 'new')).toBe(false);
  // Another tab has logged out, and the session is about to be removed.
  logIn('ada');
  localStorage.setItem('quad.logged-out', 'ada');
  expect(listings.save('ada', 'text', 'new')).toBe(false);
  expect(listings.find('ada', 'new')).toBeUndefined();
});

test('a file is not saved if the session has ended, even if it ends while the file is being stored', async () => {
  const saving = saveFile('ada', 'photo', photo);
  loseSession(true);
  expect(await saving).toBe(false);
  expect(await saveFile('ada', 'another photo', photo)).toBe(false);
  expect(await findFile('ada', 'another photo')).toBeUndefined();
  await caches.delete('quad.saved.ada');
  logIn('ada');
  localStorage.removeItem('quad.session');
  expect(await saveFile('ada', 'third photo', photo)).toBe(false);
  expect(await listCacheNames()).toEqual([]);
});

test('an unreadable value is ignored, and removed at the next clean-up', async () => {
  localStorage.setItem('quad.saved.ada.listing.new', '{"value":');
  expect(listings.find('ada', 'new')).toBeUndefined();
  await removeExpiredAccountData();
  expect(localStorage.getItem('quad.saved.ada.listing.new')).toBeNull();
});

test('a file is found again with its name and type', async () => {
  expect(await saveFile('ada', 'photo 1', photo)).toBe(true);
  const found = await findFile('ada', 'photo 1');
  expect(found).toMatchObject({ name: 'désk.jpg', type: 'image/jpeg' });
  expect(await found?.text()).toBe('pixels');
  expect(await findFile('ben', 'photo 1')).toBeUndefined();
  await removeFiles('ada', ['photo 1', 'unknown']);
  expect(await findFile('ada', 'photo 1')).toBeUndefined();
});

test("logging out erases that account's data and no other account's", async () => {
  logIn('ben');
  listings.save('ben', 'bens', 'new');
  logIn('ada');
  listings.save('ada', 'text', 'new');
  await saveFile('ada', 'photo', photo);
  await eraseAccountData('ada');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.'))).toEqual([
    'quad.saved.ben.listing.new',
  ]);
  expect(await listCacheNames()).toEqual([]);
  // Erasing the data of "be" must not erase that of "ben", whose id has the same beginning.
  await eraseAccountData('be');
  expect(listings.find('ben', 'new')).toBeDefined();
});

test('the clean-up removes values older than 30 days, and files that no value references', async () => {
  await saveDaysAgo(30, () => listings.save('ada', 'text', 'old'));
  await saveDaysAgo(1, () => listings.save('ada', ['old photo', 'new photo'], 'new'));
  await saveFile('ada', 'unused photo', photo);
  await saveDaysAgo(30, () => saveFile('ada', 'old photo', photo));
  await saveDaysAgo(1, () => saveFile('ada', 'new photo', photo));
  logIn('ben');
  await saveFile('ben', 'photo', photo);
  await removeExpiredAccountData();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.'))).toEqual([
    'quad.saved.ada.listing.new',
  ]);
  expect(await findFile('ada', 'old photo')).toBeUndefined();
  expect(await findFile('ada', 'unused photo')).toBeUndefined();
  expect(await findFile('ada', 'new photo')).toBeDefined();
  expect(await listCacheNames()).toEqual(['quad.saved.ada']);
});

test('without storage, values and files last in this tab until the person logs out', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  vi.spyOn(CacheStorage.prototype, 'open').mockRejectedValue(new DOMException('Refused', 'SecurityError'));
  expect(listings.save('ada', 'text', 'new')).toBe(false);
  expect(await saveFile('ada', 'photo', photo)).toBe(false);
  expect(listings.find('ada', 'new')).toEqual({ saved_at: now, value: 'text' });
  expect(await findFile('ada', 'photo')).toBe(photo);
  vi.restoreAllMocks();
  loseSession(true);
  await eraseAccountData('ada');
  expect(listings.find('ada', 'new')).toBeUndefined();
  expect(await findFile('ada', 'photo')).toBeUndefined();
});

test('a value that its declaration refuses is ignored', () => {
  const names = declareStoredValue({
    name: 'names',
    scope: 'device',
    parse: (stored) => (typeof stored === 'string' ? stored : undefined),
  });
  names.save('ada', 7);
  expect(names.find('ada')).toBeUndefined();
  names.save('ada', 'seven');
  expect(names.find('ada')).toBe('seven');
  for (const text of ['"text"', 'null', '[', '["lamp", 7]']) {
    localStorage.setItem('quad.searches', text);
    expect(readBrowserList('quad.searches')).toEqual(text === '["lamp", 7]' ? ['lamp'] : []);
  }
});

test('a value of a tab is found only by its owner, and survives only a lost session', () => {
  for (const [to, hasLoggedOut, found] of [
    [undefined, false, 'text'],
    ['ada', false, 'text'],
    ['ben', false, undefined],
    [undefined, true, undefined],
  ] as const) {
    outbox.save('ada', 'text');
    expect(outbox.find('ben')).toBeUndefined();
    eraseOnAccountChange('ada', to, hasLoggedOut);
    expect(outbox.find('ada')).toBe(found);
  }
  // Other scripts of this origin have values of their own.
  sessionStorage.setItem('other', 'text');
  eraseOnAccountChange('ada', undefined, true);
  expect(sessionStorage.getItem('other')).toBe('text');
});

test("of this browser's values, a log-out keeps the device's choices, and a lost session the saved listings", () => {
  const store = (): void => {
    writeBrowserText('quad-theme', 'dark');
    writeBrowserText('quad.push-declined', 'yes');
    writeBrowserText('quad.saved-listings', '["lamp"]');
    writeBrowserText('quad.searches', '["lamp"]');
  };
  const listStored = (): string[] =>
    (['quad-theme', 'quad.push-declined', 'quad.saved-listings', 'quad.searches'] as const).filter(
      (key) => readBrowserText(key) !== null,
    );
  store();
  eraseOnAccountChange(undefined, 'ada', false);
  expect(listStored()).toHaveLength(4);
  eraseOnAccountChange('ada', undefined, false);
  expect(listStored()).toEqual(['quad-theme', 'quad.push-declined', 'quad.saved-listings']);
  store();
  eraseOnAccountChange('ada', undefined, true);
  expect(listStored()).toEqual(['quad-theme', 'quad.push-declined']);
});

test('values that version 0.8 has stored are still found', () => {
  localStorage.setItem(
    'quad.saved.ada.listing.new',
    JSON.stringify({ saved_at: now - dayMs, value: 'text' }),
  );
  expect(listings.find('ada', 'new')).toEqual({ saved_at: now - dayMs, value: 'text' });
  sessionStorage.setItem('quad.outbox', JSON.stringify({ user_id: 'ada', value: ['Hello'] }));
  expect(outbox.find('ada')).toEqual(['Hello']);
  localStorage.setItem('quad.saved-listings', '["lamp"]');
  expect(readBrowserList('quad.saved-listings')).toEqual(['lamp']);
});
