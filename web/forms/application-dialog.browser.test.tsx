import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus } from '#contract/campus.ts';
import { JobApplicationDialog } from './application-dialog.tsx';

test('an application that is opened again says that the resume has to be chosen again', async () => {
  const open = () =>
    render(<JobApplicationDialog campus={defaultCampus} opening="Campus Ambassador" onClose={vi.fn()} />);
  const resume = page.getByLabelText('Resume');
  const notice = page.getByText('Please choose your resume again');
  const name = page.getByRole('textbox', { name: 'Name' });
  const { unmount } = await open();
  await expect.element(notice).not.toBeInTheDocument();
  await resume.upload(new File(['%PDF'], 'my-resume.pdf', { type: 'application/pdf' }));
  await name.fill('Ada');
  await unmount();

  const again = await open();
  await expect.element(notice).toBeVisible();
  await expect.element(page.getByText('my-resume.pdf')).toBeVisible();
  await name.fill('Ada Lovelace');
  await again.unmount();

  await open();
  await expect.element(name).toHaveValue('Ada Lovelace');
  await expect.element(notice).toBeVisible();
  await resume.upload(new File(['%PDF'], 'newer.pdf', { type: 'application/pdf' }));
  await expect.element(notice).not.toBeInTheDocument();
});
