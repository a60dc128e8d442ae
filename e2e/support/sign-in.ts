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

/** The stored session of the first demo account, as the browser keeps it. */
export const logIn = async (quad: Quad): Promise<string> => {
  const [, password] = /with the password (\S+)/.exec(quad.output()) ?? [];
  const [, email] = /^\s+(demo\.\S+@\S+)/m.exec(quad.output()) ?? [];
  const { authPassword } = await post(quad, '/functions/v1/login-password', { email, password });
  return JSON.stringify(
    await post(quad, '/auth/v1/token?grant_type=password', { email, password: authPassword }),
  );
};
