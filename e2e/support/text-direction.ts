import type { Page } from '@playwright/test';
import { updateTestDatabase } from './database.ts';
import type { QuadServer } from './quad-server.ts';

/** Returns all texts that people wrote on the server: names, bios, listings, messages, reviews and reports. */
export const listWrittenTexts = async (quad: QuadServer): Promise<ReadonlySet<string>> => {
  const texts = new Set<string>();
  await updateTestDatabase(quad, async (sql) => {
    const rows = await sql<{ text: string | null }[]>`
      SELECT unnest(ARRAY[full_name, bio]) AS text FROM users
      UNION SELECT unnest(ARRAY[title, description, location]) FROM listings
      UNION SELECT message_text FROM messages WHERE kind = 'text'
      UNION SELECT unnest(ARRAY[listing_title]) FROM conversations
      UNION SELECT review_text FROM reviews
      UNION SELECT report_text FROM private.moderation_reports
      UNION SELECT unnest(ARRAY[name, landmark]) FROM meeting_spots`;
    for (const { text } of rows) if (text) texts.add(text);
  });
  return texts;
};

/**
 * Returns the texts of the page that stand in no element whose direction follows them (`dir="auto"` or `<bdi>`), and the
 * labels of the text fields of which this is true.
 */
const collectUndirectedTexts = (): string[] => {
  const ignored = '[dir="auto"], bdi, .sr-only, script, style, option';
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode as Text;
    if (data.trim() && !parentElement?.closest(ignored)) found.push(data.trim());
  }
  return found;
};

/** Returns those texts on the page that somebody wrote and that would be displayed in the direction of the page. */
export const listUndirectedTexts = async (page: Page, written: ReadonlySet<string>): Promise<string[]> =>
  (await page.evaluate(collectUndirectedTexts)).filter((text) => written.has(text));

/** Returns descriptions of the text fields whose direction does not follow their text. */
export const listUndirectedFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
      .filter(
        (it) => /^(text|search|textarea)$/.test(it.type) && it.inputMode !== 'numeric' && it.dir !== 'auto',
      )
      .map((it) => it.name || it.outerHTML),
  );
