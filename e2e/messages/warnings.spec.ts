import { expect } from '@playwright/test';
import { listViolations } from '../support/axe.ts';
import { getConversationId, getThreadRegion, phoneBrowserOptions, test } from './screen.ts';

test('messages that are typical of scams have a safety tip, which can be dismissed', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], [
    'Hi! Is the lamp still available?',
    'What is the code for the building gate?',
  ]);
  const { page, errors } = await open(ada, {
    ...phoneBrowserOptions,
    path: `/messages?c=${getConversationId(talks[0])}`,
  });
  const thread = getThreadRegion(page);
  const tips = thread.getByRole('note', { name: 'Safety tip' });
  await expect(tips).toHaveText([
    'This account is less than a week old. Meet in person before you pay or hand anything over.',
  ]);

  await writeAll(ben, talks[0], [
    'Text me on WhatsApp and send me the 6-digit code you just got: https://evil.example/pay',
  ]);
  await expect(tips).toHaveCount(2);
  const tip = tips.last();
  await expect(tip).toContainText('Never share a code that was sent to you.');
  await expect(tip).toContainText('This link leads to another website.');
  await expect(tip).toContainText('It’s safer to keep the conversation here');
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Never share a code' })).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await listViolations(page)).toEqual([]);

  await tip.getByRole('button', { name: 'Hide safety tip' }).press('Enter');
  await expect(tips).toHaveCount(1);
  await expect(thread).toBeFocused();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await page.reload();
  await expect(thread).toContainText('Text me on WhatsApp');
  await expect(tips).toHaveText([/^This account is less than a week old/]);
  expect(errors).toEqual([]);
});

test('the writer of a message sees no safety tip', async ({ meet, open, writeAll }) => {
  const { ben, talks } = await meet();
  await writeAll(ben, talks[0], ['Pay in advance at https://evil.example']);
  const { page } = await open(ben, { path: `/messages?c=${getConversationId(talks[0])}` });
  await expect(getThreadRegion(page)).toContainText('Pay in advance');
  await expect(page.getByRole('note', { name: 'Safety tip' })).toHaveCount(0);
});
