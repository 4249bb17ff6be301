/** The results of an upstream test, for each protocol. */

import { Code, Group, Stack, Text } from '@mantine/core';
import { FactTable } from '#components/facts.tsx';
import { Status } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import type { UpstreamTest } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';
import { useTestProblem } from './test-problem-texts.ts';

type Check = UpstreamTest['checks'][number];

export function UpstreamFindings({ found }: { readonly found: UpstreamTest }) {
  const t = useTexts(channelTexts);
  const quirks =
    Object.keys(found.quirks).length === 0 ? null : JSON.stringify(found.quirks, null, 2);
  return (
    <Stack gap="lg">
      {found.checks.map((check) => (
        <CheckResult key={check.format} check={check} />
      ))}
      {quirks === null ? null : (
        <details>
          <Text component="summary" size="sm">
            {t('quirks', { model: found.model })}
          </Text>
          <Code block mt="xs">
            {quirks}
          </Code>
        </details>
      )}
    </Stack>
  );
}

function CheckResult({ check }: { readonly check: Check }) {
  const t = useTexts(channelTexts);
  const problemText = useTestProblem();
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={600} size="sm">
          {t(check.format)}
        </Text>
        <Status tone={check.ok ? 'good' : 'bad'}>{check.ok ? t('passed') : t('failed')}</Status>
      </Group>
      <Figures check={check} />
      {check.problem === null ? null : <Text size="sm">{problemText(check)}</Text>}
      {check.error === null ? null : (
        <div>
          <Text variant="caption" mb={4}>
            {t('response')}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {check.error}
          </Code>
        </div>
      )}
    </Stack>
  );
}

function Figures({ check }: { readonly check: Check }) {
  const t = useTexts(channelTexts);
  const { duration, count, list } = useFormats();
  const { status, status_ms: statusMs, first_byte_ms: firstByteMs, usage, dimensions } = check;
  const figures = [
    { name: t('httpStatus'), value: status === null ? null : String(status) },
    { name: t('statusAfter'), value: statusMs === null ? null : duration(statusMs) },
    { name: t('firstByteAfter'), value: firstByteMs === null ? null : duration(firstByteMs) },
    { name: t('tokens'), value: usage === null ? null : tokensOf(usage) },
    { name: t('dimensions'), value: dimensions === null ? null : String(dimensions) },
  ];
  function tokensOf(of: NonNullable<Check['usage']>): string {
    const plain = t('tokensOf', { input: count(of.input_tokens), output: count(of.output_tokens) });
    if (of.cache_read_tokens + of.cache_write_tokens === 0) return plain;
    const read = count(of.cache_read_tokens);
    return list([plain, t('tokensCached', { read, write: count(of.cache_write_tokens) })]);
  }
  return <FactTable facts={figures} />;
}
