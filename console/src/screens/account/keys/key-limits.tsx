/** The table of all limits of a key. */
import { Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '#components/moment.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { type ApiKey, SPEND_WINDOWS } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { Money } from '#money/money.tsx';
import { keyPageTexts } from './key-page-texts.ts';

export function KeyLimits({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useTexts(keyPageTexts);
  const names = useTexts(keyFormTexts);
  const { count } = useFormats();
  const { limits } = apiKey;
  const counted = (value: number | null): ReactNode =>
    value === null ? <None text={t('noLimit')} /> : count(value);
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {SPEND_WINDOWS.map((window) => {
          const cap = limits.spend[window];
          return (
            <Line key={window} name={names(window)}>
              {cap === null ? <None text={t('noLimit')} /> : <Money amount={cap} currency="USD" />}
            </Line>
          );
        })}
        <Line name={names('requests')}>{counted(limits.requests_per_minute)}</Line>
        <Line name={names('tokens')}>{counted(limits.tokens_per_minute)}</Line>
        <Line name={names('concurrency')}>{counted(limits.concurrency)}</Line>
        <Line name={names('models')}>
          <Words words={limits.models} none={t('all')} />
        </Line>
        <Line name={names('channels')}>
          <Words words={limits.channels} none={t('all')} />
        </Line>
        <Line name={names('addresses')}>
          <Words words={limits.ip_ranges} none={t('anywhere')} />
        </Line>
        <Line name={t('expires')}>
          <Time at={apiKey.expires_at} none={t('noLimit')} />
        </Line>
        <Line name={t('lastUsed')}>
          <Time at={apiKey.last_used_at} none={t('never')} />
        </Line>
        <Line name={t('created')}>
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

type WordsProps = { readonly words: readonly string[] | null; readonly none: string };

function Words({ words, none }: WordsProps) {
  if (words === null) return <None text={none} />;
  return (
    <Group gap="xs">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </Group>
  );
}

const Time = ({ at, none }: { readonly at: string | null; readonly none: string }) =>
  at === null ? <None text={none} /> : <Moment at={at} />;
