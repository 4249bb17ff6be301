/** The actions on a route or an upstream, and its state while it is out of service. */
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconChartBar,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconPower,
  IconScale,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Action, ActionsMenu } from '#components/actions-menu.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { Status } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { RouteHistorySheet } from '#screens/admin/route-history/route-history-sheet.tsx';
import { routeHistoryTexts } from '#screens/admin/route-history/route-history-texts.ts';
import { routesQuery } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { byUpstream, type RouteHealth } from './route-groups.ts';
import { RouteStateDialog, type Withdrawal } from './route-state-dialog.tsx';
import {
  type RouteScope,
  scopeName,
  setRouteState,
  useRoutesChanged,
} from './route-state-queries.ts';
import { routeStateTexts } from './route-state-texts.ts';
import type { RoutePlace } from './route-weight.ts';
import { type TestScope, UpstreamTestSheet } from './upstream-test.tsx';
import { WeightDialog } from './weight-dialog.tsx';
import { weightTexts } from './weight-texts.ts';

/** How long the undo button is shown: long enough to read the message and notice a mistake. */
const UNDO_MS = 10_000;

type OutOfService = NonNullable<RouteHealth['out_of_service']>;

export type ActionsOf = RouteScope & {
  readonly out: OutOfService | null;
  /** The route in its channel, for changing its weight; omitted for an upstream. */
  readonly place?: RoutePlace;
};

/** Returns the menu of a route or an upstream, and the dialog and sheets that the menu opens. */
export function useRouteActions() {
  const t = useTexts(routeStateTexts);
  const words = useTexts(channelTexts);
  const [opened, open] = useState<Withdrawal | null>(null);
  const [tested, test] = useState<TestScope | null>(null);
  const history = useTexts(routeHistoryTexts);
  const [shown, show] = useState<RouteScope | null>(null);
  const models = useModels(tested?.upstream);
  const enabling = useEnabling();
  const weight = useTexts(weightTexts);
  const [weighed, weigh] = useState<RoutePlace | null>(null);
  const menu = ({ upstream, model, out, place }: ActionsOf): ReactNode => {
    const scope = { upstream, model };
    const testOf = place === undefined ? scope : { ...scope, sold: place.model };
    const returned = out?.whole_upstream === true ? { upstream, model: null } : scope;
    const enable: Action = {
      label:
        out?.whole_upstream === true && model !== null ? t('enableAll', { upstream }) : t('enable'),
      icon: IconPlayerPlay,
      act: () => enabling.mutate(returned),
    };
    const take = (state: Withdrawal['state']) => () => open({ ...scope, state });
    const drain = { label: t('drain'), icon: IconPlayerPause, act: take('drained') };
    const disable = { label: t('disable'), icon: IconPower, isGrave: true, act: take('disabled') };
    const tests = { label: words('test'), icon: IconPlugConnected, act: () => test(testOf) };
    return (
      <ActionsMenu
        label={t('actionsOf', { route: scopeName(scope) })}
        actions={[
          { label: history('history'), icon: IconChartBar, act: () => show(scope) },
          tests,
          ...(place === undefined
            ? []
            : [{ label: weight('change'), icon: IconScale, act: () => weigh(place) }]),
          ...(out === null ? [] : [enable]),
          ...(out === null ? [drain] : []),
          ...(out?.state === 'disabled' ? [] : [disable]),
        ]}
      />
    );
  };
  const done = (withdrawal: Withdrawal): void => {
    const id = `route-${scopeName(withdrawal)}`;
    const undo = (): void => {
      notifications.hide(id);
      enabling.mutate(withdrawal);
    };
    const word = withdrawal.state === 'drained' ? 'isDrained' : 'isDisabled';
    notifications.show({
      ...{ id, autoClose: UNDO_MS, color: 'yellow' },
      message: (
        <>
          <Text size="sm">{t(word, { route: scopeName(withdrawal) })}</Text>
          <Button size="compact-xs" variant="default" mt={6} onClick={undo}>
            {t('undo')}
          </Button>
        </>
      ),
    });
  };
  const parts = (
    <>
      <RouteStateDialog of={opened} onClose={() => open(null)} onDone={done} />
      <UpstreamTestSheet of={tested} models={models} onClose={() => test(null)} />
      <RouteHistorySheet of={shown} onClose={() => show(null)} />
      <WeightDialog of={weighed} onClose={() => weigh(null)} />
    </>
  );
  return { menu, parts };
}

/** Returns the names that the upstream uses for its models. */
function useModels(upstream: string | undefined): readonly string[] {
  const { data } = useQuery(routesQuery);
  const all = byUpstream(data?.data ?? []);
  return all.find((each) => each.upstream === upstream)?.models ?? [];
}

/** Returns a mutation that puts a route, or all routes of an upstream, back into service. */
function useEnabling() {
  const t = useTexts(routeStateTexts);
  const changed = useRoutesChanged();
  const problemText = useProblemText();
  return useMutation({
    mutationFn: ({ upstream, model }: RouteScope) =>
      setRouteState({ upstream, model, state: 'enabled' }),
    onSuccess: async (_, scope) => {
      await changed();
      const message = t('isEnabled', { route: scopeName(scope) });
      notifications.show({ color: 'green', message });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
  });
}

export type OutStatusProps = { readonly out: OutOfService; readonly inFlight: number };

/** The state of an out-of-service route and the time of its return, with the reason on hover. */
export function OutStatus({ out, inFlight }: OutStatusProps) {
  const t = useTexts(routeStateTexts);
  const { shortTime } = useFormats();
  const { state, return_at: returnAt, whole_upstream: isWhole, reason, at, by } = out;
  const isRunning = state === 'drained' && inFlight > 0;
  const name = by === 'admin' ? t('token') : (out.by_name ?? by);
  const title = [
    ...(isRunning ? [t('running', { count: inFlight })] : []),
    ...(reason === '' ? [] : [reason]),
    ...(isWhole ? [t('wholeUpstreamWords')] : []),
    t('byWords', { time: shortTime(at), name }),
  ].join(' ');
  return (
    <Status tone={isRunning ? 'attention' : 'quiet'} title={title}>
      {t(isRunning ? 'draining' : state)}
      {returnAt === null ? '' : ` ${t('until', { time: shortTime(returnAt) })}`}
    </Status>
  );
}
