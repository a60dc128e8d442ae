import type { Config } from '@react-router/dev/config';
import { buildServiceWorker } from './tools/build/service-worker.ts';

export default {
  appDirectory: 'web',
  // tools/setup/pages.mjs builds into a separate folder, and replaces the current build only when the new one
  // is complete.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build',
  ssr: true,
  // Each page contains the complete route list and never requests parts of it later, because there are few
  // routes.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig: { buildDirectory }, viteConfig }) => {
    await buildServiceWorker(viteConfig.root, buildDirectory);
  },
} satisfies Config;
