import { expect } from '@playwright/test';
import { createDealEventLine } from '#contract/testing.ts';
import { appendEventLines } from '../support/event-lines.ts';
import {
  getConversationId,
  getConversationRows,
  getMessageInput,
  getMessageTexts,
  getThreadRegion,
  phoneBrowserOptions,
  test,
  typeAndSend,
} from './screen.ts';

test('steps of a deal appear between the messages, each with the sentence for its reader', async ({
  quad,
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  const conversationId = getConversationId(talks[0]);
  await writeAll(ben, talks[0], ['Is it bright?', 'And does it swivel?']);
  const seller = await open(ada, phoneBrowserOptions);
  const buyer = await open(ben, { path: `/messages?c=${conversationId}` });
  await expect(getThreadRegion(buyer.page).getByText('And does it swivel?')).toBeVisible();

  await test.step('live, unread for the other party only', async () => {
    await appendEventLines(quad, [{ conversationId, actorId: ben.id, messageText: 'I could come today.' }]);
    await expect(getThreadRegion(buyer.page).getByText('You offered $110.')).toBeVisible();
    await expect(getThreadRegion(buyer.page).getByText('I could come today.')).toBeVisible();
    await expect(getConversationRows(seller.page)).toContainText('4unread');
    await expect(seller.page).toHaveTitle('(4) Messages · Quad');
    await expect(buyer.page).toHaveTitle('Messages · Quad');
  });

  await test.step('in the row of the conversation, without "You"', async () => {
    const accept = createDealEventLine({
      ...{ number: 2, transition: 'accept', by: 'seller', from: 'offered', state: 'held', turn: null },
    });
    await appendEventLines(quad, [{ conversationId, actorId: ada.id, data: accept }]);
    await expect(getConversationRows(seller.page)).toContainText(
      'You accepted. The item is on hold until Wed, Mar 4, 6:30 PM.',
    );
    // The seller has not opened the conversation, so its messages are still unread.
    await expect(getConversationRows(seller.page)).toContainText('4unread');
  });

  await test.step('as items of the log, announced to screen readers', async () => {
    const sentence = 'Ada Seller accepted. The item is on hold until Wed, Mar 4, 6:30 PM.';
    await expect(getThreadRegion(buyer.page).getByRole('listitem').last()).toContainText(sentence);
    await expect(buyer.page.locator('[aria-live=polite] p').last()).toHaveText(sentence);
    await expect(getThreadRegion(buyer.page).locator('li').getByText('You:')).toHaveCount(3);
  });

  await test.step('after a time without connection, in order', async () => {
    await buyer.context.setOffline(true);
    await expect(getMessageInput(buyer.page)).toBeEnabled();
    await appendEventLines(quad, [{ conversationId, actorId: null }]);
    await buyer.context.setOffline(false);
    const last = getThreadRegion(buyer.page).getByRole('listitem').last();
    await expect(last).toContainText('The offer expired without an answer.');
    await typeAndSend(buyer.page, 'Pity');
    await expect(getThreadRegion(buyer.page).getByText('Pity')).toBeVisible();
  });

  await test.step('and again when the thread is opened', async () => {
    await getConversationRows(seller.page).click();
    await expect(getThreadRegion(seller.page).getByText('Ben Buyer offered $110.')).toBeVisible();
    expect(await getMessageTexts(seller.page)).toEqual([
      ...['Is it bright?', 'And does it swivel?', 'I could come today.', 'Pity'],
    ]);
    await expect(seller.page).toHaveTitle('Messages · Quad');
    expect([...seller.errors, ...buyer.errors]).toEqual([]);
  });
});
