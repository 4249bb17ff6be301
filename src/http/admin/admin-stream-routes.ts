/** A stream of evenly spaced events. With it, `modelgate doctor` finds proxies that buffer. */
import type { Clock } from '../../clock.ts';
import { adminRoute, type Route } from '../edge/route.ts';

/**
 * The stream takes `(EVENTS - 1) * GAP_MS`. Through a proxy that buffers, all events arrive
 * together at the end.
 */
const EVENTS = 4;
const GAP_MS = 100;

export const adminStreamRoutes = (clock: Pick<Clock, 'sleep'>): readonly Route[] => [
  adminRoute(
    'GET /stream-test',
    {
      summary: 'Stream four events, 100 ms apart, to test whether proxies buffer streams',
      mediaTypes: ['text/event-stream'],
    },
    async (call) => {
      call.releaseBody();
      // The headers are the same as those of streamed answers of models, because proxies decide by
      // these headers whether to buffer.
      const headers = {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        vary: 'accept-encoding',
      };
      return new Response(pacedEvents(clock), { headers });
    },
  ),
];

function pacedEvents(clock: Pick<Clock, 'sleep'>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (sent > 0) await clock.sleep(GAP_MS);
      sent += 1;
      controller.enqueue(encoder.encode(`data: ${sent}\n\n`));
      if (sent === EVENTS) controller.close();
    },
  });
}
