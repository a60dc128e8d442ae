import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a TCP port on loopback that is currently free. */
export const findFreePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
};
