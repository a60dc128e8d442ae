import type { Page } from '@playwright/test';
import { getConversationLinks, openFirstThread, type Screen, showLoadError, showSkeleton } from './screen.ts';
import { intercept } from './test.ts';

/**
 * Shows a conversation in which both parties wrote texts that are typical of scams. Only received messages
 * must have safety tips.
 */
const showWarnings = async (page: Page): Promise<void> => {
  const text = 'Text me on WhatsApp, I only sell if you pay in advance: https://pay.example/desk';
  await intercept(page, '**/rest/v1/conversations/*/messages*', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const { items, more } = await response.json();
    const last = items.slice(-3).map((item: object) => ({ ...item, kind: 'text', message_text: text }));
    await route.fulfill({ response, json: { items: [...items.slice(0, -3), ...last], more } });
  });
  await page.reload();
  await openFirstThread(page);
  await page.getByRole('note', { name: 'Safety tip' }).last().waitFor();
};

/** Shows a conversation with a seller who is away. */
const showAwaySeller = async (page: Page): Promise<void> => {
  const away_until = new Date(Date.now() + 16 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  await intercept(page, '**/rest/v1/conversations*', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const inbox = await response.json();
    const items = inbox.items.map((item: { listing: object }) => ({
      ...item,
      listing: { ...item.listing, unavailable: 'away', away_until },
    }));
    await route.fulfill({ response, json: { ...inbox, items } });
  });
  await page.reload();
  await getConversationLinks(page).filter({ hasText: 'Two student section tickets' }).first().click();
  await page.getByText(/^The seller is away until/).waitFor();
};

const sendMessagesOffline = async (page: Page): Promise<void> => {
  await openFirstThread(page);
  await page.context().setOffline(true);
  const input = page.getByPlaceholder('Type your message...');
  for (const text of ['I am on the train.', 'See you at five?']) {
    await input.fill(text);
    await input.press('Enter');
  }
  await page.getByText('Waiting for connection').last().waitFor();
  await input.fill('And one more');
};

const showEmptyInbox = async (page: Page): Promise<void> => {
  await intercept(page, '**/rest/v1/conversations', (route) =>
    route.fulfill({ json: { items: [], next_cursor: null } }),
  );
  await page.goto('/messages');
  await page.getByText('No conversations yet').waitFor();
};

const path = '/messages';
const signedIn = true;

export const listMessageScreens = (slug: string): Screen[] => [
  { name: 'messages', path, signedIn, onlyAt: 360 },
  { name: 'messages-thread', path, signedIn, prepare: openFirstThread },
  {
    name: 'messages-waiting',
    path,
    signedIn,
    prepare: sendMessagesOffline,
    writes: true,
    ownContext: true,
  },
  { name: 'messages-away', path, signedIn, prepare: showAwaySeller },
  { name: 'messages-warnings', path, signedIn, prepare: showWarnings },
  { name: 'messages-loading', path, signedIn, prepare: showSkeleton, screenshotOnly: true },
  { name: 'messages-failed', path, signedIn, prepare: showLoadError, screenshotOnly: true },
  { name: 'messages-unknown', path: '/messages?c=unknown', signedIn },
  { name: 'messages-empty', path, signedIn, prepare: showEmptyInbox },
  {
    name: 'message-dialog',
    path: `/listing/${slug}?message=1`,
    signedIn,
    prepare: (page) => page.getByPlaceholder('Type your message...').waitFor(),
  },
];
