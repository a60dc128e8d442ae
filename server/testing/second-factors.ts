import { TOTP } from 'otpauth';
import { expectOk, type Person, type TestApp, testPassword, toPerson } from './app.ts';

type Server = Pick<TestApp, 'app' | 'clock'>;

const post = (
  { app }: Pick<TestApp, 'app'>,
  url: string,
  { person, ...payload }: { person?: Person } & Record<string, unknown>,
) => expectOk(app.inject({ method: 'POST', url, payload, headers: person?.headers ?? {} }));

/** An authenticator app on the phone of a person. */
export interface TestAuthenticator {
  factorId: string;
  /** Returns the current code. */
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

/** Logs in by password; without the second factor if the person has one. */
export const logInWithPassword = async (
  server: Server,
  { email }: Pick<Person, 'email'>,
  password = testPassword,
): Promise<Person> => {
  const { authPassword } = await post(server, '/functions/v1/login-password', { email, password });
  const grant = await post(server, '/auth/v1/token?grant_type=password', { email, password: authPassword });
  return toPerson(email, grant);
};

/** Proves the second factor in a session and returns the session with its new tokens. */
export const proveSecondFactor = async (
  server: Server,
  person: Person,
  { factorId, code }: TestAuthenticator,
): Promise<Person> => {
  // A code is accepted once.
  server.clock.advance(30);
  const { id } = await post(server, `/auth/v1/factors/${factorId}/challenge`, { person });
  const answer = { person, challenge_id: id, code: code() };
  return toPerson(person.email, await post(server, `/auth/v1/factors/${factorId}/verify`, answer));
};

/** Sets up an authenticator app in a session and returns it with the session's new tokens. */
export const enrollTotp = async (
  server: Server,
  person: Person,
): Promise<{ authenticator: TestAuthenticator; person: Person }> => {
  const { id, totp } = await post(server, '/auth/v1/factors', { person, factor_type: 'totp' });
  const authenticator = createAuthenticator(server, id, totp.secret);
  return { authenticator, person: await proveSecondFactor(server, person, authenticator) };
};
