import { codeIn } from '../support/mail-server.ts';
import type { Quad } from '../support/quad.ts';

export interface Student {
  id: string;
  token: string;
}

export interface Talk {
  conversationId: string;
  parties: [Student, Student];
}

/** Makes a call and answers its body; refuses anything but success. */
export const call = async <Answer>(
  quad: Quad,
  path: string,
  options: { token?: string; body?: object } = {},
): Promise<Answer> => {
  const answer = await fetch(`${quad.url}${path}`, {
    method: options.body ? 'POST' : 'GET',
    headers: {
      ...(options.body ? { 'content-type': 'application/json' } : {}),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

const signUp = async (quad: Quad, email: string): Promise<Student> => {
  const password = 'torture-chamber-1';
  await call<unknown>(quad, '/functions/v1/signup', { body: { email, password, fullName: email } });
  const code = codeIn(await quad.mail.take(email));
  const { authPassword } = await call<{ authPassword: string }>(quad, '/functions/v1/verify-otp', {
    body: { email, code },
  });
  const grant = await call<{ user: { id: string }; access_token: string }>(
    quad,
    '/auth/v1/token?grant_type=password',
    { body: { email, password: authPassword } },
  );
  return { id: grant.user.id, token: grant.access_token };
};

/** A seller with one listing, and so many buyers who each open a conversation about it. */
export const openTalks = async (quad: Quad, count: number): Promise<Talk[]> => {
  const seller = await signUp(quad, 'seller@usc.edu');
  const { listing } = await call<{ listing: { id: string } }>(quad, '/functions/v1/create-listing', {
    token: seller.token,
    body: {
      title: 'A desk that everybody wants',
      category: 'furniture',
      condition: 'good',
      price: 40,
      description: 'So many people write about this desk that the server is killed again and again.',
      location: 'Parkside',
      contactEmail: 'seller@usc.edu',
      photos: [],
      status: 'published',
    },
  });
  const talks: Talk[] = [];
  for (let number = 1; number <= count; number += 1) {
    const buyer = await signUp(quad, `buyer-${number}@usc.edu`);
    const { id } = await call<{ id: string }>(quad, '/rest/v1/conversations', {
      token: buyer.token,
      body: { listing_id: listing.id },
    });
    talks.push({ conversationId: id, parties: [seller, buyer] });
  }
  return talks;
};
