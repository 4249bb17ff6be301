/**
 * Tests an operator's first day in both languages, from an empty folder to a changed price that is
 * restored. The operator uses only the browser: the configuration file never changes.
 */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { shippedConfig, startGateway } from '../support/gateways/gateway-process.ts';
import { answerTurn, type Turn, turnEvents } from '../support/upstreams/scripted-turns.ts';
import {
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from '../support/upstreams/scripted-upstream.ts';
import { at, get } from '../support/wire.ts';
import { nanoOf, picoOf } from './support/bill.ts';
import { sharedChromium } from './support/chromium.ts';
import { buildConsole } from './support/console-gateway.ts';
import { OPENING_MS } from './support/installation.ts';
import { type Offer, Operator } from './support/operator.ts';
import { setupLinkOf } from './support/people.ts';
import { goTo } from './support/settled.ts';
import { closeWindows, during, LANGUAGES, openVisit } from './support/visit.ts';
import { wordsOf } from './support/words.ts';

// A story takes twenty seconds on an idle machine.
setDefaultTimeout(600_000);

/** The time limit of each step. It is long, so that the test also passes on a busy machine. */
const STEP_LIMIT_MS = 45_000;

const CONFIG = shippedConfig({ 'config: database ': 'config: database ' });
const CREDIT = '20';
const MODEL = 'house';
const TURN: Turn = {
  parts: [{ text: 'Yes, we sell that.' }],
  usage: { input: 11, cached: 0, output: 7, reasoning: 0 },
};

const DIRECT: Offer = {
  ...{ model: MODEL, channel: 'direct', title: 'Direct' },
  ...{ there: 'acme/large', input: '3.10', output: '15.50' },
};
const STABLE: Offer = {
  ...{ model: MODEL, channel: 'stable', title: 'Stable' },
  ...{ there: 'acme/steady', input: '4.02', output: '20.001' },
};
const ECONOMICAL: Offer = {
  ...{ model: MODEL, channel: 'economical', title: 'Economical' },
  ...{ there: 'acme/small', input: '0.5', output: '2' },
};
const OFFERS = [DIRECT, STABLE, ECONOMICAL];
const RAISED: Offer = { ...DIRECT, input: '6.205' };
/**
 * The second provider's model. It serves requests while the route to the model of `DIRECT` is
 * drained.
 */
const SPARE = 'spare/large';

/**
 * The maximum time between the start of an announced price and the first request that is charged at
 * this price.
 */
const BEGINS_WITHIN_MS = 20_000;
/**
 * The number of streams in each of two groups. The first group starts before the price changes and
 * the route drains, the second afterward.
 */
const LOAD = 20;

/**
 * Returns the exact cost of one request in nano-USD. The prices are chosen so that nothing is
 * rounded.
 */
function costOf({ input, output }: Offer): bigint {
  const { usage } = TURN;
  const perMillion = BigInt(usage.input) * picoOf(input) + BigInt(usage.output) * picoOf(output);
  return perMillion / 1_000_000n / 1_000n;
}

/**
 * Simulates two providers on one server. A test can pause the streams of the first provider's large
 * model.
 */
function scripted(upstream: ScriptedUpstream) {
  const served: string[] = [];
  let gate: Promise<void> | null = null;
  upstream.script((call: UpstreamCall): Response => {
    const { path, body } = call;
    if (path === '/acme/v1/models') return listOf(OFFERS.map(({ there }) => there));
    if (path === '/spare/v1/models') return listOf([SPARE]);
    const model = String(at(body, 'model'));
    served.push(model);
    const waits = model === DIRECT.there && at(body, 'stream') === true ? gate : null;
    if (waits === null) return answerTurn(call, TURN);
    const events = turnEvents('chat', TURN);
    const begun = 2;
    return eventStream(events.slice(0, begun), async (controller) => {
      await waits;
      const rest = new TextEncoder().encode(events.slice(begun).join(''));
      controller.enqueue(rest);
      controller.close();
    });
  });
  return {
    served: (model: string): number => served.filter((each) => each === model).length,
    /** Makes later streams pause after their first words. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return {
        /**
         * Lets later streams pass without a pause. Streams that are already paused wait for
         * `release`.
         */
        end: (): void => {
          gate = null;
        },
        release: resolve,
      };
    },
  };
}

const listOf = (ids: readonly string[]): Response =>
  Response.json({
    object: 'list',
    data: ids.map((id) => ({ id, context_length: 32_000, max_output: 4_000 })),
  });

type Sold = { readonly id: string; readonly cost: bigint; readonly channel: string };
type Answered = { readonly response: Pick<Response, 'headers'> };
type Started = Answered & { readonly data: AsyncIterable<unknown> };

/**
 * Returns functions that send requests with the two official libraries. The libraries do not retry
 * failed requests, because a retry would hide a failure of the gateway.
 */
function shopOf(url: string, key: string) {
  const settings = { apiKey: key, maxRetries: 0 };
  const openai = new OpenAI({ ...settings, baseURL: `${url}/v1` });
  const anthropic = new Anthropic({ ...settings, baseURL: url });
  const sales: Sold[] = [];
  let streams = 0;
  const short = { model: MODEL, max_tokens: 100 };
  const saying = (content: string) => [{ role: 'user' as const, content }];
  /**
   * Returns the receipt. It is stored shortly after the last byte of the answer, so the function
   * waits.
   */
  const receiptOf = async ({ headers }: Answered['response']): Promise<Sold> => {
    const id = headers.get('x-request-id') ?? '';
    const answer = await eventually(
      'the receipt is there',
      () => get({ url, key }, `/v1/requests/${id}`),
      ({ status }) => status === 200,
    );
    const [cost, channel] = ['cost', 'channel'].map((name) => String(answer.at(`data.${name}`)));
    const sold = { id, cost: nanoOf(cost ?? ''), channel: channel ?? '' };
    sales.push(sold);
    return sold;
  };
  const ended = async (started: Promise<Started>): Promise<Sold> => {
    const { data, response } = await started;
    const events = JSON.stringify(await Array.fromAsync(data));
    // If the provider paused this stream in the middle of its text, the second half must have
    // arrived by now.
    expect(events).toContain('ell that.');
    expect(events).toMatch(/"finish_reason":"stop"|"stop_reason":"end_turn"/);
    return await receiptOf(response);
  };
  return {
    sales,
    openai: async (channel?: string): Promise<Sold> => {
      const body = { ...short, messages: saying('Do you sell that?'), provider: { channel } };
      const { data, response } = await openai.chat.completions.create(body).withResponse();
      expect(data.choices[0]?.message.content).toBe('Yes, we sell that.');
      return await receiptOf(response);
    },
    anthropic: async (channel?: string): Promise<Sold> => {
      const body = { ...short, messages: saying('Do you sell that?'), provider: { channel } };
      const { data, response } = await anthropic.messages.create(body).withResponse();
      expect(data.content).toMatchObject([{ type: 'text', text: 'Yes, we sell that.' }]);
      return await receiptOf(response);
    },
    /**
     * Sends a stream. Alternates between the two libraries. Each stream begins a new conversation,
     * so any route may serve it.
     */
    stream: async (): Promise<Sold> => {
      streams += 1;
      const messages = saying(`Do you sell number ${streams}?`);
      const body = { ...short, stream: true as const, messages };
      return await ended(
        streams % 2 === 0
          ? openai.chat.completions.create(body).withResponse()
          : anthropic.messages.create(body).withResponse(),
      );
    },
  };
}

/** Calls `act` in a loop, one call at a time, until the loop is stopped. */
function repeated<Result>(act: () => Promise<Result>) {
  const results: Result[] = [];
  let isOn = true;
  const run = async (): Promise<void> => {
    while (isOn) results.push(await act());
  };
  const running = run();
  return {
    end: async (): Promise<readonly Result[]> => {
      isOn = false;
      await running;
      return results;
    },
  };
}

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([sharedChromium(), buildConsole()]);
}, OPENING_MS);

/** Returns the channel and the cost that the receipt of a request for this model must have. */
const soldAs = (offer: Offer) => ({ channel: offer.channel, cost: costOf(offer) });

for (const language of LANGUAGES) {
  test(`an operator sells, changes a price, drains a route and restores: ${language}`, async () => {
    const upstream = await startScriptedUpstream();
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => upstream.stop());
    const provider = scripted(upstream);
    const of = (name: string) => ({
      name,
      baseUrl: `http://${upstream.host}/${name}/v1`,
      as: MODEL,
    });
    await using gateway = await startGateway({ config: CONFIG, credit: `${CREDIT} USD` });
    cleanup.defer(() => closeWindows(browser, gateway.url));
    await during(openVisit(browser, gateway.url, { language }), async (page, visit) => {
      visit.context.setDefaultTimeout(STEP_LIMIT_MS);
      const operator = new Operator(page, wordsOf(language));
      await operator.setUp(setupLinkOf(gateway));
      await operator.importModels({ ...of('acme'), models: OFFERS.map(({ there }) => there) });
      for (const offer of OFFERS) await operator.price(offer);
      await operator.saveAndSell();
      const shop = shopOf(gateway.url, await operator.createFirstKey());
      expect(await shop.openai()).toMatchObject(soldAs(DIRECT));
      expect(await shop.anthropic()).toMatchObject(soldAs(DIRECT));
      expect(await shop.openai('stable')).toMatchObject(soldAs(STABLE));
      expect(await shop.anthropic('economical')).toMatchObject(soldAs(ECONOMICAL));

      // Streams that have already started keep their price and their route.
      const before = provider.served(DIRECT.there);
      const held = provider.hold();
      const running = Promise.all(Array.from({ length: LOAD }, shop.stream));
      await eventually(
        'the streams run',
        () => provider.served(DIRECT.there) - before,
        (count) => count === LOAD,
      );
      held.end();
      await goTo(page, '/console/admin/providers/new');
      await operator.importModels({ ...of('spare'), models: [SPARE] });
      await operator.saveAndSell();
      const beginsMs = await operator.announceInput(DIRECT, RAISED.input);
      const arriving = repeated(shop.stream);
      await operator.drain(DIRECT);
      const arrived = [...(await arriving.end())];
      const drained = provider.served(DIRECT.there);
      await eventually(
        'the price begins',
        async () => {
          const sold = await shop.stream();
          arrived.push(sold);
          return sold.cost;
        },
        (cost) => cost === costOf(RAISED),
        Math.max(0, beginsMs - Date.now()) + BEGINS_WITHIN_MS,
      );
      const raisedAt = arrived.findIndex(({ cost }) => cost === costOf(RAISED));
      expect(arrived.map(({ cost }) => cost)).toEqual(
        arrived.map((_, index) => costOf(index < raisedAt ? DIRECT : RAISED)),
      );
      const later = await Promise.all(Array.from({ length: LOAD }, shop.stream));
      expect(later.map(({ cost }) => cost)).toEqual(Array(LOAD).fill(costOf(RAISED)));
      expect(provider.served(DIRECT.there)).toBe(drained);
      held.release();
      expect((await running).map(({ cost }) => cost)).toEqual(Array(LOAD).fill(costOf(DIRECT)));
      await operator.seesDrained(DIRECT);
      expect(await operator.billOf(later[0]?.id ?? '')).toBe(costOf(RAISED));

      await operator.restorePrice(DIRECT);
      const last = await shop.anthropic();
      expect(last).toMatchObject(soldAs(DIRECT));
      expect(await operator.billOf(last.id)).toBe(costOf(DIRECT));

      const spent = shop.sales.reduce((sum, { cost }) => sum + cost, 0n);
      expect(shop.sales).toHaveLength(5 + 2 * LOAD + arrived.length);
      await eventually(
        'the balance is what was not spent',
        () => operator.available(),
        (available) => available === nanoOf(CREDIT) - spent,
      );
      const verified: unknown = await (await page.request.get('/admin/v1/ledger/verify')).json();
      expect(at(verified, 'ok')).toBe(true);
      expect(readFileSync(gateway.configPath, 'utf8')).toBe(CONFIG);
    });
  });
}
