import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { App } from '#server/app.ts';

// What the person's authenticator returns is trusted only after the checks of @simplewebauthn/server and of this file.

/** Loads the library with the first use of a passkey, because this takes about as long as the start of the server. */
export const loadWebauthn = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** EdDSA, ES256 and RS256, which all authenticators have between them. */
export const signatureAlgorithms = [-8, -7, -257];

const encodedSchema = z
  .string()
  .min(1)
  .max(12_000)
  .regex(/^[\w-]+$/);
const credentialIdSchema = z
  .string()
  .min(1)
  .max(1364)
  .regex(/^[\w-]+$/);
const createCredentialSchema = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: credentialIdSchema,
    rawId: credentialIdSchema,
    type: z.literal('public-key'),
    response,
  });

/** What `navigator.credentials.create` returns, as JSON (WebAuthn, section 5.1.1). */
export const newCredentialSchema = createCredentialSchema(
  z.object({
    clientDataJSON: encodedSchema,
    attestationObject: encodedSchema,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional()
      .catch([]),
  }),
);
/** What `navigator.credentials.get` returns, as JSON. */
export const usedCredentialSchema = createCredentialSchema(
  z.object({
    clientDataJSON: encodedSchema,
    authenticatorData: encodedSchema,
    signature: encodedSchema,
    userHandle: encodedSchema.nullish(),
  }),
);

/** The response of an authenticator cannot be accepted. The message is the reason for the audit trail. */
export class RefusedPasskey extends Error {}

const reasons: [RegExp, string][] = [
  [/^Unexpected \w+ response type/, 'wrong type'],
  [/^Unexpected \w+ response challenge/, 'wrong challenge'],
  [/^Unexpected \w+ response origin/, 'wrong origin'],
  [/^Unexpected RP ID/, 'wrong site'],
  [/^User /, 'person not verified'],
  [/^Response counter/, 'old counter'],
];

/** Returns what `verify` returns when it has accepted the response. Throws RefusedPasskey otherwise. */
const accept = async <Result extends { verified: boolean }>(
  verify: () => Promise<Result>,
): Promise<Exclude<Result, { verified: false }>> => {
  const result = await verify().catch((error: Error) => {
    if (error instanceof RefusedPasskey) throw error;
    const [, reason = 'invalid'] = reasons.find(([pattern]) => pattern.test(error.message)) ?? [];
    throw new RefusedPasskey(reason, { cause: error });
  });
  if (!result.verified) throw new RefusedPasskey('wrong signature');
  return result as Exclude<Result, { verified: false }>;
};

/** The site for which passkeys are made: its address, and the host name that they belong to. */
export const getSite = ({ config }: App): { origin: string; id: string } => ({
  origin: config.publicUrl,
  id: new URL(config.publicUrl).hostname,
});

const toExpectation = (app: App, challenge: Buffer) => {
  const { origin, id } = getSite(app);
  return {
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  };
};

/** Refuses what happened in a frame of another site, which the library accepts from some browsers. */
const assertOwnFrame = async (clientData: string): Promise<void> => {
  const { decodeClientDataJSON } = await loadHelpers();
  if (decodeClientDataJSON(clientData).crossOrigin) throw new RefusedPasskey('foreign frame');
};

/**
 * Refuses statements about the maker of the authenticator. None is asked for, and to check one, the library would load a
 * URL that the sender has chosen.
 */
const assertNoStatement = async (attestation: string): Promise<void> => {
  const { decodeAttestationObject } = await loadHelpers();
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
  const isOwn = decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c');
  if (decoded.get('fmt') !== 'none' && !isOwn) throw new RefusedPasskey('statement of a maker');
};

/** Checks a new passkey. Throws RefusedPasskey when it must not be added. */
export const verifyNewCredential = async (
  app: App,
  challenge: Buffer,
  credential: z.output<typeof newCredentialSchema>,
) => {
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { registrationInfo } = await accept(async () => {
    await assertOwnFrame(credential.response.clientDataJSON);
    await assertNoStatement(credential.response.attestationObject);
    return verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
      supportedAlgorithmIDs: signatureAlgorithms,
      ...toExpectation(app, challenge),
    });
  });
  const { id, publicKey, counter } = registrationInfo.credential;
  return { id: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
};

/** Checks a log-in with a passkey and returns its new counter. Throws RefusedPasskey when it must not be accepted. */
export const verifyUsedCredential = async (
  app: App,
  challenge: Buffer,
  credential: z.output<typeof usedCredentialSchema>,
  stored: { public_key: Buffer; counter: number },
): Promise<number> => {
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { authenticationInfo } = await accept(async () => {
    await assertOwnFrame(credential.response.clientDataJSON);
    return verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(stored.public_key),
        counter: stored.counter,
      },
      ...toExpectation(app, challenge),
    });
  });
  return authenticationInfo.newCounter;
};
