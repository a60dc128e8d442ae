import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';

function CodeField({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('');
  return (
    <Field label="Verification code">
      <CodeInput value={code} onChange={setCode} onComplete={onComplete} />
    </Field>
  );
}

const codeInput = page.getByRole('textbox', { name: 'Verification code' });

/** Dispatches a paste event, because tests cannot use the system's clipboard. */
const pasteText = (text: string) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  codeInput
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
};

test('accepts only digits and reports the complete code', async () => {
  const complete = vi.fn();
  await render(<CodeField onComplete={complete} />);
  await codeInput.click();
  await userEvent.keyboard('12a3-4');
  await expect.element(codeInput).toHaveValue('1234');
  expect(complete).not.toHaveBeenCalled();
  await userEvent.keyboard('56');
  await expect.element(codeInput).toHaveValue('123456');
  await expect.poll(() => complete).toHaveBeenCalledExactlyOnceWith('123456');
});

test('a pasted code replaces the typed digits, even with other text around it', async () => {
  const complete = vi.fn();
  await render(<CodeField onComplete={complete} />);
  await codeInput.click();
  await userEvent.keyboard('99');
  pasteText('Your code: 123 456');
  await expect.element(codeInput).toHaveValue('123456');
  await expect.poll(() => complete).toHaveBeenCalledWith('123456');
});

test('accepts full-width digits', async () => {
  const complete = vi.fn();
  await render(<CodeField onComplete={complete} />);
  await codeInput.fill('\uFF11\uFF12\uFF13456');
  await expect.element(codeInput).toHaveValue('123456');
  await expect.poll(() => complete).toHaveBeenCalledWith('123456');
});

test('requests a numeric keyboard and one-time-code autofill on phones', async () => {
  await render(<CodeField onComplete={() => {}} />);
  await expect.element(codeInput).toHaveAttribute('inputmode', 'numeric');
  await expect.element(codeInput).toHaveAttribute('autocomplete', 'one-time-code');
});
