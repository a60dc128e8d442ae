import { expect } from '@playwright/test';
import { intercept } from '../support/test.ts';
import { buildNumberedStrings, getMessageInput, getMessageTexts, getThreadRegion, test } from './screen.ts';

test('older messages load without a jump, and new ones do not scroll a reader of older ones down', async ({
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], buildNumberedStrings(130));
  const { page } = await open(ada);
  const last = getThreadRegion(page).getByText('message 130', { exact: true });
  await expect(last).toBeInViewport();
  expect(await getThreadRegion(page).locator('li p[dir]').count()).toBe(50);

  const whereIs = (text: string) =>
    getThreadRegion(page)
      .getByText(text, { exact: true })
      .evaluate((element) => element.getBoundingClientRect().top);

  await test.step('scrolling up asks for the page before, and what is read stays where it is', async () => {
    await getThreadRegion(page).evaluate((box) => box.scrollTo(0, 150));
    const before = await whereIs('message 85');
    await expect.poll(() => getMessageTexts(page).then((all) => all.length)).toBe(100);
    expect(Math.abs((await whereIs('message 85')) - before)).toBeLessThan(3);
    await getThreadRegion(page).evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(() => getMessageTexts(page)).toEqual(buildNumberedStrings(130));
    await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0);
  });

  await test.step('while reading older ones a new one waits behind a button', async () => {
    await getThreadRegion(page).evaluate((box) => box.scrollTo(0, 1000));
    const before = await whereIs('message 20');
    await writeAll(ben, talks[0], ['fresh']);
    const button = page.getByRole('button', { name: 'New messages' });
    await expect(button).toBeVisible();
    expect(Math.abs((await whereIs('message 20')) - before)).toBeLessThan(3);
    await button.click();
    await expect(getThreadRegion(page).getByText('fresh', { exact: true })).toBeInViewport();
    await expect(button).toHaveCount(0);
    await writeAll(ben, talks[0], ['fresher']);
    await expect(getThreadRegion(page).getByText('fresher', { exact: true })).toBeInViewport();
  });
});

test('pressing "Earlier messages" with the keyboard keeps the focus and the scroll position', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], buildNumberedStrings(70));
  const { page } = await open(ada);
  await expect(getMessageInput(page)).toBeVisible();
  const button = page.getByRole('button', { name: /[Ee]arlier messages/ });
  let reads = 0;
  const measured = Promise.withResolvers<void>();
  // Focusing the button scrolls the list, which triggers the first request for earlier messages.
  // That request fails. Pressing the button triggers the second request.
  await intercept(page, '**/messages?before_seq=*', async (route) => {
    reads += 1;
    if (reads === 1) return route.abort();
    await measured.promise;
    return route.fallback();
  });
  await button.focus();
  await expect(button).toHaveText('Could not load earlier messages. Try again');
  await expect(button).toBeFocused();
  const whereIs = (text: string) =>
    getThreadRegion(page)
      .getByText(text, { exact: true })
      .evaluate((element) => element.getBoundingClientRect().top);
  await page.keyboard.press('Enter');
  await expect(button).toHaveText('Loading earlier messages');
  await expect(button).toBeFocused();
  const before = await whereIs('message 25');
  measured.resolve();
  await expect.poll(() => getMessageTexts(page)).toEqual(buildNumberedStrings(70));
  // No earlier messages are left, so the button disappears and the focus moves to the messages.
  await expect(button).toHaveCount(0);
  await expect(getThreadRegion(page)).toBeFocused();
  expect(Math.abs((await whereIs('message 25')) - before)).toBeLessThan(60);
});
