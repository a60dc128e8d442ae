import { expect, type Page } from '@playwright/test';
import { applicationTexts } from '#contract/specification-texts.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { postListing, signUp } from './support/students.ts';
import { test } from './support/test.ts';

const supportEmail = 'support@usc.edu';

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad();
});
test.afterAll(() => quadServer.stop());

const pageCases = [
  { path: '/how-it-works', heading: 'How It Works', texts: ['Verify', 'List or Find', 'Trade'] },
  {
    path: '/safety',
    heading: 'Safety Tips',
    texts: ['Tell a friend', 'Inspect before paying', 'Use in-app messaging', 'Report a Concern'],
  },
  {
    path: '/guidelines',
    heading: 'Community Guidelines',
    texts: ['Eligibility', 'Respectful Conduct', 'Prohibited Items', 'Event Tickets', 'Academic Integrity'],
  },
  {
    path: '/about',
    heading: 'About Quad',
    texts: ['Our mission', 'Trust', 'Simplicity', 'Community', 'Sustainability'],
  },
  { path: '/careers', heading: 'Careers', texts: ['Product Designer', 'Campus Ambassador'] },
  { path: '/contact', heading: 'Contact', texts: ['Prefer email?'] },
  {
    path: '/terms',
    heading: 'Terms of Service',
    texts: ['Last updated January 2025', 'Trades and payments'],
  },
  {
    path: '/privacy',
    heading: 'Privacy Policy',
    texts: ['Last updated January 2025', 'Request Data Deletion'],
  },
];

/**
 * Opens a page and waits for the header's Login link, which appears once the application has
 * started.
 */
const openPage = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
};

const fillTextboxes = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('textbox', { name: label, exact: true }).fill(value);
  }
};

test('every static page is complete without JavaScript, and the footer links to it', async ({ browser }) => {
  const plain = await browser.newContext({ baseURL: quadServer.url, javaScriptEnabled: false });
  const reader = await plain.newPage();
  for (const { path, heading, texts } of pageCases) {
    const answer = await reader.goto(path);
    expect(answer?.status(), path).toBe(200);
    await expect(reader).toHaveTitle(`${heading} · Quad`);
    for (const text of texts) await expect(reader.getByText(text).first(), path).toBeVisible();
  }
  await plain.close();

  const context = await browser.newContext({ baseURL: quadServer.url });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await openPage(page, '/');
  for (const { path, heading } of pageCases) {
    await page.getByRole('contentinfo').locator(`a[href="${path}"]`).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
  for (const path of ['/post-ad', '/category/game-day', '/category/merchandise']) {
    await page.goto('/how-it-works');
    await expect(page.getByRole('main').locator(`a[href="${path}"]`)).toBeVisible();
  }
  expect(errors).toEqual([]);
  await context.close();
});

// web/testing/form-texts.browser.test.tsx tests the forms of these pages, server/features/forms/forms.test.ts their emails.

test('a listing is reported with its link filled in', async ({ browser }) => {
  const seller = await signUp(quadServer, 'Sam Seller', 'seller@usc.edu');
  const { slug } = await postListing(quadServer, seller, 'Walnut desk lamp with brass arm');
  const address = `${quadServer.url}/listing/${slug}`;
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, `/product/${slug}`);
  const button = page.getByRole('button', { name: 'Report Listing' });
  await button.click();
  await expect(page.getByLabel('Item Link')).toHaveValue(address);
  await fillTextboxes(page, { Subject: 'Stock photo', Details: 'Found the same picture elsewhere.' });
  await page.getByRole('button', { name: 'Submit Report' }).click();
  await expect(page.getByText('Report Submitted')).toBeVisible();
  await expect(button).toBeFocused();
  expect((await quadServer.mail.take(supportEmail)).text).toContain(`Item link: ${address}`);
  await page.close();
});

test('a visitor writes to the support address, applies with a resume and requests the deletion of data', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, '/contact');
  await page.getByLabel('Topic').selectOption('Bug Report');
  await fillTextboxes(page, {
    Name: 'Ada',
    'University email': 'ada@usc.edu',
    Message: 'The heart is upside down.',
  });
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Received!' })).toBeFocused();
  const mail = await quadServer.mail.take(supportEmail);
  expect([mail.subject, mail.replyTo?.[0]?.address]).toEqual(['Bug Report from Ada', 'ada@usc.edu']);
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(page.getByLabel('Message')).toHaveValue('');

  await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click();
  const applyNow = page.getByRole('button', { name: 'Apply Now: Campus Ambassador' });
  await applyNow.click();
  const dialog = page.getByRole('dialog', { name: 'Apply for Campus Ambassador' });
  await fillTextboxes(page, { Name: 'Ada', 'University email': 'ada@usc.edu' });
  const choose = (name: string, text: string) =>
    dialog
      .getByLabel('Resume')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
  for (const name of ['cv.txt', 'fake.pdf']) {
    await choose(name, 'I am good');
    await dialog.getByRole('button', { name: 'Submit Application' }).click();
    await expect(dialog.getByText('Only PDF, DOC, and DOCX files are allowed')).toBeVisible();
  }
  await choose('my resume.pdf', '%PDF-1.7\nI am good\nstartxref\n9\n%%EOF\n');
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  for (const text of applicationTexts) await expect(page.getByText(text)).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(applyNow).toBeFocused();
  const application = await quadServer.mail.take(supportEmail);
  expect(application.subject).toBe('Application: Campus Ambassador');
  expect(application.attachments.map(({ filename }) => filename)).toEqual(['my resume.pdf']);

  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  const request = page.getByRole('button', { name: 'Request Data Deletion' });
  await request.click();
  await fillTextboxes(page, { 'University email': 'ada@usc.edu' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('Request Submitted')).toBeVisible();
  await expect(request).toBeFocused();
  expect((await quadServer.mail.take(supportEmail)).subject).toBe('Data deletion request from ada@usc.edu');
  await page.close();
});
