/** The refused requests of all accounts: filters kept in the URL, and the details of each. */
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { given } from '#api/given.ts';
import { useModels } from '#catalogue/models.ts';
import { TextLink } from '#components/button-link.tsx';
import { Sheet } from '#components/dialog.tsx';
import { ShortTime } from '#components/moment.tsx';
import { Page } from '#components/page.tsx';
import { dayRange, presetOf, rangedSearch } from '#components/range/range.ts';
import { RangePicker } from '#components/range/range-picker.tsx';
import type { Column } from '#components/tables/column.ts';
import { FilterBar, FilterChoice, FilterText } from '#components/tables/filter-fields.tsx';
import { rangeOfDays } from '#components/time-range.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import type { Refusal, RefusalFilter } from '#requests/refusal-query.ts';
import { ReasonChoice, RefusalList, RefusedRequest } from '#requests/refusals.tsx';
import { navigationTexts } from '#shell/navigation.ts';
import { AdminLink } from './admin-link.tsx';
import { useIdNames } from './audit/id-names.ts';
import type { RefusalField } from './refusals/refusals-search.ts';

const texts = defineTexts('admin-refusals', {
  en: {
    sheet: 'Refused request',
    account: 'Account',
    accountHint: 'acc_…',
    request: 'Request ID',
    requestHint: 'req_… or its beginning',
    key: 'API key',
    keyHint: 'key_…',
    model: 'Model',
    any: 'Any',
  },
  zh: {
    sheet: '被拒绝的请求',
    account: '账户',
    accountHint: 'acc_…',
    request: '请求 ID',
    requestHint: 'req_… 或其开头',
    key: 'API 密钥',
    keyHint: 'key_…',
    model: '模型',
    any: '全部',
  },
});

const route = getRouteApi('/app/admin/refusals');

export function RefusalsScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  const [nowMs] = useState(() => Date.now());
  const timeZone = useTimeZone();
  const search = rangedSearch(route.useSearch(), nowMs, timeZone);
  const names = useIdNames();
  const change = (values: Readonly<Record<string, unknown>>): void =>
    void navigate({ search: (now) => ({ ...now, ...values }), resetScroll: false });
  const { from, to } =
    presetOf(search) === null ? search : rangeOfDays(dayRange(search, nowMs, timeZone), timeZone);
  const { account_id, key_id, model, code, request } = search;
  const filter: RefusalFilter = given({ from, to, account_id, key_id, model, code, id: request });
  const account: Column<Refusal> = {
    name: 'account',
    heading: t('account'),
    cell: ({ account_id: id = '' }) => <AdminLink id={id} name={names.get(id)} />,
    value: ({ account_id: id = '' }) => names.get(id) ?? id,
  };
  return (
    <Page title={title('refusals')}>
      <RangePicker
        {...{ timeZone, nowMs }}
        range={search}
        onChange={(range) => change({ range: range.range, from: range.from, to: range.to })}
      />
      <Filters filter={filter} onCommit={(name, value) => change({ [name]: value })} />
      <RefusalList
        scope="all"
        filter={filter}
        more={[account]}
        time={({ id, at }) => (
          <TextLink
            inherit
            from="/admin/refusals"
            to="/admin/refusals"
            search={(now) => ({ ...now, id })}
            resetScroll={false}
            aria-haspopup="dialog"
          >
            <ShortTime at={at} />
          </TextLink>
        )}
      />
      <Sheet
        opened={search.id !== undefined}
        onClose={() => change({ id: undefined })}
        title={t('sheet')}
        size="xl"
      >
        {search.id === undefined ? null : (
          <RefusedRequest scope="all" id={search.id}>
            {({ account_id: id = '' }) => <AdminLink id={id} name={names.get(id)} />}
          </RefusedRequest>
        )}
      </Sheet>
    </Page>
  );
}

type FiltersProps = {
  readonly filter: RefusalFilter;
  readonly onCommit: (name: RefusalField, value: string) => void;
};

function Filters({ filter, onCommit }: FiltersProps) {
  const t = useTexts(texts);
  const search = route.useSearch();
  const models = useModels().data ?? [];
  const field = (name: RefusalField) => ({
    value: search[name] ?? '',
    onCommit: (value: string) => onCommit(name, value),
  });
  return (
    <FilterBar>
      <FilterText label={t('request')} placeholder={t('requestHint')} {...field('request')} />
      <FilterText label={t('account')} placeholder={t('accountHint')} {...field('account_id')} />
      <FilterText label={t('key')} placeholder={t('keyHint')} {...field('key_id')} />
      <FilterChoice
        label={t('model')}
        any={t('any')}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
        {...field('model')}
      />
      <ReasonChoice scope="all" filter={filter} {...field('code')} />
    </FilterBar>
  );
}
