import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { SessionState } from './session-state.ts';
import { SiteFrame } from './site-frame.tsx';

function renderFrame(
  session: SessionState,
  { path = '/', unreadCount = 0, notificationCount = 0 } = {},
): string {
  const element = (
    <SiteFrame
      siteName="Quad"
      campusShortName="USC"
      announcement={null}
      session={session}
      unreadCount={unreadCount}
      notificationCount={notificationCount}
      onLogout={() => {}}
    >
      <h1>Screen</h1>
    </SiteFrame>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

const signedOutSession = { loading: false, isAuthenticated: false };
const signedInSession = { loading: false, isAuthenticated: true, name: 'Ada Lovelace' };

test('while the session is loading the header shows neither log-in links nor an avatar', () => {
  const html = renderFrame({ loading: true, isAuthenticated: false });
  for (const text of ['Login', 'Sign Up', 'Post Item']) expect(html).not.toContain(text);
});

test('signed out, the header offers Login and Sign Up, and the bottom bar Log In', () => {
  const html = renderFrame(signedOutSession);
  for (const text of ['Login', 'Sign Up', 'My Listings', 'Log In']) expect(html).toContain(text);
  for (const text of ['Post Item', '>Profile<']) expect(html).not.toContain(text);
});

test('signed in, the navigation shows Messages with the unread count, and the profile instead of Log In', () => {
  const html = renderFrame(signedInSession, { unreadCount: 120 });
  for (const text of ['Messages', '99+', 'unread', 'Profile']) expect(html).toContain(text);
  for (const text of ['Login', 'Sign Up', 'Log In']) expect(html).not.toContain(text);
  expect(renderFrame(signedInSession)).not.toContain('unread');
});

test('until the profile is loaded, the avatar shows no initials', () => {
  const readInitials = (avatarUrl: string | null | undefined) =>
    renderFrame({ ...signedInSession, avatarUrl }).match(/>AL</g) ?? [];
  expect(readInitials(undefined)).toHaveLength(0);
  expect(readInitials(null)).not.toHaveLength(0);
});

const listCurrentLinks = (path: string) =>
  [...renderFrame(signedInSession, { path }).matchAll(/<a [^>]*aria-current="(\w+)"[^>]*>/g)].map(
    ([tag, current]) => `${/href="([^"]+)"/.exec(tag)?.[1]} ${current}`,
  );

test.each([
  ['/', ['/ page']],
  ['/browse', ['/browse page']],
  ['/category/rentals', ['/category/rentals page', '/browse true']],
  ['/listing/oak-desk-1a', ['/browse true']],
  ['/search', ['/browse true']],
  ['/my-listings', ['/my-listings page', '/profile true']],
  ['/profile/edit', ['/profile true']],
  ['/about', []],
])('on %s, these links are marked as the current screen or section: %j', (path, current) => {
  expect(listCurrentLinks(path)).toEqual(current);
});
