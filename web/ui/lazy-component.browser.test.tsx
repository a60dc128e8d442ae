import { type ComponentType, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { lazyScriptMessages } from '#web/lib/lazy-script.ts';
import { lazyComponent, lazyDialog } from './lazy-component.tsx';
import { onToastRequest } from './toast.ts';

/** Hydrates a page whose only content is a part, and returns its paragraph and a function that renders the page again. */
const hydratePart = (Part: ComponentType) => {
  const container = document.body.appendChild(document.createElement('div'));
  // React marks a Suspense boundary that the server has rendered with these comments.
  container.innerHTML = '<!--$--><p>Listing Not Found</p><!--/$-->';
  let renderAgain = (): void => {};
  function Page() {
    const [, setCount] = useState(0);
    renderAgain = () => flushSync(() => setCount((count) => count + 1));
    return <Part />;
  }
  const root = hydrateRoot(container, <Page />);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  return { paragraph: container.querySelector('p'), renderAgain: () => renderAgain() };
};

function NotFound() {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return <p title={isHydrated ? 'Hydrated' : undefined}>Listing Not Found</p>;
}

test('a part of the server stays in place when the page is rendered again before its script is loaded', async () => {
  const { paragraph, renderAgain } = hydratePart(lazyComponent(() => new Promise<never>(() => {})));
  for (let times = 0; times < 3; times += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    renderAgain();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(paragraph?.checkVisibility()).toBe(true);
});

test('a part of the server keeps its elements when its script is loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<ComponentType>();
  const { paragraph } = hydratePart(lazyComponent(() => promise));
  await new Promise((done) => setTimeout(done));
  resolve(NotFound);
  await expect.poll(() => paragraph?.title).toBe('Hydrated');
  expect(paragraph?.isConnected).toBe(true);
});

test('a part whose script cannot be loaded is replaced with a message, and is loaded when it is mounted again', async () => {
  let isFailing = true;
  const Part = lazyComponent(async () => {
    if (isFailing) throw new Error('404');
    return NotFound;
  });
  const screen = await render(<Part />);
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('This part of the page could not be loaded.');
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  isFailing = false;
  await screen.rerender(<Part key="again" />);
  await expect.element(screen.getByText('Listing Not Found')).toBeVisible();
});

test('a dialog whose script cannot be loaded shows a toast and closes, and can be opened again', async () => {
  const toasts: string[] = [];
  onTestFinished(onToastRequest(({ title }) => toasts.push(title)));
  let isFailing = true;
  const Dialog = lazyDialog<{ onClose: () => void }>(async () => {
    if (isFailing) throw new Error('404');
    return () => <div role="dialog">Hello</div>;
  });
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setIsOpen(true)}>{`Open (${isOpen})`}</button>
        {isOpen && <Dialog onClose={() => setIsOpen(false)} />}
      </>
    );
  }
  const screen = await render(<Page />);
  await screen.getByRole('button').click();
  await expect.poll(() => toasts).toEqual([lazyScriptMessages.failed]);
  await expect.element(screen.getByRole('button')).toHaveTextContent('Open (false)');
  isFailing = false;
  await screen.getByRole('button').click();
  await expect.element(screen.getByRole('dialog')).toHaveTextContent('Hello');
  expect(toasts).toHaveLength(1);
});
