/** The announced prices of a model's channels, each with the time at which it takes effect. */
import { Text } from '@mantine/core';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { ListedPrice, useChannelName } from './model-facts.tsx';
import { modelTexts } from './model-texts.ts';
import type { Channel } from './models.ts';
import { PRICE_KEYS } from './usage-buckets.ts';

const texts = defineTexts('upcoming-prices', {
  en: { from: '{{channel}}, from {{time}}: ' },
  zh: { from: '{{channel}}，{{time}} 起：' },
});

type Upcoming = Channel['upcoming'][number];

export function UpcomingPrices({ channels }: { readonly channels: readonly Channel[] }) {
  const t = useTexts(texts);
  const { time } = useFormats();
  const nameOf = useChannelName();
  return channels.flatMap(({ channel, upcoming }) =>
    upcoming.map((next) => (
      <Text key={`${channel} ${next.effective_from}`} size="sm">
        {t('from', { channel: nameOf(channel), time: time(next.effective_from) })}
        <Prices of={next} />
      </Text>
    )),
  );
}

function Prices({ of: { price } }: { readonly of: Upcoming }) {
  const t = useTexts(modelTexts);
  const tokens = PRICE_KEYS.flatMap((key) =>
    price[key] === null ? [] : [{ name: t(key), amount: price[key] }],
  );
  const images = Object.entries(price.per_image ?? {}).map(([name, amount]) => ({ name, amount }));
  return [...tokens, ...images].map(({ name, amount }, at) => (
    <span key={name}>
      {at === 0 ? '' : ' · '}
      {name} <ListedPrice of={amount} />
    </span>
  ));
}
