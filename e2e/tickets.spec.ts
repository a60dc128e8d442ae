import { expect } from '@playwright/test';
import { createPhotoOfCode } from './support/codes.ts';
import { createUniqueEmailAddress } from './support/fixtures.ts';
import { startQuad } from './support/quad-server.ts';
import { openSignedInBrowser, signUp } from './support/students.ts';
import { test } from './support/test.ts';

test('tickets are posted at face value, with their code blurred, and transferred to the buyer', async ({
  browser,
}) => {
  const quad = await startQuad({ QUAD_TICKET_PRICE_CAP: 'face' });
  try {
    const seller = await signUp(quad, 'Maya Seller', createUniqueEmailAddress('maya'));
    const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
    const sellerPage = await (await openSignedInBrowser(browser, quad, seller)).newPage();
    const buyerPage = await (await openSignedInBrowser(browser, quad, buyer, phone)).newPage();
    const getField = (name: string) => sellerPage.getByRole('textbox', { name, exact: true });
    const uploads: Buffer[] = [];
    sellerPage.on('request', (sent) => {
      if (sent.url().includes('/storage/v1/object/')) uploads.push(sent.postDataBuffer() ?? Buffer.alloc(0));
    });

    await test.step('the form of tickets limits the price, and keeps a photo with a code on the device', async () => {
      await sellerPage.goto('/post-ad');
      await getField('Title').fill('Two tickets for the derby');
      await sellerPage.getByLabel('Category').selectOption('game-day');
      await sellerPage.getByRole('radio', { name: 'New', exact: true }).check();
      await getField('Price').fill('60');
      await getField('Face value').fill('50');
      await expect(getField('Price')).toHaveAccessibleDescription(
        'At most $50: tickets are resold at face value here',
      );
      await getField('Section').fill('112');
      await getField('Number of tickets').fill('2');
      const day = new Date(Date.now() + 9 * 24 * 3600 * 1000).toISOString().slice(0, 10);
      await sellerPage.getByLabel('Game date').fill(day);
      await getField('Description').fill(
        'Two seats beside each other, in the shade, near gate 3 of the stadium.',
      );
      await getField('Location').fill('Parkside');
      await sellerPage.getByRole('button', { name: 'Use my email' }).click();
      const chooser = sellerPage.waitForEvent('filechooser');
      await sellerPage.getByRole('button', { name: 'Choose photos' }).click();
      await (await chooser).setFiles([await createPhotoOfCode('TICKET 0042')]);
      await expect(sellerPage.getByRole('alert')).toContainText('Hide the code: anyone could use it');
      const refusal = sellerPage.getByText('Hide the code: anyone could use it');
      await expect(refusal.filter({ visible: true })).toHaveCount(1);
      expect(uploads).toHaveLength(0);
    });

    await test.step('one tap blurs the code, and the price has to be lowered', async () => {
      await sellerPage.getByRole('button', { name: 'Blur the code' }).click();
      await expect(sellerPage.getByRole('alert')).toHaveCount(0);
      await expect.poll(() => uploads.length).toBe(1);
      await expect(sellerPage.getByRole('progressbar')).toHaveCount(0);
      await sellerPage.getByRole('button', { name: 'Post Ad', exact: true }).first().click();
      await expect(getField('Price')).toHaveAttribute('aria-invalid', 'true');
      await getField('Price').fill('50');
      await sellerPage.getByRole('button', { name: 'Post Ad', exact: true }).first().click();
      await expect(sellerPage).toHaveURL(/\/listing\//);
      await expect(sellerPage.locator('li', { hasText: 'Face value' })).toContainText('$50');
    });

    await test.step('the seller transfers them, and the buyer confirms that', async () => {
      await buyerPage.goto(new URL(sellerPage.url()).pathname);
      await buyerPage.getByRole('button', { name: 'Make an offer' }).tap();
      const dialog = buyerPage.getByRole('dialog', { name: 'Make an offer' });
      await dialog.getByLabel('Your offer').fill('50');
      await dialog.getByRole('button', { name: 'Send offer' }).tap();
      const buyersDeal = buyerPage.getByRole('region', { name: 'Deal', exact: true });
      await expect(buyersDeal).toContainText('You offer $50.');
      await sellerPage.goto(new URL(buyerPage.url()).pathname + new URL(buyerPage.url()).search);
      await sellerPage.getByRole('button', { name: 'Accept', exact: true }).click();
      await sellerPage.getByRole('button', { name: 'Transferred', exact: true }).click();
      await buyersDeal.getByRole('button', { name: 'Received', exact: true }).tap();
      await buyerPage.getByRole('dialog').getByRole('button', { name: 'Received' }).tap();
      await expect(buyerPage.getByText('Done. You paid $50.').first()).toBeVisible();
    });
  } finally {
    await quad.stop();
  }
});
