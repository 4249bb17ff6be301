/**
 * Incidents and maintenance that the operator has reported. Each open one is a card; the past ones
 * are in a list.
 */
import { Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type Notice, NoticeState, useAffectedNames } from '#catalogue/notice-facts.tsx';
import { ShortTime } from '#components/moment.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './notices.module.css';

const texts = defineTexts('status-notices', {
  en: {
    affects: 'Affects: {{what}}',
    maintenance: 'Maintenance',
    earlier: 'Earlier updates ({{count}})',
  },
  zh: {
    affects: '影响范围：{{what}}',
    maintenance: '维护',
    earlier: '更早的更新（{{count}}）',
  },
});

/** The open incidents and maintenance, with incidents first. */
export const OpenNotices = ({ notices }: { readonly notices: readonly Notice[] }) =>
  notices
    .toSorted((one, other) => one.kind.localeCompare(other.kind))
    .map((notice) => (
      <Card key={notice.id} component="section" aria-labelledby={notice.id}>
        <Stack gap="xs">
          <Group justify="space-between" gap="xs" align="flex-start" wrap="nowrap">
            <Title order={2} size="h5" id={notice.id} className={classes['title'] ?? ''}>
              {notice.title}
            </Title>
            <NoticeState state={notice.state} />
          </Group>
          <Facts notice={notice} />
          <Updates notice={notice} />
        </Stack>
      </Card>
    ));

/** The past incidents and maintenance. Each can be expanded to show its updates. */
export const PastNotices = ({ notices }: { readonly notices: readonly Notice[] }) => (
  <Stack gap={4}>
    {notices.map((notice) => (
      <details key={notice.id}>
        <summary className={classes['summary']}>
          <Text span size="sm" className={classes['title'] ?? ''}>
            {notice.title}
          </Text>
          <Text span variant="note">
            <Times notice={notice} />
          </Text>
          <Text span size="sm">
            <NoticeState state={notice.state} />
          </Text>
        </summary>
        <Stack gap="xs" className={classes['past'] ?? ''}>
          <Facts notice={notice} />
          <Updates notice={notice} />
        </Stack>
      </details>
    ))}
  </Stack>
);

function Times({ notice: { starts_at: from, ends_at: to } }: { readonly notice: Notice }) {
  return (
    <>
      <ShortTime at={from} /> – {to === null ? null : <ShortTime at={to} />}
    </>
  );
}

function Facts({ notice }: { readonly notice: Notice }) {
  const t = useTexts(texts);
  const namesOf = useAffectedNames();
  return (
    <Text variant="note">
      {notice.kind === 'maintenance' ? (
        <>
          {t('maintenance')}: <Times notice={notice} />
          {' · '}
        </>
      ) : null}
      {t('affects', { what: namesOf(notice.affects) })}
    </Text>
  );
}

/**
 * Shows the latest update of an incident or maintenance in full. The earlier updates are in a list,
 * which is collapsed if there are many.
 */
function Updates({ notice: { updates } }: { readonly notice: Notice }) {
  const t = useTexts(texts);
  const [latest, ...earlier] = updates;
  return (
    <>
      {latest === undefined ? null : <Update of={latest} />}
      {earlier.length === 0 ? null : (
        <details open={earlier.length < 3}>
          <Text component="summary" variant="note" className={classes['earlier'] ?? ''}>
            {t('earlier', { count: earlier.length })}
          </Text>
          <Stack gap="xs" mt="xs">
            {earlier.map((update) => (
              <Update key={`${update.at} ${update.text}`} of={update} />
            ))}
          </Stack>
        </details>
      )}
    </>
  );
}

const Update = ({ of: { at, state, text } }: { readonly of: Notice['updates'][number] }) => (
  <Box className={classes['update'] ?? ''}>
    <Text variant="note" component="div" className={classes['when'] ?? ''}>
      <ShortTime at={at} />
      <NoticeState state={state} />
    </Text>
    <Text size="sm" className={classes['text'] ?? ''}>
      {text}
    </Text>
  </Box>
);
