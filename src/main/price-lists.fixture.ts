/** A gateway with one account and price lists, on SQLite or on PostgreSQL. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
export const FILE = `config: database
${SMALL_FILE}  embed-x:
    kind: embedding
    maker: gen
    context_window: 1000
    dimensions: 8
    default_channel: direct
    channels:
      direct:
        price: { input: "5.00" }
        cost: { input: "4.00" }
        routes: [{ upstream: builtin, model: x }]
`;
export const LISTS = '/admin/v1/config/price-lists';
export const ENGINES = { SQLite: async () => null, PostgreSQL: newTestDatabase };

/**
 * A gateway with one account. Sends requests as administrator, and as a caller with the account's
 * key.
 */
export class Room {
  readonly gateway: Gateway;
  readonly visit: Visit;
  readonly #key: string;

  constructor(gateway: Gateway) {
    this.gateway = gateway;
    this.visit = new Visit(gateway);
    this.#key = gateway.firstStart?.key.reveal() ?? '';
  }

  static async open(url: string | null, file = FILE): Promise<Room> {
    const folder = newFolder();
    const path = join(folder, 'modelgate.yaml');
    writeFileSync(path, file);
    const place = url === null ? {} : { MODELGATE_DATABASE: url };
    const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...place };
    return new Room(await openGateway(depsOn({ path, env })));
  }

  admin(route: string, body: object | null = null, headers = {}): Promise<Answer> {
    return this.visit.send(route, body, { ...ADMIN, ...headers });
  }

  caller(route: string, body: object | null = null): Promise<Answer> {
    return this.visit.send(route, body, { authorization: `Bearer ${this.#key}` });
  }

  /** Changes a record of the configuration, based on the newest revision. */
  async change(method: 'PUT' | 'PATCH' | 'DELETE', path: string, value: object | null, query = '') {
    const { headers } = await this.admin(`GET ${LISTS}`);
    const match = { 'if-match': headers.get('etag') ?? '' };
    return await this.admin(`${method} ${path}${query}`, value === null ? null : { value }, match);
  }

  put(list: string, value: object, query = ''): Promise<Answer> {
    return this.change('PUT', `${LISTS}/${list}`, value, query);
  }

  /** Moves the account to a price list, or back to the public prices. */
  async move(list: string | null): Promise<Answer> {
    const [account] = (await this.admin('GET /admin/v1/accounts')).body.data;
    return await this.admin(`PATCH /admin/v1/accounts/${account.id}`, { price_list: list });
  }

  embed(): Promise<Answer> {
    return this.caller('POST /v1/embeddings', { model: 'embed-x', input: 'Four tokens, or so.' });
  }

  async price(): Promise<string> {
    return (await this.caller('GET /v1/models/embed-x')).body.channels[0].price.input;
  }
}

export const errorOf = ({ status, body }: Answer) => [
  status,
  body.error?.code,
  body.error?.message,
];
