/** The table of all limits of a key. */
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '#components/moment.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { type ApiKey, SPEND_WINDOWS } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { keyTexts } from '#keys/key-texts.ts';
import { Money } from '#money/money.tsx';
import { keyPageTexts } from './key-page-texts.ts';

/** Only the limits that are set: a list of seven times nothing would hide them. */
export function KeyLimits({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyPageTexts);
  const headings = useTexts(keyTexts);
  const names = useTexts(keyFormTexts);
  const { count } = useFormats();
  const { limits } = apiKey;
  const counted = (value: number | null): ReactNode => (value === null ? null : count(value));
  const listed = (words: readonly string[] | null): ReactNode => words?.join(', ') ?? null;
  const lines = [
    ...SPEND_WINDOWS.map((window) => {
      const cap = limits.spend[window];
      return { name: window, value: cap && <Money amount={cap} currency="USD" /> };
    }),
    { name: 'requests', value: counted(limits.requests_per_minute) },
    { name: 'tokens', value: counted(limits.tokens_per_minute) },
    { name: 'concurrency', value: counted(limits.concurrency) },
    { name: 'models', value: listed(limits.models) },
    { name: 'channels', value: listed(limits.channels) },
    { name: 'addresses', value: listed(limits.ip_ranges) },
  ] as const;
  const set = lines.filter(({ value }) => value !== null);
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {set.length > 0 ? null : <Line name={t('limits')}>{names('noLimit')}</Line>}
        {set.map(({ name, value }) => (
          <Line key={name} name={names(name)}>
            {value}
          </Line>
        ))}
        <Line name={names('expires')}>
          <Time at={apiKey.expires_at} none={names('never')} />
        </Line>
        <Line name={headings('lastUsed')}>
          <Time at={apiKey.last_used_at} none={headings('never')} />
        </Line>
        <Line name={headings('created')}>
          <Time at={apiKey.created_at} none="" />
        </Line>
      </Table.Tbody>
    </Table>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w="45%">{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

const None = ({ text }: { readonly text: string }) => (
  <Text span inherit c="dimmed">
    {text}
  </Text>
);

const Time = ({ at, none }: { readonly at: string | null; readonly none: string }) =>
  at === null ? <None text={none} /> : <Moment at={at} />;
