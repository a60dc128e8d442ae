import { expect } from '@playwright/test';
import {
  buildNumberedStrings,
  getConversationId,
  getMessageInput,
  getMessageTexts,
  getThreadRegion,
  test,
  typeAndSend,
} from './screen.ts';

test('promise 29: messages that either party wrote while offline appear once, in order, even if the tab was closed', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['lamp']);
  const { context, page, errors } = await open(ben);
  await expect(getThreadRegion(page).getByText('lamp', { exact: true })).toBeVisible();
  const missed = buildNumberedStrings(60);
  const written = ['one', 'two', 'two', 'three'];

  await test.step('offline, written messages wait', async () => {
    await context.setOffline(true);
    await expect(page.getByText('What you send now goes out when you are back online.')).toBeVisible();
    await writeAll(ada, talks[0], missed);
    for (const text of written) await typeAndSend(page, text);
    await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(4);
    await expect(page.getByText('4 messages go out when you are back online.')).toBeVisible();
    expect(await getMessageTexts(page)).toEqual(['lamp', ...written]);
    await expect(getMessageInput(page)).toHaveValue('');
  });

  await test.step('online, all of them arrive', async () => {
    await context.setOffline(false);
    await expect.poll(() => getMessageTexts(page)).toEqual(['lamp', ...missed, ...written]);
    await expect(getThreadRegion(page).getByText(/Waiting|Sending/)).toHaveCount(0);
    await expect(page.getByText(/when you are back online/)).toHaveCount(0);
    await expect(page).toHaveTitle('Messages · Quad');
  });

  await test.step('another tab sends what a closed tab has left', async () => {
    await context.setOffline(true);
    await typeAndSend(page, 'from a closed tab');
    await expect(getThreadRegion(page).getByText('Waiting for connection')).toHaveCount(1);
    await page.close();
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto(`/messages?c=${getConversationId(talks[0])}`);
    const last = () => getMessageTexts(next).then((texts) => texts.slice(-2));
    await expect.poll(last).toEqual(['three', 'from a closed tab']);
    await expect(getThreadRegion(next).getByText(/Waiting|Sending/)).toHaveCount(0);
    expect(
      await next.evaluate(() => Object.keys(localStorage).filter((it) => it.includes('outbox'))),
    ).toEqual([]);
  });
  expect(errors).toEqual([]);
});
