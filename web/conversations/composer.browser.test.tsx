import { createRef } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MessageComposer } from './composer.tsx';

const sendDraft = vi.hoisted(() => vi.fn());
vi.mock('./sending.ts', () => ({ sendDraft }));
vi.mock('./drafts.ts', () => ({ useDraft: () => [{ text: 'にほん' }, () => undefined] }));

const lampConversation = { id: 'lamp', listing_id: null, buyer_id: 'me', seller_id: 'other' };

test.each([
  ['a candidate is being composed', { isComposing: true }],
  ['an input method handles the key', { keyCode: 229 }],
])('Enter does not send the message while %s', async (_title, state) => {
  await render(
    <MessageComposer conversation={lampConversation} otherName="Maya" loading={false} input={createRef()} />,
  );
  const input = page.getByRole('textbox', { name: 'Message' }).element();
  const pressEnter = (init: KeyboardEventInit) =>
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }));
  pressEnter(state);
  expect(sendDraft).not.toHaveBeenCalled();
  pressEnter({});
  expect(sendDraft).toHaveBeenCalledExactlyOnceWith(lampConversation, 'にほん');
  sendDraft.mockClear();
});
