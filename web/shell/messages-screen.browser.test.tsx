import '#web/styles/app.css';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { createConversation, createMessage } from '#web/conversations/testing.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/socket.ts', () => ({ subscribeToTopic: () => () => {} }));

const { calls } = await import('#contract/calls.ts');
const { MessagesScreen } = await import('#web/conversations/messages-screen.tsx');
const { queryClient } = await import('#web/lib/query-client.ts');
const { SiteFrame } = await import('#web/shell/site-frame.tsx');

const other = {
  id: 'other',
  name: 'Maya Seller',
  avatar_url: null,
  usc_verified: false,
  rating: null,
  review_count: 0,
  is_new_account: false,
};
const responses = new Map<CallDeclaration, unknown>([
  [calls.listConversations, { items: [createConversation('lamp', { other })], next_cursor: null }],
  [calls.getConversation, createConversation('lamp', { other })],
  [calls.countUnread, { unread_total: 0 }],
  [calls.listMessages, { items: [createMessage(1)], more: false }],
  [calls.listDeals, { items: [], next_cursor: null }],
  [calls.listHandovers, { items: [] }],
  [calls.markRead, { unread_total: 0 }],
]);

beforeEach(() => {
  queryClient.clear();
  requestMock.mockImplementation(async (call: CallDeclaration) => {
    if (responses.has(call)) return responses.get(call);
    throw new Error(`Unexpected call ${call.path}`);
  });
});

const openConversation = (announcement: string | null = null) => {
  const element = (
    <SiteFrame
      siteName="Quad"
      campusShortName="USC"
      announcement={
        announcement === null ? null : { text: announcement, ends_at: '2099-01-01T00:00:00.000Z' }
      }
      session={{ loading: false, isAuthenticated: true, name: 'Ada' }}
      unreadCount={0}
      notificationCount={0}
      onLogout={() => {}}
    >
      <MessagesScreen ownId="me" />
    </SiteFrame>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/messages?c=lamp'] });
  return render(<RouterProvider router={router} />);
};

test.each([
  ['a phone', 360, 740],
  ['a wide window', 768, 800],
])('an announcement of several lines leaves the message field in view on %s', async (_, width, height) => {
  await page.viewport(width, height);
  await openConversation(
    'The library lawn is closed for the game, so please meet at the bookstore. '.repeat(4).trim(),
  );
  const field = page.getByPlaceholder('Type your message...');
  await expect.element(field).toBeInViewport({ ratio: 1 });
  await expect
    .poll(() => {
      const { left, width: fieldWidth, bottom } = field.element().getBoundingClientRect();
      return document.elementFromPoint(left + fieldWidth / 2, bottom - 2);
    })
    .toBe(field.element());
  await page.viewport(800, 600);
});

test.each([
  ['on', ['lamp']],
  ['not on', []],
])('a conversation that is %s the first page of the list can be opened again offline', async (_, listed) => {
  responses.set(calls.listConversations, {
    items: listed.map((id) => createConversation(id, { other })),
    next_cursor: null,
  });
  const { unmount } = await openConversation();
  const message = page.getByRole('region', { name: 'Messages with Maya Seller' }).getByText('text 1');
  await expect.element(message).toBeVisible();
  await unmount();
  requestMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await openConversation();
  await expect.element(message).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'Conversations' }).getByRole('link'))
    .toHaveLength(listed.length);
});
