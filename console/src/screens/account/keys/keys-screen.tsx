/** The account's keys: search, create, limit, rotate, disable. */
import { Button, Card, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconKey, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { oneOf } from '#api/lists.ts';
import { mayAs, useSignedIn } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { MAX_FILTER_CHARS } from '#components/search-reader.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { SELECTING_KEYS, useKeyColumns } from '#keys/key-columns.tsx';
import { CreateKeyDialog } from '#keys/key-dialogs.tsx';
import type { ApiKey } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { keysQuery, MAX_KEYS } from '#keys/key-queries.ts';
import { mayManage } from '#keys/key-state.ts';
import { keyTexts } from '#keys/key-texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { type KeySearch, keysThatPass, STATE_FILTERS } from './key-search.ts';

const route = getRouteApi('/app/keys');

export function KeysScreen() {
  const title = useTexts(navigationTexts);
  const tForm = useTexts(keyFormTexts);
  const { new: isCreating = false, q = '' } = route.useSearch();
  const [text, setText] = useSearchText(q);
  // The list is filtered at low priority, so that typing is never delayed.
  const listed = useDeferredValue(text);
  const navigate = route.useNavigate();
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
      <KeyFilters text={text} onText={setText} />
      <KeyList
        q={listed}
        newKey={newKey}
        onClear={() => {
          setText('');
          void navigate({ search: {} });
        }}
      />
      <CreateKeyDialog opened={isCreating && mayChange} onClose={() => openForm(false)} />
    </Page>
  );
}

/**
 * Keeps the text of the search field. When the back button changes the URL, the field shows the
 * text in the URL. When the URL follows typed text, the field stays as it is, since the person may
 * have typed more meanwhile.
 */
function useSearchText(inUrl: string) {
  const [text, setText] = useState(inUrl);
  const [typed, setTyped] = useState<readonly string[]>([inUrl]);
  const [known, setKnown] = useState(inUrl);
  if (known !== inUrl) {
    setKnown(inUrl);
    setTyped([inUrl]);
    if (!typed.includes(inUrl)) setText(inUrl);
  }
  const onText = (value: string): void => {
    setText(value);
    setTyped([...typed, value]);
  };
  return [text, onText] as const;
}

type KeyFiltersProps = { readonly text: string; readonly onText: (text: string) => void };

/** Typing filters the list at once, and changes the URL when the person pauses. */
function KeyFilters({ text, onText }: KeyFiltersProps) {
  const t = useTexts(keyTexts);
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Partial<KeySearch>): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  };
  const keep = useDebouncedCallback((q: string) => set({ q: q === '' ? undefined : q }), PAUSE_MS);
  return (
    <Group gap="sm">
      <TextInput
        flex="1 1 180px"
        maw={420}
        aria-label={t('filter')}
        placeholder={t('filter')}
        leftSection={<IconSearch size={16} />}
        maxLength={MAX_FILTER_CHARS}
        value={text}
        data-page-filter
        onChange={({ currentTarget: { value } }) => {
          onText(value);
          keep(value);
        }}
      />
      <Select
        w={140}
        aria-label={t('status')}
        value={state ?? IN_USE}
        allowDeselect={false}
        data={[
          { value: IN_USE, label: t('inUse') },
          ...STATE_FILTERS.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(value) => set({ state: oneOf(STATE_FILTERS, value) })}
      />
    </Group>
  );
}

const IN_USE = 'in-use';
/** How long the person must pause before the URL is changed. */
const PAUSE_MS = 400;
/** With at least this many keys, the list shows how many keys an account may have. */
const MANY_KEYS = 900;

type KeyListProps = {
  readonly q: string;
  readonly newKey: ReactNode;
  readonly onClear: () => void;
};

function KeyList({ q, newKey, onClear }: KeyListProps) {
  const t = useTexts(keyTexts);
  const { state } = route.useSearch();
  const mayChange = mayAs(useSignedIn().role, 'member');
  const columns = useColumns(mayChange);
  const { data: keys, error, refetch } = useQuery(keysQuery);
  const passing = useMemo(
    () => (keys === undefined ? undefined : keysThatPass(keys, { q, state }, Date.now())),
    [keys, q, state],
  );
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
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return (
    <Card>
      <DataTable
        name="keys"
        label={t('keys')}
        columns={columns}
        rows={passing}
        keyOf={({ id }) => id}
        download={{ file: ['keys'] }}
        hasViews
        summary={
          passing === undefined ? null : <KeyCount all={keys ?? []} shown={passing.length} />
        }
        selecting={mayChange ? SELECTING_KEYS : undefined}
        empty={
          <Empty icon={IconSearch} title={t('noMatch')} action={clear}>
            {t('noMatchHint')}
          </Empty>
        }
      />
    </Card>
  );
}

/** The number of shown keys or, with at least `MANY_KEYS` keys, their number and the maximum. */
function KeyCount({ all, shown }: { readonly all: readonly ApiKey[]; readonly shown: number }) {
  const t = useTexts(keyTexts);
  const { count } = useFormats();
  const used = all.filter(({ status, purpose }) => status !== 'revoked' && purpose === null).length;
  return (
    <Text variant="note">
      {used < MANY_KEYS
        ? t('count', { count: shown })
        : t('cap', { used: count(used), most: count(MAX_KEYS) })}
    </Text>
  );
}

function useColumns(mayChange: boolean): readonly Column<ApiKey>[] {
  const person = useSignedIn();
  return useKeyColumns({
    name: (key) => <KeyName apiKey={key} />,
    isManaged: mayChange ? (key) => mayManage(person, key) : null,
  });
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name, purpose, status, created_by: createdBy } = apiKey;
  const wasShared = createdBy === null && status !== 'revoked';
  const t = useTexts(keyTexts);
  const link = (
    <TextLink
      inherit
      fw={500}
      display="inline-block"
      style={{ verticalAlign: 'middle' }}
      maw={{ base: 180, sm: 280 }}
      truncate
      title={name}
      to="/keys/$id"
      params={{ id }}
    >
      {name}
    </TextLink>
  );
  if (purpose === null) return link;
  return (
    <>
      {link}
      <Text variant="caption" style={{ whiteSpace: 'nowrap' }}>
        {t(wasShared ? 'wasOfPlayground' : 'ofPlayground')}
      </Text>
    </>
  );
}
