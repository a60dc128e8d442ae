import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const tab = await vi.hoisted(async () => (await import('./testing.ts')).createTab());
vi.mock('#web/lib/session.ts', () => tab.session);

let drafts: typeof import('./drafts.ts');
const getDraftText = (id: string): string => drafts.getDraft(id).text;

beforeEach(async () => {
  tab.open();
  drafts = await import('./drafts.ts');
});
afterEach(() => tab.close());

test('a draft stays with its conversation and survives a reload', async () => {
  drafts.setDraft('lamp', { text: 'Is it bright?' });
  drafts.setDraft('desk', { text: 'How wide?' });
  tab.reload('me');
  drafts = await import('./drafts.ts');
  expect(getDraftText('lamp')).toBe('Is it bright?');
  expect(getDraftText('desk')).toBe('How wide?');
});

test('the drafts of one account are gone for the next one, also after a reload', async () => {
  drafts.setDraft('lamp', { text: 'Is it bright?' });
  tab.logIn(undefined);
  expect(getDraftText('lamp')).toBe('');
  tab.logIn('somebody else');
  expect(getDraftText('lamp')).toBe('');
  tab.reload('me');
  drafts = await import('./drafts.ts');
  expect(getDraftText('lamp')).toBe('');
});

test('an unreadable stored draft counts as none', async () => {
  sessionStorage.setItem('quad.drafts', JSON.stringify({ user_id: 'me', value: { lamp: 'text' } }));
  tab.reload('me');
  drafts = await import('./drafts.ts');
  expect(getDraftText('lamp')).toBe('');
});

test('without session storage drafts last until the reload', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  drafts.setDraft('lamp', { text: 'Is it bright?' });
  expect(getDraftText('lamp')).toBe('Is it bright?');
});

test('returned texts stand before what has been typed since', () => {
  drafts.setDraft('lamp', { text: 'typed' });
  drafts.returnToDraft('lamp', [
    { client_id: 'a', message_text: 'one' },
    { client_id: 'b', message_text: 'two' },
  ]);
  expect(getDraftText('lamp')).toBe('one\ntwo\ntyped');
});

test.each([
  ['unchanged', 'one', ''],
  ['with spaces around it', ' one ', ''],
  ['changed', 'one more', 'one more'],
])('a returned text that was stored after all is removed if it is %s', (_title, typed, left) => {
  drafts.returnToDraft('lamp', [{ client_id: 'a', message_text: 'one' }]);
  drafts.setDraft('lamp', { ...drafts.getDraft('lamp'), text: typed });
  drafts.removeDeliveredFromDraft('lamp', [{ client_id: 'unknown' }]);
  expect(getDraftText('lamp')).toBe(typed);
  drafts.removeDeliveredFromDraft('lamp', [{ client_id: 'a' }]);
  expect(getDraftText('lamp')).toBe(left);
});

test('a draft about a listing moves into its conversation, before what was typed there', () => {
  drafts.setDraft('about desk', { text: 'one' });
  drafts.setDraft('desk', { text: 'two' });
  drafts.moveDraft('about desk', 'desk');
  expect(getDraftText('about desk')).toBe('');
  expect(getDraftText('desk')).toBe('one\ntwo');
});
