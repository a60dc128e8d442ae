import { expect } from '@playwright/test';
import { numbered, test, texts, thread } from './screen.ts';

test('older messages come without a jump, and new ones do not pull the reader down', async ({
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], numbered(130));
  const { page } = await open(ada);
  const last = thread(page).getByText('message 130', { exact: true });
  await expect(last).toBeInViewport();
  expect(await thread(page).locator('li p[dir]').count()).toBe(50);

  const whereIs = (text: string) =>
    thread(page)
      .getByText(text, { exact: true })
      .evaluate((element) => element.getBoundingClientRect().top);

  await test.step('scrolling up asks for the page before, and what is read stays where it is', async () => {
    await thread(page).evaluate((box) => box.scrollTo(0, 150));
    const before = await whereIs('message 85');
    await expect.poll(() => texts(page).then((all) => all.length)).toBe(100);
    expect(Math.abs((await whereIs('message 85')) - before)).toBeLessThan(3);
    await thread(page).evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(() => texts(page)).toEqual(numbered(130));
    await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0);
  });

  await test.step('while reading older ones a new one waits behind a button', async () => {
    await thread(page).evaluate((box) => box.scrollTo(0, 1000));
    const before = await whereIs('message 20');
    await writeAll(ben, talks[0], ['fresh']);
    const button = page.getByRole('button', { name: 'New messages' });
    await expect(button).toBeVisible();
    expect(Math.abs((await whereIs('message 20')) - before)).toBeLessThan(3);
    await button.click();
    await expect(thread(page).getByText('fresh', { exact: true })).toBeInViewport();
    await expect(button).toHaveCount(0);
    await writeAll(ben, talks[0], ['fresher']);
    await expect(thread(page).getByText('fresher', { exact: true })).toBeInViewport();
  });
});
