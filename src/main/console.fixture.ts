/** Test users of a gateway's console, each with a browser. */
import { serverTo } from '../http/edge/edge.fixture.ts';
import { Browser, PASSWORD, tokenOf } from '../people/people.fixture.ts';
import type { Role } from '../people/person.ts';
import { ADMIN_TOKEN } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed if it is JSON. */
  readonly body: Awaited<ReturnType<Response['json']>>;
};

/** A browser that sends requests to a gateway, with its cookies. */
export class Visit {
  readonly browser: Browser;
  readonly #gateway: Pick<Gateway, 'edge'>;

  constructor(gateway: Pick<Gateway, 'edge'>, browser = new Browser()) {
    this.#gateway = gateway;
    this.browser = browser;
  }

  /**
   * Sends a request with the browser's cookie.
   * @param route the method and path, such as `POST /console/api/sign-in`.
   */
  async send(
    route: string,
    body: object | null = null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const request = new Request(`http://gateway${path}`, {
      method,
      headers: {
        'user-agent': 'a browser',
        ...(this.browser.cookie === '' ? {} : { cookie: this.browser.cookie }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === null ? null : JSON.stringify(body),
    });
    const peer = this.browser.visitor.address;
    const response = await this.#gateway.edge.fetch(request, serverTo(peer));
    this.browser.keep(response.headers.getSetCookie());
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answered = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: answered };
  }

  async signIn(email: string, password = PASSWORD): Promise<Answer> {
    return await this.send('POST /console/api/sign-in', { email, password });
  }
}

export const emailOf = (role: Role): string => `${role.replace('_', '-')}@example.com`;

/** Creates the first administrator with the gateway's setup link. Returns the signed-in visit. */
export async function setUp(gateway: Gateway): Promise<Visit> {
  const visit = new Visit(gateway);
  const answer = await visit.send('POST /console/api/setup', {
    token: tokenOf(gateway.setupLink?.url ?? ''),
    email: emailOf('administrator'),
    name: 'Ada',
    password: PASSWORD,
  });
  if (answer.status !== 201) throw new Error(`setup: ${JSON.stringify(answer.body)}`);
  return visit;
}

/**
 * Invites a person with this role and accepts the invitation. Returns the person's signed-in visit.
 * @param account the fields of the invitation that name the account to join; null for the first
 *   account.
 */
export async function joined(
  gateway: Gateway,
  role: Role,
  email = emailOf(role),
  account: Readonly<Record<string, string>> | null = null,
): Promise<Visit> {
  const visit = new Visit(gateway);
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const people = await visit.send('GET /admin/v1/accounts', null, admin);
  const place = account ?? { account_id: people.body.data[0].id };
  const invited = await visit.send('POST /admin/v1/invitations', { role, ...place }, admin);
  const accepted = await visit.send('POST /console/api/sign-up', {
    token: tokenOf(invited.body.url),
    email,
    name: role,
    password: PASSWORD,
  });
  if (accepted.status !== 201) throw new Error(`join: ${JSON.stringify(accepted.body)}`);
  return visit;
}
