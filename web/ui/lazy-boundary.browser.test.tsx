import { lazy, useState } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { LazyBoundary } from './lazy-boundary.tsx';

/** A part whose script is still loading. */
const Part = lazy(() => new Promise<never>(() => {}));

test('a part of the server stays in place when the page is rendered again before its script is loaded', async () => {
  const container = document.body.appendChild(document.createElement('div'));
  // React marks a Suspense boundary that the server has rendered with these comments.
  container.innerHTML = '<!--$--><p>Listing Not Found</p><!--/$-->';
  let renderAgain = (): void => {};
  function Page() {
    const [, setCount] = useState(0);
    renderAgain = () => flushSync(() => setCount((count) => count + 1));
    return (
      <LazyBoundary>
        <Part />
      </LazyBoundary>
    );
  }
  const root = hydrateRoot(container, <Page />);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  for (let times = 0; times < 3; times += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    renderAgain();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(container.querySelector('p')?.checkVisibility()).toBe(true);
});
