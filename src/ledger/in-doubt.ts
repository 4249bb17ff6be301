import { GatewayError } from '../errors.ts';

/**
 * A batch was sent to the store and no answer came: it may be in the books, or come to be. Whoever asked
 * for a hold gives it back, so that it cannot stay behind; a settlement is sent again.
 */
export class OutcomeInDoubt extends GatewayError {
  constructor(cause: unknown) {
    const message = 'The store did not answer in time. Repeat the request.';
    super('store_unavailable', message, { retryAfterSeconds: 1, cause });
    this.name = 'OutcomeInDoubt';
  }
}
