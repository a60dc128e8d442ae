import { Socket } from 'node:net';
import { getPrimaryLocator, type PrimaryLocator } from './primary-locator.ts';

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
 * Returns the options of the driver that make it connect to the primary; returns no options if
 * `databaseUrl` does not ask for a primary.
 */
export const getPrimaryStreamOption = (databaseUrl: string): { stream?: () => Socket } => {
  const locator = getPrimaryLocator(databaseUrl);
  return locator ? { stream: () => new PrimarySocket(locator) } : {};
};
