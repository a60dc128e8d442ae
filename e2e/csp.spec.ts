import { expect } from '@playwright/test';
import { getCspViolations, recordCspViolations } from './support/csp-violations.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';
import { postListing, signUp } from './support/students.ts';

// These tests check the Content-Security-Policy on pages that are already open. tour.spec.ts checks
// that no screen violates it while opening.

test('navigating between screens in the browser causes no CSP violations', async ({ page, quad }) => {
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const { slug } = await postListing(quad, seller, 'Walnut desk lamp');
  await recordCspViolations(page);
  await openReadyPage(page, '/');
  await page.locator(`a[href="/product/${slug}"]`).first().click();
  await page.getByRole('button', { name: 'Message Seller' }).waitFor();
  // After client-side navigation, a script inserts the listing's structured data.
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1);
  await page.getByRole('button', { name: 'Message Seller' }).click();
  await page
    .getByRole('link', { name: 'Log In' })
    .or(page.getByRole('button', { name: 'Log In', exact: true }))
    .first()
    .click();
  await page.waitForURL('**/login?**');
  expect(await getCspViolations(page)).toEqual([]);
});

test('the CSP keeps injected text from becoming markup or script', async ({ page }) => {
  await openReadyPage(page, '/');
  const tried = await page.evaluate(async () => {
    const attempt = (act: () => unknown): string => {
      try {
        act();
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.name : 'refused';
      }
    };
    // The CSP does not apply to code that Playwright evaluates directly, so continue in a timer
    // callback, to which the CSP applies.
    await new Promise((done) => setTimeout(done, 0));
    const element = document.createElement('div');
    const script = document.createElement('script');
    return {
      markup: attempt(() => {
        element.innerHTML = '<img src=x onerror="window.stolen = 1">';
      }),
      frame: attempt(() => {
        document.createElement('iframe').srcdoc = '<script>window.parent.stolen = 1</script>';
      }),
      parsed: attempt(() => new DOMParser().parseFromString('<b>x</b>', 'text/html')),
      address: attempt(() => {
        script.src = 'https://evil.example/steal.js';
      }),
      code: attempt(() => {
        script.text = 'window.stolen = 1';
      }),
      evaluated: attempt(() => new Function('return 1')()),
      handler: attempt(() => element.setAttribute('onclick', 'window.stolen = 1')),
      text: attempt(() => {
        element.innerHTML = 'only text';
      }),
      policy: attempt(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('another', { createHTML: (text: string) => text }),
      ),
    };
  });
  const { text, ...others } = tried;
  expect(text).toBe('done');
  for (const [what, result] of Object.entries(others)) expect(result, what).toMatch(/^(Type|Eval)Error$/);
  expect(await page.evaluate(() => (window as { stolen?: number }).stolen)).toBeUndefined();
});
