import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { findFreePort } from './free-port.ts';

export const testClientId = 'quad';
export const testClientSecret = 'a-secret-between-quad-and-the-provider';

/** A person at the university's sign-on. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  eduperson_scoped_affiliation?: string | unknown[] | undefined;
  /** The same, in the claims of other products. */
  roles?: string[];
  affiliation?: string;
  /** What userinfo states, beside the claims of the ID token. */
  auth_time?: number;
}

/** The university's sign-on: an OpenID provider (oidc-provider) on this machine. */
export interface TestProvider {
  issuer: string;
  /** The person who logs in next. */
  person: ProviderPerson;
  /** What that person does: log in, or cancel. With `ask`, a page with a link for each asks in the browser. */
  answer: 'log in' | 'cancel' | 'ask';
  /** Changes what a log-in asks for, as a provider that ignores some of it. */
  ignore?: ((parameters: URLSearchParams) => void) | undefined;
  /** When the person entered their credentials (Unix time in seconds), by default now. */
  enteredAt?: number | undefined;
  /** Signs an ID token of this provider, with claims that replace the usual ones. */
  signIdToken(claims: object, header?: object): Promise<string>;
  publicKey: JWK;
  /** Returns an access token, with which userinfo states what is known about the person. */
  issueAccessToken(person: ProviderPerson): Promise<string>;
  close(): Promise<void>;
}

const createKey = async (): Promise<{ privateKey: CryptoKey; jwk: JWK; publicKey: JWK }> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = crypto.randomUUID();
  return {
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
    publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
  };
};

/** Starts a provider for a client at `publicUrl`; with `port`, in place of one that was there before. */
export const startOpenidProvider = async (publicUrl: string, port?: number): Promise<TestProvider> => {
  const usedPort = port ?? (await findFreePort());
  const issuer = `http://127.0.0.1:${usedPort}`;
  const { privateKey, jwk, publicKey } = await createKey();
  const people = new Map<string, ProviderPerson>();
  // oidc-provider warns of what a test does not need.
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: testClientId,
        client_secret: testClientSecret,
        redirect_uris: [`${publicUrl}/auth/v1/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['only-for-tests'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 300 },
    claims: {
      openid: ['sub', 'roles'],
      'org.cilogon.userinfo': ['affiliation'],
      email: ['email', 'email_verified'],
      profile: ['name', 'eduperson_scoped_affiliation', 'auth_time'],
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => people.get(id) }),
  });
  Object.assign(console, { info, warn });

  const scope = 'openid email profile org.cilogon.userinfo';
  const grantAccess = async (accountId: string): Promise<string> => {
    const grant = new provider.Grant({ accountId, clientId: testClientId });
    grant.addOIDCScope(scope);
    return grant.save();
  };
  const issueAccessToken = async (person: ProviderPerson): Promise<string> => {
    people.set(person.sub, { ...person });
    const grantId = await grantAccess(person.sub);
    const client = await provider.Client.find(testClientId);
    return new provider.AccessToken({ accountId: person.sub, client, grantId, scope }).save();
  };

  const answerInteraction = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, session } = await provider.interactionDetails(request, response);
    const { searchParams } = new URL(request.url ?? '', issuer);
    const answer = searchParams.get('answer') ?? testProvider.answer;
    if (answer === 'ask') {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<title>University log-in</title><h1>University log-in</h1><a href="?answer=log in">Log in</a> <a href="?answer=cancel">Cancel</a>',
      );
      return;
    }
    const { person } = testProvider;
    people.set(person.sub, { ...person });
    await provider.interactionFinished(
      request,
      response,
      answer === 'cancel'
        ? { error: 'access_denied' }
        : prompt.name === 'login'
          ? { login: { accountId: person.sub, remember: false, ts: testProvider.enteredAt } }
          : { consent: { grantId: await grantAccess(session?.accountId ?? person.sub) } },
    );
  };

  const handleRequest = provider.callback();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/auth') {
      testProvider.ignore?.(url.searchParams);
      request.url = `${url.pathname}${url.search}`;
    }
    if (!url.pathname.startsWith('/interaction/')) return handleRequest(request, response);
    answerInteraction(request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  server.listen(usedPort, '127.0.0.1');
  await once(server, 'listening');

  const testProvider: TestProvider = {
    issuer,
    person: { sub: 'nobody' },
    answer: 'log in',
    publicKey,
    issueAccessToken,
    signIdToken: (claims, header = {}) =>
      new SignJWT({ iss: issuer, aud: testClientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '', ...header })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return testProvider;
};

/** A browser that follows redirects and stores cookies by host. */
export const createTestBrowser = () => {
  const jars = new Map<string, Map<string, string>>();
  const getJar = (url: string): Map<string, string> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const jar = getJar(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return response;
  };
  return {
    request,
    /** Deletes the cookies of a host. */
    forget: (url: string): void => getJar(url).clear(),
    /** Follows redirects from a URL until one leads to a URL for which `isEnd` is true; returns that URL. */
    follow: async (start: string, isEnd: (url: string) => boolean): Promise<URL> => {
      let url = start;
      for (let step = 0; step < 15; step += 1) {
        if (isEnd(url)) return new URL(url);
        const response = await request(url);
        const location = response.headers.get('location');
        if (!location) throw new Error(`${response.status} at ${url}: ${await response.text()}`);
        url = new URL(location, url).href;
      }
      throw new Error(`Too many redirects, now at ${url}`);
    },
  };
};
