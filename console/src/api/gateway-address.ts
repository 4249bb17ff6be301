/**
 * The address that programs use for the gateway. Behind a proxy it may differ from this page's
 * origin.
 */
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** The gateway's address without a trailing slash. */
export const useGatewayAddress = (): string =>
  useQuery(sessionQuery).data?.public_url ?? location.origin;
