import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Field } from './field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordInput } from './password-input.tsx';

test('a button shows and hides a password without changing it', async () => {
  await render(
    <Field label="Password">
      <PasswordInput autoComplete="current-password" />
    </Field>,
  );
  const input = page.getByLabelText('Password');
  await userEvent.fill(input, 'cardinal-1');
  await expect.element(input).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(input).toHaveAttribute('type', 'text');
  await expect.element(input).toHaveValue('cardinal-1');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect.element(input).toHaveAttribute('type', 'password');
});

function NewPasswordForm({ known = [] }: { known?: string[] }) {
  const [password, setPassword] = useState('');
  return (
    <NewPasswordField
      label="New password"
      password={password}
      known={known}
      value={password}
      onChange={(event) => setPassword(event.target.value)}
    />
  );
}

const newPasswordInput = page.getByLabelText(/^New password/);
const strengthStatus = page.getByRole('status');

test('a new-password field shows its rule, but no strength until something is typed', async () => {
  await render(<NewPasswordForm />);
  await expect
    .element(newPasswordInput)
    .toHaveAccessibleDescription('At least 8 characters, with letters and numbers.');
  await expect.element(newPasswordInput).toHaveAttribute('autocomplete', 'new-password');
  await expect.element(strengthStatus).toBeEmptyDOMElement();
});

test('the strength is updated with the typed text, and disappears with it', async () => {
  await render(<NewPasswordForm />);
  await userEvent.fill(newPasswordInput, 'password1');
  await expect.element(strengthStatus).toHaveTextContent('Password strength: Weak');
  await userEvent.fill(newPasswordInput, 'velvet-harbor-93-lantern-quiz');
  await expect.element(strengthStatus).toHaveTextContent('Password strength: Strong');
  await userEvent.clear(newPasswordInput);
  await expect.element(strengthStatus).toBeEmptyDOMElement();
});

test('a password that breaks the rule counts as weak, even if it is hard to guess', async () => {
  await render(<NewPasswordForm />);
  await userEvent.fill(newPasswordInput, 'velvetharborlanternquizzical');
  await expect.element(strengthStatus).toHaveTextContent('Password strength: Weak');
});

test('words from the owner’s name make a password weaker', async () => {
  await render(<NewPasswordForm known={['Wilhelmina Featherstonehaugh', 'wilhelmina@usc.edu']} />);
  await userEvent.fill(newPasswordInput, 'Featherstonehaugh1');
  await expect.element(strengthStatus).toHaveTextContent('Password strength: Weak');
});
