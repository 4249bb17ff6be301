/** The account's keys: search, create, limit, rotate, disable. */

import { Button, Card, Center, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconKey, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Ago } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { KeyActions } from '#keys/key-actions.tsx';
import { CreateKeyDialog } from '#keys/key-dialogs.tsx';
import type { ApiKey } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { type CreatedKey, keysQuery } from '#keys/key-queries.ts';
import { KeySpend } from '#keys/key-spend.tsx';
import { mayManage } from '#keys/key-state.ts';
import { KeyStatus } from '#keys/key-status.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { SecretDialog } from '#keys/secret-dialog.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { type KeySearch, keysThatPass, STATE_FILTERS, type StateFilter } from './key-search.ts';

const route = getRouteApi('/app/keys');
/** The number of rows rendered at first, and added by each press of the button below the list. */
const STEP_ROWS = 50;

export function KeysScreen() {
  const title = useTexts(navigationTexts);
  const tForm = useTexts(keyFormTexts);
  const { new: isCreating = false } = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const mayChange = mayAs(useSignedIn().role, 'member');
  const openForm = (isOpen: boolean): void => {
    void navigate({ search: (before) => ({ ...before, new: isOpen ? true : undefined }) });
  };
  const newKey = mayChange ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openForm(true)}>
      {tForm('create')}
    </Button>
  ) : undefined;
  return (
    <Page title={title('keys')} actions={newKey}>
      <KeyFilters />
      <KeyList newKey={newKey} />
      <CreateKeyDialog
        opened={isCreating && mayChange}
        onClose={() => openForm(false)}
        onCreated={(key) => {
          openForm(false);
          setCreated(key);
        }}
      />
      {created === null ? null : (
        <SecretDialog
          secret={created.secret}
          models={created.limits.models}
          onSaved={() => setCreated(null)}
        />
      )}
    </Page>
  );
}

function KeyFilters() {
  const t = useTexts(keyTexts);
  const { q = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: KeySearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  };
  const isState = (value: string | null): value is StateFilter =>
    STATE_FILTERS.some((each) => each === value);
  return (
    <Group gap="sm">
      <TextInput
        flex="1 1 240px"
        maw={420}
        aria-label={t('filter')}
        placeholder={t('filter')}
        leftSection={<IconSearch size={16} />}
        value={q}
        maxLength={MAX_FILTER_CHARS}
        data-page-filter
        onChange={({ currentTarget: { value } }) => set({ q: value })}
      />
      <Select
        w={160}
        aria-label={t('status')}
        value={state ?? IN_USE}
        allowDeselect={false}
        data={[
          { value: IN_USE, label: t('inUse') },
          ...STATE_FILTERS.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(value) => set({ state: isState(value) ? value : undefined })}
      />
    </Group>
  );
}

const IN_USE = 'in-use';

function KeyList({ newKey }: { readonly newKey: React.ReactNode }) {
  const t = useTexts(keyTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shownRows, setShownRows] = useState(STEP_ROWS);
  const columns = useColumns();
  const { data: keys, error, refetch } = useQuery(keysQuery);
  if (error !== null && keys === undefined) {
    return <ApiProblem error={error} onRetry={() => void refetch()} />;
  }
  if (keys?.length === 0) {
    return (
      <Card>
        <Empty icon={IconKey} title={t('empty')} action={newKey}>
          {t(newKey === undefined ? 'emptyReadOnly' : 'emptyHint')}
        </Empty>
      </Card>
    );
  }
  const passing = keys === undefined ? undefined : keysThatPass(keys, search, Date.now());
  const hidden = (passing?.length ?? 0) - shownRows;
  const clear = (
    <Button variant="default" onClick={() => void navigate({ search: {} })}>
      {t('clear')}
    </Button>
  );
  return (
    <Card>
      <DataTable
        label={t('keys')}
        columns={columns}
        rows={passing?.slice(0, shownRows)}
        keyOf={({ id }) => id}
        minWidth={860}
        empty={
          <Empty icon={IconSearch} title={t('noMatch')} action={clear}>
            {t('noMatchHint')}
          </Empty>
        }
      />
      {hidden > 0 ? (
        <Center pt="sm">
          <Button variant="default" onClick={() => setShownRows(shownRows + STEP_ROWS)}>
            {t('showMore', { count: Math.min(hidden, STEP_ROWS) })}
          </Button>
        </Center>
      ) : null}
    </Card>
  );
}

function useColumns(): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const person = useSignedIn();
  const columns: readonly Column<ApiKey>[] = [
    { name: 'name', heading: t('name'), cell: (key) => <KeyName apiKey={key} /> },
    { name: 'status', heading: t('status'), cell: (key) => <KeyStatus apiKey={key} /> },
    { name: 'spend', heading: t('spend'), cell: (key) => <KeySpend apiKey={key} /> },
    {
      name: 'lastUsed',
      heading: t('lastUsed'),
      cell: ({ last_used_at: at }) =>
        at === null ? (
          <Text span inherit c="dimmed">
            {t('never')}
          </Text>
        ) : (
          <Ago at={at} />
        ),
    },
    { name: 'created', heading: t('created'), cell: ({ created_at: at }) => <Ago at={at} /> },
  ];
  if (!mayAs(person.role, 'member')) return columns;
  const actions: Column<ApiKey> = {
    name: 'actions',
    heading: t('actions'),
    end: true,
    cell: (key) => (mayManage(person, key) ? <KeyActions apiKey={key} /> : null),
  };
  return [...columns, actions];
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }) {
  return (
    <Stack gap={0}>
      <TextLink
        fw={500}
        size="sm"
        maw={{ base: 200, sm: 320 }}
        truncate
        title={apiKey.name}
        to="/keys/$id"
        params={{ id: apiKey.id }}
      >
        {apiKey.name}
      </TextLink>
      <Text size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
        {apiKey.masked}
      </Text>
    </Stack>
  );
}
