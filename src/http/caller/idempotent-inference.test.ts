import { beforeEach, describe, expect, test } from 'bun:test';
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from '../../accounts/scopes.ts';
import { manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import type { Claimed, Granted, KeyedRequest } from '../../idempotency/idempotency-keys.ts';
import { traceOf } from '../../protocols/trace-context.ts';
import type { Buyer } from '../../relay/sell.ts';
import { errorResponse } from '../edge/error-response.ts';
import { requestFingerprint } from '../edge/idempotency.ts';
import type { KeyCall } from '../edge/route.ts';
import {
  type InferenceDeps,
  type InferenceRequest,
  idempotentInference,
} from './idempotent-inference.ts';

const clock = manualClock();
const body = new TextEncoder().encode('{"model":"m"}');
const json: InferenceRequest = {
  ...{ endpoint: 'chat', model: 'm', body, stream: false, headers: {} },
};
const stream: InferenceRequest = { ...json, stream: true };

/**
 * A stand-in for the stored Idempotency-Keys. `claim` records the request and returns `claimed`.
 * The other methods record that they were called.
 */
class RecordingKeys {
  claimed: Claimed = {
    kind: 'granted',
    granted: { key: 'k', ownerId: 'a', claimId: 'idem_1', requestId: 'req_1', place: 'k' },
  };
  readonly asked: KeyedRequest[] = [];
  readonly calls: string[] = [];
  answer: Uint8Array = new Uint8Array(0);

  async claim(asked: KeyedRequest): Promise<Claimed> {
    this.asked.push(asked);
    return this.claimed;
  }
  async keep(_granted: Granted, answer: Uint8Array): Promise<void> {
    this.calls.push('keep');
    this.answer = answer;
  }
  async spend(): Promise<void> {
    this.calls.push('spend');
  }
  async release(): Promise<void> {
    this.calls.push('release');
  }
}

let keys: RecordingKeys;
let replayed: string[];
let deps: InferenceDeps;
beforeEach(() => {
  keys = new RecordingKeys();
  replayed = [];
  deps = {
    clock,
    idempotency: { keys, onReplayed: (endpoint) => replayed.push(endpoint) },
  };
});

function callOf(key: string | null, signal?: AbortSignal): KeyCall {
  const url = 'http://gateway/v2/chat/completions';
  const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
  return {
    request: new Request(url, { method: 'POST', headers, ...(signal ? { signal } : {}) }),
    url: new URL(url),
    params: {},
    requestId: 'req_now',
    trace: traceOf(null, clock),
    acceptedAtMs: 0,
    address: () => null,
    asks: () => {},
    caller: {
      accountId: 'acct_1',
      keyId: 'key_1',
      keyName: 'first',
      allowExchange: true,
      priceList: null,
      limits: { key: NO_LIMITS, account: NO_LIMITS },
      scopes: scopeBits(DEFAULT_SCOPES),
    },
    readBytes: () => Promise.reject(new Error('read already')),
    readScanned: () => Promise.reject(new Error('read already')),
    scanMade: () => Promise.reject(new Error('read already')),
    readJson: () => Promise.reject(new Error('read already')),
    releaseBody: () => {},
    headers: () => ({}),
  };
}

const answered = (text = '{"id":"x"}'): Response =>
  new Response(text, {
    headers: {
      'content-type': 'application/json',
      'x-cost': '0.1 USD',
      'x-channel': 'direct',
      'openai-processing-ms': '7',
    },
  });
const failed = (): GatewayError => new GatewayError('upstream_failed', 'it failed');

async function refusal(running: Promise<unknown>): Promise<unknown> {
  return await running.then(
    () => 'resolved',
    (thrown: unknown) => thrown,
  );
}

describe('without the header', () => {
  test('runs the request as usual', async () => {
    const call = callOf(null);
    const response = answered();
    const seen: unknown[] = [];
    const relay = async (...given: unknown[]) => {
      seen.push(...given);
      return response;
    };
    expect(await idempotentInference(deps, call, json, relay)).toBe(response);
    expect(seen).toEqual([call.request.signal, null]);
    expect(seen[0]).toBe(call.request.signal);
    expect([keys.asked, keys.calls]).toEqual([[], []]);
  });
});

describe('an invalid header', () => {
  test('gets a 400 that names the header and its format', async () => {
    for (const key of ['', 'a'.repeat(256), 'schlüssel', 'a\tb']) {
      const ask = async () => idempotentInference(deps, callOf(key), json, async () => answered());
      const thrown = await refusal(ask());
      expect(thrown).toMatchObject({ code: 'invalid_value', param: 'Idempotency-Key' });
      expect(String(thrown)).toContain('1 to 255 printable ASCII');
    }
    expect(keys.asked).toEqual([]);
    for (const key of ['a', 'a'.repeat(255), 'a b~!']) {
      await idempotentInference(deps, callOf(key), json, async () => answered());
    }
    expect(keys.asked.map(({ key }) => key.length)).toEqual([1, 255, 5]);
  });
});

describe('a non-streaming answer', () => {
  test('is stored, and replayed unchanged', async () => {
    const first = await idempotentInference(deps, callOf('k'), json, async (_signal, onCharged) => {
      onCharged?.(true);
      return answered('{"text":"häuser"}');
    });
    expect(await first.text()).toBe('{"text":"häuser"}');
    expect(first.headers.get('openai-processing-ms')).toBe('7');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(keys.calls).toEqual(['keep']);

    keys.claimed = { kind: 'kept', requestId: 'req_first', answer: keys.answer };
    const again = await idempotentInference(deps, callOf('k'), json, () =>
      Promise.reject(failed()),
    );
    expect([again.status, await again.text()]).toEqual([200, '{"text":"häuser"}']);
    expect(Object.fromEntries(again.headers)).toEqual({
      'content-type': 'application/json',
      'x-cost': '0.1 USD',
      'x-channel': 'direct',
      'idempotency-replayed': 'true',
      'x-original-request-id': 'req_first',
    });
    expect(replayed).toEqual(['chat']);
  });

  test('is fetched to its end when the caller disconnects, unlike a stream', async () => {
    const leaving = new AbortController();
    const signals: AbortSignal[] = [];
    const relay = async (signal: AbortSignal) => {
      signals.push(signal);
      return answered();
    };
    await idempotentInference(deps, callOf('k', leaving.signal), json, relay);
    await idempotentInference(deps, callOf('k', leaving.signal), stream, relay);
    leaving.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  test('with expired image URLs is not replayed', async () => {
    await idempotentInference(deps, callOf('k'), { ...json, endpoint: 'images' }, async () => {
      const headers = { 'x-image-expires': new Date(clock.nowMs() + 1_000).toISOString() };
      return new Response('{}', { headers });
    });
    keys.claimed = { kind: 'kept', requestId: 'req_first', answer: keys.answer };
    const again = () =>
      idempotentInference(deps, callOf('k'), json, () => Promise.reject(failed()));
    expect((await again()).status).toBe(200);
    clock.advance(1_000);
    expect(await refusal(again())).toMatchObject({ code: 'idempotency_not_replayable' });
    expect(replayed).toEqual(['chat']);
  });
});

describe('a request that fails', () => {
  const failing = (charge: (onCharged: Buyer['onCharged']) => void) =>
    refusal(
      idempotentInference(deps, callOf('k'), json, async (_signal, onCharged) => {
        charge(onCharged);
        throw failed();
      }),
    );

  test('frees its key when nothing was charged, and fails again', async () => {
    expect(await failing(() => {})).toMatchObject({ code: 'upstream_failed' });
    await failing((onCharged) => onCharged?.(false));
    expect(keys.calls).toEqual(['release', 'release']);
  });

  test('spends its key when it was, or may have been, charged', async () => {
    await failing((onCharged) => onCharged?.(true));
    expect(keys.calls).toEqual(['spend']);
  });
});

describe('a stream', () => {
  /** Starts a stream and returns the callback by which the relay reports whether it was charged. */
  const open = async (): Promise<(isCharged: boolean) => void> => {
    const reported = Promise.withResolvers<Buyer['onCharged']>();
    const response = new Response('data: x\n\n');
    const given = await idempotentInference(
      deps,
      callOf('k'),
      stream,
      async (_signal, onCharged) => {
        reported.resolve(onCharged);
        return response;
      },
    );
    expect(given).toBe(response);
    expect(keys.calls).toEqual([]);
    const onCharged = await reported.promise;
    if (onCharged === null) throw new Error('a request with a key is watched');
    return onCharged;
  };

  test('spends its key when it is charged', async () => {
    (await open())(true);
    expect(keys.calls).toEqual(['spend']);
  });

  test('frees its key when it was not charged', async () => {
    (await open())(false);
    expect(keys.calls).toEqual(['release']);
  });

  test('that is settled and then fails is recorded once', async () => {
    const running = idempotentInference(deps, callOf('k'), stream, async (_signal, onCharged) => {
      onCharged?.(true);
      throw failed();
    });
    expect(await refusal(running)).toMatchObject({ code: 'upstream_failed' });
    expect(keys.calls).toEqual(['spend']);
  });
});

describe('a second request', () => {
  const refused = async (claimed: Claimed, dialect: 'openai' | 'anthropic') => {
    keys.claimed = claimed;
    const thrown = await refusal(
      idempotentInference(deps, callOf('k'), json, async () => answered()),
    );
    if (!(thrown instanceof GatewayError)) throw new Error('not refused');
    const response = errorResponse(thrown, dialect, 'req_now');
    const { error } = await response.json();
    const of = (name: string) => response.headers.get(name);
    return [response.status, error.type, of('x-should-retry'), of('retry-after'), error.message];
  };
  const conflict = { openai: 'invalid_request_error', anthropic: 'conflict_error' } as const;

  test('learns the state of the first in either dialect, and whether to wait', async () => {
    for (const dialect of ['openai', 'anthropic'] as const) {
      const inDoubt = await refused({ kind: 'in_doubt' }, dialect);
      expect(inDoubt.slice(0, 4)).toEqual([409, conflict[dialect], 'true', '10']);
      const [running, spent, reused] = [
        await refused({ kind: 'running' }, dialect),
        await refused({ kind: 'spent', requestId: 'req_first' }, dialect),
        await refused({ kind: 'reused' }, dialect),
      ];
      expect(running.slice(0, 4)).toEqual([409, conflict[dialect], 'true', '1']);
      expect(spent.slice(0, 4)).toEqual([409, conflict[dialect], 'false', null]);
      expect(spent[4]).toContain('/v1/generation?id=req_first');
      expect(reused.slice(0, 4)).toEqual([422, 'invalid_request_error', 'false', null]);
    }
    expect(keys.calls).toEqual([]);
  });
});

describe('the fingerprint of a request', () => {
  const long = new Uint8Array(3 * 1024 * 1024 + 17).fill(65);
  const of = async (key: string, more: Partial<InferenceRequest>) =>
    Buffer.from(await requestFingerprint(key, { ...json, ...more })).toString('hex');

  test('covers its bytes, whether it streams, and the relevant headers', async () => {
    const meanings = [
      await of('k', {}),
      await of('k', { body: new TextEncoder().encode('{"model":"n"}') }),
      await of('k', { stream: true }),
      await of('k', { headers: { 'anthropic-beta': 'b' } }),
      await of('k', { headers: { 'anthropic-beta': 'c' } }),
      await of('k', { body: long }),
      await of('k', { body: long.slice(1) }),
      await of('other', {}),
    ];
    expect(new Set(meanings).size).toBe(meanings.length);
    expect(await of('k', { body: long.slice() })).toBe(meanings[5] ?? '');
    expect(await of('k', { headers: { a: '1', b: '2' } })).toBe(
      await of('k', { headers: { b: '2', a: '1' } }),
    );
  });
});
