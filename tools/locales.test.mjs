import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The modules that know locales: all others get formats from them, in the locale of the campus. */
const allowed = [
  'contract/campus.ts',
  'contract/date-format.ts',
  'contract/number-format.ts',
  'contract/testing.ts',
  'server/settings.ts',
];

test('only the formats of the contract name a locale or create a format', () => {
  const own =
    /'[a-z]{2}-[A-Z]{2}'|\.toLocale(?:Date|Time)?String\(|new Intl\.(?:DateTimeFormat|NumberFormat)\(/;
  const found = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !path.includes('.test.') && !path.includes('/testing/') && !allowed.includes(path))
    .flatMap((path) =>
      readFileSync(`${root}/${path}`, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          own.test(line) && !line.trim().startsWith('*') ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
  expect(found).toEqual([]);
});
