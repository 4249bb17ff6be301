/** The setting `limits`: timeouts, sizes and counts. */
import * as z from 'zod';
import { count, deadline, duration, silence, size, writtenForms } from '../values.ts';
import { built } from './on-demand.ts';

export const TOTAL_TIMEOUT = '60m';

/** Maximum size of a request body, enough for images and files. */
export const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;

export const limitSettings = built(() =>
  z.strictObject({
    /** After how much silence in a stream a keep-alive is sent. */
    keep_alive: silence(duration()).prefault('15s'),
    /** How long a shutdown waits for streams to finish. */
    drain: duration().prefault('30s'),
    /** How long a shutdown first goes on serving while `/readyz` fails, so that proxies notice. */
    drain_notice: duration().prefault('0s'),
    connect_timeout: deadline().prefault('10s'),
    first_byte_timeout: deadline().prefault('5m'),
    /**
     * How long a stream delays its 200 to wait for its first event. A failure before the 200 gets
     * an error status.
     */
    first_event_hold: duration().prefault('10s'),
    /**
     * How long an image request waits for its result before it sends 200. After that, spaces keep
     * the connection alive, and an error can only be reported in the body.
     */
    image_status_hold: silence(duration()).prefault('60s'),
    /** How long an upstream may be silent within a stream. */
    idle_timeout: deadline().prefault('2m'),
    /** How long a caller may stop reading a stream. */
    stall_timeout: silence(deadline()).prefault('2m'),
    total_timeout: deadline().prefault(TOTAL_TIMEOUT),
    /** How long the gateway reads an answer for its usage after the caller has disconnected. */
    read_on: duration().prefault('15m'),
    /** The maximum size of an answer that is not a stream. */
    answer_size: size().prefault('64MiB'),
    event_size: size().prefault('8MiB'),
    /** How many requests per minute an API key may send to `count_tokens`, which is free. */
    count_tokens_per_minute: count(1, 1_000_000).default(300),
    /**
     * Maximum total size of the request bodies in flight. A request that would exceed it gets 429.
     */
    request_bytes: size()
      .refine(
        (bytes) => bytes >= LARGEST_REQUEST_BYTES,
        'must be at least 32MiB, or the largest request would never fit',
      )
      .register(writtenForms, { type: 'size', minimum: '32MiB' })
      .prefault('512MiB'),
    /** How many requests of one client address (for IPv6, one /64) may run at once. 0: no limit. */
    requests_per_address: count(0, 1_000_000).default(1024),
    /**
     * After an answer cost more than its hold, the account may run only one request at a time,
     * until this many answers have cost no more than their holds. 0 turns this off.
     */
    careful_answers: count(0, 10_000).default(20),
  }),
);
