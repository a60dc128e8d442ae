import { useState } from 'react';
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

/** A form that shows the messages of its fields, and what its server refused beside them. */
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

const name = page.getByRole('textbox', { name: 'Name' });
const email = page.getByRole('textbox', { name: 'Email' });
const send = page.getByRole('button', { name: 'Send' });
const nameMissing = page.getByText('Please enter your name');
const emailWrong = page.getByText('Please enter a valid email address.');

test('shows the messages of the schema when it is sent, and focuses the first refused field', async () => {
  const sent = vi.fn(async () => undefined);
  await render(<Form send={sent} />);
  await userEvent.fill(name, 'Ada');
  await userEvent.clear(name);
  await expect.element(nameMissing).not.toBeInTheDocument();
  await send.click();
  await expect.element(nameMissing).toBeVisible();
  await expect.element(emailWrong).toBeVisible();
  await expect.element(name).toHaveFocus();
  expect(sent).not.toHaveBeenCalled();
});

test('sends what the schema made of the values', async () => {
  const sent = vi.fn(async () => undefined);
  await render(<Form send={sent} />);
  await userEvent.fill(name, '  Ada ');
  await userEvent.fill(email, 'ada@usc.edu');
  await send.click();
  await vi.waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', email: 'ada@usc.edu' }));
});

test('validates an edited field again after a failed attempt', async () => {
  await render(<Form />);
  await send.click();
  await userEvent.fill(email, 'ada');
  await expect.element(emailWrong).toBeVisible();
  await userEvent.fill(email, 'ada@usc.edu');
  await expect.element(emailWrong).not.toBeInTheDocument();
  await expect.element(nameMissing).toBeVisible();
});

test('with `clears`, editing a field only removes its message', async () => {
  await render(<Form editing="clears" />);
  await send.click();
  await userEvent.fill(email, 'ada');
  await expect.element(emailWrong).not.toBeInTheDocument();
  await expect.element(nameMissing).toBeVisible();
  await send.click();
  await expect.element(emailWrong).toBeVisible();
});

test("shows the server's messages at their fields and focuses the first, in the order of the form", async () => {
  await render(<Form send={async () => ({ email: 'Only @usc.edu', name: 'Looks like staff' })} />);
  await userEvent.fill(name, 'Ada');
  await userEvent.fill(email, 'ada@gmail.com');
  await send.click();
  await expect.element(page.getByText('Only @usc.edu')).toBeVisible();
  await expect.element(page.getByText('Looks like staff')).toBeVisible();
  await expect.element(name).toHaveFocus();
});

test('says when a refusal is about none of its fields', async () => {
  await render(<Form send={async () => ({ body: 'Too large' })} />);
  await userEvent.fill(name, 'Ada');
  await userEvent.fill(email, 'ada@usc.edu');
  await send.click();
  await expect.element(page.getByText('Something else')).toBeVisible();
});

test('the button is busy from the click, also while the schema is still being loaded', async () => {
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await render(<Form late={late} />);
  await send.click();
  await expect.element(send).toHaveAttribute('aria-busy', 'true');
  release();
  await expect.element(nameMissing).toBeVisible();
  await expect.element(send).toHaveAttribute('aria-busy', 'false');
});
