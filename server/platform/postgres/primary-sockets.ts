import { Socket } from 'node:net';
import { getPrimaryLocator, type PrimaryLocator } from './primary-locator.ts';

/**
 * Returns the option of the driver `postgres` that makes a pool connect to the primary; returns no option if
 * `databaseUrl` does not ask for a primary.
 */
export const getPrimarySocketOption = (databaseUrl: string): { socket?: () => Promise<Socket> } => {
  const locator = getPrimaryLocator(databaseUrl);
  return locator ? { socket: () => openSocket(locator) } : {};
};

/**
 * Opens a socket to the primary. Never rejects, because the driver would then keep the connection in the
 * state "connecting" forever; returns a socket that fails instead.
 */
const openSocket = async (locator: PrimaryLocator): Promise<Socket> => {
  const socket = new Socket();
  try {
    await locator.connect(socket);
    return socket;
  } catch (error) {
    const failed = new Socket();
    // Destroy the socket only after the driver has added its listeners, which then receive the error.
    setImmediate(() => failed.destroy(error as Error));
    return failed;
  }
};

/** A socket that connects to the primary, whatever address `connect` is called with. */
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
 * Returns the options of the driver `pg` that make it connect to the primary; returns no options if
 * `databaseUrl` does not ask for a primary.
 */
export const getPrimaryStreamOption = (databaseUrl: string): { stream?: () => Socket } => {
  const locator = getPrimaryLocator(databaseUrl);
  return locator ? { stream: () => new PrimarySocket(locator) } : {};
};
