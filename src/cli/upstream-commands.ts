/** `upstream list` and `upstream test`. */
import { z } from 'zod';
import type { Command } from './command.ts';
import { table } from './table.ts';
import { UPSTREAM_TEST_COMMAND } from './upstream-test-command.ts';

const ROUTE = z.looseObject({
  model: z.string(),
  channel: z.string(),
  upstream: z.string(),
  upstream_model: z.string(),
  standing: z.string(),
  since: z.string().nullable(),
  retry_in_ms: z.number(),
  in_flight: z.number(),
  success_rate: z.number().nullable(),
  first_byte_ms: z.looseObject({ p50: z.number(), p95: z.number() }).nullable(),
  last_failure: z
    .looseObject({ code: z.string(), cause: z.string().nullable(), at: z.string() })
    .nullable(),
});
const ROUTES = z.looseObject({ data: z.array(ROUTE) });
type Route = z.infer<typeof ROUTE>;

/** More of a cause does not fit beside the rest on a screen; --json has all of it. */
const MAX_CAUSE_CHARS = 80;

const upstreamList: Command = {
  words: 'upstream list',
  summary: 'show how every route fares: standing, in flight, success, first byte, last failure',
  args: [],
  options: [],
  run: async ({ connect, print }) => {
    const client = await connect();
    const routes = await client.call({ method: 'GET', path: '/routes' }, ROUTES);
    print(routes, () =>
      table(
        [
          'model',
          'channel',
          'upstream',
          'model there',
          'standing',
          'in flight',
          'success',
          'p50',
          'p95',
          'last failure',
        ],
        routes.data.map(row),
      ),
    );
    return 0;
  },
};

export const UPSTREAM_COMMANDS: readonly Command[] = [upstreamList, UPSTREAM_TEST_COMMAND];

const row = (route: Route): readonly string[] => [
  route.model,
  route.channel,
  route.upstream,
  route.upstream_model,
  standing(route),
  String(route.in_flight),
  route.success_rate === null ? '-' : `${(route.success_rate * 100).toFixed(1)}%`,
  ...[route.first_byte_ms?.p50, route.first_byte_ms?.p95].map((ms) =>
    ms === undefined ? '-' : `${ms} ms`,
  ),
  lastFailure(route),
];

function standing({ standing: word, retry_in_ms: waitMs, since }: Route): string {
  const from = since === null ? '' : ` since ${since}`;
  return waitMs === 0 ? `${word}${from}` : `${word}${from}, ${Math.ceil(waitMs / 1000)} s to go`;
}

function lastFailure({ last_failure: failure }: Route): string {
  if (failure === null) return '-';
  // The row has its name already.
  const cause = failure.cause?.replace(/^upstream "[^"]*": /, '') ?? null;
  const why = cause === null ? '' : `: ${cause.slice(0, MAX_CAUSE_CHARS)}`;
  return `${failure.at} ${failure.code}${why}`;
}
