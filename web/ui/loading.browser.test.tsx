import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { LoadFailed } from './load-failed.tsx';
import { LoadMore } from './load-more.tsx';

/** A list in which each page is taller than the window plus the distance at which the next page is loaded. */
function PagedList({ load, pages = 3 }: { load: () => Promise<void>; pages?: number }) {
  const [count, setCount] = useState(1);
  return (
    <>
      {Array.from({ length: count }, (_, index) => `page ${index + 1}`).map((name) => (
        <p key={name} style={{ height: 3000 }}>
          {name}
        </p>
      ))}
      {count < pages && (
        <LoadMore
          end={String(count)}
          failed="We could not load more listings."
          load={async () => {
            await load();
            setCount(count + 1);
          }}
        />
      )}
    </>
  );
}

const loadMoreButton = page.getByRole('button', { name: 'Load more' });

test('loads the next page only when the end of the list comes near', async () => {
  const load = vi.fn(async () => {});
  await render(<PagedList load={load} />);
  await expect.element(loadMoreButton).toBeInTheDocument();
  // Intersection observers report in the order of their creation. Once this new observer has
  // reported, the list's observer has reported too.
  await new Promise<void>((seen) => new IntersectionObserver(() => seen()).observe(document.body));
  expect(load).not.toHaveBeenCalled();
  window.scrollTo(0, 2600);
  await expect.element(page.getByText('page 2')).toBeInTheDocument();
  expect(load).toHaveBeenCalledOnce();
});

test('loads the next page if one callback reports the end of the list first as far away, then as near', async () => {
  // Simulates a busy browser, which delivers several observations together.
  const Observer = window.IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super((entries, observer) => {
        const away = { ...entries[0], isIntersecting: false } as IntersectionObserverEntry;
        const near = { ...entries[0], isIntersecting: true } as IntersectionObserverEntry;
        callback([away, near], observer);
      }, options);
    }
  };
  try {
    await render(<PagedList load={async () => {}} pages={2} />);
    await expect.element(page.getByText('page 2')).toBeInTheDocument();
  } finally {
    window.IntersectionObserver = Observer;
  }
});

test('the button also loads the next page, and disappears after the last page', async () => {
  const load = vi.fn(async () => {});
  await render(<PagedList load={load} pages={2} />);
  (loadMoreButton.element() as HTMLElement).click();
  await expect.element(page.getByText('page 2')).toBeInTheDocument();
  await expect.element(loadMoreButton).not.toBeInTheDocument();
});

test('a failure is announced and not retried automatically; the button retries', async () => {
  const load = vi.fn(async () => {});
  load.mockRejectedValueOnce(new Error('unavailable'));
  await render(<PagedList load={load} />);
  window.scrollTo(0, 2600);
  await expect.element(page.getByRole('alert')).toHaveTextContent('We could not load more listings.');
  expect(load).toHaveBeenCalledOnce();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('page 2')).toBeInTheDocument();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('loads again when a load ended without a page, for example because a refetch replaced it', async () => {
  const load = vi.fn(async () => {});
  await render(<LoadMore end="1" failed="We could not load more listings." load={load} />);
  await expect.poll(() => load.mock.calls.length).toBeGreaterThan(2);
});

test('a load failure is shown as an alert with a retry button', async () => {
  const retry = vi.fn();
  await render(
    <LoadFailed title="Failed to load listing data" onRetry={retry}>
      Service unavailable, please retry shortly.
    </LoadFailed>,
  );
  const alert = page.getByRole('alert');
  await expect.element(alert.getByText('Failed to load listing data')).toBeVisible();
  await expect.element(alert.getByText('Service unavailable, please retry shortly.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(retry).toHaveBeenCalledOnce();
});
