/** Checks the answers of a complete gateway against its `/openapi.json`. */
import * as z from 'zod';
import type { Answer } from './console.fixture.ts';
import type { Gateway } from './gateway.ts';

export type Contract = {
  /**
   * Returns how an answer differs from `/openapi.json`; null if it matches. `route` is the request,
   * such as `GET /console/api/keys/key_1`.
   */
  readonly disagreement: (route: string, answer: Answer) => string | null;
};

/** The contract of all gateways: no setting changes which routes and schemas are described. */
let made: Promise<Contract> | null = null;

export const contractOf = (gateway: Pick<Gateway, 'edge'>): Promise<Contract> =>
  (made ??= makeContract(gateway));

async function makeContract(gateway: Pick<Gateway, 'edge'>): Promise<Contract> {
  const asked = await gateway.edge.fetch(new Request('http://gateway/openapi.json'));
  const text = (await asked.text()).replaceAll('#/components/schemas/', '#/$defs/');
  const { paths, components } = JSON.parse(text);
  const patterns = Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return { path, pattern };
    });
  const checks = new Map<object, z.ZodType>();
  const checkOf = (schema: object): z.ZodType => {
    const known = checks.get(schema);
    if (known !== undefined) return known;
    const check = z.fromJSONSchema({ ...schema, $defs: components.schemas });
    checks.set(schema, check);
    return check;
  };
  const disagreement = (route: string, answer: Answer): string | null => {
    if (answer.status >= 300 || typeof answer.body === 'string') return null;
    const [method = '', address = ''] = route.split(' ');
    const [pathname = ''] = address.split('?');
    const path = patterns.find(({ pattern }) => pattern.test(pathname))?.path ?? '';
    const described = paths[path]?.[method.toLowerCase()]?.responses[answer.status];
    const schema = described?.content['application/json']?.schema;
    if (schema === undefined) return `${route} has no schema for the status ${answer.status}`;
    const result = checkOf(schema).safeParse(answer.body);
    return result.success ? null : `${route}: ${z.prettifyError(result.error)}`;
  };
  return { disagreement };
}
