import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from '@playwright/test';
import type { Category, Condition } from '../../contract/categories.ts';
import type { Conversation, Message } from '../../contract/conversations.ts';
import { type CodeMailbox, takeVerificationCode } from './mail-server.ts';
import { createPhotoFile } from './photos.ts';
import type { QuadServer } from './quad-server.ts';

/** A person with an account, created through the API. */
export interface Student {
  id: string;
  name: string;
  email: string;
  token: string;
  /** The session as the browser stores it (JSON). */
  session: string;
}

/**
 * The parts of a deployment that the functions below need: its URL, and its emails with the codes that
 * confirm sign-ups.
 */
export interface Deployment {
  url: string;
  mail: CodeMailbox;
}

const password = 'cardinal-and-gold-1';

/** Calls the API and returns the response body; throws when the status is not successful. */
export const callApi = async <Answer>(
  quad: Pick<Deployment, 'url'>,
  path: string,
  options: { token?: string; body?: object; method?: 'PUT' | 'PATCH' | 'DELETE' } = {},
): Promise<Answer> => {
  const answer = await fetch(`${quad.url}${path}`, {
    method: options.method ?? (options.body ? 'POST' : 'GET'),
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

const startSession = (
  quad: Pick<Deployment, 'url'>,
  email: string,
  { authPassword }: { authPassword: string },
): Promise<{ user: { id: string }; access_token: string }> =>
  callApi(quad, '/auth/v1/token?grant_type=password', { body: { email, password: authPassword } });

/** Logs in to an account and returns the new session. Each browser needs a session of its own. */
const grantSession = async (quad: Pick<Deployment, 'url'>, email: string) =>
  startSession(
    quad,
    email,
    await callApi(quad, '/functions/v1/login-password', { body: { email, password, rememberMe: true } }),
  );

/**
 * Signs a student up through the API, confirms the account with the emailed code and completes the
 * profile.
 */
export const signUp = async (quad: Deployment, name: string, email: string): Promise<Student> => {
  await callApi<unknown>(quad, '/functions/v1/signup', { body: { email, password, fullName: name } });
  const code = await takeVerificationCode(quad.mail, email);
  const confirmed = await callApi<{ authPassword: string }>(quad, '/functions/v1/verify-otp', {
    body: { email, code, password, rememberMe: true },
  });
  const grant = await startSession(quad, email, confirmed);
  const student = {
    id: grant.user.id,
    name,
    email,
    token: grant.access_token,
    session: JSON.stringify(grant),
  };
  await callApi<unknown>(quad, '/rest/v1/me', {
    token: student.token,
    method: 'PATCH',
    body: { full_name: name, role: 'Student' },
  });
  return student;
};

/**
 * Turns off a student's quiet hours. Needed by tests that wait for an email about messages or deals: in quiet hours,
 * by default from 10 PM to 8 AM campus time, it would not be sent.
 */
export const turnOffQuietHours = async (
  quad: Pick<Deployment, 'url'>,
  { token }: Pick<Student, 'token'>,
): Promise<void> => {
  const body = { quiet_hours: { from: 0, until: 0 } };
  await callApi<unknown>(quad, '/rest/v1/me/notification-settings', { token, method: 'PATCH', body });
};

/**
 * Opens a browser context in which this student is signed in; `options` are those of
 * `browser.newContext`.
 */
export const openSignedInBrowser = async (
  browser: Browser,
  quad: QuadServer,
  student: Student,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: quad.url, ...options });
  const session = JSON.stringify(await grantSession(quad, student.email));
  // Store the session only once, so that pages opened after a log-out stay logged out.
  await context.addInitScript((stored) => {
    if (localStorage.getItem('test.arrived')) return;
    localStorage.setItem('test.arrived', 'yes');
    localStorage.setItem('quad.session', stored);
  }, session);
  return context;
};

/** Uploads a photo through the API and returns its URL. */
export const uploadPhoto = async (quad: QuadServer, owner: Student): Promise<string> => {
  const { name, mimeType, buffer } = await createPhotoFile('photo.jpg', { r: 200, g: 120, b: 60 });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  const answer = await fetch(`${quad.url}/storage/v1/object/listing-photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).publicUrl;
};

/**
 * Publishes a listing for 40 dollars through the API. `change` overrides fields of the form; with an `id`, it
 * updates that listing.
 */
export const postListing = async (
  quad: Pick<Deployment, 'url'>,
  seller: Student,
  title: string,
  change: {
    id?: string;
    category?: Category;
    condition?: Condition;
    price?: number;
    photos?: string[];
    description?: string;
    location?: string;
    course?: string;
    status?: 'draft';
    giftMode?: 'first_come' | 'draw';
    drawHours?: number;
    deposit?: number;
  } = {},
): Promise<{ id: string; slug: string }> => {
  const { listing } = await callApi<{ listing: { id: string; slug: string } }>(
    quad,
    '/functions/v1/create-listing',
    {
      token: seller.token,
      body: {
        title,
        category: 'furniture',
        condition: 'good',
        price: 40,
        description: 'Something that somebody on campus wants to ask a question about, and soon.',
        location: 'Parkside',
        contactEmail: seller.email,
        photos: [],
        status: 'published',
        ...change,
      },
    },
  );
  return listing;
};

export const openConversation = (
  quad: Pick<Deployment, 'url'>,
  buyer: Student,
  listing: { id: string },
): Promise<Conversation> =>
  callApi(quad, '/rest/v1/conversations', { token: buyer.token, body: { listing_id: listing.id } });

export const postConversationMessage = (
  quad: Pick<Deployment, 'url'>,
  sender: Student,
  conversation: { id: string },
  text: string,
): Promise<Message> =>
  callApi(quad, `/rest/v1/conversations/${conversation.id}/messages`, {
    token: sender.token,
    body: { client_id: randomUUID(), message_text: text },
  });
