/**
 * Finds or installs Chromium for the tests, and starts it once to verify that it works. Tries these
 * candidates in order: the path in the environment variable CHROMIUM; the npm package
 * @sparticuz/chromium, which the lock file pins, which includes libraries and a font, and which
 * needs no privileges; an installed Chromium or Chrome; Debian's package, if run as root. When run
 * as a script, prints the path of the browser.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheFolder = join(root, 'node_modules', '.cache', 'quad-browser');
const systemBrowserPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Command-line arguments of every test browser: no background network traffic, no GPU, no sandbox. */
const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

type BrowserInstallation = { path: string; libraries?: string; fonts?: string };

type BrowserLaunch = {
  executablePath: string;
  args: string[];
  ignoreDefaultArgs: string[];
  env: Record<string, string>;
};

/** Returns launch options for Playwright. Throws when there is no usable Chromium. */
export async function prepareBrowser(): Promise<BrowserLaunch> {
  const failures: string[] = [];
  for (const find of [findInEnvironment, unpackFromNpm, findInstalledBrowser, installFromDebian]) {
    const found = await find();
    if (!found) continue;
    const failure = await findLaunchFailure(found);
    if (!failure) return createLaunchOptions(found);
    failures.push(`${found.path}: ${failure}`);
    if (find === findInEnvironment) break;
  }
  throw new Error(
    ['No Chromium could be started for the tests. Install one and name it in CHROMIUM.', ...failures].join(
      '\n',
    ),
  );
}

function findInEnvironment(): BrowserInstallation | undefined {
  return process.env.CHROMIUM ? { path: process.env.CHROMIUM } : undefined;
}

function findInstalledBrowser(): BrowserInstallation | undefined {
  const path = systemBrowserPaths.find((it) => existsSync(it));
  return path ? { path } : undefined;
}

async function unpackFromNpm(): Promise<BrowserInstallation | undefined> {
  if (process.platform !== 'linux') return undefined;
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(cacheFolder, version);
  const installation = {
    path: join(folder, 'chromium'),
    libraries: join(folder, 'al2023', 'lib'),
    fonts: folder,
  };
  if (existsSync(installation.path)) return installation;
  const partialFolder = `${folder}.${process.pid}`;
  mkdirSync(partialFolder, { recursive: true });
  try {
    await unpackArchives(join(packageFolder, 'bin'), partialFolder);
    writeFileSync(join(partialFolder, 'fonts.conf'), createFontConfig(folder));
    // A browser that was running while its folder was deleted leaves a folder with a cache of fonts.
    if (!existsSync(installation.path)) rmSync(folder, { recursive: true, force: true });
    renameSync(partialFolder, folder);
  } catch (error) {
    rmSync(partialFolder, { recursive: true, force: true });
    // If the browser exists now, another process has unpacked the package in the meantime. Otherwise unpacking
    // has failed, for example because the package has no build for this processor.
    if (!existsSync(installation.path))
      process.stderr.write(`@sparticuz/chromium could not be unpacked: ${getErrorMessage(error)}\n`);
  }
  return existsSync(installation.path) ? installation : undefined;
}

/**
 * Unpacks the archives of @sparticuz/chromium into the target folder. The package always writes to
 * TMPDIR, so TMPDIR is set to the target folder while it unpacks.
 */
async function unpackArchives(archives: string, target: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const before = process.env.TMPDIR;
  process.env.TMPDIR = target;
  try {
    for (const name of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
      await inflate(join(archives, name));
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

function createFontConfig(folder: string): string {
  const places = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...places.map((place) => `  <dir>${place}</dir>`),
    `  <cachedir>${join(folder, 'font-cache')}</cachedir>`,
    '</fontconfig>',
    '',
  ].join('\n');
}

function installFromDebian(): BrowserInstallation | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  process.stderr.write('Installing Chromium from Debian ...\n');
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
  return findInstalledBrowser();
}

function createLaunchOptions(found: BrowserInstallation): BrowserLaunch {
  const env = { ...process.env } as Record<string, string>;
  if (found.libraries && found.fonts) {
    env.LD_LIBRARY_PATH = [found.libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
    env.FONTCONFIG_FILE = join(found.fonts, 'fonts.conf');
  }
  return {
    executablePath: found.path,
    args: launchArguments,
    // By default, Playwright makes Chromium create its shared memory as files in TMPDIR, because /dev/shm can
    // be too small in containers. In memory, the same tests need about a tenth less CPU time.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    env,
  };
}

/** Returns whether /dev/shm has enough space for the browsers of all test workers (at least 2 GiB free). */
function hasSharedMemory(): boolean {
  if (!existsSync('/dev/shm')) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= 2 * 1024 ** 3;
}

/**
 * Starts the browser once and opens a page, unless this browser has already worked before. Returns
 * the error message, or undefined when the browser works.
 */
async function findLaunchFailure(found: BrowserInstallation): Promise<string | undefined> {
  const verifiedPathFile = join(cacheFolder, 'works');
  if (
    existsSync(verifiedPathFile) &&
    readFileSync(verifiedPathFile, 'utf8') === found.path &&
    existsSync(found.path)
  )
    return undefined;
  const { chromium } = await import('@playwright/test');
  try {
    const browser = await chromium.launch({ ...createLaunchOptions(found), timeout: 30_000 });
    const page = await browser.newPage();
    await page.setContent('<title>ready</title>');
    const title = await page.title();
    await browser.close();
    if (title !== 'ready') return 'it shows no pages';
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(verifiedPathFile, found.path);
    return undefined;
  } catch (error) {
    return getErrorMessage(error);
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${(await prepareBrowser()).executablePath}\n`);
  } catch (error) {
    process.stderr.write(`${getErrorMessage(error)}\n`);
    process.exitCode = 1;
  }
}
