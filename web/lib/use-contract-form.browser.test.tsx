import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { z } from 'zod';
import { useContractForm } from './use-contract-form.ts';

const schema = z.object({
  name: z.string().trim().min(1, 'Please enter your name'),
  email: z.string().regex(/@/, 'Please enter a valid email address.'),
});
type Values = z.infer<typeof schema>;

interface FormProps {
  editing?: 'validates' | 'clears';
  send?: (values: Values) => Promise<Record<string, string> | undefined>;
  late?: Promise<void>;
}

/** A form that displays its field errors, and a general message for errors without a field. */
function Form({ editing, send = async () => undefined, late }: FormProps) {
  const [other, setOther] = useState(false);
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = useContractForm<
    Values,
    Values
  >({
    schema: (values) => (late ? late.then(() => schema.safeParse(values)) : schema.safeParse(values)),
    editing,
    defaultValues: { name: '', email: '' },
  });
  const { loading, ...button } = submitButton;
  return (
    <form
      noValidate
      onSubmit={handleSubmit(async (values) => {
        const fields = await send(values);
        if (fields) setOther(!showFieldErrors(fields));
      })}
    >
      <input aria-label="Name" {...register('name')} />
      <p>{formState.errors.name?.message}</p>
      <input aria-label="Email" {...register('email')} />
      <p>{formState.errors.email?.message}</p>
      {other && <p>Something else</p>}
      <button {...button} aria-busy={loading}>
        Send
      </button>
    </form>
  );
}

const nameInput = page.getByRole('textbox', { name: 'Name' });
const emailInput = page.getByRole('textbox', { name: 'Email' });
const sendButton = page.getByRole('button', { name: 'Send' });
const nameMissingMessage = page.getByText('Please enter your name');
const invalidEmailMessage = page.getByText('Please enter a valid email address.');

test('submitting the form shows the schema’s messages and focuses the first invalid field', async () => {
  const sent = vi.fn(async () => undefined);
  await render(<Form send={sent} />);
  await userEvent.fill(nameInput, 'Ada');
  await userEvent.clear(nameInput);
  await expect.element(nameMissingMessage).not.toBeInTheDocument();
  await sendButton.click();
  await expect.element(nameMissingMessage).toBeVisible();
  await expect.element(invalidEmailMessage).toBeVisible();
  await expect.element(nameInput).toHaveFocus();
  expect(sent).not.toHaveBeenCalled();
});

test('sends the values as the schema transformed them', async () => {
  const sent = vi.fn(async () => undefined);
  await render(<Form send={sent} />);
  await userEvent.fill(nameInput, '  Ada ');
  await userEvent.fill(emailInput, 'ada@usc.edu');
  await sendButton.click();
  await expect.poll(() => sent).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', email: 'ada@usc.edu' });
});

test('validates an edited field again after a failed attempt', async () => {
  await render(<Form />);
  await sendButton.click();
  await userEvent.fill(emailInput, 'ada');
  await expect.element(invalidEmailMessage).toBeVisible();
  await userEvent.fill(emailInput, 'ada@usc.edu');
  await expect.element(invalidEmailMessage).not.toBeInTheDocument();
  await expect.element(nameMissingMessage).toBeVisible();
});

test('with `clears`, editing a field only removes its message', async () => {
  await render(<Form editing="clears" />);
  await sendButton.click();
  await userEvent.fill(emailInput, 'ada');
  await expect.element(invalidEmailMessage).not.toBeInTheDocument();
  await expect.element(nameMissingMessage).toBeVisible();
  await sendButton.click();
  await expect.element(invalidEmailMessage).toBeVisible();
});

test("shows the server's messages at their fields and focuses the first, in the order of the form", async () => {
  await render(<Form send={async () => ({ email: 'Only @usc.edu', name: 'Looks like staff' })} />);
  await userEvent.fill(nameInput, 'Ada');
  await userEvent.fill(emailInput, 'ada@gmail.com');
  await sendButton.click();
  await expect.element(page.getByText('Only @usc.edu')).toBeVisible();
  await expect.element(page.getByText('Looks like staff')).toBeVisible();
  await expect.element(nameInput).toHaveFocus();
});

test('shows a message when an error belongs to none of its fields', async () => {
  await render(<Form send={async () => ({ body: 'Too large' })} />);
  await userEvent.fill(nameInput, 'Ada');
  await userEvent.fill(emailInput, 'ada@usc.edu');
  await sendButton.click();
  await expect.element(page.getByText('Something else')).toBeVisible();
});

test('the button becomes busy on click, even while the schema is still loading', async () => {
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await render(<Form late={late} />);
  await sendButton.click();
  await expect.element(sendButton).toHaveAttribute('aria-busy', 'true');
  release();
  await expect.element(nameMissingMessage).toBeVisible();
  await expect.element(sendButton).toHaveAttribute('aria-busy', 'false');
});

/** A form that displays the value of its radio buttons. */
function ChoiceForm() {
  const { register, control } = useContractForm({
    schema: z.object({ size: z.string(), name: z.string() }),
    defaultValues: { size: '', name: '' },
  });
  const { size } = useWatch({ control });
  return (
    <form>
      <input type="radio" aria-label="Small" value="small" {...register('size')} />
      <input type="radio" aria-label="Large" value="large" {...register('size')} />
      <input aria-label="Name" {...register('name')} />
      <output>{JSON.stringify(size)}</output>
    </form>
  );
}

test('radio buttons that the focus leaves without a choice keep their value', async () => {
  await render(<ChoiceForm />);
  const size = page.getByRole('status');
  await userEvent.tab();
  await expect.element(page.getByRole('radio', { name: 'Small' })).toHaveFocus();
  await nameInput.fill('Ada');
  await expect.element(size).toHaveTextContent('""');
  await page.getByRole('radio', { name: 'Large' }).click();
  await nameInput.fill('Grace');
  await expect.element(size).toHaveTextContent('"large"');
});
