import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const sessionMock = vi.hoisted(() => ({
  userId: undefined as string | undefined,
  didLogOut: false,
  listeners: new Set<() => void>(),
}));
vi.mock('#web/lib/session.ts', () => ({
  sessionStorageKey: 'quad.session',
  getSessionSnapshot: () => ({ user: sessionMock.userId === undefined ? null : { id: sessionMock.userId } }),
  hasLoggedOut: () => sessionMock.didLogOut,
  onSessionChange: (listener: () => void) => {
    sessionMock.listeners.add(listener);
    return () => sessionMock.listeners.delete(listener);
  },
}));

const { eraseDeviceData, removeExpiredDeviceData } = await import('./device-cleanup.ts');
const {
  findFileOnDevice,
  findValueOnDevice,
  removeFilesFromDevice,
  removeValueFromDevice,
  saveFileOnDevice,
  saveValueOnDevice,
} = await import('./device-storage.ts');

const dayMs = 24 * 60 * 60_000;
const now = Date.UTC(2026, 2, 2, 10);

const logIn = (userId: string): void => {
  Object.assign(sessionMock, { userId, didLogOut: false });
  localStorage.setItem('quad.session', 'a session');
};
const loseSession = (didLogOut: boolean): void => {
  Object.assign(sessionMock, { userId: undefined, didLogOut });
  localStorage.removeItem('quad.session');
  for (const listener of sessionMock.listeners) listener();
};
const listCacheNames = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith('quad.saved.'));
const photo = new File(['pixels'], 'désk.jpg', { type: 'image/jpeg' });

beforeEach(() => logIn('ada'));
afterEach(async () => {
  vi.restoreAllMocks();
  loseSession(true);
  localStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
});

test('a saved value is found only by the account that saved it', () => {
  expect(saveValueOnDevice('ada', 'listing.new', { title: 'Desk' }, now)).toBe(true);
  expect(findValueOnDevice('ada', 'listing.new', now)).toEqual({ saved_at: now, value: { title: 'Desk' } });
  expect(findValueOnDevice('ben', 'listing.new', now)).toBeUndefined();
  expect(findValueOnDevice('ada', 'listing.other', now)).toBeUndefined();
  removeValueFromDevice('ada', 'listing.new');
  expect(findValueOnDevice('ada', 'listing.new', now)).toBeUndefined();
});

test('a saved value lasts 30 days, and survives a lost session', () => {
  saveValueOnDevice('ada', 'listing.new', 'text', now);
  loseSession(false);
  expect(findValueOnDevice('ada', 'listing.new', now + 30 * dayMs - 1)).toBeDefined();
  expect(findValueOnDevice('ada', 'listing.new', now + 30 * dayMs)).toBeUndefined();
  // A time of saving in the future comes from a wrong clock, so the value counts as expired.
  expect(findValueOnDevice('ada', 'listing.new', now - 1)).toBeUndefined();
});

test('nothing is saved once the session has ended, in this tab or in another', () => {
  localStorage.removeItem('quad.session');
  expect(saveValueOnDevice('ada', 'listing.new', 'text', now)).toBe(false);
  logIn('ben');
  expect(saveValueOnDevice('ada', 'listing.new', 'text', now)).toBe(false);
  // Another tab has logged out, and the session is about to be removed.
  logIn('ada');
  sessionMock.didLogOut = true;
  expect(saveValueOnDevice('ada', 'listing.new', 'text', now)).toBe(false);
  expect(findValueOnDevice('ada', 'listing.new', now)).toBeUndefined();
});

test('a file is not saved if the session has ended, even if it ends while the file is being stored', async () => {
  const saving = saveFileOnDevice('ada', 'photo', photo, now);
  loseSession(true);
  expect(await saving).toBe(false);
  expect(await saveFileOnDevice('ada', 'another photo', photo, now)).toBe(false);
  expect(await findFileOnDevice('ada', 'another photo')).toBeUndefined();
  await caches.delete('quad.saved.ada');
  logIn('ada');
  localStorage.removeItem('quad.session');
  expect(await saveFileOnDevice('ada', 'third photo', photo, now)).toBe(false);
  expect(await listCacheNames()).toEqual([]);
});

test('an unreadable value is ignored, and removed at the next clean-up', async () => {
  localStorage.setItem('quad.saved.ada.listing.new', '{"value":');
  expect(findValueOnDevice('ada', 'listing.new', now)).toBeUndefined();
  await removeExpiredDeviceData(now);
  expect(localStorage.getItem('quad.saved.ada.listing.new')).toBeNull();
});

test('a file is found again with its name and type', async () => {
  expect(await saveFileOnDevice('ada', 'photo 1', photo, now)).toBe(true);
  const found = await findFileOnDevice('ada', 'photo 1');
  expect(found).toMatchObject({ name: 'désk.jpg', type: 'image/jpeg' });
  expect(await found?.text()).toBe('pixels');
  expect(await findFileOnDevice('ben', 'photo 1')).toBeUndefined();
  await removeFilesFromDevice('ada', ['photo 1', 'unknown']);
  expect(await findFileOnDevice('ada', 'photo 1')).toBeUndefined();
});

test("logging out erases that account's data and no other account's", async () => {
  logIn('ben');
  saveValueOnDevice('ben', 'listing.new', 'bens', now);
  logIn('ada');
  saveValueOnDevice('ada', 'listing.new', 'text', now);
  await saveFileOnDevice('ada', 'photo', photo, now);
  await eraseDeviceData('ada');
  expect(Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.'))).toEqual([
    'quad.saved.ben.listing.new',
  ]);
  expect(await listCacheNames()).toEqual([]);
  // Erasing the data of "be" must not erase that of "ben", whose id has the same beginning.
  await eraseDeviceData('be');
  expect(findValueOnDevice('ben', 'listing.new', now)).toBeDefined();
});

test('the clean-up removes values older than 30 days, and files that no value references', async () => {
  saveValueOnDevice('ada', 'listing.old', 'text', now - 30 * dayMs);
  saveValueOnDevice('ada', 'listing.new', ['old photo', 'new photo'], now - dayMs);
  await saveFileOnDevice('ada', 'unused photo', photo, now);
  await saveFileOnDevice('ada', 'old photo', photo, now - 30 * dayMs);
  await saveFileOnDevice('ada', 'new photo', photo, now - dayMs);
  logIn('ben');
  await saveFileOnDevice('ben', 'photo', photo, now);
  await removeExpiredDeviceData(now);
  expect(Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.'))).toEqual([
    'quad.saved.ada.listing.new',
  ]);
  expect(await findFileOnDevice('ada', 'old photo')).toBeUndefined();
  expect(await findFileOnDevice('ada', 'unused photo')).toBeUndefined();
  expect(await findFileOnDevice('ada', 'new photo')).toBeDefined();
  expect(await listCacheNames()).toEqual(['quad.saved.ada']);
});

test('without storage, values and files last in this tab until the person logs out', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  vi.spyOn(CacheStorage.prototype, 'open').mockRejectedValue(new DOMException('Refused', 'SecurityError'));
  expect(saveValueOnDevice('ada', 'listing.new', 'text', now)).toBe(false);
  expect(await saveFileOnDevice('ada', 'photo', photo, now)).toBe(false);
  expect(findValueOnDevice('ada', 'listing.new', now)).toEqual({ saved_at: now, value: 'text' });
  expect(await findFileOnDevice('ada', 'photo')).toBe(photo);
  vi.restoreAllMocks();
  loseSession(true);
  expect(findValueOnDevice('ada', 'listing.new', now)).toBeUndefined();
  expect(await findFileOnDevice('ada', 'photo')).toBeUndefined();
});
