import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const actionMocks = vi.hoisted(() => ({
  createRecoveryCodes: vi.fn(),
  startAuthenticatorSetup: vi.fn(),
  finishAuthenticatorSetup: vi.fn(),
  turnOffTwoStepVerification: vi.fn(),
}));
vi.mock('./second-factor-actions.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./second-factor-actions.ts')>()),
  ...actionMocks,
}));
const sendMock = vi.hoisted(() => vi.fn());
vi.mock('./session-actions.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./session-actions.ts')>()),
  sendOTP: sendMock,
}));
vi.mock('#web/lib/use-campus.ts', () => ({ useCampus: () => ({ siteName: 'Quad' }) }));

const { TwoStepDialog } = await import('./two-step-dialog.tsx');

const dialog = page.getByRole('dialog');
const codeList = page.getByRole('list', { name: 'Recovery codes' });
const onChanged = vi.fn();
const onClose = vi.fn();

/** Renders the dialog like the settings, which remove it when it closes. */
const openDialog = async (task: Parameters<typeof TwoStepDialog>[0]['task']) => {
  const screen = await render(
    <TwoStepDialog task={task} email="ada@usc.edu" onChanged={onChanged} onClose={onClose} />,
  );
  onClose.mockImplementation(() => void screen.unmount());
};

beforeEach(() => {
  for (const mock of [onChanged, onClose, ...Object.values(actionMocks)]) mock.mockReset();
});

test('stays open while recovery codes are created, because they are shown only once', async () => {
  const created = Promise.withResolvers<object>();
  actionMocks.createRecoveryCodes.mockReturnValue(created.promise);
  await openDialog({ name: 'codes', hasCodes: true });
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Close' }).click();
  expect(onClose).not.toHaveBeenCalled();
  created.resolve({ value: ['abcdefgh'] });
  await expect.element(codeList).toHaveTextContent('abcd-efgh');
  expect(onChanged).toHaveBeenCalledOnce();
  await page.getByRole('button', { name: 'I saved them' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('creates no recovery codes if it was closed while the first code from the app was verified', async () => {
  const checked = Promise.withResolvers<object>();
  actionMocks.startAuthenticatorSetup.mockResolvedValue({
    value: { factorId: 'factor', qrCode: 'data:image/svg+xml,<svg/>', secret: 'ABCDEFGH' },
  });
  actionMocks.finishAuthenticatorSetup.mockReturnValue(checked.promise);
  await openDialog({ name: 'set up' });
  await page.getByRole('textbox').fill('123456');
  await expect.poll(() => actionMocks.finishAuthenticatorSetup.mock.calls.length).toBe(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(onChanged).not.toHaveBeenCalled();
  checked.resolve({ value: {} });
  await expect.poll(() => onChanged.mock.calls.length).toBe(1);
  expect(actionMocks.createRecoveryCodes).not.toHaveBeenCalled();
});

test('reports no change while it only asks the person to confirm their identity', async () => {
  actionMocks.turnOffTwoStepVerification.mockResolvedValue({ error: { code: 'reauthentication_needed' } });
  await openDialog({ name: 'turn off', factorId: 'factor' });
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect.element(page.getByRole('button', { name: 'Email me a code' })).toBeVisible();
  expect(onChanged).not.toHaveBeenCalled();
});

test('a code that was emailed moments ago can still be entered', async () => {
  actionMocks.turnOffTwoStepVerification.mockResolvedValue({ error: { code: 'reauthentication_needed' } });
  sendMock.mockResolvedValue({ error: { code: 'rate_limited', message: 'Too many', resendAfter: 12 } });
  await openDialog({ name: 'turn off', factorId: 'factor' });
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect.element(page.getByRole('textbox', { name: /^Verification code/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Resend code in 12s' })).toBeDisabled();
});

test('recovery codes can be copied in groups of four characters', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  actionMocks.createRecoveryCodes.mockResolvedValue({ value: ['abcdefgh', 'ijklmnop'] });
  await openDialog({ name: 'codes', hasCodes: true });
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(writeText).toHaveBeenCalledExactlyOnceWith('abcd-efgh\nijkl-mnop');
});

test('asks for no passkey when two-step verification was turned off meanwhile', async () => {
  const error = { code: 'insufficient_aal', message: 'A second factor is needed.' };
  actionMocks.createRecoveryCodes.mockResolvedValue({ error });
  await openDialog({ name: 'codes', hasCodes: true });
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await expect.element(dialog.getByText(error.message)).toBeVisible();
  await expect.element(dialog.getByText(/needs your passkey/)).not.toBeInTheDocument();
  expect(onChanged).toHaveBeenCalledOnce();
});
