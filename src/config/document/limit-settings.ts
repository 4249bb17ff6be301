/** The setting `limits`: timeouts, sizes and counts. */
import * as z from 'zod';
import { count, deadline, duration, silence, size, writtenForms } from '../values.ts';
import { built } from './on-demand.ts';

export const TOTAL_TIMEOUT = '60m';

/** The maximum size of a request body, which is enough for images and files. */
export const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;

export const limitSettings = built(() =>
  z.strictObject({
    /** How long a stream may be silent before a keep-alive is sent. */
    keep_alive: silence(duration()).prefault('15s'),
    /** How long a shutdown waits for streams to finish. */
    drain: duration().prefault('30s'),
    /**
     * How long a shutdown continues to serve requests while `/readyz` fails, so that proxies notice
     * the shutdown.
     */
    drain_notice: duration().prefault('0s'),
    connect_timeout: deadline().prefault('10s'),
    first_byte_timeout: deadline().prefault('5m'),
    /**
     * How long a stream waits for its first event before it sends status 200. A failure during this
     * wait gets an error status.
     */
    first_event_hold: duration().prefault('10s'),
    /**
     * How long an image request waits for its result before it sends status 200. After that, spaces
     * keep the connection alive, and an error can only be reported in the body.
     */
    image_status_hold: silence(duration()).prefault('60s'),
    /** The maximum time without data from the upstream within a stream. */
    idle_timeout: deadline().prefault('2m'),
    /** The maximum time for which a caller may read no data from a stream. */
    stall_timeout: silence(deadline()).prefault('2m'),
    total_timeout: deadline().prefault(TOTAL_TIMEOUT),
    /**
     * How long the gateway continues to read an upstream's answer after the caller has
     * disconnected. It reads on because the upstream reports the usage at the end of the answer.
     */
    read_on: duration().prefault('15m'),
    /** The maximum size of a non-streaming answer. */
    answer_size: size().prefault('64MiB'),
    /**
     * The maximum total size of all image answers in memory. While it is exceeded, answers wait at
     * their upstreams, and new image requests get 429.
     */
    image_bytes: size().prefault('512MiB'),
    event_size: size().prefault('8MiB'),
    /** Maximum requests per minute that an API key may send to `count_tokens`, which is free. */
    count_tokens_per_minute: count(1, 1_000_000).default(300),
    /**
     * The maximum total size of all request bodies in memory. A request that would exceed it gets
     * 429.
     */
    request_bytes: size()
      .refine(
        (bytes) => bytes >= LARGEST_REQUEST_BYTES,
        'must be at least 32MiB, or the largest request would never fit',
      )
      .register(writtenForms, { type: 'size', minimum: '32MiB' })
      .prefault('512MiB'),
    /**
     * The maximum number of concurrent requests from one client address; for IPv6, from one /64
     * network. 0 means no limit.
     */
    requests_per_address: count(0, 1_000_000).default(1024),
    /**
     * After an answer cost more than its hold (the amount reserved for it), the account may run
     * only one request at a time. The restriction ends when this number of answers have cost no
     * more than their holds. 0 disables this rule.
     */
    careful_answers: count(0, 10_000).default(20),
  }),
);
