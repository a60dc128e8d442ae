import { expect, type Page } from '@playwright/test';
import { getConversationRows, phoneBrowserOptions, test } from './screen.ts';

test('every screen and its title show the unread count, and reading on one device updates it on all devices', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['one', 'two']);
  const desk = await open(ada, { path: '/' });
  const pocket = await open(ada, { path: '/my-listings', ...phoneBrowserOptions });
  const messages = (page: Page) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Messages/ })
      .first();
  await expect(messages(desk.page)).toHaveText(/Messages2unread/);
  await expect(desk.page).toHaveTitle('(2) Quad');
  await expect(pocket.page).toHaveTitle(/^\(2\) My Listings · Quad$/);

  await test.step('the title keeps its count from screen to screen', async () => {
    await desk.page.getByRole('navigation').getByRole('link', { name: 'Rentals' }).first().click();
    await expect(desk.page).toHaveTitle(/^\(2\) (?!\().*Quad$/);
    await writeAll(ben, talks[1], ['three']);
    await expect(desk.page).toHaveTitle(/^\(3\) (?!\().*Quad$/);
    await expect(messages(pocket.page)).toHaveText(/Messages3unread/);
  });

  await test.step('opening a thread marks it as read here and there', async () => {
    await messages(desk.page).click();
    await expect(desk.page).toHaveTitle('(2) Messages · Quad');
    await expect(pocket.page).toHaveTitle('(2) My Listings · Quad');
    await expect(getConversationRows(desk.page).nth(1)).toContainText('2unread');
    await getConversationRows(desk.page).nth(1).click();
    await expect(desk.page).toHaveTitle('Messages · Quad');
    await expect(pocket.page).toHaveTitle('My Listings · Quad');
    await expect(messages(pocket.page)).toHaveText('Messages');
  });
});
