import { codeIn } from './mail-server.ts';
import type { Quad } from './quad.ts';

const post = async (quad: Quad, path: string, body: object) => {
  const answer = await fetch(`${quad.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

export const ownPassword = 'cardinal-and-gold-1';

/** Signs a person up, unconfirmed, and answers the code that was mailed. */
export const signUp = async (quad: Quad, email: string): Promise<string> => {
  await post(quad, '/functions/v1/signup', { email, password: ownPassword, fullName: 'Sam Student' });
  return codeIn(await quad.mail.take(email));
};

/** Opens an account with `ownPassword` and answers its session, as the browser keeps it. */
export const openAccount = async (quad: Quad, email: string): Promise<string> => {
  const { authPassword } = await post(quad, '/functions/v1/verify-otp', {
    email,
    code: await signUp(quad, email),
  });
  return JSON.stringify(
    await post(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );
};

/** The stored session of the first demo account, as the browser keeps it. */
export const logIn = async (quad: Quad): Promise<string> => {
  const [, password] = /with the password (\S+)/.exec(quad.output()) ?? [];
  const [, email] = /^\s+(demo\.\S+@\S+)/m.exec(quad.output()) ?? [];
  const { authPassword } = await post(quad, '/functions/v1/login-password', { email, password });
  return JSON.stringify(
    await post(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );
};
