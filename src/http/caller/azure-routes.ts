/**
 * Serves the routes for OpenAI clients at the paths of Azure OpenAI too: all routes below `/openai`
 * and `/openai/v1`, and the routes for a model also below `/openai/deployments/{model}`. The query
 * parameter `api-version` has no effect. The API descriptions omit these routes.
 */
import { memberText, replaceMembers } from '../../json/edit.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { KeyCall, Route } from '../edge/route.ts';

const PREFIX = '/v1';
const AZURE_PREFIXES = ['/openai', '/openai/v1'];
/** The paths that Azure serves below `/openai/deployments/{model}`. */
const OF_A_DEPLOYMENT = /^\/(?:chat\/completions|embeddings|images\/(?:generations|edits))$/;

/** Returns copies of the routes that OpenAI clients call, at the paths of Azure OpenAI. */
export function azureRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.flatMap((route): readonly Route[] => {
    if (!isForOpenAiClients(route)) return [];
    const path = route.path.slice(PREFIX.length);
    const same = AZURE_PREFIXES.map(
      (prefix): Route => ({ ...route, path: prefix + path, isAlias: true }),
    );
    return route.auth === 'key' && OF_A_DEPLOYMENT.test(path)
      ? [...same, deployment(route, path)]
      : same;
  });
}

function isForOpenAiClients({ path, dialect, endpoint }: Route): boolean {
  if (!path.startsWith(`${PREFIX}/`)) return false;
  return path.startsWith(`${PREFIX}/models`) || (endpoint !== undefined && dialect === 'openai');
}

/**
 * Returns a copy of the route with the model in its path. The model in the path replaces `model` in
 * the body.
 */
const deployment = (route: Extract<Route, { readonly auth: 'key' }>, path: string): Route => ({
  ...route,
  path: `/openai/deployments/:model${path}`,
  isAlias: true,
  handle: (call: KeyCall) => {
    const readScanned = call.readScanned.bind(call);
    call.readScanned = async () => withModel(await readScanned(), call);
    return route.handle(call);
  },
});

function withModel(body: ScannedObject, call: KeyCall): ScannedObject | Promise<ScannedObject> {
  const model = JSON.stringify(call.params['model']);
  if (memberText(body, 'model') === model) return body;
  return call.scanMade(replaceMembers(body, new Map([['model', model]])));
}
