/**
 * The dialog that drains or disables a route. It first lists the channels that would be left
 * without a route.
 */
import { Alert, List, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import {
  type OutState,
  type RouteScope,
  type StoppedChannel,
  scopeName,
  setRouteState,
  stopsQuery,
  useRoutesChanged,
} from './route-state-queries.ts';
import { routeStateTexts } from './route-state-texts.ts';

/** The route or upstream to take out of service, and the state to set. */
export type Withdrawal = RouteScope & { readonly state: OutState };

export type RouteStateDialogProps = {
  /** The change to confirm; null while the dialog is closed. */
  readonly of: Withdrawal | null;
  readonly onClose: () => void;
  readonly onDone: (done: Withdrawal) => void;
};

const MAX_REASON = 200;
/** The offered durations until a route returns to service automatically, in seconds. */
const TIMES = [
  ['minutes15', 900],
  ['hour', 3_600],
  ['hours4', 14_400],
  ['day', 86_400],
] as const;

export function RouteStateDialog({ of, onClose, onDone }: RouteStateDialogProps) {
  const t = useTexts(routeStateTexts);
  const route = of === null ? '' : scopeName(of);
  const title = of?.state === 'disabled' ? 'disableTitle' : 'drainTitle';
  return (
    <Dialog opened={of !== null} onClose={onClose} title={t(title, { route })}>
      {of === null ? null : <StateForm of={of} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

type FormProps = RouteStateDialogProps & { readonly of: Withdrawal };

function StateForm({ of, onClose, onDone }: FormProps) {
  const t = useTexts(routeStateTexts);
  const changed = useRoutesChanged();
  const { upstream, state } = of;
  const [scope, setScope] = useState(of.model === null ? 'upstream' : 'route');
  const target: Withdrawal = { upstream, state, model: scope === 'upstream' ? null : of.model };
  const query = useQuery(stopsQuery(target, state));
  const stops = query.data ?? [];
  const { form, ...sending } = useApiForm({
    initialValues: { for_seconds: '', reason: '' },
    send: ({ for_seconds: time, reason }) =>
      setRouteState({
        ...target,
        reason,
        forSeconds: time === '' ? null : Number(time),
        confirm: stops.length > 0,
      }),
    onSent: async () => {
      await changed();
      onDone(target);
      onClose();
    },
  });
  const isDrain = state === 'drained';
  const words = isDrain
    ? (['drain', 'drainAnyway'] as const)
    : (['disable', 'disableAnyway'] as const);
  return (
    <FormBody
      of={sending}
      submit={t(stops.length === 0 ? words[0] : words[1])}
      isDisabled={query.data === undefined}
      onCancel={onClose}
    >
      <Text size="sm">{t(isDrain ? 'drainHint' : 'disableHint')}</Text>
      {of.model === null ? null : (
        <SegmentedControl
          fullWidth
          aria-label={t('scope')}
          data={[
            { value: 'route', label: t('thisRoute') },
            { value: 'upstream', label: t('wholeUpstream', { upstream }) },
          ]}
          value={scope}
          onChange={setScope}
        />
      )}
      <Select
        label={t('return')}
        allowDeselect={false}
        data={[
          { value: '', label: t('never') },
          ...TIMES.map(([name, seconds]) => ({ value: String(seconds), label: t(name) })),
        ]}
        {...form.getInputProps('for_seconds')}
      />
      <TextInput
        label={t('reason')}
        description={t('reasonHint')}
        maxLength={MAX_REASON}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <Stops stops={stops} />
    </FormBody>
  );
}

/** The maximum number of channels without a route that the dialog lists by name. */
const MAX_NAMED = 8;

function Stops({ stops }: { readonly stops: readonly StoppedChannel[] }) {
  const t = useTexts(routeStateTexts);
  const channelName = useChannelName();
  return (
    <div role="status">
      {stops.length === 0 ? null : (
        <Alert color="yellow" icon={<IconAlertTriangle />}>
          <Stack gap={4}>
            <Text size="sm">{t('stops')}</Text>
            <List size="sm">
              {stops.slice(0, MAX_NAMED).map(({ model, channel, fallback }) => (
                <List.Item key={`${model} ${channel}`}>
                  {fallback === null
                    ? t('stopRefused', { model, channel: channelName(channel) })
                    : t('stopFallback', {
                        ...{ model, channel: channelName(channel) },
                        fallback: channelName(fallback),
                      })}
                </List.Item>
              ))}
            </List>
            {stops.length > MAX_NAMED ? (
              <Text size="sm">{t('stopsMore', { count: stops.length - MAX_NAMED })}</Text>
            ) : null}
          </Stack>
        </Alert>
      )}
    </div>
  );
}
