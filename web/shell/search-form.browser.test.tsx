import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { useScrollToTop } from '#web/lib/use-scroll-to-top.ts';
import { signIn, signOut } from '#web/testing/session.ts';
import { storeRecentSearch } from './recent-searches.ts';
import { SearchForm } from './search-form.tsx';

const searchBox = page.getByRole('combobox', { name: 'Search' });
const suggestionOptions = page.getByRole('option');
const findSuggestion = (name: string | RegExp) => page.getByRole('option', { name });

function SearchScreen() {
  const { pathname, search } = useLocation();
  return (
    <>
      <div style={{ position: 'sticky', top: 0 }}>
        <SearchForm />
      </div>
      <p data-testid="path">{pathname + search}</p>
      <Outlet />
      <div style={{ height: '300vh' }} />
    </>
  );
}

/** A search screen that scrolls to the top on a new navigation, as the root of the application does. */
function ScrollingSearchScreen() {
  useScrollToTop();
  return <SearchScreen />;
}

const readCurrentPath = () => page.getByTestId('path').element().textContent;

/** Renders a search box with two stored searches, "bike" and then "lamp", and focuses it. */
const openSearchBox = async () => {
  for (const text of ['bike', 'lamp']) storeRecentSearch(text);
  const router = createMemoryRouter([{ path: '*', element: <ScrollingSearchScreen /> }]);
  await render(<RouterProvider router={router} />);
  await searchBox.click();
  await expect.element(findSuggestion(/^lamp/)).toBeVisible();
};

const listingTitles = ['Desk lamp', 'Large lantern'];
beforeEach(() => {
  const items = listingTitles.map((title) => ({
    title,
    slug: title.toLowerCase().replace(' ', '-'),
    user_id: 'seller',
  }));
  vi.stubGlobal('fetch', async () => Response.json({ items }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('an empty search box suggests earlier searches, newest first, and announces their number', async () => {
  await openSearchBox();
  expect(suggestionOptions.elements().map((it) => it.textContent)).toEqual([
    'lamp, searched before',
    'bike, searched before',
  ]);
  await expect.element(page.getByRole('status')).toHaveTextContent('2 suggestions');
  await expect.element(searchBox).toHaveAttribute('aria-expanded', 'true');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect.element(searchBox).toHaveAttribute('aria-controls', list.element().id);
});

test('the arrow keys cycle through the options and the search box in both directions', async () => {
  await openSearchBox();
  const active = () => {
    const id = searchBox.element().getAttribute('aria-activedescendant');
    return id === null ? 'box' : document.getElementById(id)?.textContent?.split(',')[0];
  };
  for (const [key, option] of [
    ['ArrowDown', 'lamp'],
    ['ArrowDown', 'bike'],
    ['ArrowDown', 'box'],
    ['ArrowUp', 'bike'],
    ['ArrowUp', 'lamp'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.poll(active).toBe(option);
  }
  await expect.element(searchBox).toHaveFocus();
  await expect.element(findSuggestion(/^lamp/)).toHaveAttribute('aria-selected', 'true');
});

test('Enter selects the active option, or searches for the text if none is active', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(readCurrentPath).toBe('/search?q=bike');
  await expect.element(searchBox).toHaveValue('bike');
  await userEvent.fill(searchBox, 'la');
  await expect.element(findSuggestion('Large lantern')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(readCurrentPath).toBe('/search?q=la');
  await expect.element(suggestionOptions.first()).not.toBeInTheDocument();
});

test.each([
  ['text', 'lamp', '{Enter}'],
  ['suggestion', '', '{ArrowDown}{Enter}'],
])('choosing the same %s again scrolls to the top of the results', async (_what, typed, keys) => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(readCurrentPath).toBe('/search?q=lamp');
  window.scrollTo(0, 500);
  await userEvent.fill(searchBox, typed);
  await expect.element(suggestionOptions.first()).toBeVisible();
  expect(window.scrollY).toBeGreaterThan(0);
  await userEvent.keyboard(keys);
  await expect.poll(() => window.scrollY).toBe(0);
  expect(readCurrentPath()).toBe('/search?q=lamp');
});

test('a search that is abandoned while it loads leaves the page where it is', async () => {
  const element = <SearchScreen />;
  const loader = () => new Promise<null>(() => {});
  const router = createMemoryRouter([
    { path: '/search', loader, element },
    { path: '*', element },
  ]);
  await render(<RouterProvider router={router} />);
  window.scrollTo(0, 500);
  await userEvent.fill(searchBox, 'lamp');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.navigation.state).toBe('loading');
  const position = window.scrollY;
  expect(position).toBeGreaterThan(0);
  await router.navigate('/product/desk-lamp');
  await expect.poll(readCurrentPath).toBe('/product/desk-lamp');
  expect(window.scrollY).toBe(position);
});

test('titles of blocked people are never suggested, even before the list of them has loaded', async () => {
  signIn();
  const blocked = Promise.withResolvers<void>();
  const items = [
    { title: 'Desk lamp', slug: 'desk-lamp', user_id: 'blocked' },
    { title: 'Large lantern', slug: 'large-lantern', user_id: 'seller' },
  ];
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.startsWith(calls.listBlockedIds.path)) return Response.json({ items });
    await blocked.promise;
    return Response.json({ user_ids: ['blocked'] });
  });
  const seen: string[] = [];
  const observer = new MutationObserver(() =>
    seen.push(...suggestionOptions.elements().map(({ textContent }) => textContent ?? '')),
  );
  observer.observe(document.body, { childList: true, subtree: true });
  await openSearchBox();
  await userEvent.fill(searchBox, 'la');
  await new Promise((resolve) => setTimeout(resolve, 500));
  blocked.resolve();
  await expect.element(findSuggestion('Large lantern')).toBeVisible();
  observer.disconnect();
  expect(seen.filter((text) => text.includes('Desk lamp'))).toEqual([]);
  signOut();
});

test('a click on a title opens the listing', async () => {
  await openSearchBox();
  await userEvent.fill(searchBox, 'la');
  await findSuggestion('Desk lamp').click();
  await expect.poll(readCurrentPath).toBe('/product/desk-lamp');
});

test('Escape closes the list and keeps the text, and an arrow key opens it again', async () => {
  await openSearchBox();
  await userEvent.fill(searchBox, 'la');
  await expect.element(findSuggestion('Desk lamp')).toBeVisible();
  await userEvent.keyboard('{Escape}{Escape}');
  await expect.element(suggestionOptions.first()).not.toBeInTheDocument();
  await expect.element(searchBox).toHaveValue('la');
  await expect.element(searchBox).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(suggestionOptions.first()).toBeVisible();
});

test('leaving the search box closes the list and selects nothing', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.tab();
  await expect.element(suggestionOptions.first()).not.toBeInTheDocument();
  expect(readCurrentPath()).toBe('/');
  await expect.element(searchBox).toHaveValue('');
});

test('Home and End move the caret', async () => {
  await openSearchBox();
  await userEvent.fill(searchBox, 'la');
  await expect.element(findSuggestion('Desk lamp')).toBeVisible();
  await userEvent.keyboard('{Home}');
  const caret = () => (searchBox.element() as HTMLInputElement).selectionStart;
  await expect.poll(caret).toBe(0);
  await userEvent.keyboard('{End}');
  await expect.poll(caret).toBe(2);
  await expect.element(searchBox).not.toHaveAttribute('aria-activedescendant');
});

test('Enter does not select an option during input method composition', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}');
  const enter = { key: 'Enter', bubbles: true, cancelable: true };
  for (const state of [{ isComposing: true }, { keyCode: 229 }])
    searchBox.element().dispatchEvent(new KeyboardEvent('keydown', { ...enter, ...state }));
  await expect.element(findSuggestion(/^lamp/)).toBeVisible();
  expect(readCurrentPath()).toBe('/');
});

test('the search works without suggestions if the titles cannot be loaded', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no connection')));
  await openSearchBox();
  await userEvent.fill(searchBox, 'chair');
  await expect.element(suggestionOptions.first()).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.poll(readCurrentPath).toBe('/search?q=chair');
});

test('the search box displays the text in the search page’s URL, but not that of a console search', async () => {
  const router = createMemoryRouter([{ path: '*', element: <SearchScreen /> }], {
    initialEntries: ['/search?q=lamp'],
  });
  await render(<RouterProvider router={router} />);
  await expect.element(searchBox).toHaveValue('lamp');
  await router.navigate('/moderation/people?q=sal');
  await expect.poll(readCurrentPath).toBe('/moderation/people?q=sal');
  await expect.element(searchBox).toHaveValue('');
});

test('a button clears the search box and keeps the focus there', async () => {
  await openSearchBox();
  const clear = page.getByRole('button', { name: 'Clear search' });
  await userEvent.fill(searchBox, 'lamp');
  await clear.click();
  await expect.element(searchBox).toHaveValue('');
  await expect.element(searchBox).toHaveFocus();
  await expect.element(clear).not.toBeInTheDocument();
});
