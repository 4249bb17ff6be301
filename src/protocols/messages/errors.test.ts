import { expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { messagesDialect } from './errors.ts';

const MOMENT = { requestId: 'req_1', createdSeconds: 1_700_000_000, model: 'gen-x', started: true };
const error = new GatewayError('insufficient_balance', 'Not enough balance.', {
  param: 'max_tokens',
  extra: { affordable_max_tokens: 12 },
});
const body = {
  type: 'error',
  error: {
    type: 'billing_error',
    message: 'Not enough balance.',
    param: 'max_tokens',
    details: { error_code: 'insufficient_balance' },
    affordable_max_tokens: 12,
  },
  request_id: 'req_1',
};

test("an error body has the protocol's type, our code and the request id", () => {
  expect(JSON.parse(messagesDialect.errorBody(error, 'req_1'))).toEqual(body);
});

test('a path is given only if a field is invalid', () => {
  const text = messagesDialect.errorBody(new GatewayError('internal_error', 'Oops.'), 'req_1');
  expect(JSON.parse(text).error).toEqual({
    type: 'api_error',
    message: 'Oops.',
    details: { error_code: 'internal_error' },
  });
});

test('a prompt that is too long is named as clients know it', () => {
  const said = (message: string): string => {
    const tooLong = new GatewayError('context_length_exceeded', message);
    return JSON.parse(messagesDialect.errorBody(tooLong, 'req_1')).error.message;
  };
  expect(said('The maximum context length is 8.')).toBe(
    'prompt is too long: The maximum context length is 8.',
  );
  expect(said('prompt is too long: 9 tokens > 8 maximum')).toBe(
    'prompt is too long: 9 tokens > 8 maximum',
  );
});

test('an error event has a name, since clients ignore one without', () => {
  const event = Buffer.from(messagesDialect.errorEvent(error, MOMENT)).toString();
  expect(event).toBe(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
});

test('a silent stream is kept alive by a comment before message_start and a ping after it', () => {
  const text = (started: boolean): string =>
    Buffer.from(messagesDialect.keepAlive({ ...MOMENT, started })).toString();
  expect(text(false)).toBe(': ping\n\n');
  expect(text(true)).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});
