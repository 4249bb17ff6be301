import { describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { ERRORS, GatewayError } from '../../errors.ts';
import { chatDialect } from './errors.ts';

const MOMENT = { requestId: 'req_1', createdSeconds: 1_700_000_000, model: 'gen-x', started: true };
const error = new GatewayError('insufficient_balance', 'The USD wallet holds too little.', {
  param: 'max_tokens',
  extra: { affordable_max_tokens: 12 },
});

describe('rule 14: error bodies follow the protocol', () => {
  test('include all four keys and the extra ones', () => {
    expect(JSON.parse(chatDialect.errorBody(error, 'req_1'))).toEqual({
      error: {
        message: 'The USD wallet holds too little.',
        type: 'insufficient_quota',
        param: 'max_tokens',
        code: 'insufficient_balance',
        affordable_max_tokens: 12,
      },
    });
  });

  test('an unknown field is null, not omitted', () => {
    const { error: body } = JSON.parse(
      chatDialect.errorBody(new GatewayError('internal_error', 'm'), 'req_1'),
    );
    expect(body).toEqual({
      message: 'm',
      type: 'server_error',
      param: null,
      code: 'internal_error',
    });
  });

  test.each(Object.keys(ERRORS) as (keyof typeof ERRORS)[])('%s has a type', (code) => {
    const { error: body } = JSON.parse(chatDialect.errorBody(new GatewayError(code, 'm'), 'r'));
    expect(body).toMatchObject({ code, type: ERRORS[code].openai });
  });

  test('the official client throws at the event that ends a stream', async () => {
    const body = chatDialect.errorEvent(error, MOMENT).slice();
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const stream = await client.chat.completions.create({ model: 'm', messages: [], stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream) throw new Error('a chunk came out of an error');
    };
    await expect(read()).rejects.toMatchObject({
      code: 'insufficient_balance',
      type: 'insufficient_quota',
      param: 'max_tokens',
    });
  });
});

test.each([true, false])(
  'rule 4: keeps a silent stream alive with a comment: started %p',
  (started) => {
    expect(Buffer.from(chatDialect.keepAlive({ ...MOMENT, started })).toString()).toBe(
      ': ping\n\n',
    );
  },
);
