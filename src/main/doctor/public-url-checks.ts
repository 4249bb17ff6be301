/**
 * Checks of `doctor` through the URL that callers use: TLS, clock, and whether a proxy buffers
 * streams.
 */
import * as z from 'zod';
import { AdminClient, type AdminSettings } from '../../cli/admin-client.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { Clock } from '../../clock.ts';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';
import { isLoopback } from './machine-checks.ts';
import { clockFinding } from './postgres-checks.ts';

export type PublicUrlDeps = {
  readonly clock: Clock;
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Returns the time at which the certificate of this https URL expires; null if the server sends
   * no certificate.
   */
  readonly certificateEndMs: (url: URL, clock: Clock) => Promise<number | null>;
  /** The address and credentials with which commands call the gateway as administrator. */
  readonly settings: AdminSettings;
};

const CHECK = 'public URL';
const STREAM = 'streams';
const ANSWER_MS = 10_000;
/**
 * The test stream takes 300 ms. If its events all arrive within half of that time, a proxy buffers
 * them.
 */
const LEAST_SPREAD_MS = 150;
/** The precision of the header `Date`: whole seconds. */
const DATE_PRECISION_MS = 1_000;
const DAY_MS = 86_400_000;
/**
 * If the certificate expires in fewer days than this, the check warns. Certificates for 90 days are
 * renewed 30 days before their end, so the renewal must have failed.
 */
const RENEWED_DAYS = 21;
/** If the certificate expires in fewer days, the check fails instead of warning. */
const LAST_DAYS = 7;

/** Runs all checks through the URL. @throws CliError if `address` is not a URL. */
export async function publicUrlFindings(
  address: string,
  deps: PublicUrlDeps,
): Promise<readonly Finding[]> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CliError('usage', '--url must be an address such as https://models.example.');
  const url = new URL(address);
  const answered = await answerOf(url, deps);
  if (!('date' in answered)) return [answered];
  const [reached, date] = [answered.finding, answered.date];
  const clocks = Number.isNaN(date) ? [] : [dateFinding(date, deps.clock.nowMs())];
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const found = `${url.origin} is not encrypted: keys and prompts can be read in transit.`;
    const remedy =
      'Use a proxy with TLS (docs/operate/proxies.md). Streams are tested over HTTPS only.';
    return [warn(CHECK, { found, remedy }), ...clocks];
  }
  const certificate = url.protocol === 'https:' ? await certificateFindings(url, deps) : [];
  return [reached, ...certificate, ...clocks, await streamFinding(url, deps)];
}

type Answered = { readonly finding: Finding; readonly date: number };

async function answerOf(url: URL, { clock, fetch }: PublicUrlDeps): Promise<Answered | Finding> {
  const abort = new AbortController();
  const timer = clock.after(ANSWER_MS, () => abort.abort());
  try {
    const response = await fetch(
      new Request(new URL('/healthz', url), { redirect: 'manual', signal: abort.signal }),
    );
    const text = await response.text();
    if (response.status !== 200 || !text.includes('"ok"')) {
      const found = `${url.origin}/healthz returned ${response.status}, which is not a gateway's answer.`;
      const remedy =
        'Let the proxy forward every path to the gateway, and make sure that the gateway is running.';
      return fail(CHECK, { found, remedy });
    }
    const date = Date.parse(response.headers.get('date') ?? '');
    return { finding: ok(CHECK, `${url.origin} answers.`), date };
  } catch (thrown) {
    const reason = abort.signal.aborted ? `no answer in ${ANSWER_MS / 1000} s` : reasonOf(thrown);
    return fail(CHECK, unreachable(url.origin, reason));
  } finally {
    timer.cancel();
  }
}

function unreachable(origin: string, reason: string) {
  const found = `${origin} cannot be reached: ${reason}.`;
  const remedy = /certificate|self.signed|CERT/i.test(reason)
    ? 'Give the proxy a valid certificate for this name, with its intermediate certificates.'
    : 'Check the name, the port and the firewall, and that the proxy and the gateway are running.';
  return { found, remedy };
}

function dateFinding(dateMs: number, nowMs: number): Finding {
  const ahead = dateMs + DATE_PRECISION_MS / 2 - nowMs;
  const beyond = Math.max(0, Math.abs(ahead) - DATE_PRECISION_MS) * Math.sign(ahead);
  return clockFinding('clock of the URL', 'the public URL', beyond);
}

async function certificateFindings(
  url: URL,
  { clock, certificateEndMs }: PublicUrlDeps,
): Promise<readonly Finding[]> {
  const endMs = await certificateEndMs(url, clock);
  if (endMs === null || Number.isNaN(endMs)) return [];
  const check = 'certificate';
  const days = Math.floor((endMs - clock.nowMs()) / DAY_MS);
  const found = `The certificate of ${url.host} expires in ${days} days.`;
  if (days >= RENEWED_DAYS) return [ok(check, found)];
  const remedy =
    'Find out why the proxy has not renewed it: check its log, and port 80 or the DNS record that the certificate authority checks.';
  return [(days < LAST_DAYS ? fail : warn)(check, { found, remedy })];
}

async function streamFinding(url: URL, deps: PublicUrlDeps): Promise<Finding> {
  const { clock } = deps;
  const arrivals: number[] = [];
  const timed = async (request: Request): Promise<Response> => {
    const response = await deps.fetch(request);
    if (response.status !== 200 || response.body === null) return response;
    for await (const _ of response.body) arrivals.push(clock.monotonicMs());
    return Response.json({ pieces: arrivals.length });
  };
  const client = new AdminClient(
    { ...deps.settings, baseUrl: url.origin },
    { clock, fetch: timed },
  );
  try {
    await client.call(
      { method: 'GET', path: '/stream-test', timeoutMs: ANSWER_MS },
      z.object({ pieces: z.number().min(1) }),
    );
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    const remedy =
      "Run this command where the administrator's token is (MODELGATE_ADMIN_TOKEN or the data folder), and let the proxy pass `/admin/v1/stream-test` on to it.";
    return warn(STREAM, { found: `Streams were not tested: ${thrown.message}`, remedy });
  }
  const spread = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  if (spread >= LEAST_SPREAD_MS) return ok(STREAM, 'Events arrive as they are sent.');
  return fail(STREAM, {
    found: `Four events that were sent over 300 ms arrived within ${Math.round(spread)} ms: a proxy buffers streams.`,
    remedy:
      'Turn off the buffering and compression of `text/event-stream` in that proxy: docs/operate/proxies.md.',
  });
}
