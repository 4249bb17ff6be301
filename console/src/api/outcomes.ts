/** The outcomes of a request. */
import type { components } from './schema.gen.ts';

export type Outcome = components['schemas']['RequestRecord']['outcome'];
