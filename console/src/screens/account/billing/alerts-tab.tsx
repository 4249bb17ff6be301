/** The tab for the alert thresholds of the account's wallets. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { walletsQuery } from '#api/wallets.ts';
import { AlertThresholds } from '#components/forms/alert-thresholds.tsx';

const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/alerts', { signal })),
});

export function AlertsTab() {
  const queryClient = useQueryClient();
  return (
    <AlertThresholds
      thresholds={useQuery(alertsQuery)}
      mayChange={mayAs(useSignedIn().role, 'owner')}
      save={(body) => answerOf(api.PUT('/console/api/alerts', { body }))}
      onSaved={async (saved) => {
        queryClient.setQueryData(alertsQuery.queryKey, saved);
        await queryClient.invalidateQueries(walletsQuery);
      }}
    />
  );
}
