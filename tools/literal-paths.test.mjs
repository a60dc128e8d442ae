import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const getProjectPath = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const rejectedLines = [
  `<Link to="/messages" />;`,
  `<Link to={signedIn ? links.home : '/login'} />;`,
  `<a href={\`/listing/\${slug}\`}>Lamp</a>;`,
  `<form action="/search" />;`,
  `<LogInForm forgotTo="/forgot-password" />;`,
  `void navigate('/profile', { replace: true });`,
  `navigate(from ?? '/');`,
  `redirect(\`/category/\${slug.trim()}\`);`,
  `window.location.replace('/');`,
  `location.href = '/messages';`,
  `const entry = { to: '/signup', label: 'Sign Up' };`,
];

const acceptedLines = [
  `<Link to={links.listing(slug)} />;`,
  `<Link to="?sort=newest" />;`,
  `<a href="#main">Skip</a>;`,
  `<a href={\`mailto:\${email}\`}>Mail</a>;`,
  `<p title="/messages" />;`,
  `void navigate(links.home);`,
  `void navigate(-1);`,
  `const icon = { rel: 'icon', href: '/favicon.svg' };`,
  `const price = { unit: '/day' };`,
];

describe('the lint rule against literal paths', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'literal-paths-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let reportedLineNumbers = [];
  beforeAll(() => {
    // Writes a Biome configuration that contains only the rule against literal paths, applied to the same
    // files as in biome.json.
    const { overrides } = JSON.parse(readFileSync(getProjectPath('biome.json'), 'utf8'));
    const configuration = {
      overrides: overrides.map((it) => ({ ...it, plugins: it.plugins?.map(getProjectPath) })),
      linter: { rules: { preset: 'none' } },
    };
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(configuration));
    writeFileSync(join(folder, 'web', 'screen.tsx'), [...rejectedLines, ...acceptedLines].join('\n'));
    const { stdout, stderr } = spawnSync(
      getProjectPath('node_modules/.bin/biome'),
      ['lint', '--reporter=github', '--max-diagnostics=none'],
      { cwd: folder, encoding: 'utf8' },
    );
    reportedLineNumbers = [...stdout.matchAll(/line=(\d+)/g)].map(([, line]) => Number(line));
    if (reportedLineNumbers.length === 0) throw new Error(stdout + stderr);
  });

  test.each(rejectedLines.map((code, index) => [code, index + 1]))('refuses %s', (_, line) => {
    expect(reportedLineNumbers).toContain(line);
  });

  test.each(acceptedLines.map((code, index) => [code, rejectedLines.length + index + 1]))(
    'accepts %s',
    (_, line) => {
      expect(reportedLineNumbers).not.toContain(line);
    },
  );
});
