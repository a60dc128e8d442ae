import { expect, type Page } from '@playwright/test';
import { takeVerificationCode } from './support/mail-server.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { intercept, test } from './support/test.ts';

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

const contactMessage = {
  Name: 'Ada',
  'University email': 'ada@usc.edu',
  Message: 'The heart is upside down.',
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

test('the report form names missing fields, and sends a complete report to the support address', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, '/safety');
  await page.getByRole('button', { name: 'Submit Report' }).click();
  await expect(page.getByText('Please enter a subject')).toBeVisible();
  await expect(page.getByText('Please enter the details')).toBeVisible();
  await expect(page.getByLabel('Subject')).toBeFocused();
  await fillTextboxes(page, { Subject: 'Odd seller', Details: 'Asked me to wire money.' });
  await expect(page.getByText('Please enter a subject')).toBeHidden();
  await page.getByRole('button', { name: 'Submit Report' }).click();
  await expect(page.getByText('Report Submitted')).toBeVisible();
  await expect(page.getByText('Thank you for helping keep our community safe.')).toBeVisible();
  await expect(page.getByLabel('Subject')).toHaveValue('');
  const mail = await quadServer.mail.take(supportEmail);
  expect(mail.subject).toBe('Report: Odd seller');
  expect(mail.text).toContain('Asked me to wire money.');
  await page.close();
});

/** Creates a student who publishes a listing; returns the listing's slug. */
const publishListing = async (): Promise<string> => {
  const post = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${quadServer.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const email = 'seller@usc.edu';
  const password = 'cardinal-and-gold-1';
  await post('/functions/v1/signup', { email, password, fullName: 'Sam Seller' });
  const code = await takeVerificationCode(quadServer.mail, email);
  const { authPassword } = await post('/functions/v1/verify-otp', { email, code, password });
  const session = await post('/auth/v1/token?grant_type=password', { email, password: authPassword });
  const listing = {
    title: 'Walnut desk lamp with brass arm',
    category: 'furniture',
    condition: 'good',
    price: 42.5,
    description: 'A warm reading lamp from my dorm room. Works perfectly, bulb included.',
    location: 'Parkside North',
    contactEmail: email,
    contactPhone: null,
    photos: [],
    status: 'published',
    gameDate: null,
  };
  return (await post('/functions/v1/create-listing', listing, session.access_token)).listing.slug;
};

test('Report Listing opens the report form with the link of the listing filled in', async ({ browser }) => {
  const slug = await publishListing();
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

test('a contact message is confirmed, and another can be sent', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, '/contact');
  await expect(page.getByRole('link', { name: supportEmail })).toHaveAttribute(
    'href',
    `mailto:${supportEmail}`,
  );
  await page.getByLabel('Topic').selectOption('Bug Report');
  await fillTextboxes(page, { ...contactMessage, 'University email': 'ada@gmail.com' });
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByLabel('University email')).toHaveAttribute('aria-invalid', 'true');
  await fillTextboxes(page, { 'University email': 'ada@usc.edu' });
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Received!' })).toBeFocused();
  await expect(page.getByText('We will get back to you within 2 business days.')).toBeVisible();
  const mail = await quadServer.mail.take(supportEmail);
  expect([mail.subject, mail.replyTo?.[0]?.address]).toEqual(['Bug Report from Ada', 'ada@usc.edu']);
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(page.getByLabel('Message')).toHaveValue('');
  await page.close();
});

test('an application is sent with its resume; an unsuitable file is rejected before sending', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, '/careers');
  const applyNow = page.getByRole('button', { name: 'Apply Now: Campus Ambassador' });
  await applyNow.click();
  const dialog = page.getByRole('dialog', { name: 'Apply for Campus Ambassador' });
  await fillTextboxes(page, { Name: 'Ada', 'University email': 'ada@usc.edu' });
  const choose = (name: string, text: string) =>
    dialog
      .getByLabel('Resume')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
  await choose('cv.txt', 'I am good');
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(dialog.getByText('Only PDF, DOC, and DOCX files are allowed')).toBeVisible();
  await choose('fake.pdf', 'I am good');
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(dialog.getByText('Only PDF, DOC, and DOCX files are allowed')).toBeVisible();
  await choose('my resume.pdf', '%PDF-1.7\nI am good\nstartxref\n9\n%%EOF\n');
  await dialog.getByRole('button', { name: 'Submit Application' }).click();
  await expect(page.getByText('Application Submitted')).toBeVisible();
  await expect(
    page.getByText("Thank you for your interest! We'll review your application and get back to you soon."),
  ).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(applyNow).toBeFocused();
  const mail = await quadServer.mail.take(supportEmail);
  expect(mail.subject).toBe('Application: Campus Ambassador');
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['my resume.pdf']);
  await page.close();
});

test('data deletion can be requested with a campus address', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: quadServer.url });
  await openPage(page, '/privacy');
  await page.getByRole('button', { name: 'Request Data Deletion' }).click();
  await page.getByRole('button', { name: 'Submit Request' }).click();
  await expect(page.getByLabel('University email')).toBeFocused();
  await fillTextboxes(page, { 'University email': 'ada@usc.edu' });
  await page.keyboard.press('Enter');
  await expect(page.getByText('Request Submitted')).toBeVisible();
  await expect(page.getByText('We will process your data deletion request within 30 days.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Request Data Deletion' })).toBeFocused();
  expect((await quadServer.mail.take(supportEmail)).subject).toBe('Data deletion request from ada@usc.edu');
  await page.close();
});

test('the contact form shows an error for every kind of failure and keeps the input', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: quadServer.url });
  const page = await context.newPage();
  await openPage(page, '/contact');
  await page.getByLabel('Topic').selectOption('Other');
  await fillTextboxes(page, contactMessage);
  const general = 'Something went wrong. Please try again.';
  const limit = 'Too many requests. Try again in 12 minutes, or write to support@usc.edu.';
  const failures: [sentence: string, fail: () => Promise<unknown>][] = [
    [
      general,
      () => intercept(page, '**/rest/v1/forms/**', (route) => route.fulfill({ status: 500, body: 'no' })),
    ],
    [
      limit,
      () =>
        intercept(page, '**/rest/v1/forms/**', (route) =>
          route.fulfill({ status: 429, json: { error: limit, code: 'rate_limited' } }),
        ),
    ],
    [general, () => context.setOffline(true)],
  ];
  for (const [sentence, fail] of failures) {
    const trouble = page.getByText(sentence);
    await fail();
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(trouble.last()).toBeVisible();
    for (const [label, value] of Object.entries(contactMessage)) {
      await expect(page.getByRole('textbox', { name: label, exact: true })).toHaveValue(value);
    }
    await expect(page.getByLabel('Topic')).toHaveValue('Other');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Close toast' }).first().click();
    await expect(trouble).toHaveCount(0);
  }
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Received!' })).toBeVisible();
  await quadServer.mail.take(supportEmail);
  await context.close();
});
