/**
 * The API reference: every operation in the OpenAPI document, with search, links and examples to
 * copy.
 */
import {
  Accordion,
  Anchor,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { mayAs, usePerson } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Copyable } from '#components/copyable.tsx';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { FilterText } from '#components/tables/filter-fields.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import {
  foundOperations,
  type Operation,
  type Reference,
  referenceOf,
  TAGS,
  type Tag,
} from './reference/openapi.ts';
import { OperationDetails } from './reference/operation-details.tsx';
import classes from './reference/reference.module.css';
import { referenceTexts } from './reference/reference-texts.ts';

const route = getRouteApi('/open/reference');

export function ReferenceScreen() {
  const title = useTexts(navigationTexts);
  const t = useTexts(referenceTexts);
  const person = usePerson();
  const [audience, setAudience] = useState<'callers' | 'admin'>('callers');
  const { data, error, refetch } = useQuery(referenceQuery(audience === 'admin'));
  const files = ['openapi.json', 'llms.txt'].map((name) => (
    <Anchor key={name} href={`/${name}`} target="_blank" rel="noreferrer" size="sm">
      {name}
    </Anchor>
  ));
  return (
    <Page title={title('reference')} actions={files}>
      {person !== null && mayAs(person.role, 'administrator') ? (
        <SegmentedControl
          aria-label={t('audience')}
          w="max-content"
          value={audience}
          onChange={(chosen) => setAudience(chosen === 'admin' ? 'admin' : 'callers')}
          data={[
            { value: 'callers', label: t('callers') },
            { value: 'admin', label: t('admin') },
          ]}
        />
      ) : null}
      {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={560} /> : null}
      {data === undefined ? null : (
        <Operations reference={{ ...data, operations: shown(data.operations, audience) }} />
      )}
    </Page>
  );
}

/** Omits the operations that only the console uses. */
const shown = (operations: readonly Operation[], audience: 'callers' | 'admin') =>
  operations.filter(({ tag }) => tag !== 'console' && (tag === 'admin') === (audience === 'admin'));

function Operations({ reference }: { readonly reference: Reference }) {
  const t = useTexts(referenceTexts);
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const opened = useOpened();
  const found = foundOperations(reference.operations, q);
  const search = (text: string): void =>
    void navigate({ search: { q: text }, replace: true, resetScroll: false });
  return (
    <Stack gap="lg">
      <Group gap="lg">
        <FilterText
          label={t('search')}
          placeholder={t('searchHint')}
          value={q}
          onCommit={search}
          isSearch
        />
        <Text size="sm">
          {t('base')} <Copyable value={reference.baseUrl} />
        </Text>
        <Text variant="note" role="status">
          {t('count', { count: found.length })}
        </Text>
      </Group>
      {found.length === 0 ? <Empty icon={IconApi} title={t('none')} /> : null}
      {TAGS.map((tag) => (
        <TagGroup
          key={tag}
          tag={tag}
          operations={found.filter((operation) => operation.tag === tag)}
          reference={reference}
          opened={opened}
        />
      ))}
    </Stack>
  );
}

type Opened = {
  readonly anchors: readonly string[];
  readonly onChange: (anchors: string[]) => void;
};

/**
 * Returns the operations that are expanded. The operation in the URL is expanded and scrolled into
 * view.
 */
function useOpened(): Opened {
  const { hash } = useLocation();
  const navigate = route.useNavigate();
  const [anchors, setAnchors] = useState<readonly string[]>(hash === '' ? [] : [hash]);
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
  const onChange = (next: string[]): void => {
    const added = next.find((anchor) => !anchors.includes(anchor));
    setAnchors(next);
    if (added === undefined) return;
    void navigate({
      search: (search) => search,
      hash: added,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  return { anchors, onChange };
}

type TagGroupProps = {
  readonly tag: Tag;
  readonly operations: readonly Operation[];
  readonly reference: Reference;
  readonly opened: Opened;
};

function TagGroup({ tag, operations, reference, opened }: TagGroupProps) {
  const t = useTexts(referenceTexts);
  const { anchors, onChange } = opened;
  if (operations.length === 0) return null;
  const own = operations.map(({ anchor }) => anchor);
  const others = anchors.filter((anchor) => !own.includes(anchor));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t(tag)}
      </Title>
      <Accordion
        multiple
        variant="contained"
        value={anchors.filter((anchor) => own.includes(anchor))}
        onChange={(next) => onChange([...others, ...next])}
      >
        {operations.map((operation) => (
          <OperationItem
            key={operation.anchor}
            operation={operation}
            reference={reference}
            isOpen={anchors.includes(operation.anchor)}
          />
        ))}
      </Accordion>
    </Stack>
  );
}

type OperationItemProps = {
  readonly operation: Operation;
  readonly reference: Reference;
  readonly isOpen: boolean;
};

function OperationItem({ operation, reference, isOpen }: OperationItemProps) {
  const { anchor, method, path, summary } = operation;
  return (
    <Accordion.Item value={anchor} id={anchor} className={classes['item'] ?? ''}>
      <Accordion.Control>
        <span className={classes['operation']}>
          <Text span variant="caption" ff="monospace">
            {method}
          </Text>
          <span className={classes['path']}>{path}</span>
          <Text span variant="note" className={classes['summary'] ?? ''}>
            {summary}
          </Text>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        {isOpen ? <OperationDetails operation={operation} reference={reference} /> : null}
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/**
 * The query that loads the OpenAPI document.
 * @param isWhole whether to include the administrators' operations, which make the document several
 *   times as long.
 */
const referenceQuery = (isWhole: boolean) =>
  queryOptions({
    queryKey: ['openapi', isWhole],
    queryFn: async ({ signal }) => {
      const params = { query: isWhole ? {} : { audience: 'callers' as const } };
      return referenceOf(await answerOf(api.GET('/openapi.json', { params, signal })));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
