import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { storeSearch } from './recent-searches.ts';
import { SearchForm } from './search-form.tsx';

const box = page.getByRole('combobox', { name: 'Search' });
const options = page.getByRole('option');
const option = (name: string | RegExp) => page.getByRole('option', { name });

function Screen() {
  const { pathname, search } = useLocation();
  return (
    <>
      <SearchForm />
      <p data-testid="path">{pathname + search}</p>
      <Outlet />
    </>
  );
}

const currentPath = () => page.getByTestId('path').element().textContent;

/** Renders a search box with two stored searches, "bike" and then "lamp", and focuses it. */
const openSearchBox = async () => {
  for (const text of ['bike', 'lamp']) storeSearch(text);
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }]);
  await render(<RouterProvider router={router} />);
  await box.click();
  await expect.element(option(/^lamp/)).toBeVisible();
};

const titles = ['Desk lamp', 'Large lantern'];
beforeEach(() => {
  const items = titles.map((title) => ({ title, slug: title.toLowerCase().replace(' ', '-') }));
  vi.stubGlobal('fetch', async () => Response.json({ items }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('an empty search box suggests earlier searches, newest first, and announces their number', async () => {
  await openSearchBox();
  expect(options.elements().map((it) => it.textContent)).toEqual([
    'lamp, searched before',
    'bike, searched before',
  ]);
  await expect.element(page.getByRole('status')).toHaveTextContent('2 suggestions');
  await expect.element(box).toHaveAttribute('aria-expanded', 'true');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect.element(box).toHaveAttribute('aria-controls', list.element().id);
});

test('the arrow keys cycle through the options and the search box in both directions', async () => {
  await openSearchBox();
  const active = () => {
    const id = box.element().getAttribute('aria-activedescendant');
    return id === null ? 'box' : document.getElementById(id)?.textContent?.split(',')[0];
  };
  const visited: unknown[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    await userEvent.keyboard(`{${key}}`);
    visited.push(active());
  }
  expect(visited).toEqual(['lamp', 'bike', 'box', 'bike', 'lamp']);
  await expect.element(box).toHaveFocus();
  await expect.element(option(/^lamp/)).toHaveAttribute('aria-selected', 'true');
});

test('Enter selects the active option, or searches for the text if none is active', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.poll(currentPath).toBe('/search?q=bike');
  await expect.element(box).toHaveValue('bike');
  await userEvent.fill(box, 'la');
  await expect.element(option('Large lantern')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(currentPath).toBe('/search?q=la');
  await expect.element(options.first()).not.toBeInTheDocument();
});

test('a click on a title opens the listing', async () => {
  await openSearchBox();
  await userEvent.fill(box, 'la');
  await option('Desk lamp').click();
  await expect.poll(currentPath).toBe('/product/desk-lamp');
});

test('Escape closes the list and keeps the text, and an arrow key opens it again', async () => {
  await openSearchBox();
  await userEvent.fill(box, 'la');
  await expect.element(option('Desk lamp')).toBeVisible();
  await userEvent.keyboard('{Escape}{Escape}');
  await expect.element(options.first()).not.toBeInTheDocument();
  await expect.element(box).toHaveValue('la');
  await expect.element(box).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(options.first()).toBeVisible();
});

test('leaving the search box closes the list and selects nothing', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.tab();
  await expect.element(options.first()).not.toBeInTheDocument();
  expect(currentPath()).toBe('/');
  await expect.element(box).toHaveValue('');
});

test('Home and End move the caret', async () => {
  await openSearchBox();
  await userEvent.fill(box, 'la');
  await expect.element(option('Desk lamp')).toBeVisible();
  await userEvent.keyboard('{Home}');
  const caret = () => (box.element() as HTMLInputElement).selectionStart;
  expect(caret()).toBe(0);
  await userEvent.keyboard('{End}');
  expect(caret()).toBe(2);
  await expect.element(box).not.toHaveAttribute('aria-activedescendant');
});

test('Enter does not select an option during input method composition', async () => {
  await openSearchBox();
  await userEvent.keyboard('{ArrowDown}');
  const enter = { key: 'Enter', bubbles: true, cancelable: true, isComposing: true };
  box.element().dispatchEvent(new KeyboardEvent('keydown', enter));
  await expect.element(option(/^lamp/)).toBeVisible();
  expect(currentPath()).toBe('/');
});

test('the search works without suggestions if the titles cannot be loaded', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no connection')));
  await openSearchBox();
  await userEvent.fill(box, 'chair');
  await expect.element(options.first()).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.poll(currentPath).toBe('/search?q=chair');
});
