import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountErrorMessages, recoveryCodeCount, recoveryCodeSchema } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import { idSchema } from '#contract/text.ts';
import { parseRequestPart } from '#server/http/serve.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import type { AccountServices } from './account-services.ts';
import { presentGotrueSession } from './gotrue-replies.ts';
import type { NewRecoveryCodes } from './recovery-codes.ts';
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
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, accountErrorMessages.code),
});
const recoveryNameSchema = z.object({ friendly_name: nameSchema });

interface FactorRoutesDeps extends Pick<AccountServices, 'secondFactors' | 'recoveryCodes'> {
  /**
   * Returns the session of a request. Throws when there is none, and throws second_factor_required when the session
   * awaits the second-factor check.
   */
  requireFullSession: (request: FastifyRequest) => Promise<Session>;
  /** Returns the session of a request, even while it awaits the second-factor check. */
  requireAnySession: (request: FastifyRequest) => Promise<SessionWithSecondFactorState>;
  /**
   * Counts a write request toward the signed-in person's rate limit. Throws rate_limited when the limit is reached.
   */
  countWrite: (request: FastifyRequest) => Promise<void>;
}

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
export const registerSecondFactorRoutes = (scope: FastifyInstance, deps: FactorRoutesDeps): void => {
  const { secondFactors, recoveryCodes, requireFullSession, requireAnySession, countWrite } = deps;

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

  scope.post('/factors', async (request) => {
    const session = await withFullSession(request);
    const { friendly_name: name = null, issuer } = parseRequestPart(enrollSchema, request.body);
    const { id, secret, uri, qrCode } = await secondFactors.enroll(session, { name, issuer });
    return { id, type: 'totp', friendly_name: name ?? '', totp: { qr_code: qrCode, secret, uri } };
  });

  scope.post('/factors/:id/challenge', async (request) => {
    const session = await withAnySession(request);
    const { id, expiresAt } = await secondFactors.challenge(session, parseFactorId(request));
    return { id, type: 'totp', expires_at: Math.floor(expiresAt.getTime() / 1000) };
  });

  scope.post('/factors/:id/verify', async (request) => {
    const session = await withAnySession(request);
    const factorId = parseFactorId(request);
    const { challenge_id: challengeId, code } = parseRequestPart(verifySchema, request.body);
    return presentGotrueSession(await secondFactors.verify(session, { factorId, challengeId, code }));
  });

  scope.delete('/factors/:id', async (request) => {
    const session = await withFullSession(request);
    const id = parseFactorId(request);
    await secondFactors.unenroll(session, id);
    return { id };
  });

  scope.get('/factors/recovery-codes', async (request) => {
    const { id, remaining } = await recoveryCodes.getStatus(await requireFullSession(request));
    return { id, type: 'recovery_code', total: recoveryCodeCount, remaining };
  });

  scope.post('/factors/recovery-codes', async (request) => {
    const session = await withFullSession(request);
    const { friendly_name: name } = parseRequestPart(recoveryNameSchema, request.body);
    return presentNewCodes(await recoveryCodes.generate(session, name ?? undefined));
  });

  scope.post('/factors/recovery-codes/regenerate', async (request) =>
    presentNewCodes(await recoveryCodes.regenerate(await withFullSession(request))),
  );

  scope.post('/factors/recovery-codes/verify', async (request) => {
    const session = await withAnySession(request);
    const { code } = parseRequestPart(recoveryCodeSchema, request.body);
    return presentGotrueSession(await recoveryCodes.verify(session, code));
  });

  scope.delete('/factors/recovery-codes', async (request) => ({
    id: await recoveryCodes.remove(await withFullSession(request)),
  }));
};
