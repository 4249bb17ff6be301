/** The outcomes of a request, in display order. */
import { every } from './lists.ts';
import type { components } from './schema.gen.ts';

export type Outcome = components['schemas']['RequestRecord']['outcome'];

export const OUTCOMES = every<Outcome>({
  completed: true,
  length: true,
  caller_left: true,
  upstream_error: true,
  upstream_truncated: true,
  upstream_timeout: true,
  gateway_error: true,
  shutdown: true,
  revoked: true,
  node_lost: true,
});
