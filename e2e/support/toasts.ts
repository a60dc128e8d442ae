import { expect, type Page } from '@playwright/test';

/**
 * Shows a toast on any page with the application's own `toast` function. Finds this function among the
 * modules that the page has loaded.
 */
export const showToast = async (page: Page, title: string, description?: string): Promise<void> => {
  // Wait until the application has started, because the imports below must not be the first to run
  // its modules.
  await page.waitForFunction(() => '__reactRouterDataRouter' in window);
  await page.evaluate(
    async (texts) => {
      const scripts = performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/assets\/.*\.js$/.test(name));
      for (const script of scripts) {
        const exported: Record<string, unknown>[] = Object.values(await import(script));
        const toast = exported.find(
          (it) => typeof it?.success === 'function' && typeof it.error === 'function',
        );
        if (!toast) continue;
        (toast.success as (...texts: (string | undefined)[]) => void)(...texts);
        return;
      }
      throw new Error(`No toast among ${scripts.join(', ')}`);
    },
    [title, description],
  );
};

/** Keeps the visible toasts open, like a pointer that rests on them, so that a busy machine has time to check them. */
export const keepToastsOpen = (page: Page): Promise<void> =>
  page.locator('[data-sonner-toaster]').dispatchEvent('mouseover');

/** Keeps the toasts open that the page shows from now on: none of its timers of four seconds or more ever fires. */
export const keepLaterToastsOpen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { setTimeout } = window;
    window.setTimeout = ((handler: () => void, ms = 0, ...args: unknown[]) =>
      ms < 4000 ? setTimeout(handler, ms, ...args) : setTimeout(() => {}, 0)) as typeof setTimeout;
  });

export const closeToasts = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')];
    for (const toast of toasts) toast.querySelector('button')?.click();
    return toasts.length === 0;
  });

/**
 * Returns descriptions of what is wrong with the visible toasts, such as controls that a toast covers, or
 * points of a toast at which a tap would reach the page below. Ignores the parts of a control that an
 * ancestor clips.
 */
const listToastProblems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Box {
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    const crossing = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    });
    const isEmpty = ({ left, top, right, bottom }: Box) => right - left < 1 || bottom - top < 1;
    const visibleBox = (element: Element): Box => {
      let box: Box = element.getBoundingClientRect();
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflow !== 'visible' && around !== document.body)
          box = crossing(box, around.getBoundingClientRect());
      }
      return box;
    };
    const toasts = [...document.querySelectorAll('[data-sonner-toast], [data-toast]')].filter((it) =>
      it.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
    const found: string[] = [];
    if (toasts.length === 0) found.push('there is no toast');
    if (toasts.length > 2) found.push(`there are ${toasts.length} toasts`);
    const controls = [
      ...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [role=button], [role=slider], [role=option], [role=menuitem]',
      ),
    ].filter(
      (it) =>
        !it.closest('[data-sonner-toaster], [inert]') && it.checkVisibility({ visibilityProperty: true }),
    );
    for (const toast of toasts) {
      const box = toast.getBoundingClientRect();
      const name = `"${toast.textContent}"`;
      if (isEmpty(box)) found.push(`${name} has no size`);
      if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth)
        found.push(`${name} is not within the window`);
      for (const control of controls) {
        if (isEmpty(crossing(box, visibleBox(control)))) continue;
        const text = control.getAttribute('aria-label') ?? control.textContent ?? '';
        found.push(`${name} covers ${control.tagName} "${text.trim().slice(0, 40)}"`);
      }
      for (const x of [0.1, 0.5, 0.9]) {
        const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height / 2);
        if (!toast.contains(top)) found.push(`${name} lets a tap through to ${top?.tagName}`);
      }
    }
    return found;
  });

/**
 * Expects the visible toasts to be inside the window and to cover no control. Retries for up to 3
 * s, because toasts move while they appear.
 */
export const expectToastCoversNothing = (page: Page, where: string): Promise<void> =>
  expect
    .poll(() => listToastProblems(page), { message: where, timeout: 3000, intervals: [20, 50, 100] })
    .toEqual([]);
