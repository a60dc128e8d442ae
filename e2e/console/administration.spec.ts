import { expect, type Page } from '@playwright/test';
import { grantRole } from '../support/console.ts';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { callApi, openSignedInBrowser, signUp } from '../support/students.ts';

/** Presses Tab until the element with this role and name has the focus. */
const tabTo = async (
  page: Page,
  role: 'link' | 'button' | 'textbox',
  name: string | RegExp,
): Promise<void> => {
  const target = page.getByRole(role, { name }).filter({ visible: true }).first();
  await target.waitFor();
  for (let step = 0; step < 80; step += 1) {
    if (await target.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${role} ${name}`);
};

test('an administrator handles a deletion request by keyboard only, answers a contact form and grants a role', async ({
  browser,
  quad,
}) => {
  const dora = await signUp(quad, 'Dora Data', createUniqueEmailAddress('dora'));
  const rob = await signUp(quad, 'Rob Rolewanted', createUniqueEmailAddress('rob'));
  const ada = await signUp(quad, 'Ada Keller', createUniqueEmailAddress('ada'));
  const visitorEmail = createUniqueEmailAddress('carla');
  await callApi(quad, '/rest/v1/forms/deletion-request', { token: dora.token, body: { email: dora.email } });
  await callApi(quad, '/rest/v1/forms/contact', {
    body: { name: 'Carla', email: visitorEmail, topic: 'Other', message: 'Where is my lamp?' },
  });
  const context = await openSignedInBrowser(browser, quad, ada);
  await grantRole(quad, ada, 'administrator');
  const page = await context.newPage();
  const dialog = page.getByRole('dialog');
  const openSection = (name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();

  await test.step('by keyboard only, the deletion request leads to the deletion of the account', async () => {
    await page.goto('/moderation');
    await tabTo(page, 'link', 'Forms');
    await page.keyboard.press('Enter');
    await tabTo(page, 'link', /Deletion request/);
    await page.keyboard.press('Enter');
    await expect(page.getByText('The owner was logged in when the request was sent.')).toBeVisible();
    await tabTo(page, 'button', 'Delete this account');
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await page.keyboard.type('Asked by form');
    await page.keyboard.press('Tab');
    await page.keyboard.type('somebody@usc.edu');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(`Type ${dora.email} to confirm`)).toBeVisible();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(dora.email);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Account deleted')).toBeVisible();
    await expect(page.getByText('There is no account with this address.')).toBeVisible();
    await expect(page.getByRole('main').getByText('Done', { exact: true })).toBeVisible();
    const mail = await quad.mail.take(dora.email, 'was deleted');
    expect(mail.text).toContain('An administrator deleted your account');
  });

  await test.step('the answer to a contact form arrives once', async () => {
    await openSection('Forms');
    await page.getByRole('row').filter({ hasText: visitorEmail }).getByRole('link').click();
    await page.getByLabel(`Answer to ${visitorEmail}`).fill('At the desk.');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByText('Answer sent')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Answers' }).getByText('At the desk.')).toBeVisible();
    expect(JSON.stringify(await quad.mail.take(visitorEmail))).toContain('At the desk.');
  });

  await test.step('a person is found and gets a role', async () => {
    await openSection('People');
    const search = page.getByLabel('Name, email address or id');
    await search.fill('nobody like this');
    await search.press('Enter');
    await expect(page.getByText('Nobody found')).toBeVisible();
    await expect(search).toBeFocused();
    await openSection('People');
    await expect(search).toHaveValue('');
    await search.fill('rolewanted');
    await search.press('Enter');
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: rob.email }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Rob Rolewanted' })).toBeVisible();
    await page.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByLabel('Role').selectOption('moderator');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await expect(dialog.getByText('A reason has 1 to 500 characters')).toBeVisible();
    await dialog.getByLabel('Reason').fill('Helps with reports');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByText('Role changed')).toBeVisible();
    await expect(page.getByText('moderator').first()).toBeVisible();
    const me = await callApi<{ console_role: string }>(quad, '/rest/v1/me', { token: rob.token });
    expect(me.console_role).toBe('moderator');
  });
  await context.close();
});
