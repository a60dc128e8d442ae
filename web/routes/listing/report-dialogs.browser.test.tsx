import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const sessionMock = vi.hoisted(() => ({ user: undefined as { id: string } | undefined }));
vi.mock('#web/lib/use-session.ts', () => ({ useSession: () => sessionMock }));
vi.mock('#web/lib/use-campus.ts', () => ({ usePublicUrl: () => 'https://quad.example' }));
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: async () => ({ user_ids: [] }),
}));

const { ReportPersonButton } = await import('#web/reports/report-person.tsx');
const { ReportListingButtons } = await import('./report-listing.tsx');

const listing = { id: 'desk', slug: 'desk', user_id: 'ben', seller: { name: 'Ben' } };

test.each([
  { name: 'Report Listing', createElement: () => <ReportListingButtons listing={listing as never} /> },
  { name: 'Report Ben', createElement: () => <ReportPersonButton person={{ id: 'ben', name: 'Ben' }} /> },
])('the dialog of "$name" keeps the typed text when the session ends', async ({ name, createElement }) => {
  sessionMock.user = { id: 'ada' };
  const { rerender } = await render(createElement());
  await page.getByRole('button', { name }).click();
  const text = page.getByRole('dialog').getByRole('textbox');
  await text.fill('Asked me to wire money');
  sessionMock.user = undefined;
  await rerender(createElement());
  await expect.element(text).toHaveValue('Asked me to wire money');
});
