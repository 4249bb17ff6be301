import type { Permit } from '../accounts/limiter.ts';

/** Begins what was permitted; a request that could not begin is over, and has used nothing. */
export async function permitted<Begun>(
  permit: Permit,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  try {
    return await begin();
  } catch (thrown) {
    permit.end(null);
    throw thrown;
  }
}
