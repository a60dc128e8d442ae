import { expect, type Page } from '@playwright/test';
import { type QuadServer, startQuad } from '../support/quad-server.ts';
import { defaultPassword, signUpInBrowser } from '../support/sign-in.ts';
import { test } from '../support/test.ts';
import { tooManyRequestsSentence } from './screen.ts';

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad({ RATE_LIMITS: 'on' });
});
test.afterAll(() => quadServer.stop());

const email = 'olga.owner@usc.edu';

const guessPassword = async (): Promise<number> => {
  const answer = await fetch(`${quadServer.url}/functions/v1/login-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'wrong-password-1' }),
  });
  return answer.status;
};

const logIn = async (page: Page): Promise<void> => {
  await page.goto(`${quadServer.url}/login`);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
};

test('promise 46: a known device can log in while another client at the same IP address guesses passwords', async ({
  browser,
}) => {
  const [known, unknown] = [
    await browser.newContext({ baseURL: quadServer.url }),
    await browser.newContext({ baseURL: quadServer.url }),
  ];
  const [home, elsewhere] = [await known.newPage(), await unknown.newPage()];
  await signUpInBrowser(home, quadServer, { name: 'Olga Owner', email });
  const cookies = await known.cookies();
  expect(cookies).toMatchObject([{ name: 'quad-device', httpOnly: true, sameSite: 'Strict', path: '/' }]);
  await home.evaluate(() => localStorage.clear());

  const statuses = [];
  for (let count = 0; count < 21; count += 1) statuses.push(await guessPassword());
  expect(statuses).toEqual([...Array(20).fill(401), 429]);

  await logIn(elsewhere);
  await expect(elsewhere.getByText(tooManyRequestsSentence)).toBeVisible();
  await logIn(home);
  await home.waitForURL((url) => !url.pathname.startsWith('/login'));
  await known.close();
  await unknown.close();
});
