import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const browserTab = await vi.hoisted(async () => (await import('./testing.ts')).createBrowserTab());
vi.mock('#web/lib/session.ts', () => browserTab.session);

let draftsModule: typeof import('./drafts.ts');
const getDraftText = (id: string): string => draftsModule.getDraft(id).text;

beforeEach(async () => {
  browserTab.open();
  draftsModule = await import('./drafts.ts');
});
afterEach(() => browserTab.close());

test('promise 59: a draft stays with its conversation and survives a reload and a closed tab', async () => {
  draftsModule.setDraft('lamp', { text: 'Is it bright?' });
  draftsModule.setDraft('desk', { text: 'How wide?' });
  for (const begin of [browserTab.reload, browserTab.openAgain]) {
    begin();
    draftsModule = await import('./drafts.ts');
    expect(getDraftText('lamp')).toBe('Is it bright?');
    expect(getDraftText('desk')).toBe('How wide?');
  }
  draftsModule.setDraft('lamp', { text: '' });
  expect(localStorage.getItem('quad.saved.me.message.lamp')).toBeNull();
});

test('promise 59: a draft survives a lost session, for its account only', () => {
  draftsModule.setDraft('lamp', { text: 'Is it bright?' });
  browserTab.logIn(undefined);
  expect(getDraftText('lamp')).toBe('');
  browserTab.logIn('somebody else');
  expect(getDraftText('lamp')).toBe('');
  browserTab.logIn('me');
  expect(getDraftText('lamp')).toBe('Is it bright?');
});

test('nothing is saved after the session has ended in another tab', () => {
  localStorage.removeItem('quad.session');
  draftsModule.setDraft('lamp', { text: 'Is it bright?' });
  expect(localStorage.getItem('quad.saved.me.message.lamp')).toBeNull();
});

test('two tabs can have drafts for the same conversation, and sending one keeps the other', async () => {
  const first = draftsModule;
  vi.resetModules();
  const second = await import('./drafts.ts');
  first.setDraft('lamp', { text: 'Is it bright?' });
  expect(second.getDraft('lamp').text).toBe('Is it bright?');
  second.setDraft('lamp', { text: 'Is it heavy?' });
  expect(first.getDraft('lamp').text).toBe('Is it bright?');
  first.setDraft('lamp', { text: '' });
  expect(first.getDraft('lamp').text).toBe('');
  expect(second.getDraft('lamp').text).toBe('Is it heavy?');
  browserTab.openAgain();
  draftsModule = await import('./drafts.ts');
  expect(getDraftText('lamp')).toBe('Is it heavy?');
});

test('an unreadable stored draft is ignored', () => {
  localStorage.setItem('quad.saved.me.message.lamp', JSON.stringify({ saved_at: Date.now(), value: 'text' }));
  expect(getDraftText('lamp')).toBe('');
});

test('without storage, drafts last until the page is reloaded', () => {
  vi.stubGlobal('localStorage', undefined);
  draftsModule.setDraft('lamp', { text: 'Is it bright?' });
  expect(getDraftText('lamp')).toBe('Is it bright?');
});

test('unsent messages that return to the input precede text typed in the meantime', () => {
  draftsModule.setDraft('lamp', { text: 'typed' });
  draftsModule.moveMessagesToDraft('lamp', [
    { client_id: 'a', message_text: 'one' },
    { client_id: 'b', message_text: 'two' },
  ]);
  expect(getDraftText('lamp')).toBe('one\ntwo\ntyped');
});

test.each([
  ['unchanged', 'one', ''],
  ['with spaces around it', ' one ', ''],
  ['changed', 'one more', 'one more'],
])(
  'text returned to the input is removed once its message is stored, unless the text was edited: %s',
  (_title, typed, left) => {
    draftsModule.moveMessagesToDraft('lamp', [{ client_id: 'a', message_text: 'one' }]);
    draftsModule.setDraft('lamp', { ...draftsModule.getDraft('lamp'), text: typed });
    draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'unknown' }]);
    expect(getDraftText('lamp')).toBe(typed);
    draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'a' }]);
    expect(getDraftText('lamp')).toBe(left);
  },
);

test.each([
  ['unchanged', 'one\ntwo', 'two'],
  ['longer at the end', 'one\ntwo\nthree', 'two\nthree'],
  ['changed at the beginning', 'One\ntwo', 'One\ntwo'],
])(
  'of several messages returned to the input, stored ones are removed unless the beginning was edited: %s',
  (_title, typed, left) => {
    const unsent = ['one', 'two'].map((message_text) => ({ client_id: message_text, message_text }));
    draftsModule.moveMessagesToDraft('lamp', unsent);
    draftsModule.setDraft('lamp', { ...draftsModule.getDraft('lamp'), text: typed });
    draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'one' }]);
    expect(getDraftText('lamp')).toBe(left);
    draftsModule.removeDeliveredMessagesFromDraft('lamp', unsent);
    expect(getDraftText('lamp')).toBe(left.replace(/^two\n?/, ''));
  },
);

test.each([
  ['unchanged', 'one\ntwo\nthree', 'one\nthree', 'one'],
  ['without the first one', 'two\nthree\nfour', 'three\nfour', 'four'],
  ['the last one and a space', 'three ', 'three ', ''],
])(
  'a stored message is removed even if messages before it in the draft are not stored (draft: %s)',
  (_title, typed, withoutTwo, withoutThree) => {
    const unsent = ['one', 'two', 'three'].map((message_text) => ({ client_id: message_text, message_text }));
    draftsModule.moveMessagesToDraft('lamp', unsent);
    draftsModule.setDraft('lamp', { ...draftsModule.getDraft('lamp'), text: typed });
    draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'two' }]);
    expect(getDraftText('lamp')).toBe(withoutTwo);
    draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'three' }]);
    expect(getDraftText('lamp')).toBe(withoutThree);
  },
);

test('a draft in the previous storage format keeps the client id of its message', () => {
  const again = { client_id: 'a', message_text: 'one' };
  const saved = { saved_at: Date.now(), value: { text: 'one', again } };
  localStorage.setItem('quad.saved.me.message.lamp', JSON.stringify(saved));
  expect(draftsModule.getDraft('lamp')).toEqual({ text: 'one', unsent: [again] });
});

test('unsent messages returned to the input one after another are removed once they are stored', () => {
  for (const message_text of ['two\nlines', 'one'])
    draftsModule.moveMessagesToDraft('lamp', [{ client_id: message_text, message_text }]);
  expect(getDraftText('lamp')).toBe('one\ntwo\nlines');
  draftsModule.removeDeliveredMessagesFromDraft('lamp', [{ client_id: 'one' }, { client_id: 'two\nlines' }]);
  expect(getDraftText('lamp')).toBe('');
});

test('a draft about a listing moves to the beginning of the draft in its conversation', () => {
  draftsModule.moveMessagesToDraft('about desk', [{ client_id: 'a', message_text: 'one' }]);
  draftsModule.moveMessagesToDraft('desk', [{ client_id: 'b', message_text: 'two' }]);
  draftsModule.moveDraft('about desk', 'desk');
  expect(getDraftText('about desk')).toBe('');
  expect(getDraftText('desk')).toBe('one\ntwo');
  draftsModule.removeDeliveredMessagesFromDraft('desk', [{ client_id: 'a' }, { client_id: 'b' }]);
  expect(getDraftText('desk')).toBe('');
});
