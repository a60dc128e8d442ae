import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { publicFormTexts } from '#contract/specification-texts.ts';
import Contact from '#web/routes/contact.tsx';
import Privacy from '#web/routes/privacy.tsx';
import Safety from '#web/routes/safety.tsx';
import { createTestApi, networkFailure, refuse } from './api.ts';
import { listViolations } from './axe.ts';
import { openScreen } from './screen.tsx';
import { recordShownTexts } from './shown-texts.ts';

const api = createTestApi();
const listMissing = recordShownTexts();

interface PublicFormCase {
  path: string;
  Component: ComponentType;
  call: CallDeclaration;
  /** The button that opens the form's dialog. */
  opener?: string;
  values: Record<string, string>;
  submit: string;
  /** The message after sending. */
  sent: string;
}

const general = 'Something went wrong. Please try again.';
const address = { 'University email': 'ada@usc.edu' };
const forms: PublicFormCase[] = [
  {
    path: '/safety',
    Component: Safety,
    call: calls.sendReport,
    values: { Subject: 'Odd seller', Details: 'Asked me to wire money.' },
    submit: 'Submit Report',
    sent: 'Report Submitted',
  },
  {
    path: '/contact',
    Component: Contact,
    call: calls.sendContact,
    values: { Name: 'Ada', ...address, Message: 'The heart is upside down.' },
    submit: 'Send Message',
    sent: 'Message Received!',
  },
  {
    path: '/privacy',
    Component: Privacy,
    call: calls.requestDataDeletion,
    opener: 'Request Data Deletion',
    values: address,
    submit: 'Submit Request',
    sent: 'Request Submitted',
  },
];

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const see = (text: string) => expect.element(page.getByText(text, { exact: false }).last()).toBeVisible();

test.each(forms)(
  'the form on $path says what is missing and what failed, keeps the input, and thanks',
  async ({ path, Component, call, opener, values, submit, sent }) => {
    await openScreen(path, { [path]: Component });
    if (opener) await page.getByRole('button', { name: opener }).first().click();
    const send = () => page.getByRole('button', { name: submit }).click();
    const first = field(Object.keys(values)[0] ?? '');
    await first.click();
    await send();
    await expect.element(first).toHaveAttribute('aria-invalid', 'true');
    await expect.element(first).toHaveFocus();
    expect(await listViolations()).toEqual([]);
    for (const [label, value] of Object.entries(values)) await field(label).fill(value);
    if (path === '/contact') await page.getByRole('combobox', { name: 'Topic' }).selectOptions('Bug Report');
    const limit = 'Too many requests. Try again in 12 minutes, or write to support@usc.edu.';
    for (const [failure, text] of [
      [refuse('internal'), general],
      [refuse('rate_limited', { error: limit }), limit],
      [networkFailure(), general],
    ] as const) {
      api.answer(call, () => {
        throw failure;
      });
      await send();
      await see(text);
      for (const [label, value] of Object.entries(values))
        await expect.element(field(label)).toHaveValue(value);
      for (const close of page.getByRole('button', { name: 'Close toast' }).elements())
        (close as HTMLElement).click();
      await expect.element(page.getByText(text)).not.toBeInTheDocument();
    }
    api.answer(call, { success: true } as never);
    await send();
    await see(sent);
  },
);

test('every text of the specification about the forms of the pages to read was shown', () => {
  expect(listMissing(publicFormTexts)).toEqual([]);
});
