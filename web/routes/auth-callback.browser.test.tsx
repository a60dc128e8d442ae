import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { getAuthClient } from '#web/lib/session.ts';
import { createTestApi, refuse, undeclaredCalls } from '#web/testing/api.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { createTestSession, signIn, signOut } from '#web/testing/session.ts';
import AuthCallback from './auth-callback.tsx';
import Login from './login.tsx';
import Signup from './signup.tsx';

const api = createTestApi();
const createNamedSession = () => {
  const session = createTestSession();
  return { ...session, user: { ...session.user, user_metadata: { full_name: 'Lea Learner' } } };
};
api.answer(undeclaredCalls.createSession, createNamedSession);
beforeEach(() => {
  signOut();
  // As the official client stores it before it leaves for the provider.
  localStorage.setItem('quad.session-code-verifier', JSON.stringify('the-verifier-of-this-browser'));
});
afterEach(() => void vi.useRealTimers());

const open = (path: string, isRequired = false, isOnlySignUp = false) =>
  openScreen(
    path,
    { '/login': Login, '/signup': Signup, '/auth/callback': AuthCallback },
    {
      ...defaultCampus,
      signOn: { name: 'USC NetID', isRequired, isOnlySignUp },
    },
  );
const button = (name: string) => page.getByRole('button', { name, exact: true });
const see = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const refuseSignOn = (status: number, code: string) =>
  api.answer(undeclaredCalls.createSession, () => {
    throw Response.json(
      { code, message: 'refused' },
      { status, headers: { 'x-supabase-api-version': '2024-01-01' } },
    );
  });

test('exchanges the code and goes where the person came from', async () => {
  await open('/auth/callback?code=the-code&from=%2Fmessages');
  await expect.element(address).toHaveTextContent('/messages');
  expect(api.listRequests(undeclaredCalls.createSession)).toMatchObject([
    {
      query: { grant_type: 'pkce' },
      body: { auth_code: 'the-code', code_verifier: 'the-verifier-of-this-browser' },
    },
  ]);
});

test.each([
  [
    'error=access_denied&error_code=sign_on_canceled',
    'You are not signed in, because the request was canceled.',
  ],
  ['error=server_error&error_code=sign_on_unavailable', /^USC NetID cannot be reached right now/],
  [
    'error_code=made_up&error_description=Call+555',
    'Signing in with USC NetID did not work. Please try again.',
  ],
])('promise 108: a failure (%s) ends with its reason and ways on', async (query, sentence) => {
  await open(`/auth/callback?${query}&from=%2Fmessages`);
  await see(sentence);
  await expect.element(page.getByText('Call 555')).not.toBeInTheDocument();
  await expect.element(button('Continue with USC NetID')).toBeVisible();
  await page.getByRole('link', { name: 'Log in another way' }).click();
  await expect.element(address).toHaveTextContent('/login?from=%2Fmessages');
});

test('promise 108: a refused code and a server without a response end, too', async () => {
  refuseSignOn(400, 'sign_on_failed');
  await open('/auth/callback?code=used');
  await see('Signing in with USC NetID did not work. Please try again.');
});

test('promise 108: ends within 15 seconds when nothing arrives', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await open('/auth/callback');
  vi.advanceTimersByTime(15_000);
  vi.useRealTimers();
  await see('Signing in with USC NetID did not work. Please try again.');
});

test('an account with the address is connected by a code or its password', async () => {
  refuseSignOn(409, 'account_proof_needed');
  api.answer(calls.connectSignOn, () => {
    throw refuse('code_invalid');
  });
  await open('/auth/callback?code=the-ticket&from=%2Fmessages');
  await see(/There is already an account with your address/);
  await expect
    .element(page.getByRole('link', { name: 'Log in another way' }))
    .toHaveAttribute('href', '/login?from=%2Fmessages');
  api.answer(calls.sendSignOnCode, { email: 'lea@usc.edu' });
  await button('Email me a code').click();
  await see('lea@usc.edu');
  await expect.element(button('Start a new account')).not.toBeInTheDocument();
  await page.getByLabelText(/^Verification code/).fill('000000');
  await see('Invalid or expired code.');
  api.answer(calls.connectSignOn, {
    email: 'lea@usc.edu',
    authPassword: 'one-time',
    passwordNeeded: false,
    isConnected: true,
  });
  api.answer(undeclaredCalls.createSession, createNamedSession);
  await page.getByLabelText(/^Verification code/).fill('123456');
  await expect.element(address).toHaveTextContent('/messages');
  expect(api.listRequests(calls.connectSignOn).at(-1)?.body).toEqual({
    ticket: 'the-ticket',
    code: '123456',
  });
});

test('a person whose address somebody else has added starts a new account, before or after a code was mailed', async () => {
  refuseSignOn(409, 'added_address_proof_needed');
  await open('/auth/callback?code=the-ticket&from=%2Fmessages');
  await see(/^An account that logs in with another address has your campus address/);
  await expect
    .element(page.getByText(/There is already an account with your address/))
    .not.toBeInTheDocument();
  await expect.element(button('Start a new account')).toBeVisible();
  api.answer(calls.sendSignOnCode, { email: 's…@home.example' });
  await button('Email me a code').click();
  await see(/^If the account is not yours, start a new one/);
  api.answer(calls.connectSignOn, () => {
    throw refuse('campus_address_taken');
  });
  await button('Start a new account').click();
  await see(/^This address belongs to another account/);
  const account = {
    email: 'lea@usc.edu',
    authPassword: 'one-time',
    passwordNeeded: false,
    isConnected: true,
  };
  api.answer(calls.connectSignOn, account);
  api.answer(undeclaredCalls.createSession, createNamedSession);
  await button('Start a new account').click();
  await expect.element(address).toHaveTextContent('/messages');
  expect(api.listRequests(calls.connectSignOn).at(-1)?.body).toEqual({ ticket: 'the-ticket', isNew: true });
});

test('where the sign-on is required, only a code connects the account', async () => {
  refuseSignOn(409, 'account_proof_needed');
  await open('/auth/callback?code=the-ticket', true);
  await expect.element(button('Email me a code')).toBeVisible();
  await expect.element(page.getByLabelText(/password/)).not.toBeInTheDocument();
});

test('promise 108: a signed-in person learns why connecting failed', async () => {
  signIn();
  const back = 'from=%2Fprofile%3Ftab%3Dsettings';
  await open(`/auth/callback?error=server_error&error_code=sign_on_unavailable&${back}`);
  await see(/^USC NetID cannot be reached right now/);
  await see('That did not work');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect.element(address).toHaveTextContent('/profile?tab=settings');
});

test.each([
  [409, 'sign_on_other_person', 'This is not the USC NetID of your account. Try again with yours.'],
  [400, 'sign_on_not_proved', /^USC NetID did not say that you entered your password just now/],
] as const)(
  'a signed-in person learns why the sign-on proves nothing, and goes back',
  async (status, code, sentence) => {
    signIn();
    refuseSignOn(status, code);
    await open('/auth/callback?code=the-code&from=%2Fprofile%3Ftab%3Dsettings');
    await see(sentence);
    await page.getByRole('link', { name: 'Back' }).click();
    await expect.element(address).toHaveTextContent('/profile?tab=settings');
  },
);

test('a signed-in person who canceled is back where they came from', async () => {
  signIn();
  await open('/auth/callback?error=access_denied&error_code=sign_on_canceled&from=%2Fmessages');
  await expect.element(address).toHaveTextContent('/messages');
});

test('an account with two-step verification is told to connect in Settings', async () => {
  refuseSignOn(409, 'account_proof_needed');
  await open('/auth/callback?code=the-ticket');
  api.answer(calls.connectSignOn, {
    email: 'lea@usc.edu',
    authPassword: 'one-time',
    passwordNeeded: false,
    isConnected: false,
  });
  api.answer(undeclaredCalls.createSession, createNamedSession);
  await page.getByLabelText(/^Or your password here/).fill('a-password-1');
  await button('Connect and log in').click();
  await see('To log in with USC NetID next time, connect it in Settings.');
});

test('promise 108: the button is ready again when the person comes back by the back button', async () => {
  const client = await getAuthClient();
  const left = vi
    .spyOn(client, 'signInWithOAuth')
    .mockResolvedValue({ data: { provider: 'custom:campus', url: '' }, error: null });
  onTestFinished(() => left.mockRestore());
  await open('/login');
  await button('Continue with USC NetID').click();
  await vi.waitFor(() => expect(left).toHaveBeenCalled());
  const choice = page.getByRole('button', { name: 'Continue with USC NetID' });
  await expect.element(choice).toHaveAttribute('aria-busy', 'true');
  window.dispatchEvent(new Event('pageshow'));
  await expect.element(choice).not.toHaveAttribute('aria-busy');
});

test.each(['/login', '/signup'])('%s offers the sign-on above the form', async (path) => {
  await open(path);
  const choice = button('Continue with USC NetID');
  await expect.element(choice).toBeVisible();
  const email = page.getByRole('textbox', { name: 'Email' });
  expect(choice.element().compareDocumentPosition(email.element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test.each([
  ['/login', false, true],
  ['/signup', false, true],
  ['/login', true, true],
  ['/signup', true, false],
])('where it is required, %s shows the sign-on alone (only sign-up: %s)', async (path, isOnly, hasOthers) => {
  await open(path, true, isOnly);
  await expect.element(button('Continue with USC NetID')).toBeVisible();
  const email = page.getByRole('textbox', { name: 'Email' });
  await expect.element(email).not.toBeInTheDocument();
  if (!hasOthers) return expect.element(button('Other ways')).not.toBeInTheDocument();
  await button('Other ways').click();
  await expect.element(email).toBeVisible();
});

test('another code of the proof waits until one may be mailed', async () => {
  refuseSignOn(409, 'account_proof_needed');
  api.answer(calls.sendSignOnCode, { email: 'lea@usc.edu', resend_after: 1 });
  await open('/auth/callback?code=the-ticket');
  await button('Email me a code').click();
  await expect.element(button('Resend code')).toBeVisible();
  api.answer(calls.sendSignOnCode, { email: 'lea@usc.edu', resend_after: 9 });
  await button('Resend code').click();
  await see('We sent you a code a moment ago. Please check your email.');
  await expect.element(button('Resend code in 9s')).toBeDisabled();
  await expect.element(page.getByText('New verification code sent!')).not.toBeInTheDocument();
});

test('the button waits for the connection', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => online.mockRestore());
  await open('/auth/callback?error_code=sign_on_unavailable');
  await expect.element(button('You’re offline')).toBeDisabled();
});
