import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';

function Code({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('');
  return (
    <Field label="Verification code">
      <CodeInput value={code} onChange={setCode} onComplete={onComplete} />
    </Field>
  );
}

const input = page.getByRole('textbox', { name: 'Verification code' });

/** Dispatches a paste event, because tests cannot use the system's clipboard. */
const paste = (text: string) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  input
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
};

test('accepts only digits and reports the complete code', async () => {
  const complete = vi.fn();
  await render(<Code onComplete={complete} />);
  await input.click();
  await userEvent.keyboard('12a3-4');
  await expect.element(input).toHaveValue('1234');
  expect(complete).not.toHaveBeenCalled();
  await userEvent.keyboard('56');
  await expect.element(input).toHaveValue('123456');
  await vi.waitFor(() => expect(complete).toHaveBeenCalledExactlyOnceWith('123456'));
});

test('a pasted code replaces the typed digits, even with other text around it', async () => {
  const complete = vi.fn();
  await render(<Code onComplete={complete} />);
  await input.click();
  await userEvent.keyboard('99');
  paste('Your code: 123 456');
  await expect.element(input).toHaveValue('123456');
  await vi.waitFor(() => expect(complete).toHaveBeenCalledWith('123456'));
});

test('requests a numeric keyboard and one-time-code autofill on phones', async () => {
  await render(<Code onComplete={() => {}} />);
  await expect.element(input).toHaveAttribute('inputmode', 'numeric');
  await expect.element(input).toHaveAttribute('autocomplete', 'one-time-code');
});
