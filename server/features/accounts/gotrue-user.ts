import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { newPasswordSchema } from '#contract/accounts.ts';
import { createFieldProblem } from '#contract/errors.ts';
import { getFullNameSchema } from '#contract/names.ts';
import type { App } from '#server/app.ts';
import { readRequestDevice } from '#server/http/device-cookie.ts';
import { parseRequestPart } from '#server/http/serve.ts';
import type { GotrueGuards } from './gotrue-guards.ts';
import { presentGotrueUser } from './gotrue-replies.ts';
import { getAccount, renameAccount } from './own-account.ts';
import { changePassword } from './passwords.ts';
import { endAllSessions, endSession } from './sessions.ts';

const logOutScopes = ['global', 'local', 'others'] as const;

/** Registers the routes with which a person reads and changes their account, and signs out. */
export const registerUserRoutes = (
  scope: FastifyInstance,
  app: App,
  { requireAnySession, requireFullSession, countWrite }: GotrueGuards,
): void => {
  const { campus, publicUrl } = app.config;
  const changeSchema = z.object({
    email: z.undefined({ error: 'The email address of an account cannot be changed' }).optional(),
    phone: z.undefined({ error: 'Phone numbers are not offered here' }).optional(),
    password: newPasswordSchema.optional(),
    current_password: z.string().max(1000).optional(),
    data: z.object({ full_name: getFullNameSchema(campus).optional() }).nullish(),
  });

  // A session that awaits the second-factor check may read its user, because the Supabase client learns from this
  // response which second factors the account has.
  scope.get(
    '/user',
    { config: { description: { summary: 'The signed-in person.', access: 'user' } } },
    async (request, reply) => {
      const session = await requireAnySession(request);
      reply.header('cache-control', 'no-store');
      return presentGotrueUser(await getAccount(app, session.userId), session);
    },
  );

  scope.put(
    '/user',
    {
      config: {
        description: { summary: 'Changes the name or the password.', access: 'user', body: changeSchema },
      },
    },
    async (request, reply) => {
      const owner = await requireFullSession(request);
      await countWrite(request);
      const change = parseRequestPart(changeSchema, request.body);
      if (change.password !== undefined) {
        const { password, current_password: currentPassword } = change;
        const device = readRequestDevice(request, reply, publicUrl);
        await changePassword(app, { ...owner, device }, { password, currentPassword });
      }
      if (change.data?.full_name !== undefined) await renameAccount(app, owner.userId, change.data.full_name);
      reply.header('cache-control', 'no-store');
      return presentGotrueUser(await getAccount(app, owner.userId), { awaitsSecondFactor: false });
    },
  );

  scope.post(
    '/logout',
    {
      config: {
        description: {
          summary: 'Ends sessions: all, this one, or the others.',
          access: 'user',
          query: z.object({ scope: z.enum(logOutScopes).default('global') }),
          response: 'nothing',
        },
      },
    },
    async (request, reply) => {
      const { scope: asked = 'global' } = request.query as { scope?: string };
      const owner = await requireAnySession(request);
      const known = logOutScopes.find((name) => name === asked);
      // A session that awaits the second-factor check can only end itself, not the other sessions.
      const chosen = known && owner.awaitsSecondFactor ? 'local' : known;
      if (!chosen) throw createFieldProblem({ scope: 'Unknown scope' });
      if (chosen === 'local') await endSession(app, owner);
      if (chosen === 'global') await endAllSessions(app, owner.userId);
      if (chosen === 'others') await endAllSessions(app, owner.userId, owner.sessionId);
      return reply.code(204).send();
    },
  );
};
