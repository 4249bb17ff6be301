/** The settings of the benchmark `config-change`, and its ways of changing one price (`--way`). */
import { writeFileSync } from 'node:fs';
import { yamlText } from '../../src/config/document/yaml-text.ts';

const MODELS = 1_000;
/** The number of routes of a model on each of its two channels. */
const ROUTES = { direct: 3, economical: 2 } as const;
const UPSTREAMS = 20;

export const WAYS = ['patch', 'put', 'import', 'restore', 'file'] as const;
export type Way = (typeof WAYS)[number];

/** Sends a request to the configuration API as an administrator, based on the newest revision. */
export type AdminCall = (method: string, path: string, body: object) => Promise<void>;

/** A token for administrators. It is long enough that the gateway accepts it. */
export const ADMIN_TOKEN = 'mga_of_the_benchmark_of_a_change_of_the_configuration';

type Document = Readonly<Record<string, unknown>>;

/** Returns the settings document after change number `change`; 0 returns the initial document. */
export function documentOf(mockPort: number, change: number): Document {
  const nameOf = (at: number): string => `u-${at % UPSTREAMS}`;
  const upstream = {
    ...{ protocol: 'openai', base_url: `http://127.0.0.1:${mockPort}/v1`, api_key: 'bench' },
    allow_private: true,
  };
  const channel = (count: number, first: number, model: string, input: string): object => ({
    price: { input, output: '2.00', cache_read: '0.10' },
    routes: Array.from({ length: count }, (_, at) => ({ upstream: nameOf(first + at), model })),
  });
  const model = (at: number): object => {
    const there = at === 0 ? 'json' : `m-${at}`;
    const input = at === change && change > 0 ? inputOf(change) : '1.00';
    return {
      ...{ kind: 'chat', maker: 'bench', context_window: 1_000_000, max_output: 128_000 },
      ...{ input: ['text'], output: ['text'], settlement: 'USD', default_channel: 'direct' },
      channels: {
        direct: channel(ROUTES.direct, at, there, input),
        economical: channel(ROUTES.economical, at + ROUTES.direct, there, '1.00'),
      },
    };
  };
  const entries = <Value>(count: number, entry: (at: number) => [string, Value]): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
  return {
    upstreams: entries(UPSTREAMS, (at) => [nameOf(at), upstream]),
    models: entries(MODELS, (at) => [modelOf(at), model(at)]),
  };
}

const modelOf = (at: number): string => `gen-${at}`;
const inputOf = (change: number): string => `1.${String(change % 100).padStart(2, '0')}1`;

export const fileOf = (way: Way, mockPort: number, change: number): string =>
  yamlText({ config: way === 'file' ? 'file' : 'database', ...documentOf(mockPort, change) });

export type Place = {
  /** The configuration file. Only the way `file` rewrites it. */
  readonly file: string;
  readonly mockPort: number;
  /** Calls the admin API of a node. Every way except `file` changes the price through this API. */
  readonly call: AdminCall;
};

/**
 * Returns a function that makes a change of the price. Its argument is the number of the change,
 * starting at 1.
 */
export function changeBy(way: Way, { file, mockPort, call }: Place) {
  return async (change: number): Promise<void> => {
    switch (way) {
      case 'patch': {
        const price = { input: inputOf(change) };
        const models = { [modelOf(change)]: { channels: { direct: { price } } } };
        return await call('PATCH', '', { document: { models } });
      }
      case 'put':
        return await call('PUT', '', { document: documentOf(mockPort, change) });
      case 'import':
        return await call('POST', '/import', {
          yaml: yamlText(documentOf(mockPort, change)),
          name: 'modelgate.yaml',
        });
      case 'restore': {
        // The first change makes revision 2. Later changes restore revisions 1 and 2 in turn.
        const price = { input: inputOf(1) };
        const models = { [modelOf(1)]: { channels: { direct: { price } } } };
        if (change === 1) return await call('PATCH', '', { document: { models } });
        return await call('POST', `/revisions/${change % 2 === 0 ? 1 : 2}/restore`, {});
      }
      case 'file':
        writeFileSync(file, fileOf(way, mockPort, change));
    }
  };
}
