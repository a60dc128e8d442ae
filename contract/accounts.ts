import { z } from 'zod';
import type { Campus } from './campus.ts';
import { fullNameSchema } from './names.ts';

/** A code has 6 digits and expires after 10 minutes; a new one can be requested after 30 seconds (specification §9). */
export const codeLength = 6;
export const codeLifetimeSeconds = 600;
export const resendCooldownSeconds = 30;
/** Maximum number of wrong attempts per code; a further attempt requires a new code. */
export const maxCodeAttempts = 5;
/** A password reset link expires after 15 minutes (specification §9). */
export const resetLifetimeSeconds = 900;
/**
 * Lifetime of an auth password: the credential that a log-in function returns and that is exchanged once for a session.
 */
export const authPasswordLifetimeSeconds = 60;
/** How long an account remembers a device after its last log-in there: a year. */
export const deviceLifetimeSeconds = 365 * 24 * 3600;
/** Lifetime of an access token (JWT): an hour. */
export const accessTokenLifetimeSeconds = 3600;
/** How long clients may cache the key set that verifies access tokens (specification §12, "Key-set cache"). */
export const jwksCacheSeconds = 600;

export const accountSentences = {
  email: 'Please enter a valid email address.',
  passwordShort: 'Password must be at least 8 characters',
  passwordLong: 'Password must be at most 200 characters',
  passwordKinds: 'Password must contain letters and numbers',
  passwordsDiffer: 'Passwords do not match',
  passwordMissing: 'Please enter your password',
  credentialsMissing: 'You must provide either an email or phone number and a password',
  code: 'Please enter all 6 digits',
  terms: 'Please agree to the Terms and Privacy Policy',
  resetLink: 'Invalid reset link',
} as const;

// Accepts ASCII on both sides of the at-sign, and requires a dot in the domain (specification §5).
const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/**
 * Returns the text with A to Z in lower case. String.toLowerCase would also turn U+212A KELVIN SIGN into "k" and
 * thereby change one person's address into another's.
 */
export const lowerCaseAscii = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Returns the schema of an email address, which is trimmed and lower-cased (specification §5); `sentence` is the error
 * message.
 */
export const emailAddressSchema = (sentence: string) =>
  z
    .string({ error: sentence })
    .trim()
    .overwrite(lowerCaseAscii)
    .max(254, sentence)
    .regex(emailPattern, sentence);

/** The email address of an account. */
export const emailSchema = emailAddressSchema(accountSentences.email);

/** A new password: at least 8 characters, with letters and digits (specification §5). */
export const newPasswordSchema = z
  .string({ error: accountSentences.passwordShort })
  .min(8, accountSentences.passwordShort)
  .max(200, accountSentences.passwordLong)
  .refine((value) => /\p{L}/u.test(value) && /\p{Nd}/u.test(value), accountSentences.passwordKinds);

const enteredPasswordSchema = z
  .string({ error: accountSentences.passwordMissing })
  .min(1, accountSentences.passwordMissing)
  .max(1000, accountSentences.passwordMissing);

export const codeSchema = z
  .string({ error: accountSentences.code })
  .trim()
  .regex(/^\d{6}$/, accountSentences.code);

/** Returns the schema of the `signup` body; the campus determines which names are refused. */
export const signupSchema = (campus: Campus) =>
  z.object({
    email: emailSchema,
    password: newPasswordSchema,
    fullName: fullNameSchema(campus),
  });

/** Returns the schema of the sign-up form: the body of `signup`, with the password repeated and the terms accepted. */
export const signupFormSchema = (campus: Campus) =>
  signupSchema(campus)
    .extend({
      confirmPassword: z.string({ error: accountSentences.passwordsDiffer }),
      terms: z.literal(true, { error: accountSentences.terms }),
    })
    .refine((form) => form.password === form.confirmPassword, {
      error: accountSentences.passwordsDiffer,
      path: ['confirmPassword'],
      when: () => true,
    });

/** Body of `send-verification-code`. */
export const emailOnlySchema = z.object({ email: emailSchema });

/** Body of `verify-otp`. */
export const verifyOtpSchema = z.object({
  email: emailSchema,
  code: codeSchema,
  /**
   * The sign-up's password, sent by clients without cookies to prove that they made the sign-up which the code
   * confirms.
   */
  password: enteredPasswordSchema.optional(),
  rememberMe: z.boolean().optional(),
});

/** Body of `send-otp` and `forgot-password`; `ipAddress` is accepted for compatibility and ignored. */
export const emailWithAddressSchema = z.object({
  email: emailSchema,
  ipAddress: z.string().max(255).optional(),
});

/** Body of `login-password`. */
export const loginSchema = z.object({
  email: emailSchema,
  password: enteredPasswordSchema,
  rememberMe: z.boolean().optional(),
});

/** Body of `reset-password`. */
export const resetPasswordSchema = z.object({
  token: z
    .string({ error: accountSentences.resetLink })
    .min(1, accountSentences.resetLink)
    .max(200, accountSentences.resetLink),
  password: newPasswordSchema,
});

/** Options of the rule that the password and its confirmation match; it runs even when other fields are invalid. */
const confirmationRule = {
  error: accountSentences.passwordsDiffer,
  path: ['confirmPassword'],
  when: () => true,
};
const passwordWithConfirmationSchema = z.object({
  password: newPasswordSchema,
  confirmPassword: z.string({ error: accountSentences.passwordsDiffer }),
});

/** The form that resets a forgotten password: the new password and its confirmation. */
export const resetFormSchema = passwordWithConfirmationSchema.refine(
  (form) => form.password === form.confirmPassword,
  confirmationRule,
);

/**
 * The form that changes the password in the settings: the current password (where the server requires it), the new one
 * and its confirmation.
 */
export const changePasswordFormSchema = passwordWithConfirmationSchema
  .extend({ currentPassword: z.string().max(1000).optional() })
  .refine((form) => form.password === form.confirmPassword, confirmationRule);

/** Response of `verify-otp` and `login-password`: a credential for one password sign-in within 60 seconds. */
export const authPasswordResponseSchema = z.object({
  authPassword: z.string(),
  /** True when the account has no password yet; the sign-up form then sets the one that the person typed. */
  passwordNeeded: z.boolean(),
});

/** Response of a function that returns no result. */
export const doneSchema = z.object({ success: z.literal(true) });
