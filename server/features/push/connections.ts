import type { Agent } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Push services that tests run on this machine. */
export interface LocalPushServices {
  /** CA certificate for verifying the test push services' TLS certificates. */
  ca: string;
  /** Replaces the timeout of requests, in milliseconds. */
  requestTimeoutMs?: number;
}

export interface PushConnections {
  /** Calls no private or loopback address, unless `allowsPrivateHosts` is true. */
  agent: Agent;
  allowsPrivateHosts: boolean;
  /** Timeout of a whole request in milliseconds, from the DNS lookup to the response. */
  requestTimeoutMs: number;
  /** Cancels what is being sent when the server stops. */
  stopping: AbortController;
}

const defaultRequestTimeoutMs = 8_000;

/**
 * Addresses that embed IPv4 addresses, such as `::127.0.0.1` (RFC 4291 §2.5.5.1). They are deprecated, so the library that
 * recognizes private addresses does not know them.
 */
export const unlistedPrivateNetwork = '::/96';

/** Creates the connections to push services. Tests pass push services that run on this machine. */
export const createPushConnections = (localServices?: LocalPushServices): PushConnections => {
  const agent = new RequestFilteringHttpsAgent({
    keepAlive: true,
    ...(localServices
      ? { ca: localServices.ca, allowPrivateIPAddress: true }
      : { denyIPAddressList: [unlistedPrivateNetwork] }),
  });
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => agent.destroy());
  return {
    agent,
    allowsPrivateHosts: localServices !== undefined,
    requestTimeoutMs: localServices?.requestTimeoutMs ?? defaultRequestTimeoutMs,
    stopping,
  };
};
