import { beforeEach, describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import type { Route } from '../http/edge/route.ts';
import { settledFor } from './finished.fixture.ts';
import type { Endpoint } from './request-journal.ts';
import { type Answered, type FinishedRequest, RequestJournal } from './request-journal.ts';

let clock: ManualClock;
let over: FinishedRequest[];
let journal: RequestJournal;
beforeEach(() => {
  clock = manualClock();
  over = [];
  journal = new RequestJournal({ clock, sampling: 'off', onFinished: (it) => over.push(it) });
});

const route = (endpoint: Endpoint | null, tag: Route['doc']['tag'] = 'chat'): Route => ({
  method: 'POST',
  path: '/v1/x/:id{.+}',
  auth: 'public',
  dialect: 'openai',
  ...(endpoint === null ? {} : { endpoint }),
  doc: { summary: 'x', tag },
  handle: () => Promise.reject(new Error('not asked')),
});
const request = new Request('http://gateway/v1/x/7', { method: 'POST' });
const answered = (given: Partial<Answered> = {}): Answered => ({
  status: 200,
  error: null,
  isStream: false,
  isReplay: false,
  ...given,
});
const ends = () => over.map(({ end }) => end);

describe('a request finishes once', () => {
  test('when its non-streaming answer is sent, after the settlement', () => {
    const opened = journal.open(request, route('chat'));
    opened.admit({ accountId: 'acc', keyId: 'key' });
    opened.asks({ model: 'gen', channel: null, stream: false });
    clock.advance(40);
    const settled = settledFor(opened.requestId);
    journal.settled(settled);
    expect(over).toEqual([]);
    clock.advance(2);
    opened.answered(answered());
    expect(over).toHaveLength(1);
    expect(over[0]).toMatchObject({
      requestId: opened.requestId,
      method: 'POST',
      route: '/v1/x/:id',
      endpoint: 'chat',
      caller: { accountId: 'acc', keyId: 'key' },
      asked: { model: 'gen' },
      end: 'completed',
      settled,
      durationMs: 42,
    });
  });

  test('when a stream is settled, after its answer has begun', () => {
    const opened = journal.open(request, route('messages'));
    opened.answered(answered({ isStream: true }));
    expect(over).toEqual([]);
    clock.advance(5_000);
    journal.settled(settledFor(opened.requestId, { outcome: 'caller_left' }));
    expect(ends()).toEqual(['caller_left']);
    expect(over[0]?.durationMs).toBe(5_000);
    journal.settled(settledFor(opened.requestId));
    expect(over).toHaveLength(1);
  });

  test('when an already settled stream is answered', () => {
    const opened = journal.open(request, route('chat'));
    journal.settled(settledFor(opened.requestId));
    opened.answered(answered({ isStream: true }));
    expect(ends()).toEqual(['completed']);
  });

  test('when its settlement could not be recorded', () => {
    const stream = journal.open(request, route('chat'));
    stream.answered(answered({ isStream: true }));
    journal.notBooked(stream.requestId);
    const whole = journal.open(request, route('chat'));
    journal.notBooked(whole.requestId);
    whole.answered(answered({ status: 503, error: new GatewayError('store_unavailable', 'x') }));
    expect(ends()).toEqual(['not_booked', 'not_booked']);
  });

  test('when it is refused, fails, is replayed or is not charged', () => {
    const end = (given: Partial<Answered>) =>
      journal.open(request, route('count_tokens')).answered(answered(given));
    end({ status: 402, error: new GatewayError('insufficient_balance', 'x') });
    end({ status: 503, error: new GatewayError('store_unavailable', 'x') });
    end({ status: 499, error: new GatewayError('caller_left', 'x') });
    end({ isReplay: true });
    end({});
    expect(ends()).toEqual(['refused', 'failed', 'caller_left', 'replayed', 'answered']);
    expect(over.every(({ settled }) => settled === null)).toBe(true);
  });

  test('when a stream without inference begins, which is never settled', () => {
    journal.open(request, route(null, 'admin')).answered(answered({ isStream: true }));
    expect(ends()).toEqual(['answered']);
  });
});

test('distinguishes probes and unknown paths', () => {
  journal.open(request, route(null, 'service')).answered(answered());
  journal
    .open(request, null)
    .answered(answered({ status: 404, error: new GatewayError('unknown_url', 'x') }));
  expect(over.map(({ isProbe, route: path }) => [isProbe, path])).toEqual([
    [true, '/v1/x/:id'],
    [false, null],
  ]);
});

test('continues the trace of the caller', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const traced = new Request(request, { headers: { traceparent } });
  expect(journal.open(traced, null).trace).toMatchObject({ traceId: 'a'.repeat(32) });
});

test('ignores a settlement of a finished or unknown request', () => {
  journal.settled(settledFor('req_unknown'));
  journal.notBooked('req_unknown');
  expect(over).toEqual([]);
});
