import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { AppHostName } from './app-host.ts';
import { readConfigurationExample } from './configuration.ts';
import { startProcess, waitForValue } from './machine-process.ts';
import type { ClusterNetwork } from './network.ts';

export interface ProxyMachine {
  ready(): Promise<void>;
  /** Sets whether nginx sends new requests to an application host. */
  setInService(name: AppHostName, isInService: boolean): void;
  /** Returns the responses that nginx has logged since it started. */
  listResponses(): { atMs: number; status: number }[];
  close(): void;
}

/**
 * Forwards connections from a port of this computer to nginx, whose own addresses exist only in the cluster's
 * network. Tells nginx the visitor's address with the PROXY protocol.
 */
const startEntrance = (port: number, unixSocket: string): Server =>
  createServer((visitor: Socket) => {
    const inner = connect(unixSocket);
    inner.write(`PROXY TCP4 127.0.0.1 127.0.0.1 ${visitor.remotePort} ${port}\r\n`);
    visitor.pipe(inner).pipe(visitor);
    visitor.on('error', () => inner.destroy());
    inner.on('error', () => visitor.destroy());
  }).listen(port, '127.0.0.1');

/** Starts nginx. Visitors reach it at `port` of the loopback address. */
export const startProxyMachine = (network: ClusterNetwork, folder: string, port: number): ProxyMachine => {
  mkdirSync(folder);
  const at = (part: string): string => join(folder, part);
  const unixSocket = at('visitors.sock');
  writeFileSync(
    at('nginx.conf'),
    readConfigurationExample('nginx.conf', {
      '/etc/nginx/quad-': at('quad-'),
      '/var/log/nginx/': `${folder}/`,
      '/var/cache/nginx/quad': at('cache'),
      '/run/nginx.pid': at('nginx.pid'),
    }),
  );
  writeFileSync(
    at('quad-listen.conf'),
    `listen unix:${unixSocket} proxy_protocol;\nset_real_ip_from unix:;\nreal_ip_header proxy_protocol;\n`,
  );
  const hosts = readConfigurationExample('quad-hosts.conf');
  writeFileSync(at('quad-hosts.conf'), hosts);
  const nginx = startProcess(
    network.commandOn('proxy1', ['/usr/sbin/nginx', '-c', at('nginx.conf'), '-g', 'daemon off;']),
    at('nginx.log'),
  );
  const entrance = startEntrance(port, unixSocket);
  const outOfService = new Set<AppHostName>();
  return {
    ready: async () => {
      const connectOnce = (): Promise<true | undefined> =>
        new Promise((resolve) => {
          if (!nginx.isRunning()) throw new Error(`nginx ended: ${nginx.output()}`);
          const probe = connect(unixSocket, () => resolve(true));
          probe.on('error', () => resolve(undefined)).on('connect', () => probe.destroy());
        });
      await waitForValue('nginx', connectOnce, 20_000);
    },
    setInService: (name, isInService) => {
      if (isInService) outOfService.delete(name);
      else outOfService.add(name);
      let text = hosts;
      for (const each of outOfService)
        text = text.replace(new RegExp(`^(server ${each}:.*);$`, 'm'), '$1 down;');
      writeFileSync(at('quad-hosts.conf'), text);
      nginx.signal('SIGHUP');
    },
    listResponses: () =>
      readFileSync(at('quad.log'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' '))
        .map(([seconds, status]) => ({ atMs: Number(seconds) * 1000, status: Number(status) })),
    close: () => entrance.close(),
  };
};
