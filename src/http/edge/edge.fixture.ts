/** Makes an edge, which receives requests and calls routes, for the tests of routes. */
import { Secret } from '../../config/secret.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { AddressRequests } from './address-requests.ts';
import { checkedAgainstSchema } from './answer-check.fixture.ts';
import { createEdge, type Edge, type EdgeDeps, type RequestServer } from './edge.ts';
import { RequestBytes } from './request-bytes.ts';
import type { Route } from './route.ts';

const ROOMY_BYTES = 1024 * 1024;
/** Returns a server whose connections all come from this address. */
export const serverTo = (address: string | null): RequestServer => ({
  requestIP: () => (address === null ? null : { address }),
  timeout: () => {},
});

/** Dependencies of an edge that finds no caller in memory and does not count requests. */
export const NO_CALLERS = {
  knownCaller: () => null,
  inFlight: { enter: () => {}, leave: () => {} },
};

/**
 * Makes an edge that accepts no keys and no sessions, only the administrator's token `admin`.
 * `deps` replace these defaults. `fetch` throws when a response does not match its route's schema.
 * @param others loads the routes that are registered only when a request matches none of `routes`.
 *   Their responses are not checked.
 */
export function edgeOf(
  routes: readonly Route[],
  deps: Partial<EdgeDeps> = {},
  others: (() => Promise<readonly Route[]>) | null = null,
): Edge {
  const problems: string[] = [];
  const held = routes.map((route) =>
    checkedAgainstSchema(route, (problem) => problems.push(problem)),
  );
  const all: EdgeDeps = {
    journal: unreadJournal(),
    authenticate: () => Promise.reject(new Error('no key is expected')),
    playgroundOf: () => Promise.reject(new Error('no playground is expected')),
    signedIn: () => Promise.resolve(null),
    trustedProxies: 0,
    requireTotp: () => false,
    adminToken: new Secret('admin'),
    publicUrl: 'http://gateway',
    isDraining: () => false,
    requestBytes: new RequestBytes(ROOMY_BYTES),
    addressRequests: new AddressRequests(0),
    ...NO_CALLERS,
    onFailure: () => {},
    ...deps,
  };
  const edge = createEdge(held, all, others);
  return {
    fetch: async (request, server) => {
      const answer = await edge.fetch(request, server);
      const problem = problems.pop();
      if (problem !== undefined) throw new Error(problem);
      return answer;
    },
  };
}
