/** Types for the part of `oidc-provider` that tests use. The package contains no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  type Context = {
    readonly oidc?: { readonly route?: string; readonly provider: Provider };
    body?: { id_token?: string };
  };
  type Claims = { readonly sub: string; readonly [claim: string]: unknown };

  class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly findAccount: (
          context: unknown,
          id: string,
        ) => { readonly accountId: string; readonly claims: () => Claims };
        readonly loadExistingGrant: (context: {
          readonly oidc: {
            readonly client: { readonly clientId: string };
            readonly session: { readonly accountId: string };
          };
        }) => Promise<object>;
        readonly [option: string]: unknown;
      },
    );
    readonly Grant: new (of: {
      readonly clientId: string;
      readonly accountId: string;
    }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>;
  }

  // biome-ignore lint/style/noDefaultExport: how the package exports it.
  export { Provider as default };
}
