declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    prompt: { name: string };
    params: Record<string, unknown>;
    session?: { accountId: string };
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  /** Types of the part of oidc-provider that the tests use. The package itself contains no types. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => Grant;
    AccessToken: new (properties: {
      accountId: string;
      client: object;
      grantId: string;
      scope: string;
    }) => { save(): Promise<string> };
    Client: { find(id: string): Promise<object> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
