import { z } from 'zod';
import { type Campus, formatCampusEmailRequiredMessage, isCampusEmail } from './campus.ts';
import { removeInvisibleCharacters } from './invisible-characters.ts';
import { getFullNameSchema } from './names.ts';
import { idSchema, instantSchema } from './text.ts';

/**
 * A one-time code sent by email has 6 digits and expires after 10 minutes; a new one can be
 * requested after 30 seconds (specification §9).
 */
export const oneTimeCodeLength = 6;
export const oneTimeCodeLifetimeSeconds = 600;
export const resendCooldownSeconds = 30;
/** Maximum number of wrong attempts per one-time code. After that, the person must request a new code. */
export const maxCodeAttempts = 5;
/** Number of recovery codes in a set. Each code can be entered once instead of a second factor. */
export const recoveryCodeCount = 10;
/** A password reset link expires after 15 minutes (specification §9). */
export const resetLinkLifetimeSeconds = 900;
/**
 * How long an auth password is valid, in seconds. It is the one-time credential that a log-in function
 * returns, and that the client exchanges for a session.
 */
export const authPasswordLifetimeSeconds = 60;
/** For how many seconds after a log-in the account still recognizes the device: one year. */
export const knownDeviceLifetimeSeconds = 365 * 24 * 3600;
/** Lifetime of an access token (JWT), in seconds: one hour. */
export const accessTokenLifetimeSeconds = 3600;
/** How long clients may cache the key set that verifies access tokens (specification §12, "Key-set cache"). */
export const jwksCacheSeconds = 600;

/** The name of the university's sign-on in the GoTrue API, for `signInWithOAuth({ provider })`. */
export const signOnProviderName = 'custom:campus';

export const accountErrorMessages = {
  email: 'Please enter a valid email address.',
  passwordShort: 'Password must be at least 8 characters',
  passwordLong: 'Password must be at most 200 characters',
  passwordKinds: 'Password must contain letters and numbers',
  passwordsDiffer: 'Passwords do not match',
  passwordMissing: 'Please enter your password',
  passwordWrong: 'This password is not right',
  credentialsMissing: 'You must provide either an email or phone number and a password',
  code: 'Please enter all 6 digits',
  terms: 'Please agree to the Terms and Privacy Policy',
  resetLink: 'Invalid reset link',
  confirmIdentity: 'Please confirm that it is you.',
  recoveryCode: 'Please enter a recovery code',
} as const;

// Matches email addresses of ASCII characters only, with a dot in the domain (specification §5).
const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/**
 * Returns the text with A to Z in lower case. Leaves other characters unchanged, because
 * String.toLowerCase would turn U+212A (KELVIN SIGN) into "k" and thus one person's email address
 * into another person's.
 */
export const toAsciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Returns the schema of an email address, which is trimmed and lower-cased (specification §5); `sentence` is the error
 * message.
 */
export const createEmailSchema = (sentence: string) =>
  z
    .string({ error: sentence })
    .trim()
    .overwrite(toAsciiLowerCase)
    .max(254, sentence)
    .regex(emailPattern, sentence);

/** The schema of an account's email address, with the error messages of the account forms. */
export const emailSchema = createEmailSchema(accountErrorMessages.email);

/** A new password: at least 8 characters, with letters and digits (specification §5). */
export const newPasswordSchema = z
  .string({ error: accountErrorMessages.passwordShort })
  .min(8, accountErrorMessages.passwordShort)
  .max(200, accountErrorMessages.passwordLong)
  .refine((value) => /\p{L}/u.test(value) && /\p{Nd}/u.test(value), accountErrorMessages.passwordKinds);

const enteredPasswordSchema = z
  .string({ error: accountErrorMessages.passwordMissing })
  .min(1, accountErrorMessages.passwordMissing)
  .max(1000, accountErrorMessages.passwordMissing);

/** Maximum length of an entered code, with the characters that are removed from it. */
const maxEnteredCodeLength = 100;

/**
 * Returns a code without the spaces, hyphens and invisible characters between its characters, and with ASCII characters
 * instead of full-width ones. Emails, authenticator apps and keyboards of some languages add them.
 */
export const normalizeCode = (entered: string): string =>
  removeInvisibleCharacters(entered.normalize('NFKC')).replace(/[\s\p{Dash}]/gu, '');

/** A code of six digits, from an email or an authenticator app. */
export const oneTimeCodeSchema = z
  .string({ error: accountErrorMessages.code })
  .max(maxEnteredCodeLength, { error: accountErrorMessages.code, abort: true })
  .overwrite(normalizeCode)
  .regex(/^\d{6}$/, accountErrorMessages.code);

/**
 * Returns the schema of the `signup` body. It depends on the campus, because the schema rejects
 * full names that imitate the campus or its staff.
 */
export const createSignupSchema = (campus: Campus) =>
  z.object({
    email: emailSchema,
    password: newPasswordSchema,
    fullName: getFullNameSchema(campus),
  });

/**
 * Returns the schema of the sign-up form. It has the fields of the `signup` body, a field that repeats the
 * password, and one that accepts the terms.
 */
export const createSignupFormSchema = (campus: Campus) =>
  createSignupSchema(campus)
    .extend({
      confirmPassword: z.string({ error: accountErrorMessages.passwordsDiffer }),
      terms: z.literal(true, { error: accountErrorMessages.terms }),
    })
    .refine((form) => form.password === form.confirmPassword, {
      error: accountErrorMessages.passwordsDiffer,
      path: ['confirmPassword'],
      when: () => true,
    });

/** Body of a request to the function `send-verification-code`, which emails a new sign-up code. */
export const sendVerificationCodeSchema = z.object({ email: emailSchema });

/** Body of a request to the function `verify-otp`, which checks an emailed code. */
export const verifyOtpSchema = z.object({
  email: emailSchema,
  code: oneTimeCodeSchema,
  /**
   * The password chosen at sign-up. Clients without cookies send it with the code, to prove that the sign-up
   * was theirs.
   */
  password: enteredPasswordSchema.optional(),
  rememberMe: z.boolean().optional(),
});

/**
 * Returns the schema of the request body that adds a campus email address to a person's account. The server
 * then sends a code to this address.
 */
export const createCampusAddressSchema = (campus: Campus) =>
  z.object({
    email: emailSchema.refine(
      (email) => isCampusEmail(campus, email),
      formatCampusEmailRequiredMessage(campus),
    ),
  });

/** Request body with a recovery code, in upper or lower case. */
export const recoveryCodeSchema = z.object({
  code: z
    .string({ error: accountErrorMessages.recoveryCode })
    .max(maxEnteredCodeLength, { error: accountErrorMessages.recoveryCode, abort: true })
    .overwrite((entered) => normalizeCode(entered).toLowerCase())
    .min(1, accountErrorMessages.recoveryCode),
});

/**
 * Request body that confirms a signed-in person's identity, with either their password or a code from
 * `send-otp`.
 */
export const reauthenticationSchema = z
  .object({ password: enteredPasswordSchema.optional(), code: oneTimeCodeSchema.optional() })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
    error: accountErrorMessages.passwordMissing,
    path: ['password'],
  });

/**
 * Body of the request that verifies an added campus email address, with the code that was sent to this
 * address.
 */
export const campusAddressCodeSchema = z.object({ code: oneTimeCodeSchema });

/** Longest ticket of a log-in by the university's sign-on. */
const ticketSchema = z.string().min(1).max(200);

/** Body of a request for a code that proves the account with the address of the university's sign-on. */
export const signOnTicketSchema = z.object({ ticket: ticketSchema });
export const signOnAddressSchema = z.object({
  email: z.string(),
  /** Number of seconds until a code can be mailed again; present only when one was mailed a moment ago, instead of another. */
  resend_after: z.int().optional(),
});

/**
 * Body of the request that connects the account, with its password or the code, or that starts a new account instead, where
 * somebody added the campus address to an account that logs in with another one.
 */
export const signOnProofSchema = z
  .object({
    ticket: ticketSchema,
    password: enteredPasswordSchema.optional(),
    code: oneTimeCodeSchema.optional(),
    isNew: z.literal(true).optional(),
  })
  .refine(
    ({ password, code, isNew }) => [password, code, isNew].filter((it) => it !== undefined).length === 1,
    {
      error: accountErrorMessages.passwordMissing,
      path: ['password'],
    },
  );

/**
 * Body of requests to the functions `send-otp` and `forgot-password`. `ipAddress` is accepted for
 * compatibility and ignored.
 */
export const emailWithIpAddressSchema = z.object({
  email: emailSchema,
  ipAddress: z.string().max(255).optional(),
});

/** Body of a request to the function `login-password`, which logs in with a password. */
export const loginSchema = z.object({
  email: emailSchema,
  password: enteredPasswordSchema,
  rememberMe: z.boolean().optional(),
});

/**
 * Body of a request to the function `reset-password`, which sets a new password. `token` comes from the
 * emailed link.
 */
export const resetPasswordSchema = z.object({
  token: z
    .string({ error: accountErrorMessages.resetLink })
    .min(1, accountErrorMessages.resetLink)
    .max(200, accountErrorMessages.resetLink),
  password: newPasswordSchema,
  /** Whether to remove the passkeys of the account, too. */
  removePasskeys: z.boolean().optional(),
});

/**
 * Options of the validation rule that password and confirmation must match. `when` makes Zod check the rule
 * even when other fields are invalid.
 */
const passwordMatchRule = {
  error: accountErrorMessages.passwordsDiffer,
  path: ['confirmPassword'],
  when: () => true,
};
const passwordWithConfirmationSchema = z.object({
  password: newPasswordSchema,
  confirmPassword: z.string({ error: accountErrorMessages.passwordsDiffer }),
});

/** The form that resets a forgotten password: the new password and its confirmation. */
export const resetPasswordFormSchema = passwordWithConfirmationSchema
  .extend({ removePasskeys: z.boolean().optional() })
  .refine((form) => form.password === form.confirmPassword, passwordMatchRule);

/**
 * The form that changes the password in the settings: the current password (if the server requires it), the
 * new password and its confirmation.
 */
export const changePasswordFormSchema = passwordWithConfirmationSchema
  .extend({ currentPassword: z.string().max(1000).optional() })
  .refine((form) => form.password === form.confirmPassword, passwordMatchRule);

/**
 * Response of `verify-otp` and `login-password`. The client can exchange the one-time credential
 * `authPassword` for a session within 60 seconds.
 */
export const authPasswordResponseSchema = z.object({
  authPassword: z.string(),
  /**
   * True when the account has no password yet. The client then sets the password that the person typed in the
   * sign-up form.
   */
  passwordNeeded: z.boolean(),
});

/** Response of the call that connects an account: the one-time credential, with the address that belongs to it. */
export const connectedAccountSchema = authPasswordResponseSchema.extend({
  email: z.string(),
  /** False for an account with two-step verification, which is connected in Settings. */
  isConnected: z.boolean(),
});

/** Maximum number of sessions in the list of sessions in the settings. */
export const maxListedSessions = 100;

/** A session of the caller, as the list of sessions in the settings shows it. */
export const ownSessionSchema = z.object({
  id: idSchema,
  /**
   * Browser and system that logged in, such as "Chrome on Android". Null for sessions that are older than
   * this field.
   */
  device_name: z.string().nullable(),
  created_at: instantSchema,
  /** When the session was last refreshed, which happens once an hour while it is used. */
  last_used_at: instantSchema,
  is_current: z.boolean(),
  /** Whether the log-in of this session is incomplete, because the second factor has not been entered. */
  awaits_second_factor: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;
export const sessionListSchema = z.object({ items: z.array(ownSessionSchema) });

/** Response of calls that succeed without returning data. */
export const successResponseSchema = z.object({ success: z.literal(true) });
