import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import configuration from '../.dependency-cruiser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * For each rule, files that break it together: each key is the path of a file, and its value is the only
 * module that this file imports. The import check must report the first file.
 */
const violatingFilesByRule = {
  'contract-imports-nothing-of-ours': { 'contract/a.ts': '#server/features/listings/sale.ts' },
  'contract-imports-the-schema-library-only': { 'contract/b.ts': 'node:fs' },
  'web-never-server': { 'web/lib/a.ts': '#server/features/listings/sale.ts' },
  'server-never-web': { 'server/pages/a.ts': '#web/ui/price.tsx' },
  'product-never-tooling': { 'server/platform/a.ts': '../testing/database.ts' },
  'server-parts-point-down': { 'server/features/listings/saving.ts': '#server/features/deals/public.ts' },
  'every-server-part-has-a-place': {
    'server/features/auctions/bids.ts': '#server/features/listings/public.ts',
  },
  'routes-see-no-row': { 'server/features/listings/plugin.ts': './repository.ts' },
  'only-plugins-and-routes-see-http': { 'server/features/listings/drafts.ts': 'fastify' },
  'functions-cannot-reach-http': {
    'server/features/forms/replies.ts': '#server/mail/public.ts',
    'server/mail/public.ts': './greeting.ts',
    'server/mail/greeting.ts': '#server/http/errors.ts',
  },
  'repository-decides-nothing': { 'server/features/listings/draft-repository.ts': './policy.ts' },
  'policy-is-pure': { 'server/features/conversations/policy.ts': '#server/platform/clock.ts' },
  'feature-through-its-public-file': {
    'server/features/conversations/messages.ts': '#server/features/listings/sale.ts',
  },
  'server-parts-through-public-files': { 'server/realtime/a.ts': '#server/features/listings/policy.ts' },
  'mail-and-pages-through-their-public-file': {
    'server/features/profiles/profiles.ts': '#server/mail/mailer.ts',
  },
  'start-up-uses-public-files-and-plugins': {
    'server/start/http-server.ts': '#server/features/listings/sale.ts',
  },
  'web-feature-through-its-public-file': { 'web/listings/a.ts': '../conversations/thread.tsx' },
  'web-routes-use-components-and-public-files': { 'web/routes/a.tsx': '#web/conversations/outbox.ts' },
  'web-features-below-routes': { 'web/listings/b.ts': '#web/routes/home.tsx' },
  'web-base-layers-import-no-features': { 'web/ui/a.ts': '#web/conversations/thread.tsx' },
  'ui-knows-no-data': { 'web/ui/b.ts': '#web/lib/api.ts' },
  'lib-draws-nothing': { 'web/lib/b.ts': '#web/ui/price.tsx' },
  'no-cycles': { 'web/lib/c.ts': './d.ts', 'web/lib/d.ts': './c.ts' },
  'no-orphans': { 'web/lib/lonely.ts': undefined },
  'no-catch-all-names-from': { 'server/http/string-utils.ts': './errors.ts' },
  'no-catch-all-names-to': {
    'server/http/c.ts': './helpers/text.ts',
    'server/http/helpers/text.ts': undefined,
  },
  'no-barrels-from': { 'web/ui/index.ts': './price.tsx' },
  'no-barrels-to': { 'web/ui/c.ts': './forms/index.ts', 'web/ui/forms/index.ts': undefined },
  resolvable: { 'server/http/d.ts': '#contract/nowhere.ts' },
  'server-runs-without-dev-packages': { 'server/http/e.ts': 'vite' },
};

/** Files that the files above import, and that break no rule themselves. */
const compliantFiles = {
  'contract/text.ts': 'zod',
  'server/app.ts': '#server/platform/clock.ts',
  'server/features/listings/public.ts': './sale.ts',
  'server/features/listings/sale.ts': './repository.ts',
  'server/features/forms/plugin.ts': '#server/http/errors.ts',
  'server/features/deals/start-deal.ts': '#server/features/listings/public.ts',
  'server/features/deals/public.ts': './start-deal.ts',
  'server/start/page-reads.ts': '#server/features/listings/public.ts',
  'server/mail/mailer.ts': '#contract/text.ts',
  'server/features/listings/repository.ts': '#server/platform/clock.ts',
  'server/features/listings/policy.ts': '#contract/text.ts',
  'server/platform/clock.ts': '#contract/text.ts',
  'server/http/errors.ts': '#contract/text.ts',
  'server/testing/database.ts': '#server/platform/clock.ts',
  'web/ui/price.tsx': '#contract/text.ts',
  'web/lib/api.ts': '#contract/text.ts',
  'web/conversations/thread.tsx': '#web/ui/price.tsx',
  'web/conversations/outbox.ts': '#web/lib/api.ts',
  'web/conversations/public.ts': './outbox.ts',
  'web/listings/card.tsx': '#web/conversations/public.ts',
  'web/shell/watch.tsx': '#web/conversations/public.ts',
  'web/routes/home.tsx': '#web/conversations/thread.tsx',
};

describe('the import rules', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'boundaries-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const findViolations = (files, typeOnly) => {
    rmSync(folder, { recursive: true, force: true });
    for (const [path, target] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const statement = typeOnly
        ? `import type { thing } from '${target}';\nexport type Mine = typeof thing;\n`
        : `import { thing } from '${target}';\nexport const mine = thing;\n`;
      writeFileSync(join(folder, path), target ? statement : 'export const thing = 1;\n');
    }
    const manifest = {
      type: 'module',
      imports: { '#contract/*': './contract/*', '#server/*': './server/*', '#web/*': './web/*' },
      dependencies: { zod: '*', fastify: '*' },
      devDependencies: { vite: '*' },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const program = join(root, 'node_modules', '.bin', 'depcruise');
    const folders = ['contract', 'server', 'web'];
    const options = ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'];
    const result = spawnSync(process.execPath, [program, ...options, ...folders], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 32 * 1024 * 1024,
    });
    if (!result.stdout.startsWith('{')) throw new Error(result.stdout + result.stderr);
    return JSON.parse(result.stdout).summary.violations;
  };
  const allFiles = Object.assign({}, compliantFiles, ...Object.values(violatingFilesByRule));

  test('report nothing for files that break no rule', () => {
    expect(findViolations(compliantFiles, false)).toEqual([]);
  });

  test('report each broken rule with the file that breaks it', () => {
    const found = findViolations(allFiles, false).map((it) => `${it.rule.name}: ${it.from}`);
    for (const { name } of configuration.forbidden) {
      const [file] = Object.keys(violatingFilesByRule[name] ?? { 'a violation in this test': '' });
      expect(found).toContain(`${name}: ${file}`);
    }
  });

  test('also apply to type-only imports', () => {
    const found = findViolations(allFiles, true).map((it) => it.rule.name);
    for (const name of [
      'contract-imports-nothing-of-ours',
      'web-never-server',
      'server-parts-point-down',
      'routes-see-no-row',
      'no-cycles',
    ]) {
      expect(found).toContain(name);
    }
  });

  test('let the App name types of features, but not use them', () => {
    const files = { ...compliantFiles, 'server/app.ts': '#server/features/listings/sale.ts' };
    expect(findViolations(files, true)).toEqual([]);
    expect(findViolations(files, false)).toMatchObject([
      { rule: { name: 'server-parts-point-down' }, from: 'server/app.ts' },
    ]);
  });
});
