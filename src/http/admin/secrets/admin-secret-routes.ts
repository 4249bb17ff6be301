/** Routes for stored secrets, for administrators. No route returns the value of a secret. */
import * as z from 'zod';
import type { SecretUse } from '../../../config/document/secret-references.ts';
import { Secret } from '../../../config/secret.ts';
import { GatewayError } from '../../../errors.ts';
import type { SecretRecord, SecretVault } from '../../../secrets/secret-vault.ts';
import { isoTime } from '../../caller/account-body.ts';
import { time } from '../../edge/answer-schema.ts';
import { checked } from '../../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Register, type Route } from '../../edge/route.ts';

const NEW_VALUE = z.strictObject({
  value: z.string({ error: 'must be text' }).meta({
    description: 'The value of the secret. It replaces an earlier value and is never shown again.',
  }),
});

const NAMES = z.array(z.string());

export const SECRET_ENTRY = z
  .strictObject({
    name: z.string(),
    state: z.enum(['ready', 'unreadable', 'unset']).meta({
      description:
        "unreadable: this node's keys do not decrypt the secret; enter it again. unset: a setting refers to the secret, but it was never entered.",
    }),
    last_four: z
      .string()
      .nullable()
      .meta({ description: 'The last four characters of the value; null: they are not shown.' }),
    set_at: time.nullable(),
    set_by: z.string().nullable().meta({ description: '`admin`, or the id of a person.' }),
    set_by_name: z.string().nullable(),
    used_by: NAMES.meta({
      description: 'The settings that refer to the secret, such as `upstreams.openai.api_key`.',
    }),
    problem: z.string().nullable().meta({
      description:
        'Why a setting that refers to the secret has no value, and the remedy; null: no problem.',
    }),
  })
  .meta({ id: 'Secret' });
export const SECRETS = z.strictObject({ data: z.array(SECRET_ENTRY) });
export const DELETED = z.strictObject({ name: z.string(), deleted: z.literal(true) });
export const ROTATED = z
  .strictObject({
    key_id: z.string().meta({ description: 'The id of the key that now encrypts the secrets.' }),
    rotated: NAMES.meta({ description: 'Secrets that this call encrypted again with that key.' }),
    current: NAMES.meta({ description: 'Secrets that were already encrypted with that key.' }),
    unreadable: NAMES.meta({
      description: 'Secrets that this node cannot decrypt. They are unchanged; enter them again.',
    }),
  })
  .meta({ id: 'SecretRotation' });

export type AdminSecretDeps = {
  readonly vault: Pick<SecretVault, 'list' | 'set' | 'delete' | 'rotate'>;
  /** The references to secrets in the settings in force. */
  readonly uses: () => readonly SecretUse[];
  /** Reads the settings again, so that a changed secret is in force on this node. */
  readonly apply: () => Promise<void>;
};

type Handle = (deps: AdminSecretDeps, call: AdminCall) => Promise<Response>;

export function adminSecretRoutes(deps: AdminSecretDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  return [
    route(
      'GET /secrets',
      { summary: 'List secrets by name, with the settings that use them', response: SECRETS },
      list,
    ),
    route(
      'PUT /secrets/:name',
      { summary: 'Store a secret', request: NEW_VALUE, response: SECRET_ENTRY },
      put,
    ),
    route(
      'DELETE /secrets/:name',
      { summary: 'Delete a secret that no setting uses', response: DELETED },
      remove,
    ),
    route(
      'POST /secrets/rotate',
      {
        summary: 'Encrypt all secrets again, under the first key of the key file',
        response: ROTATED,
      },
      rotate,
    ),
  ];
}

const list: Handle = async (deps) =>
  Response.json({ data: entries(deps) } satisfies z.infer<typeof SECRETS>);

const put: Handle = async (deps, call) => {
  const name = nameOf(call);
  const { value } = checked(NEW_VALUE, await call.readJson());
  for (const use of deps.uses()) if (use.name === name) checkFit(use, value);
  await deps.vault.set(name, new Secret(value), call.actor);
  await deps.apply();
  const stored = entries(deps).find((each) => each.name === name);
  if (stored === undefined) throw deletedMeanwhile();
  return Response.json(stored);
};

/**
 * Checks that a setting accepts a new value of its secret.
 * @throws GatewayError `invalid_value` naming the setting that would refuse the value.
 */
function checkFit({ path, misfit }: SecretUse, value: string): void {
  const problem = misfit(value);
  if (problem === null) return;
  const message = `value is not valid for ${path.join('.')}, which uses this secret: ${problem}.`;
  throw new GatewayError('invalid_value', message, { param: 'value' });
}

const remove: Handle = async ({ vault, uses, apply }, call) => {
  const name = nameOf(call);
  const users = pathsOf(name, uses());
  if (users.length > 0) throw inUse(name, users);
  await vault.delete(name, call.actor);
  await apply();
  return Response.json({ name, deleted: true } satisfies z.infer<typeof DELETED>);
};

const rotate: Handle = async ({ vault }, call) => {
  const { keyId, rotated, current, unreadable } = await vault.rotate(call.actor);
  const body = { key_id: keyId, rotated: [...rotated], current: [...current] };
  return Response.json({ ...body, unreadable: [...unreadable] } satisfies z.infer<typeof ROTATED>);
};

const nameOf = ({ params }: AdminCall): string => params['name'] ?? '';

const pathsOf = (name: string, uses: readonly SecretUse[]): string[] => [
  ...new Set(uses.filter((use) => use.name === name).map(({ path }) => path.join('.'))),
];

/** Returns the secrets that are stored or that settings refer to, sorted by name. */
function entries({ vault, uses }: AdminSecretDeps): z.infer<typeof SECRET_ENTRY>[] {
  const used = uses();
  const records = new Map(vault.list().map((record) => [record.name, record]));
  const names = new Set([...records.keys(), ...used.map(({ name }) => name)]);
  return [...names].toSorted().map((name) => entryBody(name, records.get(name), used));
}

function entryBody(
  name: string,
  record: SecretRecord | undefined,
  uses: readonly SecretUse[],
): z.infer<typeof SECRET_ENTRY> {
  const problem = uses.find((use) => use.name === name && use.problem !== null)?.problem;
  return {
    name,
    state: record?.state ?? 'unset',
    last_four: record?.lastFour ?? null,
    set_at: isoTime(record?.setAtMs ?? null),
    set_by: record?.setBy ?? null,
    set_by_name: record?.setByName ?? null,
    used_by: pathsOf(name, uses),
    problem: problem ?? null,
  };
}

const inUse = (name: string, users: readonly string[]): GatewayError =>
  new GatewayError(
    'conflict',
    `The secret ${name} is in use by ${users.join(', ')}. Change these settings first.`,
    { param: 'name' },
  );

const deletedMeanwhile = (): GatewayError =>
  new GatewayError('conflict', 'Somebody deleted the secret at the same time. Store it again.');
