import type { ReactNode } from 'react';
import { createRoutesStub } from 'react-router';
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

/** A form whose typed text is saved on the device. */
export interface DraftedForm {
  name: string;
  element: ReactNode;
  /** The control that opens the form or its fields. */
  opener?: Locator;
  /** The labels of the fields whose texts are saved, with a text for each. */
  texts: Record<string, string>;
  /** The same for other fields, which must be filled in before the form can be sent. */
  unsavedTexts?: Record<string, string>;
  /** The labels of the selects whose choices are saved, with a choice for each. */
  choices?: Record<string, string>;
  submitLabel: string;
}

export const getField = (label: string) =>
  page.getByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}`));

/** Renders a form as after a reload. */
export const openForm = async ({ element, opener }: Pick<DraftedForm, 'element' | 'opener'>) => {
  const Router = createRoutesStub([{ path: '*', Component: () => element }]);
  const screen = await render(<Router />);
  await opener?.click();
  return screen;
};

/**
 * Expects that a form keeps what was typed until it is sent, which makes one call. `countCalls` returns how many calls
 * were made.
 */
export const expectTextKeptUntilSent = async (form: DraftedForm, countCalls: () => number): Promise<void> => {
  const { texts, unsavedTexts = {}, choices = {}, submitLabel } = form;
  let screen = await openForm(form);
  for (const [label, choice] of Object.entries(choices)) await getField(label).selectOptions(choice);
  for (const [label, text] of Object.entries({ ...texts, ...unsavedTexts })) await getField(label).fill(text);
  await screen.unmount();

  screen = await openForm(form);
  for (const [label, text] of Object.entries(texts)) await expect.element(getField(label)).toHaveValue(text);
  for (const [label, choice] of Object.entries(choices))
    await expect.element(getField(label)).toHaveValue(choice);
  for (const [label, text] of Object.entries(unsavedTexts)) {
    await expect.element(getField(label)).toHaveValue('');
    await getField(label).fill(text);
  }
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('secret');
  const callsBefore = countCalls();
  await page.getByRole('button', { name: submitLabel }).last().click();
  await expect.poll(countCalls).toBe(callsBefore + 1);
  await screen.unmount();

  await openForm(form);
  for (const label of Object.keys(texts)) await expect.element(getField(label)).not.toHaveValue(texts[label]);
};

/** Expects that a form says that unsaved changes of a field are back, and that Cancel discards them. */
export const expectChangesDiscardedOnCancel = async (element: ReactNode, field: string): Promise<void> => {
  const notice = page.getByText('Your unsaved changes are back');
  let screen = await openForm({ element });
  await expect.element(notice).not.toBeInTheDocument();
  await getField(field).fill('Another name');
  await screen.unmount();

  screen = await openForm({ element });
  await expect.element(notice).toBeVisible();
  await expect.element(getField(field)).toHaveValue('Another name');
  await page.getByText('Cancel', { exact: true }).click();
  await screen.unmount();

  await openForm({ element });
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(getField(field)).not.toHaveValue('Another name');
};
