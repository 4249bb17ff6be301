/**
 * Reads the parts of `/openapi.json` that the API reference in the console shows. Unexpected parts
 * are left out, because the document is not trusted.
 */
import { asList, asObject, asText, isObject, type JsonObject } from '#api/json.ts';

export type Schema = JsonObject;

export const TAGS = [
  'chat',
  'messages',
  'responses',
  'images',
  'embeddings',
  'catalogue',
  'account',
  'service',
  'console',
  'admin',
] as const;
export type Tag = (typeof TAGS)[number];

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
};
export type Answer = {
  readonly status: string;
  readonly description: string;
  readonly mediaTypes: readonly { readonly type: string; readonly schema: Schema }[];
};
export type Operation = {
  /** The id in URL fragments, unique in the document: `post-v2-chat-completions`. */
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  /**
   * The path of the same operation under the other version prefix: `/v2` if `path` is under `/v1`,
   * and vice versa. Null if the operation has only one path.
   */
  readonly alsoAt: string | null;
  readonly tag: Tag;
  readonly summary: string;
  /**
   * The security schemes that the operation accepts. One of them is sufficient. Empty for a public
   * operation.
   */
  readonly auth: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly request: Schema | null;
  readonly answers: readonly Answer[];
};
export type Reference = {
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  readonly schemas: JsonObject;
};

/**
 * The tags of the operations that are shown under `/v2`, because their clients use a base URL that
 * ends in `/v2`. All other operations are shown under `/v1`.
 */
const OF_V2: readonly Tag[] = ['chat', 'images', 'embeddings', 'catalogue'];

const objectOf = (value: unknown): JsonObject => asObject(value) ?? {};

export function referenceOf(document: unknown): Reference {
  const { servers, paths, components } = objectOf(document);
  const operations = Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).flatMap(([method, operation]) =>
      isObject(operation) ? [operationOf(method, path, operation)] : [],
    ),
  );
  return {
    baseUrl: asText(objectOf(asList(servers)[0])['url']),
    operations: withoutTwins(operations),
    schemas: objectOf(objectOf(components)['schemas']),
  };
}

function operationOf(method: string, path: string, operation: JsonObject): Operation {
  const { tags, summary, security, parameters, requestBody, responses } = operation;
  const tag = TAGS.find((each) => each === asList(tags)[0]) ?? 'service';
  return {
    anchor: `${method}${path.replace(/[^\w]+/g, '-')}`.replace(/-$/, ''),
    method: method.toUpperCase(),
    path,
    alsoAt: null,
    tag,
    summary: asText(summary),
    auth: asList(security).flatMap((each) => Object.keys(objectOf(each))),
    parameters: asList(parameters).filter(isObject).map(parameterOf),
    request: jsonSchemaOf(requestBody),
    answers: Object.entries(objectOf(responses)).map(([status, answer]) => ({
      status,
      description: asText(objectOf(answer)['description']),
      mediaTypes: Object.entries(objectOf(objectOf(answer)['content'])).map(([type, content]) => ({
        type,
        schema: objectOf(objectOf(content)['schema']),
      })),
    })),
  };
}

const parameterOf = (parameter: JsonObject): Parameter => ({
  name: asText(parameter['name']),
  in: asText(parameter['in']),
  isRequired: parameter['required'] === true,
  schema: objectOf(parameter['schema']),
});

function jsonSchemaOf(body: unknown): Schema | null {
  const json = objectOf(objectOf(objectOf(body)['content'])['application/json']);
  return isObject(json['schema']) ? json['schema'] : null;
}

/**
 * Removes duplicates. An operation that exists under both `/v1` and `/v2` is listed only under the
 * prefix that its clients use, and its `alsoAt` is the path under the prefix that is not listed.
 */
function withoutTwins(operations: readonly Operation[]): readonly Operation[] {
  const known = new Map(operations.map((each) => [`${each.method} ${each.path}`, each]));
  return operations.flatMap((operation) => {
    const [, prefix = '', rest = ''] = /^\/(v[12])(\/.*)$/.exec(operation.path) ?? [];
    if (prefix === '') return [operation];
    const twin = `${prefix === 'v1' ? '/v2' : '/v1'}${rest}`;
    if (!known.has(`${operation.method} ${twin}`)) return [operation];
    const usual = OF_V2.includes(operation.tag) ? 'v2' : 'v1';
    return prefix === usual ? [{ ...operation, alsoAt: twin }] : [];
  });
}

/** Returns the operations whose method, path, summary or tag contain every word of the query. */
export function foundOperations(
  operations: readonly Operation[],
  query: string,
): readonly Operation[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return operations.filter(({ method, path, alsoAt, summary, tag }) => {
    const searched = `${method} ${path} ${alsoAt ?? ''} ${summary} ${tag}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
