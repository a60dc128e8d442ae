import { createHash, createHmac } from 'node:crypto';
import { createRemoteJWKSet, importPKCS8, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { z } from 'zod';
import { emailSchema } from '#contract/accounts.ts';
import { isCampusEmail } from '#contract/campus.ts';
import { createProblem, Problem } from '#contract/errors.ts';
import { getFullNameSchema } from '#contract/names.ts';
import { campusRoles } from '#contract/profiles.ts';
import type { App } from '#server/app.ts';
import type { SignOnSettings } from '#server/config.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import { readMembership } from './affiliations.ts';
import type { SignOnProvider } from './sign-on-provider-cache.ts';

// The university's sign-on, an OpenID provider. What it says is trusted only after the checks in this file: the protocol by
// openid-client, the signature and the claims of the ID token by jose.

/** Timeout of each request to the provider. The end of a log-in makes four at most, and must not take 15 seconds. */
const requestTimeoutSeconds = 3;
const clockToleranceSeconds = 60;
const metadataLifetimeSeconds = 3600;
/**
 * How long ago the person may have entered their credentials at the provider for an ordinary log-in: a year. With any such limit
 * the provider has to state when they did (OpenID Connect Core 3.1.2.1).
 */
const maxAuthenticationAgeSeconds = 365 * 24 * 60 * 60;
/** An ID token is used at once, so an old one was stolen. */
const maxTokenAgeSeconds = 600;
/** How soon after its keys were loaded they are loaded again, for a token with an unknown key. */
const keyReloadSeconds = 10;
/** Signatures with public keys only: with others, whoever knows the public key could sign. */
const signatureAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** What the provider has proved about a person. */
export const providerIdentitySchema = z.object({
  issuer: z.string(),
  subject: z.string().min(1).max(255),
  /** A verified campus address, or null. */
  email: z.string().nullable(),
  fullName: z.string().nullable(),
  role: z.enum(campusRoles).nullable(),
  isMember: z.boolean().optional(),
  /** Whether the provider may state more at its userinfo endpoint, which could not be asked. */
  isPartial: z.boolean().default(false),
  hasSecondFactor: z.boolean(),
  /** When the person last entered their credentials at the provider, if it states this. */
  authenticatedAt: z.coerce.date().optional(),
});
export type ProviderIdentity = z.output<typeof providerIdentitySchema>;

export const getRedirectUri = ({ config }: App): string => `${config.publicUrl}/auth/v1/callback`;

/** Returns the settings of the sign-on. Throws not_found when this server has none. */
const getSettings = ({ config }: App): SignOnSettings => {
  if (!config.signOn) throw createProblem('not_found');
  return config.signOn;
};

const createClientAuthentication = async (
  credential: SignOnSettings['credential'],
): Promise<openid.ClientAuth> => {
  if ('secret' in credential) {
    const basic = openid.ClientSecretBasic(credential.secret);
    const post = openid.ClientSecretPost(credential.secret);
    return (server, client, body, headers) => {
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
      return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
    };
  }
  const { privateKey } = credential;
  const key = await importPKCS8(privateKey, 'ES256').catch(() => importPKCS8(privateKey, 'RS256'));
  return openid.PrivateKeyJwt(key);
};

const discoverProvider = async (settings: SignOnSettings): Promise<SignOnProvider> => {
  const issuerUrl = new URL(settings.issuer);
  const isOnThisMachine = issuerUrl.protocol === 'http:';
  const configuration = await openid.discovery(
    issuerUrl,
    settings.clientId,
    { [openid.clockTolerance]: clockToleranceSeconds },
    await createClientAuthentication(settings.credential),
    {
      timeout: requestTimeoutSeconds,
      execute: isOnThisMachine ? [openid.allowInsecureRequests] : [],
    },
  );
  const { issuer, jwks_uri: keysUrl = '' } = configuration.serverMetadata();
  if (!URL.canParse(keysUrl) || (!isOnThisMachine && new URL(keysUrl).protocol !== 'https:'))
    throw new Error('The sign-on names no https address of its keys');
  const findKey = createRemoteJWKSet(new URL(keysUrl), {
    timeoutDuration: requestTimeoutSeconds * 1000,
    cooldownDuration: keyReloadSeconds * 1000,
  });
  return { configuration, issuer, findKey };
};

/**
 * Returns the provider. Its metadata are loaded with the first log-in and renewed every hour, while log-ins use the earlier
 * ones. Rejects when they could not be loaded yet; the next call tries again.
 */
const getProvider = async (app: App): Promise<SignOnProvider> => {
  const cache = app.signOnProvider;
  const now = app.clock.now();
  if (cache.provider && cache.outdatedAt && cache.outdatedAt > now) return cache.provider;
  cache.loading ??= discoverProvider(getSettings(app))
    .then((provider) => {
      cache.provider = provider;
      cache.outdatedAt = addSeconds(app.clock.now(), metadataLifetimeSeconds);
      return provider;
    })
    .finally(() => {
      cache.loading = undefined;
    });
  if (!cache.provider) return cache.loading;
  cache.loading.catch((error: unknown) => app.log.warn({ err: error }, 'sign-on could not be reached'));
  return cache.provider;
};

const canceledErrors = ['access_denied', 'consent_required', 'interaction_required', 'login_required'];
/** Names of errors are short words. */
const errorNamePattern = /^\w{1,60}$/;
const unavailableErrors = ['temporarily_unavailable', 'server_error'];
const networkErrorCodes = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'ERR_JWKS_TIMEOUT',
  'ERR_JOSE_GENERIC',
];

/**
 * Converts an error of the protocol to the Problem that the person sees. The log and the audit trail name only its code,
 * because errors contain tokens.
 */
const toSignOnProblem = async (app: App, error: unknown): Promise<Problem> => {
  if (error instanceof Problem) return error;
  const { message, code, error: sentName = '' } = error as Error & { code?: string; error?: string };
  // The browser sends it, so it may be any text.
  const name = errorNamePattern.test(sentName) ? sentName : undefined;
  if (error instanceof openid.AuthorizationResponseError && canceledErrors.includes(error.error))
    return createProblem('sign_on_canceled');
  const isOutage =
    (error instanceof TypeError && message === 'fetch failed') ||
    networkErrorCodes.includes(code ?? '') ||
    unavailableErrors.includes(name ?? '');
  app.log.warn(
    { code, error: name, reason: message },
    isOutage ? 'sign-on could not be reached' : 'sign-on refused',
  );
  if (isOutage) return createProblem('sign_on_unavailable');
  await noteSecurityEvent(app, { event: 'sign_on_refused', detail: name ?? code ?? 'invalid' });
  return createProblem('sign_on_failed');
};

/** Derives the nonce and the PKCE verifier of a log-in from its state, so that the database contains neither. */
const deriveFlowSecrets = ({ secrets }: App, state: string) => {
  const key = derivePurposeKey(secrets.pepper, 'sign-on');
  const derive = (name: string): string =>
    createHmac('sha256', key).update(`${name} ${state}`).digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('verifier') };
};

/**
 * Returns the URL at which the person logs in; with `isProof`, they have to enter their credentials. Throws
 * sign_on_unavailable when the provider cannot be reached.
 */
export const buildProviderUrl = async (app: App, state: string, isProof: boolean): Promise<string> => {
  const { scopes } = getSettings(app);
  const { nonce, verifier } = deriveFlowSecrets(app, state);
  try {
    const { configuration } = await getProvider(app);
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: getRedirectUri(app),
      scope: scopes,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: String(isProof ? 0 : maxAuthenticationAgeSeconds),
      ...(isProof && { prompt: 'login' }),
    }).href;
  } catch (error) {
    throw await toSignOnProblem(app, error);
  }
};

/** Verifies an ID token: signature, issuer, audience, times and nonce. Rejects when any of them is wrong. */
const verifyIdToken = async (
  app: App,
  { issuer, findKey }: SignOnProvider,
  idToken: string,
  nonce: string,
): Promise<JWTPayload> => {
  const { clientId } = getSettings(app);
  const { payload } = await jwtVerify(idToken, findKey, {
    issuer,
    audience: clientId,
    algorithms: signatureAlgorithms,
    clockTolerance: clockToleranceSeconds,
    currentDate: app.clock.now(),
    maxTokenAge: maxTokenAgeSeconds,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  });
  const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId)
    throw Object.assign(new Error('The token was issued to another client'), { code: 'wrong_party' });
  if (payload.nonce !== nonce)
    throw Object.assign(new Error('The token was issued for another log-in'), { code: 'wrong_nonce' });
  return payload;
};

const readName = (app: App, { name, given_name: given, family_name: family }: JWTPayload): string | null => {
  const joined = [given, family].filter((part) => typeof part === 'string' && part).join(' ');
  return getFullNameSchema(app.config.campus).safeParse(name ?? joined).data ?? null;
};

/** Returns the claim `auth_time`, but no time in the future. */
const readAuthenticationTime = ({ clock }: App, { auth_time: seconds }: JWTPayload): Date | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds)
    ? new Date(Math.min(seconds * 1000, clock.now().getTime()))
    : undefined;

const toIdentity = (app: App, issuer: string, claims: JWTPayload, isPartial: boolean): ProviderIdentity => {
  const { affiliationClaim, secondFactorValues } = getSettings(app);
  const { campus } = app.config;
  const email = emailSchema.safeParse(claims.email).data;
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  const proofs = [claims.acr, claims.amr].flat();
  return providerIdentitySchema.parse({
    issuer,
    subject: claims.sub,
    email: email !== undefined && isVerified && isCampusEmail(campus, email) ? email : null,
    fullName: readName(app, claims),
    ...readMembership(campus, claims[affiliationClaim]),
    isPartial,
    hasSecondFactor: secondFactorValues.some((value) => proofs.includes(value)),
    authenticatedAt: readAuthenticationTime(app, claims),
  });
};

/**
 * Returns the identity that a verified ID token states. Many providers state only the subject there, and the rest at their
 * userinfo endpoint, which `accessToken` opens; its response counts only for the same subject. How the person logged in is
 * read from the ID token only, because the access token may be that of another log-in.
 */
const completeIdentity = async (
  app: App,
  { configuration, issuer }: SignOnProvider,
  claims: JWTPayload,
  accessToken: string | undefined,
): Promise<ProviderIdentity> => {
  const isComplete = claims.email !== undefined && claims[getSettings(app).affiliationClaim] !== undefined;
  const hasMore = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    hasMore && accessToken !== undefined
      ? await openid.fetchUserInfo(configuration, accessToken, claims.sub ?? '')
      : {};
  const { acr, amr, auth_time } = claims;
  const stated = { ...more, ...claims, acr, amr, auth_time };
  return toIdentity(app, issuer, stated, hasMore && accessToken === undefined);
};

/**
 * Exchanges the provider's response for an identity. `url` is the URL to which the provider redirected the browser.
 * Throws a Problem when the response is an error, invalid, or the provider cannot be reached.
 */
export const receiveIdentity = async (app: App, url: URL, state: string): Promise<ProviderIdentity> => {
  const { nonce, verifier } = deriveFlowSecrets(app, state);
  try {
    const provider = await getProvider(app);
    const tokens = await openid.authorizationCodeGrant(provider.configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
    const claims = await verifyIdToken(app, provider, tokens.id_token ?? '', nonce);
    return await completeIdentity(app, provider, claims, tokens.access_token);
  } catch (error) {
    throw await toSignOnProblem(app, error);
  }
};

/** What a native client received from the provider itself. */
export interface NativeTokens {
  idToken: string;
  /** The ID token contains its SHA-256 hash (hex), as GoTrue expects it, so that the token alone is of no use to a thief. */
  nonce: string;
  accessToken?: string | undefined;
}

/** Returns the identity of an ID token. Throws sign_on_failed when one of the tokens is invalid. */
export const readIdToken = async (
  app: App,
  { idToken, nonce, accessToken }: NativeTokens,
): Promise<ProviderIdentity> => {
  const hashedNonce = createHash('sha256').update(nonce).digest('hex');
  try {
    const provider = await getProvider(app);
    const claims = await verifyIdToken(app, provider, idToken, hashedNonce);
    return await completeIdentity(app, provider, claims, accessToken);
  } catch (error) {
    throw await toSignOnProblem(app, error);
  }
};
