import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus } from '#contract/campus.ts';
import {
  type CategoryColumn,
  type CategoryColumns,
  categoryFieldEntries,
  formatCategoryValue,
} from '#contract/category-fields.ts';
import { type PublicContent, publicContentFields } from '#contract/listings.ts';
import type { ModerationCase } from '#contract/moderation.ts';
import { createCategoryValue, createCategoryValues } from '#contract/testing.ts';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { CaseReports } = await import('./case-reports.tsx');

const desk: PublicContent = {
  title: 'Solid oak desk',
  description: 'Sturdy, with a few scratches.',
  price: 85.5,
  category: 'furniture',
  condition: 'good',
  location: 'Behind the gym',
  game_date: '2030-10-05',
  contact_email: 'seller@usc.edu',
  contact_phone: '(213) 555-0100',
  photos: ['/storage/v1/object/public/listing-photos/someone/1-desk.jpg'],
  rental_period: 'flexible',
  is_price_firm: true,
  gift_mode: 'first_come',
  ...(createCategoryValues('column') as CategoryColumns),
};

interface ShownText {
  category?: PublicContent['category'];
  /** The label of a field whose text others have, too. */
  label?: string;
  text: string;
}

/** For each public field, the category in which it applies and how the console shows it. */
const shownTexts: Record<keyof PublicContent, ShownText> = {
  title: { text: 'Solid oak desk' },
  description: { text: 'Sturdy, with a few scratches.' },
  price: { text: '$85.50' },
  category: { text: 'Furniture' },
  condition: { text: 'Good' },
  location: { text: 'Behind the gym' },
  game_date: { category: 'game-day', text: 'Sat, Oct 5, 2030' },
  contact_email: { text: 'seller@usc.edu' },
  contact_phone: { text: '(213) 555-0100' },
  photos: { text: 'A photo that is no longer available' },
  rental_period: { category: 'rentals', text: 'Flexible' },
  is_price_firm: { text: 'The price is firm' },
  gift_mode: { category: 'free', text: 'First come, first served' },
  ...(Object.fromEntries(
    categoryFieldEntries.map(([, field]) => [
      field.column,
      {
        category: field.categories[0],
        label: field.label,
        text: formatCategoryValue(field, createCategoryValue(field), defaultCampus) ?? '',
      },
    ]),
  ) as unknown as Record<CategoryColumn, { text: string }>),
};

const createCase = (content: PublicContent) =>
  ({
    subject: 'listing',
    signal_details: [],
    reports: [],
    quotes: [],
    listing: { ...content, slug: 'desk', status: 'in_review', is_hidden: false, version: 'v' },
  }) as unknown as ModerationCase;

test.each(publicContentFields)('shows the %s of a listing that waits for review', async (field) => {
  const { category = 'furniture', label, text } = shownTexts[field];
  await render(<CaseReports item={createCase({ ...desk, category })} />);
  if (!label) return expect.element(page.getByText(text, { exact: true })).toBeVisible();
  const term = page.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) });
  await expect.element(term).toBeVisible();
  expect(term.element().nextElementSibling?.textContent).toBe(text);
});

test('shows the quote of an earlier version, which lacks some of the fields', async () => {
  const { title, description, price } = desk;
  const content = { subject: 'listing' as const, title, description, price };
  const quotes = [{ id: 'quote', content, photo_count: 0, quoted_at: '2026-03-02T18:00:00.000Z' }];
  await render(<CaseReports item={{ ...createCase(desk), quotes, listing: null }} />);
  await expect.element(page.getByText('$85.50')).toBeVisible();
});
