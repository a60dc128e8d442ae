import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const requestMock = vi.hoisted(() =>
  vi.fn<(call: unknown, input: { body: { client_id?: string } }) => Promise<unknown>>(),
);
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));

const { ReportForm } = await import('./report-form.tsx');

const link = 'https://quad.example/listing/desk';
const openForm = () => render(<ReportForm subject="Overdue rental" itemLink={link} />);
const getField = (name: string) => page.getByRole('textbox', { name });

test('keeps edited subject and item link of a prefilled report after a reload', async () => {
  const [subject, itemLink] = [getField('Subject'), getField('Item Link')];
  const { unmount } = await openForm();
  await expect.element(subject).toHaveValue('Overdue rental');
  await subject.fill('Drill not returned');
  await itemLink.fill(`${link}?a`);
  await unmount();

  await openForm();
  await expect.element(subject).toHaveValue('Drill not returned');
  await expect.element(itemLink).toHaveValue(`${link}?a`);
});

test('sends a form again under the same client_id, unless it was changed or has been stored', async () => {
  await openForm();
  const submit = async (details: string) => {
    await getField('Details').fill(details);
    const count = requestMock.mock.calls.length;
    await page.getByRole('button', { name: 'Submit Report' }).click();
    await expect.poll(() => requestMock.mock.calls.length).toBe(count + 1);
    return requestMock.mock.lastCall?.[1].body.client_id;
  };
  requestMock.mockRejectedValue(new Error('The response was lost'));
  const first = await submit('Asked me to wire money');
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(await submit('Asked me to wire money')).toBe(first);
  requestMock.mockResolvedValue({ success: true });
  const changed = await submit('Asked me to wire money twice');
  expect(changed).not.toBe(first);
  await expect.element(getField('Details')).toHaveValue('');
  expect([first, changed]).not.toContain(await submit('Asked me to wire money twice'));
});
