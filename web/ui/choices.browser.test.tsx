import { type ComponentProps, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { z } from 'zod';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Field } from './field.tsx';
import { RadioGroup } from './radio-group.tsx';
import { Select } from './select.tsx';
import { Tabs } from './tabs.tsx';

const conditionOptions = [
  { value: 'new', label: 'Brand new' },
  { value: 'good', label: 'Good' },
];

test('a select starts with its empty choice and reports the chosen option', async () => {
  const change = vi.fn();
  await render(
    <Field label="Condition">
      <Select
        options={conditionOptions}
        placeholder="Select a condition"
        onChange={(event) => change(event.target.value)}
      />
    </Field>,
  );
  const select = page.getByRole('combobox', { name: 'Condition' });
  await expect.element(select).toHaveValue('');
  await userEvent.selectOptions(select, 'Good');
  expect(change).toHaveBeenCalledExactlyOnceWith('good');
});

test('a select without an empty choice starts with its first option', async () => {
  await render(
    <Field label="Condition">
      <Select options={conditionOptions} />
    </Field>,
  );
  await expect.element(page.getByRole('combobox', { name: 'Condition' })).toHaveValue('new');
});

const roleOptions = [
  { value: 'Student', label: 'Student', hint: 'Currently enrolled' },
  { value: 'Staff', label: 'Staff' },
];

test('the arrow keys and a click on a label choose a radio button of a group', async () => {
  const change = vi.fn();
  await render(
    <RadioGroup aria-label="Role" options={roleOptions} defaultValue="Student" onValueChange={change} />,
  );
  await userEvent.tab();
  await expect.element(page.getByRole('radio', { name: /^Student/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('radio', { name: 'Staff' })).toBeChecked();
  await page.getByText('Currently enrolled').click();
  await expect.element(page.getByRole('radio', { name: /^Student/ })).toBeChecked();
  expect(change.mock.calls).toEqual([['Staff'], ['Student']]);
});

test('two radio groups on one screen have independent values', async () => {
  await render(
    <>
      <RadioGroup aria-label="Seller" options={roleOptions} />
      <RadioGroup aria-label="Buyer" options={roleOptions} />
    </>,
  );
  const [seller, buyer] = ['Seller', 'Buyer'].map((name) =>
    page.getByRole('radiogroup', { name }).getByRole('radio', { name: 'Staff' }),
  );
  await seller?.click();
  await buyer?.click();
  await expect.element(seller as never).toBeChecked();
});

function RoleForm({ send, change }: { send: (values: unknown) => void; change: (value: string) => void }) {
  const { register, handleSubmit, submitButton } = useContractForm({
    schema: z.object({ role: z.string() }),
  });
  return (
    <form onSubmit={handleSubmit((values) => send(values))}>
      <RadioGroup aria-label="Role" options={roleOptions} onValueChange={change} {...register('role')} />
      <button type="submit" disabled={submitButton.disabled}>
        Send
      </button>
    </form>
  );
}

test('a form is submitted with the choice even while its radio button still has the focus', async () => {
  const send = vi.fn();
  const change = vi.fn();
  await render(<RoleForm send={send} change={change} />);
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await userEvent.tab();
  await userEvent.keyboard(' {Enter}');
  await expect.poll(() => send).toHaveBeenCalledExactlyOnceWith({ role: 'Student' });
  expect(change).toHaveBeenCalledExactlyOnceWith('Student');
});

function ListingTabs({ label = 'Listings', ...rest }: Partial<ComponentProps<typeof Tabs>>) {
  const [value, setValue] = useState('active');
  return (
    <Tabs
      label={label}
      value={value}
      onValueChange={setValue}
      tabs={[
        { value: 'active', label: 'Active', count: 2, content: 'Two listings' },
        { value: 'drafts', label: 'Drafts', content: 'No drafts' },
      ]}
      {...rest}
    />
  );
}

test('choosing a tab shows its panel, which is named after the tab', async () => {
  await render(<ListingTabs />);
  await expect.element(page.getByRole('tablist', { name: 'Listings' })).toBeVisible();
  await expect.element(page.getByRole('tab', { name: 'Active 2' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByRole('tabpanel', { name: 'Active 2' })).toHaveTextContent('Two listings');
  await page.getByRole('tab', { name: 'Drafts' }).click();
  await expect.element(page.getByRole('tabpanel', { name: 'Drafts' })).toHaveTextContent('No drafts');
  await expect.element(page.getByText('Two listings')).not.toBeInTheDocument();
});

test('the arrow keys open the neighboring tab, and Tab leaves the list for the panel', async () => {
  await render(<ListingTabs />);
  await userEvent.tab();
  await expect.element(page.getByRole('tab', { name: 'Active 2' })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('tab', { name: 'Drafts' })).toHaveFocus();
  await expect.element(page.getByRole('tabpanel')).toHaveTextContent('No drafts');
  await userEvent.tab();
  await expect.element(page.getByRole('tabpanel')).toHaveFocus();
});
