// Made by `npm run console:api` from the routes of the gateway; do not edit.
export interface paths {
  '/console/api/session': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: { query?: never; header?: never; path?: never; cookie?: never };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              person: null | {
                id: string;
                email: string;
                name: string;
                role: 'read_only' | 'member' | 'owner' | 'administrator';
                account: { id: string; name: string };
              };
              setup_needed: boolean;
              sign_up: 'closed' | 'open';
            };
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
