import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { SessionState } from './session-state.ts';
import { SiteFrame } from './site-frame.tsx';

function renderFrame(session: SessionState, { path = '/', unreadCount = 0 } = {}): string {
  const element = (
    <SiteFrame
      siteName="Quad"
      campusShortName="USC"
      session={session}
      unreadCount={unreadCount}
      onLogout={() => {}}
    >
      <h1>Screen</h1>
    </SiteFrame>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

const signedOut = { loading: false, isAuthenticated: false };
const signedIn = { loading: false, isAuthenticated: true, name: 'Ada Lovelace' };

test('while the session is loading the header shows neither log-in links nor an avatar', () => {
  const html = renderFrame({ loading: true, isAuthenticated: false });
  for (const text of ['Login', 'Sign Up', 'Post Item']) expect(html).not.toContain(text);
});

test('signed out, the header offers Login and Sign Up, and the navigation has no Messages', () => {
  const html = renderFrame(signedOut);
  for (const text of ['Login', 'Sign Up', 'My Listings']) expect(html).toContain(text);
  for (const text of ['Post Item', 'Messages']) expect(html).not.toContain(text);
});

test('signed in, the header offers Post Item, and the navigation shows Messages with the unread count', () => {
  const html = renderFrame(signedIn, { unreadCount: 120 });
  for (const text of ['Post Item', 'Messages', '99+', 'unread']) expect(html).toContain(text);
  for (const text of ['Login', 'Sign Up']) expect(html).not.toContain(text);
  expect(renderFrame(signedIn)).not.toContain('unread');
});

test('only the link of the current screen is marked as current', () => {
  const current = (path: string) =>
    [...renderFrame(signedOut, { path }).matchAll(/<a aria-current="page"[^>]*href="([^"]+)"/g)].map(
      (match) => match[1],
    );
  expect(current('/')).toEqual(['/']);
  expect(current('/category/rentals')).toEqual(['/category/rentals']);
  expect(current('/about')).toEqual([]);
});
