import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus } from '#contract/campus.ts';
import { defaultNotificationSettings } from '#contract/notifications.ts';

const useCampusMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: async () => defaultNotificationSettings,
}));
vi.mock('#web/lib/use-campus.ts', () => ({ useCampus: useCampusMock }));

const { queryClient } = await import('#web/lib/query-client.ts');
const { NotificationSettings } = await import('./notification-settings.tsx');

const openIn = (timezone: string) => {
  useCampusMock.mockReturnValue({ ...defaultCampus, timezone });
  return render(<NotificationSettings ownId="ada" hasPushDevice devices={null} />);
};
const digestHour = page.getByRole('combobox', { name: 'Daily email about saved searches' });
const quietHours = page.getByRole('group', { name: 'Quiet hours' });

beforeEach(() => queryClient.clear());

test('the hours say that they are campus time if this device shows another time', async () => {
  await openIn('Pacific/Kiritimati');
  const note = 'Times are campus time (Line Islands Time).';
  await expect.element(digestHour).toHaveAccessibleDescription(note);
  await expect.element(quietHours.getByText(note)).toBeVisible();
});

test('the hours do not mention campus time if this device shows the same time', async () => {
  await openIn(Intl.DateTimeFormat().resolvedOptions().timeZone);
  await expect.element(digestHour).toBeVisible();
  await expect.element(page.getByText(/campus time/)).not.toBeInTheDocument();
});
