import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // Few enough screens to name them all at once: no page asks for a part of the list later.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
