import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MessageList } from './message-list.tsx';
import type { ThreadItem } from './thread.ts';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

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

const thread = page.getByRole('region', { name: 'Messages with Maya' });

test('the newest message stays in view when the list shrinks while scrolling', async () => {
  await render(
    <div className="flex flex-col" style={{ height: 500 }}>
      <MessageList
        conversationId="c1"
        items={items}
        otherName="Maya"
        waiting={false}
        more={false}
        loadOlder={async () => false}
      />
    </div>,
  );
  const element = thread.element();
  const newest = page.getByText('Message 39');
  await expect.element(newest).toBeInViewport();
  await expect.poll(() => element.scrollHeight > element.clientHeight + 400).toBe(true);
  (element.closest('[style]') as HTMLElement).style.height = '200px';
  element.dispatchEvent(new Event('scroll'));
  await expect.poll(() => element.scrollHeight - element.scrollTop - element.clientHeight).toBeLessThan(2);
});

/** Renders a list whose older messages load on request, and whose newer ones are added by `add`. */
const renderThread = async (loadOlder: () => Promise<ThreadItem[]>) => {
  let add: (item: ThreadItem) => void = () => {};
  function Thread() {
    const [shown, setShown] = useState(items.slice(-20));
    add = (item) => setShown((before) => [...before, item]);
    return (
      <div className="flex flex-col" style={{ height: 300 }}>
        <MessageList
          conversationId="c1"
          items={shown}
          otherName="Maya"
          waiting={false}
          more={shown[0] !== items[0]}
          loadOlder={async () => {
            const older = await loadOlder();
            setShown((before) => [...older, ...before]);
            return older[0] !== items[0];
          }}
        />
      </div>
    );
  }
  await render(<Thread />);
  return { add: (item: ThreadItem) => add(item) };
};
const getTop = (text: string): number =>
  page.getByText(text, { exact: true }).element().getBoundingClientRect().top;
const scrollTo = (top: number) => thread.element().scrollTo(0, top);
const toItem = (key: string): ThreadItem => ({ ...items[0], key, text: key }) as ThreadItem;

test('older messages load without a jump, and new ones do not scroll a reader of older ones down', async () => {
  const { promise, resolve } = Promise.withResolvers<ThreadItem[]>();
  const { add } = await renderThread(() => promise);
  await expect.element(page.getByText('Message 39')).toBeInViewport();
  scrollTo(150);
  await expect.element(page.getByRole('button', { name: 'Loading earlier messages' })).toBeVisible();
  const before = getTop('Message 24');
  resolve(items.slice(0, 20));
  await expect.element(page.getByText('Message 0', { exact: true })).toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /arlier messages/ })).not.toBeInTheDocument();
  expect(Math.abs(getTop('Message 24') - before)).toBeLessThan(50);

  const position = getTop('Message 24');
  add(toItem('fresh'));
  const button = page.getByRole('button', { name: 'New messages' });
  await expect.element(button).toBeVisible();
  expect(Math.abs(getTop('Message 24') - position)).toBeLessThan(3);
  await button.click();
  await expect.element(page.getByText('fresh', { exact: true })).toBeInViewport();
  await expect.element(button).not.toBeInTheDocument();
  add(toItem('fresher'));
  await expect.element(page.getByText('fresher', { exact: true })).toBeInViewport();
});

test('pressing "Earlier messages" with the keyboard keeps the focus and the scroll position', async () => {
  let attempts = 0;
  const { promise, resolve } = Promise.withResolvers<ThreadItem[]>();
  await renderThread(async () => {
    attempts += 1;
    // Focusing the button scrolls the list, which triggers the first attempt.
    if (attempts === 1) throw new TypeError('Failed to fetch');
    return promise;
  });
  // The list first scrolls to the newest message.
  await expect.element(page.getByText('Message 39')).toBeInViewport();
  const button = page.getByRole('button', { name: /arlier messages/ });
  (button.element() as HTMLElement).focus();
  await expect.element(button).toHaveTextContent('Could not load earlier messages. Try again');
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Loading earlier messages')).toBeVisible();
  await expect.element(button).toHaveFocus();
  const before = getTop('Message 22');
  resolve(items.slice(0, 20));
  // No earlier messages are left, so the button disappears and the focus moves to the messages.
  await expect.element(button).not.toBeInTheDocument();
  await expect.element(thread).toHaveFocus();
  expect(Math.abs(getTop('Message 22') - before)).toBeLessThan(60);
});
