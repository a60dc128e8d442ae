import type { Page } from '@playwright/test';

/**
 * Shows a toast on any page by calling the application's own `toast` function, which is found among the modules that the
 * page has loaded. Needs a browser context with `bypassCSP`.
 */
export const showToast = async (page: Page, title: string, description?: string): Promise<void> => {
  // Importing a module here must not run it before the application does.
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

/**
 * Returns descriptions of the controls that a toast covers, and of the points of a toast that let a tap through. Only
 * the visible part of a control counts, inside the boxes that clip it.
 */
export const listCovered = (page: Page): Promise<string[]> =>
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
