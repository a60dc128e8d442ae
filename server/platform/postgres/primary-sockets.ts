import { Socket } from 'node:net';
import { getPrimaryLocator, type PrimaryLocator } from './primary-locator.ts';

/**
 * Returns options for the driver `postgres` with which a pool connects to the primary; none if `databaseUrl` does not
 * ask for a primary.
 */
export const getPrimarySocketOption = (databaseUrl: string): { socket?: () => Promise<Socket> } => {
  const locator = getPrimaryLocator(databaseUrl);
  return locator ? { socket: () => openSocket(locator) } : {};
};

/** Never rejects, because the driver would keep the connection as "connecting" forever. */
const openSocket = async (locator: PrimaryLocator): Promise<Socket> => {
  const socket = new Socket();
  try {
    await locator.connect(socket);
    return socket;
  } catch (error) {
    const failed = new Socket();
    // Fails once the driver has added its listeners.
    setImmediate(() => failed.destroy(error as Error));
    return failed;
  }
};

/** A socket that ignores the address that it is told to connect to, and connects to the primary. */
class PrimarySocket extends Socket {
  readonly #locator: PrimaryLocator;

  constructor(locator: PrimaryLocator) {
    super();
    this.#locator = locator;
  }

  override connect(): this {
    this.#locator.connect(this).catch((error) => this.destroy(error));
    return this;
  }
}

/**
 * Returns options for the driver `pg` with which it connects to the primary; none if `databaseUrl` does not ask for a
 * primary.
 */
export const getPrimaryStreamOption = (databaseUrl: string): { stream?: () => Socket } => {
  const locator = getPrimaryLocator(databaseUrl);
  return locator ? { stream: () => new PrimarySocket(locator) } : {};
};
