import { request as httpRequest } from 'node:http';
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test';
import { codeIn } from './support/mail-server.ts';
import { type Quad, startQuad } from './support/quad.ts';
import { openAccount, ownPassword, signUp } from './support/sign-in.ts';

let quad: Quad;
test.beforeAll(async () => {
  quad = await startQuad();
});
test.afterAll(() => quad.stop());

const tooMany = 'Too many requests. Try again in a few minutes.';
const rateLimited = { status: 429, json: { error: tooMany, code: 'rate_limited' } };
const tooCommon = 'This password is too common and easy to guess';

let context: BrowserContext;
let page: Page;
test.beforeEach(async ({ browser }) => {
  context = await browser.newContext({ baseURL: quad.url, permissions: ['clipboard-write'] });
  page = await context.newPage();
});
test.afterEach(() => context.close());

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const says = (text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible();
const call = (name: string) => `**/functions/v1/${name}`;
const code = () => page.getByLabel('Verification code');

/** Stops the page's clock; from then on it runs only when told to. */
const stopClock = () => page.clock.pauseAt(Date.now() + 5_000);

const fillSignUp = async (email: string, password = ownPassword): Promise<void> => {
  await field('Full name').fill('Ada Student');
  await field('Email').fill(email);
  await field('Password').fill(password);
  await field('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: /Terms/ }).check();
};
const expectSignUpKept = async (email: string): Promise<void> => {
  await expect(field('Full name')).toHaveValue('Ada Student');
  await expect(field('Email')).toHaveValue(email);
  await expect(field('Password')).toHaveValue(ownPassword);
  await expect(field('Confirm password')).toHaveValue(ownPassword);
  await expect(page.getByRole('checkbox', { name: /Terms/ })).toBeChecked();
};
const logIn = async (email: string, password = ownPassword): Promise<void> => {
  await field('Email').fill(email);
  await field('Password').fill(password);
  await button('Log In').click();
};
const signIn = async (email: string): Promise<void> => {
  const session = await openAccount(quad, email);
  await context.addInitScript((stored) => {
    if (!sessionStorage.getItem('begun')) localStorage.setItem('quad.session', stored);
    sessionStorage.setItem('begun', 'yes');
  }, session);
};

test('signing up names every mistake, keeps what was typed, and leads to the profile', async () => {
  await page.goto('/signup');
  await button('Create Account').click();
  await says('Please enter your full name');
  await says('Please enter a valid email address.');
  await says('Password must be at least 8 characters');
  await says('Please agree to the Terms and Privacy Policy');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms');
  await expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');

  await fillSignUp('ada@usc.edu', 'abcdefgh');
  await says('Password must contain letters and numbers');
  await says('Password strength: Weak');
  await field('Password').fill(ownPassword);
  await says('Password strength: Strong');
  await button('Create Account').click();
  await says('Passwords do not match');

  await fillSignUp('ada@usc.edu', 'Password1!');
  await says('Password strength: Weak');
  await button('Create Account').click();
  await says(tooCommon);
  await expect(field('Password')).toBeFocused();
  await expect(field('Password')).toHaveAttribute('aria-invalid', 'true');
  await expect(field('Email')).toHaveValue('ada@usc.edu');

  await fillSignUp(' ADA@usc.edu ');
  const password = field('Password');
  await expect(password).toHaveAttribute('type', 'password');
  await button('Show password').first().click();
  await expect(password).toHaveAttribute('type', 'text');
  await button('Hide password').click();
  await expect(password).toHaveAttribute('type', 'password');
  await button('Create Account').click();
  await says('Verification code sent to your email!');
  await code().fill(codeIn(await quad.mail.take('ada@usc.edu')));
  await says('Account verified successfully!');
  // A newcomer has no role yet: the profile leads on to its set-up.
  await expect(page).toHaveURL(/\/profile-setup$/);
});

test('the six boxes take digits, a pasted code and a filled-in one, and say what is wrong with a code', async () => {
  await page.goto('/signup');
  await page.clock.install();
  await fillSignUp('boxes@usc.edu');
  await button('Create Account').click();
  await expect(code()).toBeFocused();
  await expect(code()).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code()).toHaveAttribute('inputmode', 'numeric');
  const right = codeIn(await quad.mail.take('boxes@usc.edu'));
  const wrong = right === '000000' ? '111111' : '000000';

  await test.step('digits only, box after box, back with Backspace', async () => {
    await page.keyboard.type('1a2b');
    await expect(code()).toHaveValue('12');
    await page.keyboard.press('Backspace');
    await expect(code()).toHaveValue('1');
    await button('Verify').click();
    await says('Please enter all 6 digits');
    await expect(code()).toBeFocused();
  });

  await test.step('Back to Sign Up keeps the form and clears the code', async () => {
    await button('Back to Sign Up').click();
    await expectSignUpKept('boxes@usc.edu');
    await button('Create Account').click();
    await expect(code()).toHaveValue('');
  });

  await test.step('a failure keeps the code, a refusal clears it', async () => {
    await page.route(call('verify-otp'), (route) => route.abort());
    await code().fill(right);
    await says('Verification failed. Please try again.');
    await expect(code()).toHaveValue(right);
    await page.unroute(call('verify-otp'));
    await code().fill('');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await page.evaluate(
        (text) => navigator.clipboard.writeText(text),
        ` ${wrong.slice(0, 3)}-${wrong.slice(3)}`,
      );
      const refused = page.waitForResponse(call('verify-otp'));
      await code().focus();
      await page.keyboard.press('ControlOrMeta+v');
      await refused;
      await says('Invalid or expired code.');
      await expect(code()).toHaveValue('');
    }
    await code().fill(right);
    await says('Too many attempts. Request a new code.');
    await expect(code()).toHaveValue('');
  });

  await test.step('a new code can be asked for after 30 seconds, each time', async () => {
    await expect(page.getByRole('button', { name: /^Resend code in \d+s$/ })).toBeDisabled();
    await page.clock.fastForward(30_000);
    await button('Resend code').click();
    await says(tooMany);
    await page.route(call('send-verification-code'), (route) => route.abort());
    await button('Resend code').click();
    await says('Failed to resend code. Please try again.');
    await page.unroute(call('send-verification-code'));
    await page.route(call('send-verification-code'), (route) => route.fulfill({ json: { success: true } }));
    await button('Resend code').click();
    await says('New verification code sent!');
    await expect(page.getByRole('button', { name: /^Resend code in (30|29)s$/ })).toBeDisabled();
    await page.clock.fastForward(28_000);
    await expect(page.getByRole('button', { name: /^Resend code in/ })).toBeDisabled();
    await page.clock.fastForward(2_000);
    await expect(button('Resend code')).toBeEnabled();
  });
});

test('an address that has an account leads to the log-in after 2 seconds', async () => {
  await openAccount(quad, 'taken@usc.edu');
  await page.clock.install();
  await page.goto('/signup?from=%2Fmy-listings');
  await fillSignUp('Taken@usc.edu');
  await stopClock();
  const answered = page.waitForResponse(call('signup'));
  await button('Create Account').click();
  await answered;
  await expect(button('Create Account')).not.toHaveAttribute('aria-busy', 'true');
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/signup/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings$/);
  await page.clock.resume();
  await says('Account already exists. Please log in.');
});

test('logging in says what went wrong, and leads to where one wanted to go', async () => {
  await openAccount(quad, 'lea@usc.edu');
  await page.goto('/my-listings');
  await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings$/);
  await button('Log In').click();
  await says('Please enter a valid email address.');
  await says('Please enter your password');
  await logIn('nobody@usc.edu');
  await says('No account found. Please sign up.');
  await logIn('lea@usc.edu', 'not-her-password-1');
  await says('Invalid email or password');

  const answers: [Parameters<Route['fulfill']>[0], string][] = [
    [rateLimited, tooMany],
    [{ status: 400, json: { error: '', code: 'other' } }, 'Failed to log in. Please try again.'],
    [{ status: 400, json: { error: 'Not on Sundays', code: 'other' } }, 'Not on Sundays'],
    [{ json: {} }, 'Failed to create authentication session'],
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'Service unavailable, please retry shortly.'],
  ];
  for (const [answer, sentence] of answers) {
    await page.route(call('login-password'), (route) => route.fulfill(answer));
    await button('Log In').click();
    await says(sentence);
    await expect(field('Email')).toHaveValue('lea@usc.edu');
    await expect(field('Password')).toHaveValue('not-her-password-1');
    await page.unroute(call('login-password'));
  }
  await logIn(' LEA@usc.edu ');
  await expect(page).toHaveURL(/\/my-listings$/);

  await test.step('who is logged in sees no account form', async () => {
    await page.goto('/login');
    await expect(page).toHaveURL(/\/$/);
    await page.goto('/login?from=%2Fmessages');
    await expect(page).toHaveURL(/\/messages$/);
    await page.goto('/login?from=%2F%2Fevil.example');
    await expect(page).toHaveURL(new RegExp(`^${quad.url}/$`));
    await page.goto('/signup');
    await expect(page).toHaveURL(/\/profile-setup$/);
    await page.goto('/auth/callback');
    await expect(page).toHaveURL(/\/$/);
  });
});

test('logging in before the address is confirmed asks for the code, which logs in', async () => {
  const mailed = await signUp(quad, 'late@usc.edu');
  await page.goto('/login');
  await logIn('late@usc.edu');
  await says('Please verify your email. Check your inbox for the verification code.');
  await code().fill(mailed);
  await expect(page).toHaveURL(/\/$/);
  await expect(button('Account menu of Sam Student')).toBeVisible();
});

test('a code by email logs in without a password', async () => {
  await openAccount(quad, 'coda@usc.edu');
  await page.goto('/login');
  await button('Email me a code').click();
  await says('Please enter a valid email address.');
  await field('Email').fill('coda@usc.edu');
  await page.route(call('send-otp'), (route) => route.abort());
  await button('Email me a code').click();
  await says('Service unavailable, please retry shortly.');
  await page.unroute(call('send-otp'));
  // The sign-up's own code is younger than half a minute.
  await button('Email me a code').click();
  await says(tooMany);
  await field('Email').fill('coda-2@usc.edu');
  await button('Email me a code').click();
  await says('Verification code sent to your email!');
  await code().fill('123456');
  await says('Invalid or expired code.');
  await button('Back to Log In').click();
  await expect(field('Email')).toHaveValue('coda-2@usc.edu');
});

test('a forgotten password is replaced by way of the mailed link', async () => {
  await signIn('rex@usc.edu');
  await page.goto('/profile-setup');
  await expect(page.getByLabel('Full name')).toBeVisible();

  await test.step('the link is asked for', async () => {
    await page.goto('/forgot-password');
    await expect(page.getByRole('link', { name: 'Back to Log In' })).toHaveAttribute('href', '/login');
    await field('Email').fill('rex@example.com');
    await button('Send Reset Link').click();
    await says('Only @usc.edu email addresses are allowed.');
    await field('Email').fill('REX@usc.edu');
    await page.route(call('forgot-password'), (route) => route.fulfill(rateLimited));
    await button('Send Reset Link').click();
    await says(tooMany);
    await page.unroute(call('forgot-password'));
    await page.route(call('forgot-password'), (route) => route.abort());
    await button('Send Reset Link').click();
    await says('Failed to send reset email. Please try again.');
    await expect(field('Email')).toHaveValue('REX@usc.edu');
    await page.unroute(call('forgot-password'));
    await button('Send Reset Link').click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await says('If this USC email exists, a reset link has been sent.');
    await expect(page.getByRole('link', { name: 'Back to Log In' })).toBeVisible();
  });

  const mail = await quad.mail.take('rex@usc.edu');
  const [link = ''] = /http\S+\/reset-password\/\S+/.exec(mail.text ?? '') ?? [];
  expect(link.startsWith(`${quad.url}/`)).toBe(true);

  await test.step('the new password obeys the rules of the first', async () => {
    await page.clock.install();
    await page.goto(link);
    await button('Update Password').click();
    await says('Password must be at least 8 characters');
    await field('New password').fill('gold-and-cardinal-2');
    await says('Password strength: Strong');
    await field('Confirm new password').fill('something-else-3');
    await button('Update Password').click();
    await says('Passwords do not match');
    await field('New password').fill('qwerty123');
    await field('Confirm new password').fill('qwerty123');
    await button('Update Password').click();
    await says(tooCommon);
    await page.route(call('reset-password'), (route) => route.fulfill({ status: 500, body: 'no' }));
    await field('New password').fill('gold-and-cardinal-2');
    await field('Confirm new password').fill('gold-and-cardinal-2');
    await button('Update Password').click();
    await expect(page.getByRole('alert')).toContainText('Failed to reset password. Please try again.');
    await expect(field('New password')).toHaveValue('gold-and-cardinal-2');
    await page.unroute(call('reset-password'));
  });

  await test.step('success stays 3 seconds, and the earlier session is over', async () => {
    await stopClock();
    await button('Update Password').click();
    await expect(page.getByRole('heading', { name: 'Password updated' })).toBeVisible();
    await expect(page.getByRole('status').getByText('Password updated successfully!')).toBeVisible();
    await page.clock.runFor(2900);
    await expect(page).toHaveURL(/\/reset-password\//);
    await page.clock.runFor(200);
    await expect(page).toHaveURL(/\/login$/);
    await expect(button('Log In')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('quad.session'))).toBeNull();
    await page.clock.resume();
  });

  await test.step('the link works once, and none is no link', async () => {
    await page.goto(link);
    await field('New password').fill('another-password-3');
    await field('Confirm new password').fill('another-password-3');
    await button('Update Password').click();
    await expect(page.getByRole('alert')).toContainText(
      'This link is invalid or has expired. Request a new reset email.',
    );
    await page.goto('/reset-password');
    await expect(page.getByRole('alert')).toContainText('Invalid reset link');
    await page.goto('/login');
    await logIn('rex@usc.edu', 'gold-and-cardinal-2');
    await expect(page).toHaveURL(/\/$/);
  });
});

test('promise 10: whatever host the request names, the link is that of this site', async () => {
  await openAccount(quad, 'host@usc.edu');
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(`${quad.url}/functions/v1/forgot-password`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'content-type': 'application/json',
      },
    });
    sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
    sent.end(JSON.stringify({ email: 'host@usc.edu' }));
  });
  expect(status).toBe(200);
  const { text, html } = await quad.mail.take('host@usc.edu');
  expect(text).toContain(`${quad.url}/reset-password/`);
  expect(`${text}${html}`).not.toContain('evil.example');
});

test('the callback waits, and goes home once a session is there', async () => {
  const session = await openAccount(quad, 'call@usc.edu');
  await page.goto('/about');
  await page.goto('/auth/callback');
  await says('Completing sign in...');
  const other = await context.newPage();
  await other.goto('/about');
  await other.evaluate((stored) => localStorage.setItem('quad.session', stored), session);
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

const forms: {
  path: string;
  name: string;
  fill: () => Promise<void>;
  kept: () => Promise<void>;
  send: string;
  failure: string;
  unreachable?: string;
}[] = [
  {
    path: '/login',
    name: 'login-password',
    fill: async () => {
      await field('Email').fill('kim@usc.edu');
      await field('Password').fill(ownPassword);
    },
    kept: async () => {
      await expect(field('Email')).toHaveValue('kim@usc.edu');
      await expect(field('Password')).toHaveValue(ownPassword);
    },
    send: 'Log In',
    failure: 'Something went wrong. Please try again.',
    unreachable: 'Service unavailable, please retry shortly.',
  },
  {
    path: '/signup',
    name: 'signup',
    fill: () => fillSignUp('kim@usc.edu'),
    kept: () => expectSignUpKept('kim@usc.edu'),
    send: 'Create Account',
    failure: 'Failed to create account. Please try again.',
  },
  {
    path: '/forgot-password',
    name: 'forgot-password',
    fill: () => field('Email').fill('kim@usc.edu'),
    kept: () => expect(field('Email')).toHaveValue('kim@usc.edu'),
    send: 'Send Reset Link',
    failure: 'Failed to send reset email. Please try again.',
  },
  {
    path: '/reset-password/some-token',
    name: 'reset-password',
    fill: async () => {
      await field('New password').fill(ownPassword);
      await field('Confirm new password').fill(ownPassword);
    },
    kept: async () => {
      await expect(field('New password')).toHaveValue(ownPassword);
      await expect(field('Confirm new password')).toHaveValue(ownPassword);
    },
    send: 'Update Password',
    failure: 'Failed to reset password. Please try again.',
  },
];

for (const form of forms) {
  test(`${form.path} keeps what was typed, and says so, while the server is away, failing or slow`, async () => {
    const unreachable = form.unreachable ?? form.failure;
    await page.goto(form.path, { waitUntil: 'networkidle' });
    await form.fill();

    // First of all: nothing that a failure needs may have to be fetched.
    await context.setOffline(true);
    await button(form.send).click();
    await expect(page.getByText(unreachable).last()).toBeVisible();
    await form.kept();
    await context.setOffline(false);
    await page.reload();
    await form.fill();

    const internal = { error: 'Something went wrong. Please try again.', code: 'internal' };
    for (const [status, json, sentence] of [
      [500, internal, form.failure],
      [503, { error: 'x', code: 'unavailable' }, unreachable],
    ] as const) {
      let answer: () => void = () => {};
      const slow = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(call(form.name), async (route) => {
        await slow;
        await route.fulfill({ status, json });
      });
      const asked = page.waitForRequest(call(form.name));
      await button(form.send).click();
      await asked;
      await expect(button(form.send)).toHaveAttribute('aria-disabled', 'true');
      await form.kept();
      answer();
      await expect(page.getByText(sentence).last()).toBeVisible();
      await expect(button(form.send)).not.toHaveAttribute('aria-disabled', 'true');
      await form.kept();
      await page.unroute(call(form.name));
    }
  });
}
