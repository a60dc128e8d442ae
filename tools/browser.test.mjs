import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectEnvironment, nodeModulesFolder, projectRoot } from './setup/project.mjs';

let checkout = '';
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'quad-browser-'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'unpacks the browser of npm again when only its cache of fonts is left',
  () => {
    const modules = join(checkout, 'node_modules');
    mkdirSync(modules);
    mkdirSync(join(checkout, 'tools'));
    copyFileSync(join(projectRoot, 'tools', 'browser.ts'), join(checkout, 'tools', 'browser.ts'));
    for (const name of ['@sparticuz', '@playwright'])
      symlinkSync(join(nodeModulesFolder, name), join(modules, name));
    const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8'));
    const folder = join(modules, '.cache', 'quad-browser', version);
    mkdirSync(join(folder, 'font-cache'), { recursive: true });

    const { stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'tools', 'browser.ts')], {
      env: { ...createProjectEnvironment(), CHROMIUM: '' },
      encoding: 'utf8',
    });

    expect(stdout.trim(), stderr).toBe(join(folder, 'chromium'));
  },
);
