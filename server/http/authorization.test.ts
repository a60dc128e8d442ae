import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { toConversationTopic, toUserTopic } from '#contract/realtime.ts';
import { signAccessToken } from '#server/features/accounts/access-tokens.ts';
import { createSigningKeyCache, type SigningKeyCache } from '#server/features/accounts/signing-key-cache.ts';
import { generateSigningKey } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  type AuthorizationFixtures,
  type CallerRole,
  callerRoles,
  createActors,
  createAuthorizationFixtures,
  createNonexistentFixtures,
  digestDatabase,
} from '#server/testing/authorization-fixtures.ts';
import { sendTableRequest, toRouteName } from '#server/testing/authorization-requests.ts';
import {
  type AuthorizationRow,
  authorizationTable,
  topicJoinResults,
} from '#server/testing/authorization-table.ts';
import { getListeningPort, openRawSocket } from '#server/testing/raw-socket.ts';
import { enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';

let testApp: TestApp;
let actors: Actors;
/** All routes that the app registers except the documentation pages, as `METHOD /path/{param}`. */
const servedRoutes = new Set<string>();

const recordRoutes = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    const path = url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{*}');
    for (const name of [method].flat()) {
      if (name !== 'HEAD' && !path.startsWith('/docs/')) servedRoutes.add(`${name} ${path}`);
    }
  });
};

beforeAll(async () => {
  subscribe('fastify.initialization', recordRoutes);
  testApp = await startTestApp();
  unsubscribe('fastify.initialization', recordRoutes);
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  actors = await createActors(testApp);
});
afterAll(() => testApp.close());

const getHeaders = (role: CallerRole): Record<string, string> =>
  role === 'visitor' ? {} : actors[role].headers;

const sendRequest = (
  name: string,
  row: AuthorizationRow,
  fixtures: AuthorizationFixtures,
  headers: Record<string, string>,
) => sendTableRequest(testApp, name, row, fixtures, headers);

/** Returns the other actors' secrets, which must not appear in a response to this role. */
const listSecretsOfOthers = (role: CallerRole): string[] =>
  Object.entries(actors)
    .filter(([name]) => name !== role)
    .flatMap(([, { email, token, refreshToken }]) => [email, token, refreshToken]);

/**
 * Sends the request described by a row of the authorization table, as one role. Expects the status that the
 * row lists for that role and, if the request is refused, an unchanged database. Takes the digest of the
 * database before the request, and returns the one after it.
 */
const checkRowForRole = async (
  name: string,
  row: AuthorizationRow,
  fixtures: AuthorizationFixtures,
  role: CallerRole,
  before: string,
): Promise<string> => {
  const headers = getHeaders(role);
  const { status, text } = await sendRequest(name, row, fixtures, headers);
  expect(status, `${name} requested by ${role}: ${text.slice(0, 300)}`).toBe(row.status[role]);
  for (const secret of listSecretsOfOthers(role)) expect(text).not.toContain(secret);
  const after = await digestDatabase(testApp);
  if (status < 400) return after;
  expect(after, `${name} changed data although refused for ${role}`).toBe(before);
  if (status === 404) {
    const ghost = await sendRequest(name, row, createNonexistentFixtures(), headers);
    expect({ status, text }, `${name} reveals to ${role} whether the resource exists`).toEqual(ghost);
  }
  return after;
};

describe('promise 14: authorization table', () => {
  test('has a row for every call and route, and a route for every row', () => {
    const listedRoutes = new Set(Object.keys(authorizationTable).map(toRouteName));
    const declared = Object.values(allCalls).map(({ method, path }) => `${method} ${path}`);
    for (const route of new Set([...declared, ...servedRoutes])) {
      expect(
        listedRoutes.has(route),
        `${route} has no row: add one to \`authorizationTable\` in server/testing/authorization-table.ts, with the expected status for a visitor, a stranger, the other party and the owner`,
      ).toBe(true);
    }
    for (const route of listedRoutes) {
      expect(servedRoutes.has(route), `${route} is no longer served: remove its row`).toBe(true);
    }
  });

  /** The fixtures of the last row, with the digest of the database that they make. */
  let current: { fixtures: AuthorizationFixtures; digest: string } | undefined;

  const renewFixtures = async () => {
    const fixtures = await createAuthorizationFixtures(testApp, actors);
    current = { fixtures, digest: await digestDatabase(testApp) };
    return current;
  };

  test.each(Object.entries(authorizationTable))('%s', async (name, row) => {
    // Most rows change nothing and leave their fixtures to the next row, because creating them takes longer than a row.
    const isUnchanged = current && (await digestDatabase(testApp)) === current.digest;
    let { fixtures, digest } = isUnchanged && current ? current : await renewFixtures();
    // Roles are tried in this order, the owner last, because a successful request may delete the resource.
    for (const role of callerRoles) {
      const { newcomer } = createNonexistentFixtures();
      digest = await checkRowForRole(name, row, { ...fixtures, newcomer }, role, digest);
      if (!row.final) continue;
      actors = await createActors(testApp);
      ({ fixtures, digest } = await renewFixtures());
    }
  });

  test.each(Object.entries(topicJoinResults))(
    'checks who may join %s over a socket',
    async (pattern, expected) => {
      const fixtures = await createAuthorizationFixtures(testApp, actors);
      const topicOf = ({ conversation, owner }: AuthorizationFixtures) =>
        pattern.startsWith('user') ? toUserTopic(owner.userId) : toConversationTopic(conversation);
      for (const role of callerRoles) {
        const socket = await openRawSocket(getListeningPort(testApp.server.server));
        const payload = { access_token: role === 'visitor' ? 'none' : actors[role].token, after_seq: 0 };
        const reply = (await socket.join(topicOf(fixtures), payload)) as { status: string };
        if (expected[role] === 'ok') expect(reply.status).toBe('ok');
        else {
          const refusal = { status: 'error', response: { reason: expected[role] } };
          expect(reply, `${pattern} joined by ${role}`).toEqual(refusal);
          expect(await socket.join(topicOf(createNonexistentFixtures()), payload)).toEqual(refusal);
          await socket.heartbeat();
          expect(socket.frames.every(([, , , event]) => event === 'phx_reply')).toBe(true);
        }
        socket.webSocket.terminate();
      }
    },
  );
});

describe('promise 14: invalid tokens', () => {
  const guardedRows = Object.entries(authorizationTable).filter(([, { status }]) => status.visitor === 401);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  const readSessionId = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id;
  const passwordProof = () => ({
    proofs: [{ method: 'password', at: testApp.clock.now() }],
    hasSecondFactor: false,
  });
  /** Returns an access token for the owner and the given session, correctly signed by this server. */
  const signFor = async (sessionId: string): Promise<string> => {
    const { userId, email } = actors.owner;
    return (await signAccessToken(testApp.app, { userId, email, sessionId, ...passwordProof() })).token;
  };

  const tokens: Record<string, () => Promise<string>> = {
    'of a session that was ended': async () => {
      const { headers, token } = await testApp.signIn();
      await testApp.server.inject({ method: 'POST', url: '/auth/v1/logout', headers });
      return token;
    },
    'of a deleted account': async () => {
      const { token, userId } = await testApp.signIn();
      await testApp.sql`DELETE FROM users WHERE id = ${userId}`;
      return token;
    },
    'signed for the owner with a foreign key': async () => {
      const foreign = { ...(await generateSigningKey()), signsFrom: testApp.clock.now() };
      const signingKeys: SigningKeyCache = {
        read: (clock) => createSigningKeyCache().read(clock, async () => [foreign]),
      };
      const { userId, email, token } = actors.owner;
      const claims = { userId, email, sessionId: readSessionId(token), ...passwordProof() };
      return (await signAccessToken({ ...testApp.app, signingKeys }, claims)).token;
    },
    'whose session has a malformed id': () => signFor('not-a-uuid'),
    "signed for the owner with another person's active session": async () => {
      await testApp.server.inject({ url: '/rest/v1/me', headers: actors.stranger.headers });
      return signFor(readSessionId(actors.stranger.token));
    },
    'that is a refresh token': async () => actors.owner.refreshToken,
    'with a changed subject': async () => {
      const [head, claims = '', signature] = actors.stranger.token.split('.');
      const changed = {
        ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
        sub: actors.owner.userId,
      };
      return `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    },
  };

  test.each(Object.entries(tokens))('refuses a token %s', async (_what, make) => {
    const fixtures = await createAuthorizationFixtures(testApp, actors);
    const token = await make();
    const before = await digestDatabase(testApp);
    for (const [name, row] of guardedRows) {
      const { status } = await sendRequest(name, row, fixtures, bearer(token));
      expect(status, name).toBe(name.includes(' /auth/v1/') ? 403 : 401);
    }
    const socket = await openRawSocket(getListeningPort(testApp.server.server));
    expect(await socket.join(toUserTopic(actors.owner.userId), { access_token: token })).toEqual({
      status: 'error',
      response: { reason: 'not_authenticated' },
    });
    socket.webSocket.terminate();
    expect(await digestDatabase(testApp)).toBe(before);
  });

  test('promise 82: a session that waits for its second factor may do nothing but complete it or end', async () => {
    const person = await testApp.signIn();
    await enrollTotp(testApp, person);
    const fixtures = { ...(await createAuthorizationFixtures(testApp, actors)), owner: person };
    const socket = await openRawSocket(getListeningPort(testApp.server.server));
    const mayAnswer = ['POST /auth/v1/logout', 'GET /auth/v1/user'];
    const isCompletion = /^POST .*\/(challenge|verify|proof)$/;
    for (const token of [person.token, (await logInWithPassword(testApp, person)).token]) {
      for (const [name, row] of guardedRows) {
        if (mayAnswer.includes(toRouteName(name)) || isCompletion.test(toRouteName(name))) continue;
        const { status } = await sendRequest(name, row, fixtures, bearer(token));
        expect(status, name).toBe(401);
      }
      expect(await socket.join(toUserTopic(person.userId), { access_token: token })).toMatchObject({
        status: 'error',
        response: { reason: 'not_authenticated' },
      });
    }
    socket.webSocket.terminate();
  });

  test('a socket refuses renewal with another person’s token', async () => {
    const fixtures = await createAuthorizationFixtures(testApp, actors);
    const socket = await openRawSocket(getListeningPort(testApp.server.server));
    const topic = toConversationTopic(fixtures.conversation);
    const renew = async (ref: string, { token }: Person) => {
      socket.send(['1', ref, topic, 'access_token', { access_token: token }]);
      return (await socket.waitFor((frame) => frame[1] === ref))[4];
    };
    await socket.join(topic, { access_token: actors.other.token });
    expect(await renew('r1', actors.owner)).toEqual({
      status: 'error',
      response: { reason: 'not_authenticated' },
    });
    expect(await renew('r2', actors.other)).toMatchObject({ status: 'ok' });
    socket.webSocket.terminate();
  });
});
