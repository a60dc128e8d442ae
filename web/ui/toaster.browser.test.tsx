import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from './dialog.tsx';
import { pageAttributes } from './inert-page.tsx';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

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
      <main {...pageAttributes} />
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
