import { expect, test, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { type Campus, defaultCampus } from '#contract/campus.ts';
import { type CategoryFieldName, categoryFieldEntries } from '#contract/category-fields.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { ListingFields } from './listing-fields.tsx';
import {
  blankListingFormValues,
  type CreateListingBody,
  type ListingFormField,
  type ListingFormValues,
  validateListing,
} from './submission.ts';

interface LabeledControl {
  label: string;
  /** Values of other fields with which the form shows the control. */
  shownFor?: Partial<ListingFormValues>;
}

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

/** The control of each field of the form. A field that is missing here does not compile. */
const controls: Record<ListingFormField, LabeledControl> = {
  title: { label: 'Title' },
  category: { label: 'Category' },
  condition: { label: 'Condition' },
  gameDate: { label: 'Game date', shownFor: { category: 'game-day' } },
  price: { label: 'Price' },
  description: { label: 'Description' },
  location: { label: 'Location' },
  contactEmail: { label: 'Contact email' },
  contactPhone: { label: 'Contact phone' },
  holdHours: { label: 'Reserved for' },
  isPriceFirm: { label: 'The price is firm' },
  rentalPeriod: { label: 'Price is for', shownFor: { category: 'rentals' } },
  giftMode: { label: 'First come, first served', shownFor: { category: 'free' } },
  drawHours: { label: 'The draw closes after', shownFor: { category: 'free', giftMode: 'draw' } },
  ...(Object.fromEntries(
    categoryFieldEntries.map(([name, { label, categories }]) => [
      name,
      { label, shownFor: { category: categories[0] ?? '' } },
    ]),
  ) as Record<CategoryFieldName, LabeledControl>),
};

function Form({ values, campus = defaultCampus }: { values: Partial<ListingFormValues>; campus?: Campus }) {
  const form = useContractForm<ListingFormValues, CreateListingBody>({
    schema: (typed) =>
      validateListing(
        typed,
        { photos: [], status: 'draft', id: undefined, clientId: 'client' },
        { today: '2026-03-02', campus },
      ),
    defaultValues: { ...blankListingFormValues, ...values },
    editing: 'clears',
  });
  return <ListingFields form={form} campus={campus} today="2026-03-02" ownEmail="sam@usc.edu" />;
}

test.each(Object.entries(controls))(
  'the posting form has a control for %s',
  async (_, { label, shownFor }) => {
    await render(<Form values={{ category: 'furniture', ...shownFor }} />);
    await expect.element(page.getByLabelText(label, { exact: false }).first()).toBeInTheDocument();
  },
);

test.each([
  ['a campus with a cap', 100, '2', 'true'],
  ['a campus without a cap', undefined, '2', null],
  ['what is no ticket', 100, '', null],
])('the face value is marked as required: %s', async (_, ticketPriceCap, ticketCount, required) => {
  const campus = { ...defaultCampus, ticketPriceCap };
  await render(<Form values={{ category: 'game-day', ticketCount }} campus={campus} />);
  const faceValue = page.getByLabelText('Face value', { exact: false });
  await expect.element(faceValue).toBeInTheDocument();
  expect(faceValue.element().getAttribute('aria-required')).toBe(required);
});

test('the contact email is empty until it is filled in with one tap, and can be removed again', async () => {
  await render(<Form values={{}} />);
  const email = page.getByLabelText('Contact email');
  await expect.element(email).toHaveValue('');
  await page.getByRole('button', { name: 'Use my email' }).click();
  await expect.element(email).toHaveValue('sam@usc.edu');
  await page.getByRole('button', { name: 'Remove contact email' }).click();
  await expect.element(email).toHaveValue('');
  await expect.element(email).toHaveFocus();
});

test('the form does not ask twice for the price of the same period', async () => {
  await render(<Form values={{ category: 'rentals', rentalPeriod: 'week', dayPrice: '5' }} />);
  await page.getByText('How you want to rent it out').click();
  const [day, week] = ['Price for a day', 'Price for a week'].map((label) => page.getByLabelText(label));
  await expect.element(day as Locator).toHaveValue('5');
  await expect.element(week as Locator).not.toBeInTheDocument();
  await page.getByLabelText('Price is for').selectOptions('A day');
  await expect.element(day as Locator).not.toBeInTheDocument();
  await page.getByLabelText('Price is for').selectOptions('A week');
  await expect.element(day as Locator).toHaveValue('');
});
