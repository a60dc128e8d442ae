import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { NotificationKind } from '#contract/notifications.ts';
import { NotificationItem } from './notification-item.tsx';

const text = 'Somebody logged in to your account. '.repeat(10).trim();

const isCutOff = async (kind: NotificationKind): Promise<boolean> => {
  const { unmount } = await render(
    <MemoryRouter>
      <div style={{ width: 320 }}>
        <NotificationItem
          notification={{
            id: 'new',
            kind,
            title: 'New log-in',
            text,
            path: '/profile',
            created_at: '2026-03-02T18:00:00.000Z',
            read_at: null,
          }}
          onOpen={vi.fn()}
        />
      </div>
    </MemoryRouter>,
  );
  const { scrollHeight, clientHeight } = page.getByText(text).element();
  await unmount();
  return scrollHeight > clientHeight;
};

test('shows the whole text of notifications about security and moderation, and two lines of others', async () => {
  expect([
    await isCutOff('security'),
    await isCutOff('moderation'),
    await isCutOff('saved_searches'),
  ]).toEqual([false, false, true]);
});
