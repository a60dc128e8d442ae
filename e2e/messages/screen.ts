import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { Conversation } from '#contract/conversations.ts';
import { test as base, createUniqueEmailAddress } from '../support/fixtures.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from '../support/students.ts';

interface SellerAndBuyer {
  ada: Student;
  ben: Student;
  /** Ben's conversations with Ada, one about each of Ada's listings. */
  talks: Conversation[];
}

type OpenPageOptions = Parameters<typeof openSignedInBrowser>[3] & { path?: string };

interface Fixtures {
  /**
   * Creates the seller Ada and the buyer Ben, with one conversation per listing title. The
   * conversations are created in the order of the titles, so the last one is the newest.
   */
  meet(titles?: readonly string[]): Promise<SellerAndBuyer>;
  writeAll(sender: Student, talk: Conversation | undefined, texts: readonly string[]): Promise<void>;
  /** Opens `path` (default /messages) in a browser signed in as the student; `errors` collects uncaught page errors. */
  open(
    student: Student,
    options?: OpenPageOptions,
  ): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
}

export const test = base.extend<Fixtures>({
  meet: ({ quad }, use) =>
    use(async (titles = ['Walnut desk lamp']) => {
      const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
      const ben = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben', 'example.com'));
      const talks: Conversation[] = [];
      for (const title of titles)
        talks.push(await openConversation(quad, ben, await postListing(quad, ada, title)));
      return { ada, ben, talks };
    }),
  writeAll: ({ quad }, use) =>
    use(async (sender, talk, texts) => {
      if (!talk) throw new Error('There is no such conversation');
      for (const text of texts) await postConversationMessage(quad, sender, talk, text);
    }),
  open: async ({ browser, quad }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (student, { path = '/messages', ...options } = {}) => {
      const context = await openSignedInBrowser(browser, quad, student, options);
      contexts.push(context);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(path);
      return { context, page, errors };
    });
    for (const context of contexts) await context.close();
  },
});

export const buildNumberedStrings = (count: number, word = 'message'): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);

export const getMessageInput = (page: Page): Locator => page.getByPlaceholder('Type your message...');
export const getThreadRegion = (page: Page): Locator => page.getByRole('region', { name: /^Messages with/ });
export const getConversationRows = (page: Page): Locator =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('link');
export const getMessageTexts = (page: Page): Promise<string[]> =>
  getThreadRegion(page).locator('li p[dir]').allInnerTexts();
export const typeAndSend = async (page: Page, text: string): Promise<void> => {
  await getMessageInput(page).fill(text);
  await getMessageInput(page).press('Enter');
};
export const getConversationId = (talk: Conversation | undefined): string => talk?.id ?? '';

export const phoneBrowserOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };
