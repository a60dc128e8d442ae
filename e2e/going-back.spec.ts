import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { withholdFont } from './support/layout-shifts.ts';
import { callApi, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// These tests check that Back, Forward and a reload show a screen again as the person left it.

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
}

const listingCount = 50;
const categoryPath = '/category/study-items';
const getCardHeadings = (page: Page) => page.getByRole('main').getByRole('heading', { level: 3 });
const getScrollTop = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

/** Returns the total layout shift since the previous call of this function. */
const takeLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const shifts = (window as { shifts?: number[] }).shifts?.splice(0) ?? [];
    return shifts.reduce((sum, value) => sum + value, 0);
  });

/**
 * Makes the page, when it is next loaded, go back after its script has checked its URL and before React renders it or,
 * with the second check, while React renders it. Reports 'settled' to the console once an application that started
 * nevertheless would have rendered.
 */
const goBackWhileStarting = (): void => {
  const plan = sessionStorage.getItem('test.go-back');
  if (!plan) return;
  sessionStorage.removeItem('test.go-back');
  const { script, check } = JSON.parse(plan) as { script: string; check: number };
  const { getEntriesByType } = Performance.prototype;
  let checks = 0;
  performance.getEntriesByType = (type) => {
    checks += 1;
    if (checks === check) {
      Reflect.deleteProperty(performance, 'getEntriesByType');
      history.back();
      holdRenders();
    }
    return Reflect.apply(getEntriesByType, performance, [type]);
  };
  const left = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  // React schedules its renders with messages.
  const { postMessage } = MessagePort.prototype;
  const holdRenders = () => {
    MessagePort.prototype.postMessage = function (...args: unknown[]) {
      void left.then(() => Reflect.apply(postMessage, this, args));
    };
  };
  const report = async () => {
    await left;
    await import(script);
    for (let frame = 0; frame < 60; frame += 1) await new Promise(requestAnimationFrame);
    console.log('settled');
  };
  void report();
};

test('promise 58: Back restores a list with its pages, position and focus, but without removed listings', async ({
  context,
  page,
  quad,
}) => {
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const posted = new Map<string, { id: string; slug: string }>();
  for (let number = listingCount; number > 0; number -= 1) {
    const title = `Study lamp number ${number}.`;
    posted.set(title, await postListing(quad, seller, title, { category: 'study-items' }));
  }
  await withholdFont(context);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    const saveTop = ({ target }: Event) =>
      Object.assign(window, { tappedTop: (target as Element).getBoundingClientRect().top });
    window.addEventListener('click', saveTop, { capture: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[])
        if (!entry.hadRecentInput) shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.addInitScript(goBackWhileStarting);
  let restorationScript = '';
  page.on('request', (request) => {
    if (request.url().includes('/scroll-and-focus-restoration-')) restorationScript = request.url();
  });
  await page.goto(categoryPath);
  await expect(getCardHeadings(page)).toHaveCount(24);
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      return getCardHeadings(page).count();
    })
    .toBe(listingCount);
  const link = page.getByRole('link', { name: 'Study lamp number 49.' });
  await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  expect(await getScrollTop(page)).toBeGreaterThan(2000);
  const getTop = () => link.evaluate((element) => element.getBoundingClientRect().top);
  let left = 0;
  // Read the link's position at the moment of the tap and not earlier, because the tap may first scroll the
  // page.
  const openListing = async () => {
    // Wait until the card has faded in, because the card moves during this animation.
    await link.evaluate((element) =>
      Promise.all(
        element
          .closest('li')
          ?.getAnimations()
          .map(({ finished }) => finished) ?? [],
      ),
    );
    await link.tap();
    await expect(page).toHaveURL(/\/product\//);
    left = await page.evaluate(() => (window as { tappedTop?: number }).tappedTop ?? 0);
  };

  const expectRestored = async () => {
    await expect(page).toHaveURL(categoryPath);
    await expect(getCardHeadings(page)).toHaveCount(listingCount);
    await expect(link).toBeFocused();
    await expect.poll(getTop).toBeCloseTo(left, -1);
  };

  await test.step('after Back from a listing of the third page', async () => {
    await openListing();
    await expect.poll(() => getScrollTop(page)).toBe(0);
    await takeLayoutShift(page);
    await page.goBack();
    await expectRestored();
    expect(await takeLayoutShift(page)).toBe(0);
  });

  await test.step('after Forward, and Back again', async () => {
    await page.goForward();
    await expect(page).toHaveURL(/\/product\//);
    await expect.poll(() => getScrollTop(page)).toBe(0);
    await page.goBack();
    await expectRestored();
  });

  await test.step('after a reload, here and on the listing', async () => {
    await page.reload();
    await expectRestored();
    expect(await takeLayoutShift(page)).toBe(0);
    await openListing();
    await page.reload();
    await page.goBack();
    await expectRestored();
  });

  await test.step('with Back pressed before the reloaded page has started', async () => {
    await openListing();
    const scripts = '**/assets/entry.client-*.js';
    const { promise: isBack, resolve: letScriptsStart } = Promise.withResolvers<void>();
    await intercept(page, scripts, async (route) => {
      await isBack;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    // The browser may ignore a step back from a document that it is still opening.
    await page.waitForFunction(() => document.readyState === 'complete');
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(categoryPath);
    letScriptsStart();
    await expectRestored();
    await page.unrouteAll({ behavior: 'wait' });
  });

  /** Taps the link while its page is held back, and returns once the preview of the listing is shown, with its entry. */
  const openPreview = async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await intercept(page, '**/product/*.data*', async (route) => {
      await isReleased;
      await route.continue().catch(() => undefined);
    });
    const preview = page.getByRole('status', { name: 'Opening Study lamp number 49.' });
    await link.tap();
    await expect(preview).toBeVisible();
    left = await page.evaluate(() => (window as { tappedTop?: number }).tappedTop ?? 0);
    return { preview, release };
  };

  for (const [check, name] of [
    [1, 'is starting'],
    [2, 'is being rendered'],
  ] as const)
    await test.step(`with Back pressed while the reloaded page ${name}`, async () => {
      const { release } = await openPreview();
      release();
      await expect(page).toHaveURL(/\/product\//);
      await page.unrouteAll({ behavior: 'wait' });
      await page.evaluate((plan) => sessionStorage.setItem('test.go-back', JSON.stringify(plan)), {
        script: restorationScript,
        check,
      });
      const settled = page.waitForEvent('console', (message) => message.text() === 'settled');
      await intercept(page, `**${categoryPath}`, async (route) => {
        await settled;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      await expectRestored();
      await expect(page).toHaveURL(categoryPath);
      await page.unrouteAll({ behavior: 'wait' });
    });

  await test.step('with Back pressed while the listing is loading, and from the listing that is opened then', async () => {
    const { preview, release } = await openPreview();
    await page.goBack();
    await expect(preview).toHaveCount(0);
    await expectRestored();
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await openListing();
    await page.goBack();
    await expectRestored();
  });

  await test.step('what is gone disappears, and what is looked at stays in its place', async () => {
    await openListing();
    await callApi(quad, `/rest/v1/me/listings/${posted.get('Study lamp number 30.')?.id}`, {
      token: seller.token,
      method: 'DELETE',
    });
    await postListing(quad, seller, 'Study lamp that is new.', { category: 'study-items' });
    await page.goBack();
    await expect(page.getByText('Study lamp number 30.')).toHaveCount(0);
    await expect(page.getByText('Study lamp that is new.')).toHaveCount(1);
    await expect(getCardHeadings(page)).toHaveCount(listingCount);
    await expect(link).toBeFocused();
    expect(Math.abs((await getTop()) - left)).toBeLessThan(3);
  });
});

test('searching again shows what is new, and Back the loaded pages of the earlier search', async ({
  page,
  quad,
}) => {
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  for (let number = 26; number > 0; number -= 1)
    await postListing(quad, seller, `Ukulele number ${number}.`, { category: 'electronics' });
  await page.goto('/search?q=ukulele');
  await expect(getCardHeadings(page)).toHaveCount(24);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(getCardHeadings(page)).toHaveCount(26);
  await page.evaluate(() => window.scrollTo(0, 0));
  await postListing(quad, seller, 'Ukulele posted last.', { category: 'electronics' });
  await page.getByRole('banner').getByRole('combobox', { name: 'Search' }).press('Enter');
  await expect(getCardHeadings(page).first()).toHaveText('Ukulele posted last.');
  await expect(getCardHeadings(page)).toHaveCount(24);
  await page.goBack();
  await expect(getCardHeadings(page).nth(25)).toBeAttached();
  await expect(getCardHeadings(page).first()).toHaveText('Ukulele posted last.');
});
