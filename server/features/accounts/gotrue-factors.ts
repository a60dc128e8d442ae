import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { oneTimeCodeSchema, recoveryCodeCount, recoveryCodeSchema } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { parseRequestPart } from '#server/http/serve.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import type { GotrueGuards } from './gotrue-guards.ts';
import { presentGotrueSession } from './gotrue-replies.ts';
import {
  generateRecoveryCodes,
  getRecoveryCodes,
  type NewRecoveryCodes,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from './recovery-codes.ts';
import {
  challengeSecondFactor,
  enrollSecondFactor,
  unenrollSecondFactor,
  verifySecondFactor,
} from './second-factors.ts';
import type { SessionWithSecondFactorState } from './session-authentication.ts';

const nameSchema = z
  .string()
  .trim()
  .max(100)
  .transform((name) => name || null)
  .nullish();
const enrollSchema = z.object({
  factor_type: z.literal('totp', { error: 'Only authenticator apps can be added here' }),
  friendly_name: nameSchema,
  issuer: z.string().trim().min(1).max(100).optional(),
});
const verifySchema = z.object({
  challenge_id: idSchema,
  code: oneTimeCodeSchema,
});
const recoveryNameSchema = z.object({ friendly_name: nameSchema });

const parseFactorId = (request: FastifyRequest): string => {
  const { data } = idSchema.safeParse((request.params as { id?: string }).id);
  if (data === undefined) throw createProblem('second_factor_not_found');
  return data;
};

const presentNewCodes = ({ id, name, codes }: NewRecoveryCodes) => ({
  id,
  type: 'recovery_code',
  friendly_name: name,
  total: codes.length,
  codes,
});

/**
 * Registers the second-factor routes that the methods `auth.mfa` and `auth.mfa.recoveryCodes` of the Supabase client
 * call. A session that awaits the second-factor check may only answer a challenge or use a recovery code.
 */
export const registerSecondFactorRoutes = (
  scope: FastifyInstance,
  app: App,
  { requireFullSession, requireAnySession, countWrite }: GotrueGuards,
): void => {
  const withFullSession = async (request: FastifyRequest): Promise<Session> => {
    const session = await requireFullSession(request);
    await countWrite(request);
    return session;
  };
  const withAnySession = async (request: FastifyRequest): Promise<SessionWithSecondFactorState> => {
    const session = await requireAnySession(request);
    await countWrite(request);
    return session;
  };
  scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  scope.post(
    '/factors',
    {
      config: { description: { summary: 'Adds an authenticator app.', access: 'user', body: enrollSchema } },
    },
    async (request) => {
      const session = await withFullSession(request);
      const { friendly_name: name = null, issuer } = parseRequestPart(enrollSchema, request.body);
      const { id, secret, uri, qrCode } = await enrollSecondFactor(app, session, { name, issuer });
      return { id, type: 'totp', friendly_name: name ?? '', totp: { qr_code: qrCode, secret, uri } };
    },
  );

  scope.post(
    '/factors/:id/challenge',
    { config: { description: { summary: 'Begins the check of a second factor.', access: 'user' } } },
    async (request) => {
      const session = await withAnySession(request);
      const { id, expiresAt } = await challengeSecondFactor(app, session, parseFactorId(request));
      return { id, type: 'totp', expires_at: Math.floor(expiresAt.getTime() / 1000) };
    },
  );

  scope.post(
    '/factors/:id/verify',
    {
      config: {
        description: {
          summary: 'Checks the code of an authenticator app; returns a new session.',
          access: 'user',
          body: verifySchema,
        },
      },
    },
    async (request) => {
      const session = await withAnySession(request);
      const factorId = parseFactorId(request);
      const { challenge_id: challengeId, code } = parseRequestPart(verifySchema, request.body);
      return presentGotrueSession(await verifySecondFactor(app, session, { factorId, challengeId, code }));
    },
  );

  scope.delete(
    '/factors/:id',
    { config: { description: { summary: 'Removes an authenticator app.', access: 'user' } } },
    async (request) => {
      const session = await withFullSession(request);
      const id = parseFactorId(request);
      await unenrollSecondFactor(app, session, id);
      return { id };
    },
  );

  scope.get(
    '/factors/recovery-codes',
    { config: { description: { summary: 'How many recovery codes are left.', access: 'user' } } },
    async (request) => {
      const { id, remaining } = await getRecoveryCodes(app, await requireFullSession(request));
      return { id, type: 'recovery_code', total: recoveryCodeCount, remaining };
    },
  );

  scope.post(
    '/factors/recovery-codes',
    {
      config: {
        description: { summary: 'Creates recovery codes.', access: 'user', body: recoveryNameSchema },
      },
    },
    async (request) => {
      const session = await withFullSession(request);
      const { friendly_name: name } = parseRequestPart(recoveryNameSchema, request.body);
      return presentNewCodes(await generateRecoveryCodes(app, session, name ?? undefined));
    },
  );

  scope.post(
    '/factors/recovery-codes/regenerate',
    { config: { description: { summary: 'Replaces the recovery codes.', access: 'user' } } },
    async (request) => presentNewCodes(await regenerateRecoveryCodes(app, await withFullSession(request))),
  );

  scope.post(
    '/factors/recovery-codes/verify',
    {
      config: {
        description: {
          summary: 'Uses a recovery code as second factor; returns a new session.',
          access: 'user',
          body: recoveryCodeSchema,
        },
      },
    },
    async (request) => {
      const session = await withAnySession(request);
      const { code } = parseRequestPart(recoveryCodeSchema, request.body);
      return presentGotrueSession(await verifyRecoveryCode(app, session, code));
    },
  );

  scope.delete(
    '/factors/recovery-codes',
    { config: { description: { summary: 'Removes the recovery codes.', access: 'user' } } },
    async (request) => ({
      id: await removeRecoveryCodes(app, await withFullSession(request)),
    }),
  );
};
