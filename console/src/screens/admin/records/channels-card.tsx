/** The channels of a model with their prices and routes, and the actions on them. */
import { Button, Group, Stack } from '@mantine/core';
import { IconCoin, IconPlugConnected, IconPlus, IconRoute, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { asText, type JsonObject } from '#api/json.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import type { ChannelName } from '#catalogue/models.ts';
import { offersQuery } from '#catalogue/price-origin.tsx';
import { ActionsMenu } from '#components/actions-menu.tsx';
import { TextLink } from '#components/button-link.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { actionColumn, textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { priceText } from '#screens/admin/channels/price-text.ts';
import { RoutesTestSheet } from '#screens/admin/channels/upstream-test.tsx';
import { type Editing, PriceDialog } from '#screens/admin/prices/price-dialog.tsx';
import { ChangeDialog, ChangeProblem } from '#screens/admin/settings/change-dialog.tsx';
import { patchConfig } from '#screens/admin/settings/config-queries.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import { channelsIn, missingChannels, type Opened, routesOf } from './channel-draft.ts';
import { useProposing } from './proposing.ts';
import { modelQuery } from './record-queries.ts';
import { recordTexts } from './record-texts.ts';

export type ChannelsCardProps = {
  readonly id: string;
  /** The newest revision; null if the settings are in the file and cannot be edited here. */
  readonly revision: number | null;
};

export function ChannelsCard({ id, revision }: ChannelsCardProps) {
  const t = useTexts(recordTexts);
  const query = useQuery(modelQuery(id));
  const model = query.data ?? {};
  const [opened, open] = useState<Opened | null>(null);
  const [pricing, price] = useState<Editing | null>(null);
  const [tested, test] = useState<string | null>(null);
  const { propose, proposal, close, problem } = useProposing<ChannelName>();
  const actions: Actions | null =
    revision === null
      ? null
      : {
          routes: (channel) => open({ model, channel }),
          price: (channel) => price({ by: 'price', model: id, channel }),
          remove: (channel) =>
            propose(channel, patchConfig(revision, withoutChannel(id, model, channel))),
        };
  const columns = useColumns(id, model, actions);
  return (
    <SectionCard
      title={t('channels')}
      size="h5"
      query={query}
      aside={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlugConnected size={16} />}
            onClick={() => test(id)}
          >
            {t('testRoutes')}
          </Button>
          {actions === null || missingChannels(model).length === 0 ? null : (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={16} />}
              onClick={() => open({ model, channel: null })}
            >
              {t('addChannel')}
            </Button>
          )}
        </Group>
      }
    >
      {problem === null ? null : <ChangeProblem error={problem} />}
      <DataTable
        label={t('channels')}
        columns={columns}
        rows={query.data === undefined ? undefined : channelsIn(model)}
        keyOf={(channel) => channel}
      />
      {revision === null ? null : (
        <>
          <ChannelDialog {...{ id, revision, opened }} onClose={() => open(null)} />
          <PriceDialog editing={pricing} onClose={() => price(null)} />
        </>
      )}
      <RoutesTestSheet model={tested} onClose={() => test(null)} />
      <ChangeDialog
        proposal={proposal}
        title={t('removeChannelTitle', { channel: proposal?.about ?? '', id })}
        submit={t('removeChannel')}
        onClose={close}
      />
    </SectionCard>
  );
}

/**
 * Returns the patch that removes a channel. If the channel is the default, the first remaining
 * channel becomes the default.
 */
function withoutChannel(id: string, model: JsonObject, channel: ChannelName): JsonObject {
  const [next] = channelsIn(model).filter((name) => name !== channel);
  const isDefault = model['default_channel'] === channel && next !== undefined;
  return {
    models: {
      [id]: { channels: { [channel]: null }, ...(isDefault ? { default_channel: next } : {}) },
    },
  };
}

type Actions = {
  readonly [Name in 'routes' | 'price' | 'remove']: (channel: ChannelName) => void;
};

function useColumns(
  id: string,
  model: JsonObject,
  actions: Actions | null,
): readonly Column<ChannelName>[] {
  const t = useTexts(recordTexts);
  const channelName = useChannelName();
  const offers = useQuery(offersQuery).data?.data;
  const isOnly = channelsIn(model).length === 1;
  return [
    textColumn('channel', t('channel'), (channel) =>
      channel === asText(model['default_channel'])
        ? `${channelName(channel)} · ${t('defaultChannel')}`
        : channelName(channel),
    ),
    {
      name: 'routes',
      heading: t('routes'),
      cell: (channel) => (
        <Stack gap={2}>
          {routesOf(model, channel).map(({ upstream, model: there, priority, weight }) => (
            <div key={`${upstream} ${there}`} style={{ overflowWrap: 'anywhere' }}>
              <TextLink
                inherit
                c="inherit"
                to="/admin/routes/upstreams/$name"
                params={{ name: upstream }}
              >
                {upstream}
              </TextLink>
              {[
                ` / ${there}`,
                ...(priority === '1' ? [] : [t('ranks', { priority })]),
                ...(weight === '1' ? [] : [t('weighs', { weight })]),
              ].join(' · ')}
            </div>
          ))}
        </Stack>
      ),
    },
    {
      name: 'price',
      heading: t('price'),
      end: true,
      phone: 'amount',
      cell: (channel) => {
        const offer = offers?.find((each) => each.model === id && each.channel === channel);
        return offer === undefined ? NOTHING : priceText(offer);
      },
    },
    ...(actions === null
      ? []
      : [
          actionColumn<ChannelName>(t('actions'), (channel) => (
            <ActionsMenu
              label={t('actionsOf', { channel: channelName(channel) })}
              actions={[
                { label: t('editRoutes'), icon: IconRoute, act: () => actions.routes(channel) },
                { label: t('editPrice'), icon: IconCoin, act: () => actions.price(channel) },
                ...(isOnly
                  ? []
                  : [
                      {
                        label: t('removeChannel'),
                        icon: IconTrash,
                        isGrave: true,
                        act: () => actions.remove(channel),
                      },
                    ]),
              ]}
            />
          )),
        ]),
  ];
}
