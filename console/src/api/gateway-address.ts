/** Where programs call the gateway, which need not be where this page is open: a proxy may stand between. */
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';

/** Without a slash at its end. */
export const useGatewayAddress = (): string =>
  useQuery(sessionQuery).data?.public_url ?? location.origin;
