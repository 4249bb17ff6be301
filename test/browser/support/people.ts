/** For tests: the people of an installation and how they sign in. */
import type { BrowserContext } from 'playwright-core';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import type { Visit, VisitOptions } from './visit.ts';

export const ADA = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  password: 'seven small engines',
} as const;

const SETUP_LINK = /\S+\/console\/setup#token=(?<token>\S+)/;

/**
 * Returns the link for the first setup, which the gateway printed at its start.
 * @throws Error when the gateway printed no link, because it already has an administrator.
 */
export function setupLinkOf(gateway: Pick<GatewayProcess, 'stdout'>): string {
  const [link] = SETUP_LINK.exec(gateway.stdout()) ?? [];
  if (link === undefined) throw new Error(`no setup link in:\n${gateway.stdout()}`);
  return link;
}

/**
 * Creates the first administrator, and signs the browser context in as this administrator.
 * @throws Error with the API's error.
 */
export async function setUp(context: BrowserContext, gateway: GatewayProcess): Promise<void> {
  const token = SETUP_LINK.exec(setupLinkOf(gateway))?.groups?.['token'];
  await send(context, '/console/api/setup', { ...ADA, token });
}

/**
 * Sends a POST request with the browser context's cookies, as a page does.
 * @throws Error with the API's error.
 */
export async function send(
  context: BrowserContext,
  path: string,
  data: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const response = await context.request.post(path, { data });
  if (response.ok()) return await response.json();
  throw new Error(`${response.status()} ${path}: ${await response.text()}`);
}

export const GUEST = { name: 'Grace Hopper', password: 'nine dry moths in a relay' } as const;

/**
 * Adds a person with the given role to the account.
 * @returns the options for a visit by this person.
 */
export async function invite(
  installation: Record<'visit' | 'visitAsStranger', () => Promise<Visit>>,
  role: 'read_only' | 'member' | 'owner',
  tag: string,
): Promise<Required<Pick<VisitOptions, 'signedInAs'>>> {
  await using host = await installation.visit();
  const invitation = Object(await send(host.context, '/console/api/invitations', { role }));
  return await joined(installation, invitation, `${role}-${tag}@example.com`);
}

/**
 * Creates an account without credit, and its owner.
 * @returns the options for a visit by the owner.
 */
export async function newAccount(
  installation: Record<'visit' | 'visitAsStranger', () => Promise<Visit>>,
  tag: string,
): Promise<Required<Pick<VisitOptions, 'signedInAs'>>> {
  await using host = await installation.visit();
  const place = { role: 'owner', account_name: `Poor ${tag}` };
  const invitation = Object(await send(host.context, '/admin/v1/invitations', place));
  return await joined(installation, invitation, `poor-${tag}@example.com`);
}

/** Accepts an invitation as a new person. */
async function joined(
  { visitAsStranger }: Record<'visitAsStranger', () => Promise<Visit>>,
  { url }: { readonly url: string },
  email: string,
): Promise<Required<Pick<VisitOptions, 'signedInAs'>>> {
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  await using guest = await visitAsStranger();
  await send(guest.context, '/console/api/sign-up', { ...GUEST, email, token });
  return { signedInAs: await guest.context.storageState() };
}
