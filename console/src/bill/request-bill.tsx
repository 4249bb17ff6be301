/** The bill of a request that has just ended, shown where the request was sent. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#api/api-error.ts';
import { CostLines } from './cost-lines.tsx';
import { requestQuery } from './request-details.ts';
import { RequestProblem } from './request-problem.tsx';

/**
 * The maximum number of retries until the bill exists. It does not exist at once, because the
 * gateway settles a request only after it has sent the last byte.
 */
const TRIES = 10;
const TRY_AGAIN_MS = 300;

export function RequestBill({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    ...requestQuery(id),
    retry: (tries, thrown) => tries < TRIES && thrown instanceof ApiError && thrown.status === 404,
    retryDelay: TRY_AGAIN_MS,
  });
  if (error !== null) return <RequestProblem error={error} />;
  if (data === undefined) return <Skeleton height={180} />;
  return <CostLines cost={data.cost_details} held={data.held} model={data.model} />;
}
