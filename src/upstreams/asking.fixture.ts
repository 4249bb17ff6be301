/** Requests to an upstream on the loopback address, for tests of the network. */
import { expect } from 'bun:test';
import { type Clock, nextTurn, systemClock } from '../clock.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { createOpenAiUpstream } from './adapters.ts';
import { Egress, type EgressOptions } from './egress.ts';
import { PLAIN_FIELDS } from './known-fields.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

type Options = { readonly clock?: Clock; readonly dial?: EgressOptions['dial'] };
export function upstreamAt(baseUrl: string, { clock = systemClock, dial }: Options = {}): Upstream {
  const reach = { name: 'there', baseUrl, allowPrivate: true, isProxied: false, clock };
  return createOpenAiUpstream({
    ...{
      name: 'there',
      baseUrl,
      clock,
      apiKey: null,
      signIn: null,
      headers: {},
      quirks: NO_QUIRKS,
      fields: PLAIN_FIELDS,
    },
    egress: new Egress({ ...reach, ...(dial === undefined ? {} : { dial }) }),
    connectTimeoutMs: 1000,
    firstByteTimeoutMs: 60_000,
  });
}

export const asking = (request: Partial<UpstreamRequest> = {}): UpstreamRequest => {
  const controller = new AbortController();
  return {
    format: 'chat',
    body: new TextEncoder().encode('{"model":"m"}'),
    stream: false,
    headers: {},
    scope: 'acc_secret',
    traceparent: null,
    connectMs: null,
    firstByteMs: null,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    ...request,
  };
};

export const failure = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}
