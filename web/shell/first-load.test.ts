import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { routePatterns } from '#web/lib/links.ts';

interface Route {
  id: string;
  path?: string;
  index?: boolean;
  module: string;
  imports: string[];
}

const clientFolder = fileURLToPath(new URL('../../build/client', import.meta.url));
const assets = readdirSync(join(clientFolder, 'assets'));
const readAsset = (path: string): string => readFileSync(join(clientFolder, path), 'utf8');
const manifestName = assets.find((name) => /^manifest-.*\.js$/.test(name)) ?? '';
const { entry, routes } = JSON.parse(
  readAsset(`/assets/${manifestName}`)
    .replace(/^[^{]*/, '')
    .replace(/[^}]*$/, ''),
) as { entry: Omit<Route, 'id'>; routes: Record<string, Route> };

/** Texts of the parts of a conversation. */
const markers = ['Type your message...', 'is typing…', 'Quick answers', 'Is this still available?'];
const privatePaths = new Set<string | undefined>([...privateScreenPaths, routePatterns.moderation]);
const isPublicPage = ({ id, path, index }: Route): boolean =>
  id !== 'root' && (index || path !== undefined) && !privatePaths.has(path);

test('promise 104: the scripts that a public page loads contain nothing of conversations', () => {
  const scripts = new Map(
    assets
      .filter((name) => name.endsWith('.js'))
      .map((name) => [`/assets/${name}`, readAsset(`/assets/${name}`)]),
  );
  // Some script has each of the texts, so that this test looks for the right ones.
  for (const marker of markers)
    expect(
      [...scripts.values()].filter((text) => text.includes(marker)),
      marker,
    ).not.toEqual([]);
  const pages = Object.values(routes).filter(isPublicPage);
  expect(pages.length).toBeGreaterThan(10);
  for (const { id, module, imports } of pages) {
    const loaded = [
      entry.module,
      ...entry.imports,
      routes.root?.module,
      ...(routes.root?.imports ?? []),
      module,
      ...imports,
    ];
    const found = markers.filter((marker) =>
      loaded.some((path) => scripts.get(path ?? '')?.includes(marker)),
    );
    expect(found, id).toEqual([]);
  }
});
