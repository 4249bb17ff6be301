/**
 * A minimal relay on the gateway's runtime. It forwards each request and its answer, and does
 * nothing else. It is the baseline of the benchmarks: the cost of a gateway above this baseline is
 * the gateway's own work. Run with `bun bench/bare-relay.ts PORT UPSTREAM_PORT`.
 */

/** The maximum size of a request body, as in Modelgate. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const upstream = `http://127.0.0.1:${Number(Bun.argv[3])}`;

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(Bun.argv[2]),
  idleTimeout: 0,
  maxRequestBodySize: MAX_BODY_BYTES,
  fetch: async (request) =>
    fetch(upstream + new URL(request.url).pathname, {
      method: request.method,
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: request.method === 'GET' ? null : await request.bytes(),
      signal: request.signal,
      redirect: 'manual',
      ...{ timeout: false },
    }),
});
