/** An edge for tests, as those need it who ask about routes and not about the edge. */
import { Secret } from '../../config/secret.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { heldToItsWord } from './answer-check.fixture.ts';
import { createEdge, type Edge, type EdgeDeps } from './edge.ts';
import { RequestBytes } from './request-bytes.ts';
import type { Route } from './route.ts';

const ROOMY_BYTES = 1024 * 1024;

/**
 * Nobody has a key or a session, and the administrator's token is `admin`, unless `deps` say otherwise. An
 * answer that is not as its route describes it is thrown at whoever asked.
 */
export function edgeOf(routes: readonly Route[], deps: Partial<EdgeDeps> = {}): Edge {
  const problems: string[] = [];
  const held = routes.map((route) => heldToItsWord(route, (problem) => problems.push(problem)));
  const edge = createEdge(held, {
    journal: unreadJournal(),
    authenticate: () => Promise.reject(new Error('no key is asked for')),
    playgroundOf: () => Promise.reject(new Error('no playground is asked for')),
    signedIn: () => Promise.resolve(null),
    trustedProxies: 0,
    requireTotp: false,
    adminToken: new Secret('admin'),
    publicUrl: 'http://gateway',
    isDraining: () => false,
    requestBytes: new RequestBytes(ROOMY_BYTES),
    during: (answer) => answer(),
    onFailure: () => {},
    ...deps,
  });
  return {
    fetch: async (request, peer) => {
      const answer = await edge.fetch(request, peer);
      const problem = problems.pop();
      if (problem !== undefined) throw new Error(problem);
      return answer;
    },
  };
}
