import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import { maxPasskeyNameLength } from '#contract/passkeys.ts';
import { createSingleLineTextSchema, idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { readRequestDevice } from '#server/http/device-cookie.ts';
import { parseRequestPart } from '#server/http/serve.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import type { GotrueGuards } from './gotrue-guards.ts';
import { presentGotrueSession } from './gotrue-replies.ts';
import { finishPasskeyLogIn, provePasskey, startPasskeyLogIn } from './passkey-log-in.ts';
import type { PasskeyRow } from './passkey-repository.ts';
import { newCredentialSchema, usedCredentialSchema } from './passkey-verification.ts';
import {
  finishPasskeyRegistration,
  listOwnPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
  startPasskeyRegistration,
} from './passkeys.ts';

const registrationSchema = z.object({ challenge_id: idSchema, credential: newCredentialSchema });
const logInSchema = z.object({ challenge_id: idSchema, credential: usedCredentialSchema });
const nameSentence = `Please enter a name of up to ${maxPasskeyNameLength} characters`;
const renameSchema = z.object({
  friendly_name: createSingleLineTextSchema({
    required: nameSentence,
    min: { length: 1, sentence: nameSentence },
    max: { length: maxPasskeyNameLength, sentence: nameSentence },
  }),
});

const presentStart = <Options>(started: { challengeId: string; options: Options; expiresAt: Date }) => ({
  challenge_id: started.challengeId,
  options: started.options,
  expires_at: Math.floor(started.expiresAt.getTime() / 1000),
});

const presentPasskey = ({ id, name, created_at, last_used_at }: PasskeyRow) => ({
  id,
  friendly_name: name,
  created_at: created_at.toISOString(),
  ...(last_used_at ? { last_used_at: last_used_at.toISOString() } : {}),
});

const parsePasskeyId = (request: FastifyRequest): string => {
  const { data } = idSchema.safeParse((request.params as { id?: string }).id);
  if (data === undefined) throw createProblem('passkey_not_found');
  return data;
};

/** Registers the routes that `auth.passkey`, `auth.registerPasskey` and `auth.signInWithPasskey` of the Supabase client call. */
export const registerPasskeyRoutes = (
  scope: FastifyInstance,
  app: App,
  { requireFullSession, requireAnySession, countWrite }: GotrueGuards,
): void => {
  const withSession = async (request: FastifyRequest): Promise<Session> => {
    const session = await requireFullSession(request);
    await countWrite(request);
    return session;
  };
  scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  scope.post(
    '/passkeys/registration/options',
    { config: { description: { summary: 'Begins to add a passkey.', access: 'user' } } },
    async (request) => presentStart(await startPasskeyRegistration(app, await withSession(request))),
  );

  scope.post(
    '/passkeys/registration/verify',
    {
      config: {
        description: {
          summary: 'Adds the passkey that the browser has created.',
          access: 'user',
          body: registrationSchema,
        },
      },
    },
    async (request, reply) => {
      const session = await withSession(request);
      const { challenge_id: challengeId, credential } = parseRequestPart(registrationSchema, request.body);
      const device = readRequestDevice(request, reply, app.config.publicUrl);
      return presentPasskey(
        await finishPasskeyRegistration(app, session, { challengeId, credential }, device),
      );
    },
  );

  scope.post(
    '/passkeys/authentication/options',
    { config: { description: { summary: 'Begins a log-in by passkey.', access: 'anyone' } } },
    async (request) => presentStart(await startPasskeyLogIn(app, request.ip)),
  );

  scope.post(
    '/passkeys/authentication/verify',
    {
      config: {
        description: {
          summary:
            'Exchanges the response of a passkey for a session, which counts as two-step verification.',
          access: 'anyone',
          body: logInSchema,
        },
      },
    },
    async (request, reply) => {
      const { challenge_id: challengeId, credential } = parseRequestPart(logInSchema, request.body);
      const client = {
        address: request.ip,
        device: readRequestDevice(request, reply, app.config.publicUrl),
      };
      return presentGotrueSession(await finishPasskeyLogIn(app, { challengeId, credential }, client));
    },
  );

  scope.post(
    '/passkeys/proof',
    {
      config: {
        description: {
          summary:
            'Accepts the response of a passkey to the challenge of a log-in as the second factor of the open session, and, where other log-ins than the sign-on are allowed, as a proof of identity for 10 minutes; returns a new session.',
          access: 'user',
          body: logInSchema,
        },
      },
    },
    async (request) => {
      const session = await requireAnySession(request);
      await countWrite(request);
      const { challenge_id: challengeId, credential } = parseRequestPart(logInSchema, request.body);
      return presentGotrueSession(await provePasskey(app, session, { challengeId, credential }, request.ip));
    },
  );

  scope.get(
    '/passkeys',
    { config: { description: { summary: 'The passkeys of the account.', access: 'user' } } },
    async (request) => (await listOwnPasskeys(app, await requireFullSession(request))).map(presentPasskey),
  );

  scope.patch(
    '/passkeys/:id',
    { config: { description: { summary: 'Renames a passkey.', access: 'user', body: renameSchema } } },
    async (request) => {
      const session = await withSession(request);
      const id = parsePasskeyId(request);
      const { friendly_name: name } = parseRequestPart(renameSchema, request.body);
      return presentPasskey(await renameOwnPasskey(app, session, { id, name }));
    },
  );

  scope.delete(
    '/passkeys/:id',
    { config: { description: { summary: 'Removes a passkey.', access: 'user' } } },
    async (request, reply) => {
      const session = await withSession(request);
      await removeOwnPasskey(app, session, parsePasskeyId(request));
      return reply.code(204).send();
    },
  );
};
