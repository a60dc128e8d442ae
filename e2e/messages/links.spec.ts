import { expect } from '@playwright/test';
import { intercept } from '../support/test.ts';
import { getConversationId, getThreadRegion, phoneBrowserOptions, test } from './screen.ts';

test('links in messages can be tapped, and show where they lead', async ({ meet, open, writeAll }) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], [
    'Photos: https://photos.example/desk?id=4. Or write to ada@usc.edu!',
    'https://аpple.com/login',
    'javascript:alert(1) https://bank.example@evil.example/ data:text/html,hi',
    `https://photos.example/${'wide'.repeat(100)}`,
  ]);
  const { context, page, errors } = await open(ben, {
    ...phoneBrowserOptions,
    path: `/messages?c=${getConversationId(talks[0])}`,
  });
  await intercept(context, 'https://photos.example/**', (route) => route.fulfill({ body: 'The desk' }));
  const links = getThreadRegion(page).getByRole('link');
  await expect(links).toHaveText([
    'https://photos.example/desk?id=4',
    'ada@usc.edu',
    'https://xn--pple-43d.com/login',
    /^https:\/\/photos\.example\/(wide)+$/,
  ]);
  await expect(links.nth(1)).toHaveAttribute('href', 'mailto:ada@usc.edu');
  await expect(links.nth(2)).toHaveAttribute('href', 'https://xn--pple-43d.com/login');
  for (const link of await links.all()) await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  const opened = context.waitForEvent('page');
  await links.first().tap();
  const other = await opened;
  await expect(other).toHaveURL('https://photos.example/desk?id=4');
  expect(await other.evaluate(() => window.opener)).toBeNull();
  await expect(page).toHaveURL(/\/messages\?c=/);
  expect(errors).toEqual([]);
});
