import { z } from 'zod';
import type { Campus } from './campus.ts';
import { fullNameSchema } from './names.ts';

/** A code has 6 digits and expires after 10 minutes; a new one can be requested after 30 seconds (specification §9). */
export const codeLength = 6;
export const codeLifetimeSeconds = 600;
export const resendCooldownSeconds = 30;
/** Rulings, "Accounts". */
export const codeAttempts = 5;
/** A password reset link expires after 15 minutes (specification §9). */
export const resetLifetimeSeconds = 900;
/** The auth password between a log-in function and the session (rulings). */
export const authPasswordLifetimeSeconds = 60;
/** A device stays known for a year after its last log-in. */
export const deviceLifetimeSeconds = 365 * 24 * 3600;
/** Rulings: an access token is valid for an hour. */
export const accessTokenSeconds = 3600;
/** How long clients may cache the key set that verifies access tokens (§12, Key-set cache). */
export const jwksCacheSeconds = 600;

export const sentences = {
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

// ASCII on both sides of the at-sign, a dot in the domain (rulings, "Accounts"; §5).
const address =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/**
 * Returns the text with A to Z in lower case. String.toLowerCase would also turn U+212A KELVIN SIGN into "k", and so
 * one person's address into another's.
 */
export const lowerCaseAscii = (text: string): string =>
  text.replace(/[A-Z]/g, (email) => email.toLowerCase());

/** Returns the schema of an email address: trimmed and lower-cased (§5), refused with the given message. */
export const emailAddress = (sentence: string) =>
  z.string({ error: sentence }).trim().overwrite(lowerCaseAscii).max(254, sentence).regex(address, sentence);

/** The address of an account. */
export const emailSchema = emailAddress(sentences.email);

/** A new password: at least 8 characters, letters and digits (§5). */
export const newPasswordSchema = z
  .string({ error: sentences.passwordShort })
  .min(8, sentences.passwordShort)
  .max(200, sentences.passwordLong)
  .refine((value) => /\p{L}/u.test(value) && /\p{Nd}/u.test(value), sentences.passwordKinds);

const enteredPasswordSchema = z
  .string({ error: sentences.passwordMissing })
  .min(1, sentences.passwordMissing)
  .max(1000, sentences.passwordMissing);

export const codeSchema = z
  .string({ error: sentences.code })
  .trim()
  .regex(/^\d{6}$/, sentences.code);

/** Returns the schema of the body of `signup`, for a campus. */
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
      confirmPassword: z.string({ error: sentences.passwordsDiffer }),
      terms: z.literal(true, { error: sentences.terms }),
    })
    .refine((form) => form.password === form.confirmPassword, {
      error: sentences.passwordsDiffer,
      path: ['confirmPassword'],
      when: () => true,
    });

/** Body of `send-verification-code`. */
export const emailOnlySchema = z.object({ email: emailSchema });

/** Body of `verify-otp`. */
export const verifyOtpSchema = z.object({
  email: emailSchema,
  code: codeSchema,
  /** From a client without cookies: proves that it made the sign-up that the code confirms. */
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
  token: z.string({ error: sentences.resetLink }).min(1, sentences.resetLink).max(200, sentences.resetLink),
  password: newPasswordSchema,
});

const confirmed = {
  error: sentences.passwordsDiffer,
  path: ['confirmPassword'],
  when: () => true,
};
const passwordTwice = z.object({
  password: newPasswordSchema,
  confirmPassword: z.string({ error: sentences.passwordsDiffer }),
});

/** The reset form: the new password with its confirmation. */
export const resetFormSchema = passwordTwice.refine(
  (form) => form.password === form.confirmPassword,
  confirmed,
);

/** The settings form: the same, plus the current password where the server requires it. */
export const changePasswordFormSchema = passwordTwice
  .extend({ currentPassword: z.string().max(1000).optional() })
  .refine((form) => form.password === form.confirmPassword, confirmed);

/** Response of `verify-otp` and `login-password`: a credential for one password sign-in within 60 seconds. */
export const authPasswordAnswerSchema = z.object({
  authPassword: z.string(),
  /** True when the account has no password (yet); the sign-up form then sets the typed one. */
  passwordNeeded: z.boolean(),
});

/** The response of a function without a result. */
export const doneSchema = z.object({ success: z.literal(true) });
