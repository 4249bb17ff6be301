/**
 * The dialog that adds a channel to a model, or changes the routes, the cost and the price lists
 * of an existing channel.
 */
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Loader,
  MultiSelect,
  type MultiSelectProps,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { Dialog } from '#components/dialog.tsx';
import { AmountInput } from '#components/forms/amount-input.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { priceListsQuery } from '#screens/admin/price-lists/price-list-queries.ts';
import { useItemName } from '#screens/admin/prices/price-names.ts';
import { ChangeDialog, type Proposal } from '#screens/admin/settings/change-dialog.tsx';
import { patchConfig } from '#screens/admin/settings/config-queries.ts';
import {
  type ChannelDraft,
  channelPatch,
  costItems,
  draftOf,
  draftProblems,
  itemsIn,
  mayBeListed,
  missingChannels,
  NEW_ROUTE,
  type Opened,
} from './channel-draft.ts';
import { upstreamNamesQuery } from './record-queries.ts';
import { recordTexts } from './record-texts.ts';

export type ChannelDialogProps = {
  readonly id: string;
  readonly revision: number;
  /**
   * The model, and the channel of the model to edit. If the channel is null, the dialog adds a
   * channel. If `opened` itself is null, the dialog is closed.
   */
  readonly opened: Opened | null;
  readonly onClose: () => void;
};

export function ChannelDialog({ id, revision, opened, onClose }: ChannelDialogProps) {
  const t = useTexts(recordTexts);
  const channelName = useChannelName();
  const { data: upstreams } = useQuery(upstreamNamesQuery);
  const channel = opened?.channel ?? null;
  const title =
    channel === null
      ? t('addChannelTo', { id })
      : t('routesOf', { id, channel: channelName(channel) });
  return (
    <Dialog opened={opened !== null} onClose={onClose} title={title} size="xl">
      {opened === null ? null : upstreams === undefined ? (
        <Loader size="sm" />
      ) : (
        <ChannelForm {...{ id, revision, opened, upstreams, onClose }} />
      )}
    </Dialog>
  );
}

type FormProps = ChannelDialogProps & {
  readonly opened: Opened;
  readonly upstreams: readonly string[];
};

function ChannelForm({ id, revision, opened, upstreams, onClose }: FormProps) {
  const t = useTexts(recordTexts);
  const channelName = useChannelName();
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const { form, ...sending } = useApiForm<ChannelDraft, Proposal>({
    initialValues: draftOf(opened),
    validate: (draft) =>
      Object.fromEntries(
        Object.entries(draftProblems(draft, opened)).map(([field, word]) => [field, t(word)]),
      ),
    send: async (draft) => {
      const send = patchConfig(revision, channelPatch(id, opened, draft));
      return { send, plan: await send({ dry_run: 'true' }) };
    },
    onSent: setProposal,
  });
  return (
    <>
      <FormBody of={sending} submit={t('review')} onCancel={onClose}>
        {opened.channel === null ? (
          <>
            <Select
              label={t('channel')}
              allowDeselect={false}
              data-autofocus
              data={missingChannels(opened.model).map((value) => ({
                value,
                label: channelName(value),
              }))}
              {...form.getInputProps('channel')}
            />
            <Amounts
              legend={t('price')}
              items={itemsIn(opened)}
              inputOf={(at) => form.getInputProps(`prices.${at}`)}
            />
          </>
        ) : null}
        <Amounts
          legend={t('cost')}
          items={costItems(opened)}
          inputOf={(at) => form.getInputProps(`costs.${at}`)}
        />
        {mayBeListed(opened) ? <PriceLists {...form.getInputProps('onlyOn')} /> : null}
        {form.values.routes.length < 2 ? null : <Text variant="note">{t('routesHint')}</Text>}
        {form.values.routes.map(({ upstream }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a route has no id.
          <Fieldset key={at} legend={t('routeAt', { at: at + 1 })}>
            <Stack gap="sm">
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <Select
                  label={t('upstream')}
                  searchable
                  data={[...new Set([...upstreams, upstream])].filter((name) => name !== '')}
                  {...form.getInputProps(`routes.${at}.upstream`)}
                  value={upstream === '' ? null : upstream}
                />
                <TextInput
                  label={t('there')}
                  maxLength={200}
                  spellCheck={false}
                  {...form.getInputProps(`routes.${at}.model`)}
                />
                <TextInput
                  label={t('priority')}
                  inputMode="numeric"
                  maxLength={3}
                  {...form.getInputProps(`routes.${at}.priority`)}
                />
                <TextInput
                  label={t('weight')}
                  inputMode="numeric"
                  maxLength={7}
                  {...form.getInputProps(`routes.${at}.weight`)}
                />
              </SimpleGrid>
              <Group align="flex-end" wrap="nowrap">
                <TagsInput
                  flex={1}
                  label={t('drop')}
                  description={t('dropHint')}
                  acceptValueOnBlur
                  {...form.getInputProps(`routes.${at}.drop`)}
                />
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={t('withoutRoute', { at: at + 1 })}
                  onClick={() => form.removeListItem('routes', at)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Group>
            </Stack>
          </Fieldset>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} />}
            onClick={() => form.insertListItem('routes', NEW_ROUTE)}
          >
            {t('addRoute')}
          </Button>
          {form.errors['routes'] === undefined ? null : (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {form.errors['routes']}
            </Text>
          )}
        </Group>
      </FormBody>
      <ChangeDialog proposal={proposal} onClose={() => setProposal(null)} onMade={onClose} />
    </>
  );
}

/** The price lists on which the channel is sold. Renders nothing if the gateway has none. */
function PriceLists(props: MultiSelectProps) {
  const t = useTexts(recordTexts);
  const { data } = useQuery(priceListsQuery);
  const inForce = data?.data.map(({ name }) => name) ?? [];
  const lists = [...new Set([...inForce, ...(props.value ?? [])])];
  return lists.length === 0 ? null : (
    <MultiSelect
      label={t('onlyOn')}
      description={t('onlyOnHint')}
      data={lists}
      searchable
      {...props}
    />
  );
}

type AmountsProps = {
  readonly legend: string;
  readonly items: ReturnType<typeof itemsIn>;
  readonly inputOf: (at: number) => object;
};

function Amounts({ legend, items, inputOf }: AmountsProps) {
  const nameOf = useItemName();
  return (
    <Fieldset legend={legend}>
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        {items.map(({ path }, at) => (
          <AmountInput
            key={path.join('.')}
            label={nameOf(path, null)}
            currency="USD"
            maxLength={20}
            data-autofocus
            {...inputOf(at)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
