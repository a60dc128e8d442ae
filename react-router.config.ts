import type { Config } from '@react-router/dev/config';
import { drawIcons } from './tools/build/icons.ts';
import { buildServiceWorker } from './tools/build/service-worker.ts';

export default {
  appDirectory: 'web',
  // tools/setup/pages.mjs builds beside the present build and replaces it afterwards.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build',
  ssr: true,
  // Few enough screens to name them all at once: no page asks for a part of the list later.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig: { buildDirectory }, viteConfig }) => {
    await drawIcons(`${buildDirectory}/client`);
    await buildServiceWorker(viteConfig.root, buildDirectory);
  },
} satisfies Config;
