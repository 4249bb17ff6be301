/**
 * The commands `upstream list|test|drain|disable|enable`. The last three can also change the state
 * of a single route.
 */
import * as z from 'zod';
import { parseDuration } from '../config/units.ts';
import { ROUTE_HEALTH } from '../http/admin/admin-health-routes.ts';
import { UPSTREAM_TEST } from '../http/admin/admin-upstream-routes.ts';
import { ROUTE_STATE } from '../http/admin/traffic/route-state-routes.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { quirksByName } from '../upstreams/known-servers.ts';
import { CliError } from './cli-error.ts';
import { type Command, type CommandContext, type Input, printAnswer } from './command.ts';
import { table } from './lists.ts';

const ROUTES = z.looseObject({ data: z.array(ROUTE_HEALTH.loose()) });
type Route = z.infer<typeof ROUTE_HEALTH>;

/** The maximum length of an error's cause in the table. With --json, the cause is not truncated. */
const MAX_CAUSE_CHARS = 80;

const row = (route: Route): readonly string[] => [
  route.model,
  route.channel,
  route.upstream,
  route.upstream_model,
  String(route.priority),
  standing(route),
  String(route.in_flight),
  route.success_rate === null ? '-' : `${(route.success_rate * 100).toFixed(1)}%`,
  ...[route.first_byte_ms?.p50, route.first_byte_ms?.p95].map((ms) =>
    ms === undefined ? '-' : `${ms} ms`,
  ),
  lastFailure(route),
];

function standing({ standing: word, retry_in_ms: waitMs, since, out_of_service: out }: Route) {
  if (out !== null) return `${out.state}${out.return_at === null ? '' : ` until ${out.return_at}`}`;
  const from = since === null ? '' : ` since ${since}`;
  return waitMs === 0 ? `${word}${from}` : `${word}${from}, ${Math.ceil(waitMs / 1000)} s left`;
}

function lastFailure({ last_failure: failure }: Route): string {
  if (failure === null) return '-';
  // Removes the upstream's name from the cause, because the row already contains the name.
  const cause = failure.cause?.replace(/^upstream "[^"]*": /, '') ?? null;
  const why = cause === null ? '' : `: ${cause.slice(0, MAX_CAUSE_CHARS)}`;
  return `${failure.at} ${failure.code}${why}`;
}

/** The timeout of an upstream test, which sends one or two requests of up to a minute each. */
const TEST_TIMEOUT_MS = 150_000;

type Found = z.infer<typeof UPSTREAM_TEST>;
type Check = Found['checks'][number];

const report = ({ upstream, model, checks, quirks }: Found): string =>
  [
    `${upstream}, model ${model}`,
    ...checks.flatMap(checkLines),
    `  quirks: ${departures(quirks)}`,
  ].join('\n');

const PLAIN = quirksByName(NO_QUIRKS);

/** Formats the quirks of an upstream: how its server deviates from the standard protocol. */
function departures(quirks: Found['quirks']): string {
  const own = Object.entries(quirks).filter(([name, value]) => !Bun.deepEquals(value, PLAIN[name]));
  return own.length === 0
    ? 'none'
    : own.map(([name, value]) => `${name} ${wordOf(value)}`).join(', ');
}

function checkLines(check: Check): readonly string[] {
  const times = [
    ...(check.status === null ? [] : [`status ${check.status} after ${check.status_ms} ms`]),
    ...(check.first_byte_ms === null ? [] : [`first byte after ${check.first_byte_ms} ms`]),
  ].join(', ');
  const head = `  ${check.format}: ${check.ok ? 'good' : 'FAILED'}${times === '' ? '' : `, ${times}`}`;
  return [
    head,
    ...(check.problem === null ? [] : [`    ${check.problem}`]),
    ...(check.error === null || check.error === ''
      ? []
      : [`    the upstream answered: ${check.error.trim()}`]),
    ...(check.ok ? [`    ${usageLine(check)}`] : []),
  ];
}

const usageLine = ({ usage }: Check): string =>
  usage === null
    ? 'usage: the upstream reports none, so requests are charged for estimated token counts'
    : `usage: ${usage.input_tokens} in, ${usage.cache_read_tokens} read from cache, ${usage.cache_write_tokens} written to cache, ${usage.output_tokens} out`;

function wordOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(' ');
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

const MODEL = { 'model MODEL': 'only the route to the model that has this name at the upstream' };
const OUT_OPTIONS = {
  ...MODEL,
  'for TIME': 'return to service after this time, such as 30m or 2h',
  'reason TEXT': 'the reason, for the audit log',
  confirm: 'make the change even if a channel then has no route',
};

function setState(
  context: CommandContext,
  input: Input,
  state: 'enabled' | 'drained' | 'disabled',
): Promise<number> {
  const [model, time, reason] = [input.text('model'), input.text('for'), input.text('reason')];
  const body = {
    state,
    ...(model === null ? {} : { model }),
    ...(time === null ? {} : { for_seconds: secondsOf(time) }),
    ...(reason === null ? {} : { reason }),
    ...(input.has('confirm') ? { confirm: true } : {}),
  };
  const path = `/upstreams/${encodeURIComponent(input.arg(0))}/state`;
  return printAnswer(context, { method: 'POST', path, body }, ROUTE_STATE.loose(), (answer) => {
    const { upstream, model: only, return_at: returnAt } = answer;
    const routes = only === null ? `Every route of ${upstream}` : `The route ${upstream}/${only}`;
    const until = returnAt === null ? '' : ` until ${returnAt}`;
    return `${routes} is ${state}${until}.`;
  });
}

/**
 * Converts the duration in --for, such as `30m`, to seconds.
 * @throws CliError `usage` if it is not a duration, or less than a second.
 */
function secondsOf(typed: string): number {
  const ms = parseDuration(typed);
  if (ms !== null && ms >= 1000) return Math.round(ms / 1000);
  const problem = `--for cannot read ${JSON.stringify(typed)}. Give a time such as 90s, 30m or 2h.`;
  throw new CliError('usage', problem);
}

export const UPSTREAM_COMMANDS: readonly Command[] = [
  {
    words: 'upstream list',
    summary:
      'show the health of every route: circuit breaker, requests in flight, success rate, time to the first byte, last failure',
    run: (context) =>
      printAnswer(context, { method: 'GET', path: '/routes' }, ROUTES, ({ data }) =>
        table(
          [
            'model',
            'channel',
            'upstream',
            'upstream model',
            'priority',
            'standing',
            'in flight',
            'success',
            'p50',
            'p95',
            'last failure',
          ],
          data.map(row),
        ),
      ),
  },
  {
    words: 'upstream test',
    summary:
      'test an upstream with a request for a few tokens, which the provider may charge, and explain a failure',
    args: ['NAME'],
    options: {
      'model MODEL':
        'the name of the model at the upstream; default: the model of one of the routes',
      'kind KIND':
        'chat, image or embedding; default: the kind of the configured model with this route, or chat without such a model',
    },
    run: async ({ connect, print }, input) => {
      const client = await connect();
      const [model, kind] = [input.text('model'), input.text('kind')];
      const found = await client.call(
        {
          method: 'POST',
          path: `/upstreams/${encodeURIComponent(input.arg(0))}/test`,
          body: { ...(model === null ? {} : { model }), ...(kind === null ? {} : { kind }) },
          timeoutMs: TEST_TIMEOUT_MS,
        },
        UPSTREAM_TEST.loose(),
      );
      print(found, () => report(found));
      return found.ok ? 0 : 1;
    },
  },
  {
    words: 'upstream drain',
    summary: 'send no new requests to an upstream or route; running ones finish',
    args: ['NAME'],
    options: OUT_OPTIONS,
    run: (context, input) => setState(context, input, 'drained'),
  },
  {
    words: 'upstream disable',
    summary:
      'drain an upstream or route and end its running requests; requests without an answer so far try another route',
    args: ['NAME'],
    options: OUT_OPTIONS,
    run: (context, input) => setState(context, input, 'disabled'),
  },
  {
    words: 'upstream enable',
    summary: 'return an upstream or route to service',
    args: ['NAME'],
    options: MODEL,
    run: (context, input) => setState(context, input, 'enabled'),
  },
];
