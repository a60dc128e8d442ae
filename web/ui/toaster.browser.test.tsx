import { toast as sonner } from 'sonner';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { pageRootAttributes } from './inert-page.tsx';
import { sessionEndToastGroup, toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

// The toast library keeps open toasts in a module variable, so they would remain in the next test.
afterEach(() => void sonner.dismiss());

const visibleToastTitles = () =>
  [...document.querySelectorAll('[data-sonner-toast]:not([data-removed="true"]) [data-title]')].map(
    (title) => title.textContent,
  );

test('a toast that was requested before the page was ready is shown, in a polite live region', async () => {
  toast.success('Draft saved', 'It is only visible to you.');
  await render(<Toaster />);
  await expect.element(page.getByText('Draft saved')).toBeVisible();
  await expect.element(page.getByText('It is only visible to you.')).toBeVisible();
  const region = page.getByText('Draft saved').element().closest('[aria-live]');
  expect(region?.getAttribute('aria-live')).toBe('polite');
});

test('only the two newest toasts are shown', async () => {
  await render(<Toaster />);
  for (const title of ['One', 'Two', 'Three']) toast.message(title);
  await expect.poll(visibleToastTitles).toEqual(expect.arrayContaining(['Three', 'Two']));
  await expect.poll(() => visibleToastTitles().includes('One')).toBe(false);
});

test('a toast can be closed', async () => {
  await render(<Toaster />);
  toast.error('Failed to save listing');
  await expect.element(page.getByText('Failed to save listing')).toBeVisible();
  await page.getByRole('button', { name: 'Close toast' }).first().click();
  await expect.poll(() => visibleToastTitles().includes('Failed to save listing')).toBe(false);
});

test('a toast beside an open dialog can be closed without closing the dialog', async () => {
  await render(
    <>
      <main {...pageRootAttributes} />
      <Dialog open title="Rename" />
      <Toaster />
    </>,
  );
  toast.error('Failed to rename');
  await expect.element(page.getByText('Failed to rename')).toBeVisible();
  await page.getByRole('button', { name: 'Close toast' }).first().click();
  await expect.poll(() => visibleToastTitles().includes('Failed to rename')).toBe(false);
  await expect.element(page.getByRole('dialog', { name: 'Rename' })).toBeVisible();
});

test('a toast with an action runs it once and closes', async () => {
  await render(<Toaster />);
  const onSelect = vi.fn();
  toast.success('Listing deleted', undefined, { label: 'Undo', onSelect, durationMs: 10_000 });
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(onSelect).toHaveBeenCalledTimes(1);
  await expect.poll(visibleToastTitles).not.toContain('Listing deleted');
});

test('a toast with an action disappears after its duration, even while the pointer is over it', async () => {
  await render(<Toaster />);
  toast.success('Gone soon', undefined, { label: 'Undo', onSelect: () => {}, durationMs: 3000 });
  await userEvent.hover(page.getByText('Gone soon'));
  await expect.element(page.getByText('Gone soon')).toBeVisible();
  await expect.poll(visibleToastTitles).not.toContain('Gone soon');
});

test('newer toasts replace toasts without an action before those with one', async () => {
  await render(<Toaster />);
  toast.success('Listing deleted', undefined, { label: 'Undo', onSelect: () => {}, durationMs: 60_000 });
  toast.message('Older');
  toast.message('Newer');
  await expect.poll(visibleToastTitles).toEqual(['Newer', 'Listing deleted']);
  await page.getByRole('button', { name: 'Undo' }).click();
});

test('an action takes the focus on request, and the previous element gets it back', async () => {
  await render(
    <>
      <button type="button">Delete</button>
      <Toaster />
    </>,
  );
  await userEvent.click(page.getByRole('button', { name: 'Delete' }));
  toast.success('Deleted', undefined, {
    label: 'Undo',
    onSelect: () => {},
    durationMs: 60_000,
    focusFrom: document.activeElement ?? undefined,
  });
  await expect.element(page.getByRole('button', { name: 'Undo' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(visibleToastTitles).not.toContain('Deleted');
  await expect.element(page.getByRole('button', { name: 'Delete' })).toHaveFocus();
});

test('pressing Tab on an action that took the focus returns it to the previous element', async () => {
  await render(
    <>
      <button type="button">Delete</button>
      <Toaster />
    </>,
  );
  toast.success('Listing restored');
  await expect.element(page.getByText('Listing restored')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Delete' }));
  const focusFrom = document.activeElement ?? undefined;
  const action = { label: 'Undo', onSelect: () => {}, durationMs: 60_000, focusFrom };
  toast.success('Deleted', undefined, action);
  await expect.element(page.getByRole('button', { name: 'Undo' })).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => document.activeElement).toBe(focusFrom);
  expect(visibleToastTitles()).toEqual(['Deleted', 'Listing restored']);
});

test('an action does not take the focus from an element to which the person has moved it', async () => {
  await render(
    <>
      <button type="button">Delete</button>
      <input aria-label="Search" />
      <Toaster />
    </>,
  );
  const search = page.getByRole('textbox', { name: 'Search' });
  await userEvent.click(page.getByRole('button', { name: 'Delete' }));
  const focusFrom = document.activeElement ?? undefined;
  await userEvent.click(search);
  const action = { label: 'Undo', onSelect: () => {}, durationMs: 60_000, focusFrom };
  toast.success('Deleted', undefined, action);
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.element(search).toHaveFocus();
});

test('a toast replaces open toasts of the same group only', async () => {
  await render(<Toaster />);
  const action = { label: 'Undo', onSelect: () => {}, durationMs: 60_000, group: 'deletion' };
  toast.success('Form cleared', undefined, { ...action, group: undefined });
  for (const title of ['Listing deleted', '2 listings deleted', '3 listings deleted'])
    toast.success(title, undefined, action);
  await expect.poll(visibleToastTitles).toEqual(['3 listings deleted', 'Form cleared']);
});

test('a success replaces an earlier error, and nothing else', async () => {
  await render(<Toaster />);
  const action = { label: 'Undo', onSelect: () => {}, durationMs: 60_000 };
  toast.error('Failed to restore', undefined, action);
  toast.error('Failed to save listing');
  await expect.poll(visibleToastTitles).toEqual(['Failed to save listing', 'Failed to restore']);
  toast.success('Draft saved');
  await expect.poll(visibleToastTitles).toEqual(['Draft saved', 'Failed to restore']);
  toast.error('Failed to send');
  await expect.poll(visibleToastTitles).toEqual(['Failed to send', 'Failed to restore']);
});

test('a repeated message is shown once, with the newest description', async () => {
  await render(<Toaster />);
  toast.message('Welcome');
  for (const text of ['Check your connection', 'You are offline']) toast.error('Failed to save', text);
  await expect.element(page.getByText('You are offline')).toBeVisible();
  await expect.poll(visibleToastTitles).toEqual(['Failed to save', 'Welcome']);
});

test('a toast covers no text of a form if there is room beside it', async () => {
  await render(
    <>
      <form style={{ position: 'fixed', inset: 'auto 0 0', height: 200 }}>
        <p style={{ height: 200, margin: 0 }}>We will email you a code.</p>
      </form>
      <Toaster />
    </>,
  );
  toast.message('Please wait a moment');
  const title = page.getByText('Please wait a moment');
  await expect.element(title).toBeVisible();
  const text = page.getByText('We will email you a code.').element().getBoundingClientRect();
  const bottom = () => title.element().closest('li')?.getBoundingClientRect().bottom;
  await expect.poll(bottom).toBe(text.top - 4);
});

test('toasts with an action are shown at the bottom of a page that is full of controls, above pinned bars', async () => {
  await render(
    <>
      {Array.from({ length: 40 }, (_, index) => `Edit ${index}`).map((name) => (
        <button key={name} type="button" style={{ display: 'block', width: '100%', height: 40, margin: 6 }}>
          {name}
        </button>
      ))}
      <nav style={{ position: 'fixed', left: 0, right: 0, bottom: 0, height: 60 }}>Main</nav>
      <Toaster />
    </>,
  );
  for (const title of ['First deleted', 'Second deleted'])
    toast.success(title, undefined, { label: `Undo ${title}`, onSelect: () => {}, durationMs: 60_000 });
  for (const title of ['First deleted', 'Second deleted'])
    await expect.element(page.getByText(title)).toBeVisible();
  const bar = page.getByText('Main').element().getBoundingClientRect();
  const newest = page.getByText('Second deleted').element().closest('li');
  const distance = () => bar.top - (newest?.getBoundingClientRect().bottom ?? Number.NaN);
  await expect.poll(distance).toBeGreaterThanOrEqual(0);
  expect(distance()).toBeLessThan(20);
});

test('a toast that has to cover links covers none that look like a button', async () => {
  await render(
    <>
      {Array.from({ length: 40 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
        <a key={index} href="/about" style={{ display: 'block', height: 40 }}>
          {`Link ${index}`}
        </a>
      ))}
      <div style={{ position: 'fixed', left: 0, right: 0, bottom: 40, textAlign: 'center' }}>
        <Button asChild>
          <a href="/post-ad">Create New Listing</a>
        </Button>
      </div>
      <Toaster />
    </>,
  );
  toast.success('Saved');
  const title = page.getByText('Saved');
  await expect.element(title).toBeVisible();
  const button = page.getByText('Create New Listing').element().getBoundingClientRect();
  const coversButton = () => {
    const box = title.element().closest('li')?.getBoundingClientRect();
    return box && box.bottom > button.top && box.top < button.bottom;
  };
  await expect.poll(coversButton).toBe(false);
});

test('scrolling hides toasts, except while one of them has the focus', async () => {
  await render(
    <>
      <div style={{ height: '300vh' }}>
        <button type="button">Delete</button>
      </div>
      <Toaster />
    </>,
  );
  toast.success('Deleted', undefined, { label: 'Undo', onSelect: () => {}, durationMs: 60_000 });
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.element(undo).toBeVisible();
  const button = undo.element() as HTMLElement;
  const scrollAndReadVisibility = async (): Promise<boolean[]> => {
    const seen: boolean[] = [];
    for (let step = 0; step < 3; step += 1) {
      window.scrollBy(0, 40);
      await new Promise((resolve) => document.addEventListener('scroll', resolve, { once: true }));
      await new Promise(requestAnimationFrame);
      seen.push(button.checkVisibility({ visibilityProperty: true }));
    }
    return seen;
  };
  expect(await scrollAndReadVisibility()).toContain(false);
  await expect.element(undo).toBeVisible();
  // A late scroll event may hide the toast once more, and a hidden button does not take the focus.
  await expect
    .poll(() => {
      button.focus();
      return document.activeElement === button;
    })
    .toBe(true);
  expect(await scrollAndReadVisibility()).toEqual([true, true, true]);
  await expect.element(undo).toHaveFocus();
});

test('the end of the session replaces the error that it causes', async () => {
  await render(<Toaster />);
  toast.error('Failed to save settings', 'Not authenticated');
  toast.error('You were logged out', 'Log in again', undefined, sessionEndToastGroup);
  await expect.poll(visibleToastTitles).toEqual(['You were logged out']);
});
