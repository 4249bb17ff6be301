/** The outcomes with which a request can end, as the API names them. */
import type { components } from './schema.gen.ts';

export type Outcome = components['schemas']['RequestRecord']['outcome'];
