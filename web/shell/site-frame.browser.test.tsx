import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { SiteFrame } from './site-frame.tsx';

const bar = page.getByRole('navigation', { name: 'Main' });
const unread = page.getByRole('link', { name: /^Messages\D*2\D*unread$/ });

const openFrame = async (width: number, height: number, notificationCount = 0) => {
  await page.viewport(width, height);
  const Component = () => (
    <SiteFrame
      siteName="Quad"
      campusShortName="USC"
      announcement={null}
      session={{ loading: false, isAuthenticated: true, name: 'Ada Seller', avatarUrl: null }}
      unreadCount={2}
      notificationCount={notificationCount}
      onLogout={() => {}}
    >
      <div style={{ height: '300vh' }} />
    </SiteFrame>
  );
  const Router = createRoutesStub([{ path: '*', Component }]);
  await render(<Router />);
  await expect.element(unread.first()).toBeInTheDocument();
};

const getBox = (element: Element) => element.getBoundingClientRect();
const isInView = (element: Element) => {
  const { top, bottom, left, right, width } = getBox(element);
  return width > 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
};

test.each([
  [360, 740],
  [568, 320],
  [768, 1024],
  [1280, 900],
])(
  'the unread count is in view at %i × %i pixels, however far the page is scrolled',
  async (width, height) => {
    await openFrame(width, height);
    for (const end of [0, 1]) {
      window.scrollTo(0, end * document.documentElement.scrollHeight);
      await expect.poll(() => unread.elements().some(isInView)).toBe(true);
    }
  },
);

test('on a phone, five links of at least 44 pixels are at the bottom of the window and cover no content', async () => {
  await openFrame(360, 740);
  const links = bar.getByRole('link').elements();
  expect(links.map((it) => it.textContent)).toEqual([
    'Home',
    'Browse',
    'Post',
    'Messages2unread',
    'ASProfile',
  ]);
  for (const link of links) {
    expect(getBox(link).width).toBeGreaterThanOrEqual(44);
    expect(getBox(link).height).toBeGreaterThanOrEqual(44);
  }
  expect(getBox(bar.element()).bottom).toBe(innerHeight);
  window.scrollTo(0, document.documentElement.scrollHeight);
  const footer = page.getByRole('contentinfo').element();
  await expect.poll(() => getBox(footer).bottom).toBeLessThanOrEqual(getBox(bar.element()).top + 1);
});

test('in a short window, the bottom bar is slimmer, and the header scrolls away', async () => {
  await openFrame(568, 320);
  window.scrollTo(0, document.documentElement.scrollHeight / 2);
  await expect.element(page.getByRole('banner')).not.toBeInViewport();
  expect(getBox(bar.element()).bottom).toBe(innerHeight);
  expect(getBox(bar.element()).height).toBe(45);
  for (const link of bar.getByRole('link').elements()) expect(getBox(link).height).toBe(44);
});

test('a phone page is not wider than the screen with more than 99 notifications', async () => {
  await openFrame(360, 740, 100);
  await expect.element(page.getByText('99+').first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(360);
});
