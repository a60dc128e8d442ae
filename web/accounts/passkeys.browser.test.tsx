import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { signOnProviderName } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { getAuthClient } from '#web/lib/session.ts';
import Login from '#web/routes/login.tsx';
import { createTestApi, undeclaredCalls } from '#web/testing/api.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { createTestSession, signIn, signOut, storeSession } from '#web/testing/session.ts';
import { PasskeySettings } from './passkey-settings.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import { SecondFactorNeeded } from './second-factor-needed.tsx';
import { SignOnSettings } from './sign-on-settings.tsx';

const api = createTestApi();
const challenge = { challenge_id: 'c-1', expires_at: 0, options: { challenge: 'AAAA', rpId: 'localhost' } };
const laptop = { id: 'p-1', friendly_name: 'My laptop', created_at: '2026-11-01T10:00:00Z' };
const namedSession = () => {
  const session = createTestSession();
  return { ...session, user: { ...session.user, user_metadata: { full_name: 'Lea Learner' } } };
};
const refuse =
  (status: number, code: string, message = 'refused') =>
  (): never => {
    throw Response.json({ code, message }, { status, headers: { 'x-supabase-api-version': '2024-01-01' } });
  };
/** What the browser returns for a passkey that the person has chosen. */
const chosen = (): Credential =>
  Object.assign(Object.create(PublicKeyCredential.prototype), { toJSON: () => ({ id: 'p' }) });
const mockBrowser = (method: 'get' | 'create') => {
  const mock = vi.spyOn(navigator.credentials, method);
  onTestFinished(() => mock.mockRestore());
  return mock;
};
const suggests = (isAvailable: boolean) =>
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(isAvailable);

beforeEach(() => {
  signOut();
  suggests(false);
  localStorage.removeItem('quad.passkey-offered');
});
afterEach(() => void vi.restoreAllMocks());

const see = (text: string) => expect.element(page.getByText(text, { exact: true }).last()).toBeVisible();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const openLogin = () => openScreen('/login?from=%2Fmessages', { '/login': Login });
const openSettings = () =>
  openScreen('/settings', { '/settings': () => <PasskeySettings ownId="ada" email="ada@usc.edu" /> });

test('each failure of a log-in by passkey is a calm sentence, after which it can be tried again', async () => {
  const get = mockBrowser('get');
  await openLogin();
  await button('Log in with a passkey').click();
  await see('Service unavailable, please retry shortly.');
  api.answer(undeclaredCalls.startPasskeyLogIn, challenge);
  for (const [name, sentence] of [
    ['NotAllowedError', 'No passkey was used. You can try again at any time.'],
    ['NotSupportedError', 'This browser cannot use passkeys here.'],
  ] as const) {
    get.mockRejectedValueOnce(new DOMException('', name));
    await button('Log in with a passkey').click();
    await see(sentence);
  }
  get.mockResolvedValue(chosen());
  const unknown = 'This passkey belongs to no account here. Please log in another way.';
  api.answer(undeclaredCalls.finishPasskeyLogIn, refuse(404, 'webauthn_credential_not_found', unknown));
  await button('Log in with a passkey').click();
  await see(unknown);
  api.answer(undeclaredCalls.finishPasskeyLogIn, namedSession);
  await button('Log in with a passkey').click();
  await expect.element(address).toHaveTextContent('/messages');
});

test('suggests passkeys in the email field, and again after one that came too late', async () => {
  suggests(true);
  const waiting = Promise.withResolvers<Credential>();
  const get = mockBrowser('get').mockReturnValueOnce(waiting.promise).mockResolvedValue(chosen());
  api.answer(undeclaredCalls.startPasskeyLogIn, challenge);
  const late = 'This took too long. Please try again.';
  api.answer(undeclaredCalls.finishPasskeyLogIn, refuse(400, 'webauthn_challenge_expired', late));
  await openLogin();
  await expect
    .element(page.getByRole('textbox', { name: 'Email' }))
    .toHaveAttribute('autocomplete', 'username webauthn');
  await vi.waitFor(() => expect(get).toHaveBeenCalledOnce());
  expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' });
  api.answer(undeclaredCalls.finishPasskeyLogIn, () => {
    if (get.mock.calls.length < 2) return refuse(400, 'webauthn_challenge_expired', late)();
    return namedSession();
  });
  waiting.resolve(chosen());
  await see(late);
  await expect.element(address).toHaveTextContent('/messages');
});

test('a browser without passkeys shows no button', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  await openLogin();
  await expect.element(button('Email me a code')).toBeVisible();
  await expect.element(button('Log in with a passkey')).not.toBeInTheDocument();
});

test('after a log-in by password, offers a passkey once', async () => {
  vi.spyOn(PublicKeyCredential, 'isUserVerifyingPlatformAuthenticatorAvailable').mockResolvedValue(true);
  api.answer(calls.loginPassword, { authPassword: 'one-time', passwordNeeded: false });
  api.answer(undeclaredCalls.createSession, namedSession);
  api.answer(undeclaredCalls.listPasskeys, []);
  const logIn = async () => {
    signOut();
    const screen = await openLogin();
    await page.getByRole('textbox', { name: 'Email' }).fill('lea@usc.edu');
    await page.getByRole('textbox', { name: 'Password' }).fill('cardinal-and-gold-1');
    await button('Log In').click();
    await expect.element(address).toHaveTextContent('/messages');
    return screen;
  };
  const screen = await logIn();
  // The log-in was not a recent proof.
  const confirm = 'Please confirm that it is you.';
  api.answer(undeclaredCalls.startPasskeyRegistration, refuse(400, 'reauthentication_needed', confirm));
  await button('Add a passkey').click();
  await see('Add your passkey in Settings');
  await button('Open Settings').click();
  await expect.element(address).toHaveTextContent('/profile?tab=settings&page=security');
  await screen.unmount();
  await logIn();
  await expect.element(button('Add a passkey')).not.toBeInTheDocument();
  expect(api.listRequests(undeclaredCalls.listPasskeys)).toHaveLength(1);
});

test('Settings lists, renames and removes passkeys, and asks who it is if the log-in is long ago', async () => {
  signIn();
  api.answer(undeclaredCalls.listPasskeys, [laptop]);
  api.answer(undeclaredCalls.renamePasskey, laptop);
  api.answer(undeclaredCalls.removePasskey, refuse(400, 'reauthentication_needed'));
  await openSettings();
  await see('My laptop');
  await button('Rename My laptop').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
  await button('Save').click();
  await see('Passkey renamed');
  expect(api.listRequests(undeclaredCalls.renamePasskey)).toMatchObject([
    { params: { id: 'p-1' }, body: { friendly_name: 'Old laptop' } },
  ]);
  await button('Remove My laptop').click();
  await button('Remove').click();
  await expect.element(page.getByRole('textbox', { name: 'Your password' })).toBeVisible();
  api.answer(calls.reauthenticate, { success: true });
  api.answer(undeclaredCalls.removePasskey, {});
  api.answer(undeclaredCalls.listPasskeys, []);
  await page.getByRole('textbox', { name: 'Your password' }).fill('cardinal-and-gold-1');
  await button('Continue').click();
  await see('Passkey removed');
  await expect.element(page.getByText('My laptop')).not.toBeInTheDocument();
});

test.each([
  ['InvalidStateError', 'This device already has a passkey for your account.'],
  ['NotAllowedError', 'No passkey was used. You can try again at any time.'],
])('Settings explains why a passkey was not added (%s)', async (name, sentence) => {
  signIn();
  api.answer(undeclaredCalls.listPasskeys, []);
  api.answer(undeclaredCalls.startPasskeyRegistration, {
    ...challenge,
    options: {
      ...challenge.options,
      rp: { name: 'Quad' },
      user: { id: 'AAAA', name: 'ada', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    },
  });
  mockBrowser('create').mockRejectedValue(new DOMException('', name));
  await openSettings();
  await button('Add a passkey').click();
  await see(sentence);
  await expect.element(button('Add a passkey')).toBeEnabled();
});

/** The session after the check of a passkey, with a token that the Supabase client can read. */
const provedSession = () => {
  const session = namedSession();
  const [header, claims] = [{ alg: 'ES256' }, { exp: session.expires_at }].map((part) =>
    btoa(JSON.stringify(part)).replaceAll('=', ''),
  );
  return { ...session, access_token: `${header}.${claims}.AAAA` };
};
/** Lets the server send a challenge, and the browser return a passkey. */
const usesPasskey = () => {
  api.answer(undeclaredCalls.startPasskeyLogIn, challenge);
  return mockBrowser('get').mockResolvedValue(chosen());
};
const openDialog = (onProved = vi.fn()) => {
  signIn();
  return openScreen('/settings', {
    '/settings': () => <ReauthenticationForm email="ada@usc.edu" onProved={onProved} />,
  });
};

test('a passkey shows that it is the person, after failures that can be tried again', async () => {
  api.answer(undeclaredCalls.listPasskeys, [laptop]);
  const get = usesPasskey();
  const onProved = vi.fn();
  await openDialog(onProved);
  get.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  await button('Use a passkey').click();
  await see('No passkey was used. You can try again at any time.');
  const other = 'This passkey belongs to another account. Please choose another one.';
  api.answer(undeclaredCalls.provePasskey, refuse(400, 'webauthn_verification_failed', other));
  await button('Use a passkey').click();
  await see(other);
  expect(onProved).not.toHaveBeenCalled();
  const renewed = provedSession();
  api.answer(undeclaredCalls.provePasskey, renewed);
  api.answer(undeclaredCalls.getAuthUser, renewed.user as never);
  await button('Use a passkey').click();
  await expect.poll(() => onProved).toHaveBeenCalledOnce();
  expect(api.listRequests(undeclaredCalls.provePasskey).at(-1)).toMatchObject({
    body: { challenge_id: 'c-1', credential: { id: 'p' } },
  });
});

test('an account without passkeys, and a browser that cannot use them here, offer no passkey', async () => {
  api.answer(undeclaredCalls.listPasskeys, []);
  const screen = await openDialog();
  await expect.element(button('Email me a code')).toBeVisible();
  await expect.poll(() => api.listRequests(undeclaredCalls.listPasskeys)).toHaveLength(1);
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
  await screen.unmount();
  vi.stubGlobal('PublicKeyCredential', undefined);
  await openDialog();
  await expect.element(button('Email me a code')).toBeVisible();
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
});

test('the sign-on of the university is offered as a proof where it is connected, beside the other ways', async () => {
  const campus = { ...defaultCampus, signOn: { name: 'USC NetID', isRequired: false, isOnlySignUp: false } };
  api.answer(undeclaredCalls.listPasskeys, []);
  const open = async (identities: object[]) => {
    const session = createTestSession();
    storeSession({ ...session, user: { ...session.user, identities } });
    const form = () => <ReauthenticationForm email="ada@usc.edu" onProved={vi.fn()} />;
    const screen = await openScreen('/settings', { '/settings': form }, campus);
    await expect.element(button('Email me a code')).toBeVisible();
    return screen;
  };
  const screen = await open([]);
  await expect.element(button('Continue with USC NetID')).not.toBeInTheDocument();
  await screen.unmount();
  await open([{ identity_id: 'i-1', provider: signOnProviderName }]);
  const client = await getAuthClient();
  const proves = vi.spyOn(client, 'linkIdentity');
  const logsIn = vi.spyOn(client, 'signInWithOAuth');
  const data = { provider: 'custom:campus', url: '' };
  logsIn.mockResolvedValue({ data, error: null } as never);
  proves.mockResolvedValueOnce({ data, error: null } as never);
  await button('Continue with USC NetID').click();
  // Of the session that is open, and with credentials.
  const forced = [{ options: { queryParams: { prompt: 'login' } } }];
  await vi.waitFor(() => expect(proves.mock.calls).toMatchObject([forced]));
  await expect.element(button('Continue with USC NetID')).toHaveAttribute('aria-busy', 'true');
  await expect.element(page.getByText(/By continuing, you agree/)).not.toBeInTheDocument();
  window.dispatchEvent(new Event('pageshow'));
  await expect.element(button('Continue with USC NetID')).not.toHaveAttribute('aria-busy', 'true');

  // An administrator has disconnected the account since the session was last refreshed.
  proves.mockResolvedValueOnce({ data, error: { code: 'identity_not_found' } } as never);
  expect(logsIn).not.toHaveBeenCalled();
  await button('Continue with USC NetID').click();
  await vi.waitFor(() => expect(logsIn.mock.calls).toMatchObject([forced]));
  await expect.element(button('Continue with USC NetID')).toHaveAttribute('aria-busy', 'true');
  window.dispatchEvent(new Event('pageshow'));
  await expect.element(button('Continue with USC NetID')).not.toHaveAttribute('aria-busy', 'true');
});

test('a passkey is the second step of a log-in of an account that has one', async () => {
  const session = namedSession();
  const wait = (has_passkeys: boolean) => {
    const app_metadata = { awaits_second_factor: true, has_passkeys };
    storeSession({ ...session, user: { ...session.user, app_metadata } });
  };
  wait(false);
  const screen = await openLogin();
  await expect.element(button('Use a recovery code')).toBeVisible();
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
  await screen.unmount();
  wait(true);
  usesPasskey();
  const proved = provedSession();
  api.answer(undeclaredCalls.provePasskey, proved);
  api.answer(undeclaredCalls.getAuthUser, proved.user as never);
  await openLogin();
  await button('Use a passkey').click();
  await expect.element(address).toHaveTextContent('/messages');
});

test.each([
  ['Disconnect', <SignOnSettings key="" email="ada@home.example" />, undeclaredCalls.disconnectSignOn],
  [
    'Add a passkey',
    <PasskeySettings key="" ownId="ada" email="ada@home.example" />,
    undeclaredCalls.startPasskeyRegistration,
  ],
] as const)(
  '“%s” asks the console’s staff for the second step, and goes on after it',
  async (name, settings, call) => {
    const session = createTestSession();
    const identities = [{ identity_id: 'i-1', provider: signOnProviderName }];
    storeSession({ ...session, user: { ...session.user, identities } });
    api.answer(undeclaredCalls.listPasskeys, [laptop]);
    usesPasskey();
    const proved = provedSession();
    api.answer(undeclaredCalls.getAuthUser, { ...proved.user, identities } as never);
    api.answer(undeclaredCalls.provePasskey, proved);
    api.answer(call, refuse(401, 'insufficient_aal'));
    const campus = {
      ...defaultCampus,
      signOn: { name: 'USC NetID', isRequired: false, isOnlySignUp: false },
    };
    await openScreen('/settings', { '/settings': () => settings }, campus);
    await button(name).click();
    await expect.element(page.getByText(/this change needs your passkey/)).toBeVisible();
    expect(api.listRequests(call)).toHaveLength(1);
    // The log-in was long ago, too.
    api.answer(call, refuse(400, 'reauthentication_needed'));
    await button('Use a passkey').click();
    await expect.element(page.getByText('Before this change, please show that it is you.')).toBeVisible();
    expect(api.listRequests(call)).toHaveLength(2);
  },
);

test('the console asks for the passkey of an account that has one, and otherwise names two-step verification', async () => {
  const session = createTestSession();
  const onProved = vi.fn();
  const open = (has_passkeys: boolean) => {
    storeSession({ ...session, user: { ...session.user, app_metadata: { has_passkeys } } });
    return openScreen('/moderation', { '/moderation': () => <SecondFactorNeeded onProved={onProved} /> });
  };
  const screen = await open(false);
  await expect.element(page.getByRole('link', { name: 'Open Settings' })).toBeVisible();
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
  await screen.unmount();
  await open(true);
  await expect.element(page.getByRole('link', { name: 'Open Settings' })).not.toBeInTheDocument();
  usesPasskey();
  const proved = provedSession();
  api.answer(undeclaredCalls.provePasskey, proved);
  api.answer(undeclaredCalls.getAuthUser, proved.user as never);
  await button('Use a passkey').click();
  await vi.waitFor(() => expect(onProved).toHaveBeenCalledOnce());
});
