import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Checkbox } from './checkbox.tsx';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import { RadioGroup } from './radio-group.tsx';
import { Textarea } from './textarea.tsx';

test('a field names its control by the label, and a click on the label focuses the control', async () => {
  await render(
    <Field label="Title" required>
      <Input />
    </Field>,
  );
  const input = page.getByRole('textbox', { name: 'Title' });
  await expect.element(input).toHaveAttribute('aria-required', 'true');
  await expect.element(input).not.toHaveAttribute('aria-invalid');
  await page.getByText(/^Title/).click();
  await expect.element(input).toHaveFocus();
});

test('the hint describes the control; an error precedes the hint and marks the control as invalid', async () => {
  const field = (error?: string) => (
    <Field label="Bio" hint="What you study." error={error}>
      <Textarea />
    </Field>
  );
  const { rerender } = await render(field());
  const bio = page.getByRole('textbox', { name: 'Bio' });
  await expect.element(bio).toHaveAccessibleDescription('What you study.');
  await rerender(field('Bio must be at most 500 characters'));
  await expect.element(bio).toHaveAccessibleDescription('Bio must be at most 500 characters What you study.');
  await expect.element(bio).toHaveAttribute('aria-invalid', 'true');
  await rerender(field());
  await expect.element(bio).not.toHaveAttribute('aria-invalid');
});

test.each([1, 4])('an empty text field shows its %i rows', async (rows) => {
  await render(
    <Field label="Reason">
      <Textarea rows={rows} />
    </Field>,
  );
  const field = page.getByRole('textbox', { name: 'Reason' }).element();
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
  const content = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  expect(Math.floor(content / parseFloat(lineHeight))).toBe(rows);
});

test('a hidden label still names the control', async () => {
  await render(
    <Field label="Message" hideLabel>
      <Input />
    </Field>,
  );
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('props of a control take precedence over those of its field', async () => {
  await render(
    <Field label="Email" error="Please enter a valid email address.">
      <Input aria-invalid={false} />
    </Field>,
  );
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveAttribute('aria-invalid', 'false');
});

test('a radio group is named and described by its field as a group', async () => {
  await render(
    <Field label="I am a" error="Please select your role" required>
      <RadioGroup options={[{ value: 'Student', label: 'Student' }]} />
    </Field>,
  );
  const group = page.getByRole('radiogroup', { name: 'I am a' });
  await expect.element(group).toHaveAccessibleDescription('Please select your role');
  await expect.element(group).toHaveAttribute('aria-invalid', 'true');
});

test('a checkbox is toggled by its label and described by its error', async () => {
  await render(<Checkbox label="I agree" error="Please agree to the Terms" />);
  const box = page.getByRole('checkbox', { name: 'I agree' });
  await expect.element(box).toHaveAccessibleDescription('Please agree to the Terms');
  await page.getByText('I agree').click();
  await expect.element(box).toBeChecked();
});
