/**
 * The numbers that describe a channel's health, such as its speed. An unknown number is shown as a
 * dash.
 */
import { Text, Tooltip } from '@mantine/core';
import { modelTexts } from '#catalogue/model-texts.ts';
import type { Channel } from '#catalogue/models.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';

const Unknown = () => (
  <Text span inherit c="dimmed">
    –
  </Text>
);

type HealthOf<Name extends keyof Channel['health']> = {
  readonly health: Pick<Channel['health'], Name>;
};

/** The median and the 95th percentile of the time to the first token. */
export function FirstByte({ health: { first_byte_ms: times } }: HealthOf<'first_byte_ms'>) {
  const t = useTexts(modelTexts);
  const { duration } = useFormats();
  if (times === null) return <Unknown />;
  const [p50, p95] = [duration(times.p50), duration(times.p95)];
  return (
    <Tooltip label={t('percentiles', { p50, p95 })}>
      <span style={{ whiteSpace: 'nowrap' }}>
        {p50} / {p95}
      </span>
    </Tooltip>
  );
}

export function Uptime({ ratio }: { readonly ratio: number | null }) {
  const { percent } = useFormats();
  return ratio === null ? <Unknown /> : percent(ratio);
}

export function Speed({ health: { tokens_per_second: speed } }: HealthOf<'tokens_per_second'>) {
  const t = useTexts(modelTexts);
  const { count } = useFormats();
  return speed === null ? <Unknown /> : t('tokensPerSecond', { count: count(speed) });
}
