/** Types for the used part of oidc-provider, whose published types bring those of Koa and Express. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface Details {
    readonly prompt: {
      readonly name: string;
      readonly details: { readonly missingOIDCScope?: readonly string[] };
    };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }
  class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: {
      new (of: { readonly accountId: string; readonly clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: object,
    ): Promise<void>;
  }
  // eslint-disable-next-line no-restricted-syntax -- it is theirs
  export default Provider;
}
