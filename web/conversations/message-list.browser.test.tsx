import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MessageList } from './message-list.tsx';
import type { ThreadItem } from './thread.ts';

const items = Array.from(
  { length: 40 },
  (_, index): ThreadItem => ({
    kind: 'bubble',
    key: `${index}`,
    own: false,
    text: `Message ${index}`,
    at: '2026-03-02T18:00:00.000Z',
    pending: false,
  }),
);

test('the newest message stays in view when the list shrinks while scrolling', async () => {
  await render(
    <div className="flex flex-col" style={{ height: 500 }}>
      <MessageList
        items={items}
        otherName="Maya"
        waiting={false}
        more={false}
        loadOlder={async () => false}
      />
    </div>,
  );
  const list = page.getByRole('region', { name: 'Messages with Maya' });
  const element = list.element();
  const newest = page.getByText('Message 39');
  await expect.element(newest).toBeInViewport();
  await expect.poll(() => element.scrollHeight > element.clientHeight + 400).toBe(true);
  (element.closest('[style]') as HTMLElement).style.height = '200px';
  element.dispatchEvent(new Event('scroll'));
  await expect.poll(() => element.scrollHeight - element.scrollTop - element.clientHeight).toBeLessThan(2);
});
