import { TOTP } from 'otpauth';
import { expectOk, type Person, type TestApp, testPassword, toPersonFromTokenResponse } from './app.ts';

type Server = Pick<TestApp, 'server' | 'clock'>;

const post = (
  { server }: Pick<TestApp, 'server'>,
  url: string,
  { person, ...payload }: { person?: Person } & Record<string, unknown>,
) => expectOk(server.inject({ method: 'POST', url, payload, headers: person?.headers ?? {} }));

export interface TestAuthenticator {
  factorId: string;
  /** Returns the code that the app shows at the current time. */
  code(): string;
}

export const createAuthenticator = (
  { clock }: Pick<TestApp, 'clock'>,
  factorId: string,
  secret: string,
): TestAuthenticator => ({
  factorId,
  code: () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() }),
});

/**
 * Logs in with a password only. If the person has set up a second factor, it is not yet verified in the session.
 */
export const logInWithPassword = async (
  testApp: Server,
  { email }: Pick<Person, 'email'>,
  password = testPassword,
): Promise<Person> => {
  const { authPassword } = await post(testApp, '/functions/v1/login-password', { email, password });
  const grant = await post(testApp, '/auth/v1/token?grant_type=password', { email, password: authPassword });
  return toPersonFromTokenResponse(email, grant);
};

/**
 * Verifies a code of the authenticator app in a session. Returns the person with the new tokens of this
 * session.
 */
export const verifySecondFactor = async (
  testApp: Server,
  person: Person,
  { factorId, code }: TestAuthenticator,
): Promise<Person> => {
  // Advance to the next code, because the server accepts each code only once.
  testApp.clock.advance(30);
  const { id } = await post(testApp, `/auth/v1/factors/${factorId}/challenge`, { person });
  const answer = { person, challenge_id: id, code: code() };
  return toPersonFromTokenResponse(
    person.email,
    await post(testApp, `/auth/v1/factors/${factorId}/verify`, answer),
  );
};

/** Sets up an authenticator app in a session; returns the app and the new tokens of the session. */
export const enrollTotp = async (
  testApp: Server,
  person: Person,
): Promise<{ authenticator: TestAuthenticator; person: Person }> => {
  const { id, totp } = await post(testApp, '/auth/v1/factors', { person, factor_type: 'totp' });
  const authenticator = createAuthenticator(testApp, id, totp.secret);
  return { authenticator, person: await verifySecondFactor(testApp, person, authenticator) };
};
