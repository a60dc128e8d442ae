import { expect, type Page } from '@playwright/test';
import { startOpenidProvider, testClientId, testClientSecret } from '#server/testing/openid-provider.ts';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { getFreePort, startQuad } from '../support/quad-server.ts';
import { defaultPassword } from '../support/sign-in.ts';
import { signUp } from '../support/students.ts';

const continueWithSignOn = (page: Page) =>
  page.getByRole('button', { name: 'Continue with USC NetID', exact: true }).click();
const answer = (page: Page, name: 'Log in' | 'Cancel') =>
  page.getByRole('link', { name, exact: true }).click();

const startWithSignOn = (port: number) =>
  startQuad({
    QUAD_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    QUAD_OIDC_CLIENT_ID: testClientId,
    QUAD_OIDC_CLIENT_SECRET: testClientSecret,
    QUAD_OIDC_NAME: 'USC NetID',
  });
const createTommy = () => ({
  sub: 'tommy-1',
  email: createUniqueEmailAddress('tommy'),
  email_verified: true,
  name: 'Tommy Trojan',
  eduperson_scoped_affiliation: 'student@usc.edu',
});

test('the university’s sign-on: canceling, the first log-in, and connecting an account that exists', async ({
  browser,
}) => {
  const port = await getFreePort();
  const quad = await startWithSignOn(port);
  const openBrowser = async (): Promise<Page> => (await browser.newContext({ baseURL: quad.url })).newPage();
  const page = await openBrowser();

  await test.step('a provider that is down delays nothing, and says so', async () => {
    await page.goto('/login?from=%2Fmy-listings');
    await continueWithSignOn(page);
    await expect(page.getByText('USC NetID cannot be reached right now.')).toBeVisible();
  });

  const provider = await startOpenidProvider(quad.url, port);
  provider.answer = 'ask';
  provider.person = createTommy();

  await test.step('canceling returns with a way on, and the log-in leads where the person came from', async () => {
    await continueWithSignOn(page);
    await answer(page, 'Cancel');
    await expect(page.getByText('You are not signed in, because the request was canceled.')).toBeVisible();
    await continueWithSignOn(page);
    await answer(page, 'Log in');
    await answer(page, 'Log in');
    await expect(page).toHaveURL(/\/my-listings$/);
    await expect(page.getByRole('button', { name: 'Account menu of Tommy Trojan' })).toBeVisible();
    await page.goBack();
    await expect(page).not.toHaveURL(/code=/);
  });

  await test.step('an account with the address is connected once its owner has proved it, and disconnected with a proof', async () => {
    const email = createUniqueEmailAddress('olive');
    await signUp(quad, 'Olive Owner', email);
    provider.person = { sub: 'olive-1', email, email_verified: true, name: 'Olive Other' };
    const other = await openBrowser();
    await other.goto('/login');
    await continueWithSignOn(other);
    await answer(other, 'Log in');
    await answer(other, 'Log in');
    await expect(other.getByRole('heading', { name: 'Is this your account?' })).toBeVisible();
    await other.getByLabel('Or your password here').fill(defaultPassword);
    await other.getByRole('button', { name: 'Connect and log in' }).click();
    await expect(other.getByRole('button', { name: 'Account menu of Olive Owner' })).toBeVisible();

    // The university states no time, and knows the person without asking again.
    provider.ignore = (parameters) => {
      parameters.delete('prompt');
      parameters.delete('max_age');
    };
    const again = await openBrowser();
    await again.goto('/signup');
    await continueWithSignOn(again);
    await answer(again, 'Log in');
    await answer(again, 'Log in');
    await expect(again.getByRole('button', { name: 'Account menu of Olive Owner' })).toBeVisible();
    await again.goto('/profile?tab=settings&page=security');
    const section = again.getByRole('region', { name: 'USC NetID' });
    const disconnect = () => section.getByRole('button', { name: 'Disconnect' }).click();
    await disconnect();
    await continueWithSignOn(again);
    await expect(again.getByText('USC NetID did not say that you entered your password')).toBeVisible();
    await again.getByRole('link', { name: 'Back', exact: true }).click();

    provider.ignore = undefined;
    await disconnect();
    await continueWithSignOn(again);
    await answer(again, 'Log in');
    await expect(section).toBeVisible();
    await disconnect();
    await expect(again.getByText('USC NetID is disconnected')).toBeVisible();
  });

  await provider.close();
  await quad.stop();
});

test('the university’s sign-on: refused consent, the back button in the middle, and two tabs', async ({
  browser,
}) => {
  const port = await getFreePort();
  const quad = await startWithSignOn(port);
  const provider = await startOpenidProvider(quad.url, port);
  provider.answer = 'ask';
  provider.person = createTommy();
  const openBrowser = async (): Promise<Page> => (await browser.newContext({ baseURL: quad.url })).newPage();

  await test.step('refusing consent after the log-in at the university returns with a way on', async () => {
    const refusing = await openBrowser();
    await refusing.goto('/login');
    await continueWithSignOn(refusing);
    await answer(refusing, 'Log in');
    await answer(refusing, 'Cancel');
    await expect(
      refusing.getByText('You are not signed in, because the request was canceled.'),
    ).toBeVisible();
    await refusing.getByRole('link', { name: 'Log in another way' }).click();
    await expect(refusing.getByRole('textbox', { name: 'Email', exact: true })).toBeVisible();
  });

  await test.step('the back button in the middle leads to the log-in, where it can begin again', async () => {
    const returning = await openBrowser();
    await returning.goto('/login?from=%2Fmy-listings');
    await continueWithSignOn(returning);
    await answer(returning, 'Log in');
    await expect(returning.getByRole('heading', { name: 'University log-in' })).toBeVisible();
    while (!returning.url().startsWith(`${quad.url}/login`)) await returning.goBack();
    await continueWithSignOn(returning);
    // The university remembers the log-in, and asks for consent only.
    await answer(returning, 'Log in');
    await expect(returning).toHaveURL(/\/my-listings$/);
    // Back leads over the university's pages to the log-in, which leads on again.
    await returning.goBack();
    while (!returning.url().startsWith(quad.url)) await returning.goBack();
    await expect(returning).toHaveURL(/\/my-listings$/);
  });

  await test.step('two tabs that begin at the same time both end logged in', async () => {
    const context = await browser.newContext({ baseURL: quad.url });
    const tabs = [await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto('/login?from=%2Fmy-listings');
      await continueWithSignOn(tab);
      await expect(tab.getByRole('heading', { name: 'University log-in' })).toBeVisible();
    }
    for (const tab of tabs) {
      // The university may ask once or twice.
      await tab.addLocatorHandler(
        tab.getByRole('heading', { name: 'University log-in' }),
        () => answer(tab, 'Log in'),
        { noWaitAfter: true },
      );
      await expect(tab.getByRole('button', { name: 'Account menu of Tommy Trojan' })).toBeVisible();
      await expect(tab).toHaveURL(/\/my-listings$/);
    }
    await context.close();
  });

  await provider.close();
  await quad.stop();
});
