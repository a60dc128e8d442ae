import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConfigurationHints, readConfig } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import { startTestApp } from '#server/testing/app.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import {
  type ProviderPerson,
  startOpenidProvider,
  testClientId,
  testClientSecret,
} from '#server/testing/openid-provider.ts';
import { createSignOnClient } from '#server/testing/sign-on-client.ts';

// The examples of providers in docs/operations.md.

const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const [, section = ''] = /\n## Connect your university's sign-on\n(.*?)\n## /s.exec(operations) ?? [];
const [intro = '', ...parts] = section.split('\n### ');
const readBlock = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? '';
const commonSettings = parseEnv(readBlock(intro, 'sh'));
const examples = parts
  .filter((part) => part.includes('```sh'))
  .map((part) => ({
    provider: part.slice(0, part.indexOf('\n')),
    settings: { ...commonSettings, ...parseEnv(readBlock(part, 'sh')) } as Record<string, string>,
    claims: JSON.parse(readBlock(part, 'json')) as Partial<ProviderPerson>,
  }));

let folder: string;
let secretFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-examples-'));
  secretFile = join(folder, 'secret');
  await writeFile(secretFile, `${testClientSecret}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

test('there are examples of four providers', () => {
  expect(examples.map(({ provider }) => provider)).toEqual([
    'Keycloak',
    'Microsoft Entra',
    'Shibboleth',
    'CILogon',
  ]);
});

test.each(examples)(
  'the settings of $provider start a server, on which a student logs in',
  async ({ settings, claims }) => {
    const written = { ...settings, QUAD_OIDC_CLIENT_SECRET_FILE: secretFile };
    expect(listConfigurationHints(written)).toEqual([]);
    expect(readConfig(written).signOn?.issuer).toBe(settings.QUAD_OIDC_ISSUER);

    const port = await findFreePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const provider = await startOpenidProvider(publicUrl);
    const testApp = await startTestApp({
      environment: {
        ...written,
        QUAD_PUBLIC_URL: publicUrl,
        QUAD_CAMPUS_DOMAIN: 'example.edu',
        QUAD_OIDC_ISSUER: provider.issuer,
        QUAD_OIDC_CLIENT_ID: testClientId,
      },
      // The provider has the time of this machine.
      replace: { clock: systemClock },
    });
    try {
      await testApp.server.listen({ port, host: '127.0.0.1' });
      provider.person = { sub: 'ada-1', name: 'Ada', ...claims };
      const { data, error } = await createSignOnClient(publicUrl).logIn();
      expect(error).toBeNull();
      expect(data.user?.email).toBe('ada@example.edu');
      const [person] =
        await testApp.sql`SELECT role, usc_verified FROM users WHERE id = ${data.user?.id ?? ''}`;
      expect(person).toEqual({ role: 'Student', usc_verified: true });
    } finally {
      await testApp.close();
      await provider.close();
    }
  },
);
