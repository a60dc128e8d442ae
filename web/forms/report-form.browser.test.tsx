import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ReportForm } from './report-form.tsx';

const link = 'https://quad.example/listing/desk';
const openForm = () => render(<ReportForm subject="Overdue rental" itemLink={link} />);

test('keeps edited subject and item link of a prefilled report after a reload', async () => {
  const getField = (name: string) => page.getByRole('textbox', { name });
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
